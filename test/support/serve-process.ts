// `quern serve` as a process of its own, over saved queries of a test.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { folderOf } from '../queries/support.ts';

const bin = new URL('../../bin/quern.js', import.meta.url).pathname;

export interface Serving {
  readonly child: ChildProcessWithoutNullStreams;
  readonly address: string;
  /** Lines of standard error, as they come. */
  readonly lines: string[];
}

/** By name. */
type Texts = Readonly<Record<string, string>>;

/** It is killed when the test ends, if it has not ended before. */
export function startServe(files: Texts, flags: readonly string[], env: Texts = {}, cwd?: string): ChildProcessWithoutNullStreams {
  const home = folderOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [`queries/${name}`, text])));
  const given = { PATH: process.env['PATH'], HOME: home, ...env };
  const child = spawn(process.execPath, [bin, 'serve', '--no-auth', '--queries', join(home, 'queries'), ...flags], { env: given, cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** When it listens, on a port of its own. */
export async function serveProcess(files: Texts, env: Texts = {}, cwd?: string): Promise<Serving> {
  const child = startServe(files, ['--port', '0'], env, cwd);
  const lines: string[] = [];
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server did not start: ${lines.join('\n')}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      const found = /^listening on (.*)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, address, lines };
}
