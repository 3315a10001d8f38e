// What a process has printed by its end, and its exit code as a shell tells it.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

export interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export async function resultOf(child: ChildProcessWithoutNullStreams): Promise<Result> {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { stdout, stderr, exitCode: signal === 'SIGINT' ? 130 : exitCode };
}
