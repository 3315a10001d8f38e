// Writes a file so that it is either all there or unchanged: into a temporary file beside it, then renamed.
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { QuernError } from '../errors.ts';

/** Replaces `file` by the text of `chunks`. Throws `usage` when the folder does not take it; nothing is left behind then. */
export async function writeFileAtomically(file: string, chunks: Iterable<string>): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    const handle = await open(temporary, 'w');
    try {
      for (const chunk of chunks) await handle.write(chunk);
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    if (cause instanceof QuernError || !(cause instanceof Error) || !('code' in cause)) throw cause;
    throw new QuernError('usage', `${file} cannot be written: ${cause.message}`, { hint: 'choose another file with --output', cause });
  }
}
