// Replaces a small file in one step: a reader sees the old content or the new, also after a crash.
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { removeAbandonedTemporaries, temporaryBeside } from './temporary.ts';

interface ReplaceOptions {
  /** The rights of the file, such as 0o600. Default: what the process gives new files. */
  readonly mode?: number;
  /** True of a file that nobody misses after a power cut: nothing waits for the disk. */
  readonly passing?: true;
}

/**
 * Gives `file` the content `text`; nothing else of it changes when that goes wrong. A link is replaced, not followed. Throws what the file
 * system throws.
 */
export function replaceFileSync(file: string, text: string | Buffer, { mode, passing }: ReplaceOptions = {}): void {
  const temporary = temporaryBeside(file);
  removeAbandonedTemporaries(file);
  try {
    rmSync(temporary, { force: true }); // of a process that died and had the same number
    const fd = openSync(temporary, 'wx', mode);
    try {
      if (mode !== undefined) fchmodSync(fd, mode); // whatever the umask
      writeFileSync(fd, text);
      if (passing === undefined) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw cause;
  }
}

/** Whether the system had no room for what was written. */
export function isDiskFull(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT');
}
