// Runs the command line in-process, in a home of its own, and captures what it prints.
import type { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { main } from '../../src/cli/main.ts';

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface CliOptions {
  readonly stdin?: string | AsyncIterable<string>;
  /** Below the home, to run in. */
  readonly folder?: string;
  /** What is typed on a terminal, in place of `stdin`. */
  readonly typed?: string;
  /** Columns of a terminal; without it both outputs are pipes. */
  readonly terminal?: number;
  /** A terminal that can be resized: it emits `resize`. */
  readonly screen?: EventEmitter & { readonly columns: number; readonly rows: number };
  readonly env?: Readonly<Record<string, string>>;
  /** Called with what goes to standard output, as it comes. */
  readonly onStdout?: (text: string) => void;
  /** Called with what goes to standard error, as it comes. */
  readonly onStderr?: (text: string) => void;
  /** Called when the command line listens for Ctrl-C. */
  readonly onListen?: (interrupt: () => void) => void;
}

export interface CliHome {
  /** Folder that commands run in, and that holds the user's folders. */
  readonly folder: string;
  run(argv: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Writes a file below the folder and gives its name. */
  write(name: string, text: string | Uint8Array): string;
  remove(): void;
}

/** One engine data directory per process: a test file makes one home and keeps it. */
export function cliHome(): CliHome {
  const folder = mkdtempSync(join(tmpdir(), 'quern-cli-'));
  return {
    folder,
    async run(argv, { stdin = '', folder: below = '', typed, terminal, screen, env = {}, onStdout, onStderr, onListen } = {}) {
      const out: string[] = [];
      const err: string[] = [];
      const output = (chunks: string[], onWrite?: (text: string) => void) => ({
        isTerminal: terminal !== undefined || screen !== undefined,
        get columns() {
          return screen?.columns ?? terminal;
        },
        // Of a stream's parts, those that commands look at beside progress bars.
        ...(screen === undefined ? {} : { terminal: screen as unknown as NodeJS.WriteStream }),
        write: async (text: string) => {
          chunks.push(text);
          onWrite?.(text);
        },
      });
      const exitCode = await main(argv, {
        stdin: Object.assign(Readable.from(bytesOf(typed ?? stdin)), { isTTY: typed !== undefined }),
        stdout: output(out, onStdout),
        stderr: output(err, onStderr),
        env: { HOME: folder, NO_COLOR: '1', ...env },
        cwd: join(folder, below),
        peakMemoryBytes: () => 300e6,
        onHangUp: () => () => undefined,
        onInterrupt(listener) {
          onListen?.(() => void listener(false));
          return () => undefined;
        },
      });
      return { stdout: out.join(''), stderr: err.join(''), exitCode };
    },
    write(name, text) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
      return name;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function* bytesOf(text: string | AsyncIterable<string>): AsyncGenerator<Buffer> {
  if (typeof text === 'string') yield Buffer.from(text);
  else for await (const part of text) yield Buffer.from(part);
}
