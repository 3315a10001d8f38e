// Makes a folder with those above it. Node's own recursive mkdir never returns where making a folder fails with ENOENT although the one
// above it exists, as below /proc.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Does nothing when the folder is there. `mode` is that of each folder made. Throws the system's error. */
export function makeFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // mkdirSync throws system errors only
    const above = dirname(path);
    if (code === 'ENOENT' && above !== path && !isFolder(above)) {
      makeFolder(above, mode);
      mkdirSync(path, { mode });
    } else if (!isFolder(path)) {
      throw cause;
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
