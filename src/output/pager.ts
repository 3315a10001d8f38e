// Sends output that is longer than the terminal through the user's pager.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Output } from '../base/io.ts';

type Terminal = Omit<Output, 'terminal'>;

export interface PagedOutput extends Terminal {
  /** Prints the retained text, or waits until the user has left the pager. */
  end(): Promise<void>;
}

interface PagerOptions {
  /** For the shell, such as `less -S`. */
  readonly command: string;
  /** Lines of the terminal. */
  readonly rows: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Retains text until it is longer than the screen; then the pager gets it all. A pager that is left early is no error. */
export function openPager(output: Terminal, { command, rows, env }: PagerOptions): PagedOutput {
  let retained = '';
  let lines = 0;
  let pager: ReturnType<typeof start> | undefined;
  const start = () => {
    // less: colours as they are, the text stays on the screen.
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: { LESS: 'FRX', ...env } });
    const left = once(child, 'close');
    child.stdin.on('error', () => undefined);
    return { child, left };
  };
  return {
    isTerminal: output.isTerminal,
    columns: output.columns,
    async write(data) {
      const text = typeof data === 'string' ? data : Buffer.from(data).toString();
      if (pager === undefined) {
        retained += text;
        lines += text.split('\n').length - 1;
        if (lines < rows) return;
        pager = start();
        pager.child.stdin.write(retained);
      } else if (!pager.child.stdin.write(text)) await Promise.race([once(pager.child.stdin, 'drain'), pager.left]);
    },
    async end() {
      if (pager === undefined) return output.write(retained);
      pager.child.stdin.end();
      await pager.left;
    },
  };
}
