// Writes the files of a folder that a server may be reading: each is whole or not at all, and what is left of an earlier build goes last.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `files`: texts or bytes by name, in the order in which they are written; `others` are left alone. */
export function writeFolder(folder, files, others = []) {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) {
    const unfinished = join(folder, `${name}.${process.pid}.new`);
    writeFileSync(unfinished, content);
    renameSync(unfinished, join(folder, name));
  }
  for (const file of readdirSync(folder))
    if (!files.has(file) && !others.includes(file) && !file.endsWith('.new')) rmSync(join(folder, file), { force: true });
}
