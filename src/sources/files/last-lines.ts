// How files of lines end. The engine can pass over blank lines at the end of a file, but then it looks for them behind every line, which costs a
// twentieth of the time that it needs for a CSV file.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isCompressed } from './formats.ts';

/** More files are not opened for it. */
const MOST_FILES = 1000;

/** Whether one of the files may have a blank line at its end: of what cannot be seen without unpacking it, yes. */
export function mayEndBlank(paths: readonly string[]): boolean {
  return paths.length > MOST_FILES || paths.some((path) => isCompressed(path) || endsBlank(path));
}

function endsBlank(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const last = Buffer.alloc(3);
      const { size } = fstatSync(file);
      const read = readSync(file, last, 0, 3, Math.max(size - 3, 0));
      return /\n\r?\n$|\n\r$|\r\r$/.test(last.toString('latin1', 0, read)) || size < 3;
    } finally {
      closeSync(file);
    }
  } catch {
    return true; // the engine says what is wrong with it
  }
}
