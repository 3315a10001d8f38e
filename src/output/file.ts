// Writes a file so that it is either all there or unchanged: into a temporary file beside it, then renamed.
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { QuernError } from '../errors.ts';

/**
 * Replaces `file` by the text of `chunks`; a device or a pipe is written to as it is. Throws `usage` when the file cannot be written;
 * nothing is left behind then.
 */
export async function writeFileAtomically(file: string, chunks: Iterable<string>): Promise<void> {
  try {
    const old = await stat(file).catch(() => undefined);
    if (old === undefined) await writeAndRename(file, 0o666, chunks);
    else if (old.isFile()) await writeAndRename(await realpath(file), old.mode, chunks);
    else await write(file, undefined, chunks);
  } catch (cause) {
    if (cause instanceof QuernError || !(cause instanceof Error) || !('code' in cause) || cause.code === 'EPIPE') throw cause;
    throw new QuernError('usage', `${file} cannot be written: ${trouble(String(cause.code), file) ?? cause.message}`, {
      hint: 'choose another file with --output',
      cause,
    });
  }
}

async function writeAndRename(file: string, mode: number, chunks: Iterable<string>): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    await write(temporary, mode, chunks);
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  }
}

async function write(file: string, mode: number | undefined, chunks: Iterable<string>): Promise<void> {
  const handle = await open(file, 'w', mode);
  try {
    for (const chunk of chunks) await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

function trouble(code: string, file: string): string | undefined {
  const troubles: Readonly<Record<string, string>> = {
    ENOENT: `there is no folder ${dirname(file)} to put it in`,
    ENOTDIR: `${dirname(file)} is not a folder`,
    EISDIR: 'it is a folder',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EROFS: 'its disk is read-only',
    EACCES: 'its permissions do not allow it',
    EPERM: 'its permissions do not allow it',
  };
  return troubles[code];
}
