// A question on the terminal that wants a yes.
import { createInterface } from 'node:readline';
import type { Io } from './io.ts';

/** True if somebody would answer. */
export const canAsk = ({ stdin, stderr, env }: Io): boolean =>
  stdin.isTTY === true && stderr.isTerminal && /^(?:|0|false)$/i.test(env['CI'] ?? '');

/** Returns true if the user says yes; `question` is printed as it is. */
export async function askYes(question: string, { stdin, stderr }: Io, signal: AbortSignal): Promise<boolean> {
  await stderr.write(`${question} [y/N] `);
  const lines = createInterface({ input: stdin, signal });
  try {
    const answer = await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')));
    signal.throwIfAborted();
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
