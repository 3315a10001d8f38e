// Changes a small file where it lies, for what must be done on a full disk: there is no room for a second file that could take its place.
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

/**
 * Gives `file` the content `after`, with spaces at its end as long as the old one is there. False, and nothing has changed, when `after` is the
 * longer one. A crash of the machine at that very moment may leave a part of each.
 */
export function overwriteFileSync(file: string, after: Buffer): boolean {
  const fd = openSync(file, 'r+');
  try {
    const before = readFileSync(fd);
    if (after.length > before.length) return false;
    try {
      writeWhole(fd, Buffer.concat([after, Buffer.alloc(before.length - after.length, ' ')]));
    } catch (cause) {
      writeWhole(fd, before);
      throw cause;
    }
    ftruncateSync(fd, after.length);
    fsyncSync(fd);
    return true;
  } finally {
    closeSync(fd);
  }
}

function writeWhole(fd: number, content: Buffer): void {
  for (let at = 0; at < content.length; ) at += writeSync(fd, content, at, content.length - at, at);
}
