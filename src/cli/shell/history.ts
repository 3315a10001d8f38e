// Remembers typed lines in a file that only its user reads.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFileSync } from '../../files/replace-file.ts';

export const MOST_LINES = 1000;

/** The last line first, as readline has them; none where there is no file. */
export function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(-MOST_LINES)
      .reverse();
  } catch {
    return [];
  }
}

/** A file that cannot be written costs no more than the history. */
export function writeHistory(file: string, lines: readonly string[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFileSync(file, `${lines.slice(0, MOST_LINES).reverse().join('\n')}\n`, { mode: 0o600, passing: true });
  } catch {
    // The session is over.
  }
}
