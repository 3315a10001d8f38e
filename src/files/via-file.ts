// Bytes that only a file can be filled with, on their way elsewhere.
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { reasonOf } from './reason.ts';

/** So much was just written and is still in memory: to read it at once takes less time than to ask another thread. */
const SMALL_BYTES = 256 * 1024;

/** Others cannot look into it. One for all files of the process: to make a folder takes longer than a small query. */
let folder: string | undefined;
let files = 0;

function newFile(): string {
  // Systems clear away what is old.
  if (folder === undefined || !existsSync(folder)) {
    const made = newFolder();
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return join(folder, `result-${files++}`);
}

function newFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'quern-result-'));
  } catch (cause) {
    const reason = reasonOf(cause as NodeJS.ErrnoException); // mkdtempSync throws system errors only
    throw new QuernError('config', `no temporary file can be made in ${tmpdir()}: ${reason}`, {
      hint: 'set TMPDIR to a folder that can be written to',
      cause,
    });
  }
}

/**
 * The bytes of a file that `write` makes, and that is gone afterwards; `onEnd` is told what `write` gave once they are read. Throws QuernError `config` where
 * no temporary file can be made.
 */
export async function* viaFile<T>(write: (file: string) => Promise<T>, onEnd?: (given: T) => void): AsyncIterable<Uint8Array> {
  const file = newFile();
  try {
    const given = await write(file);
    if (statSync(file).size <= SMALL_BYTES) yield readFileSync(file);
    else yield* createReadStream(file, { highWaterMark: SMALL_BYTES });
    onEnd?.(given);
  } finally {
    await remove(file);
  }
}

/** A large file takes the system some time. */
async function remove(file: string): Promise<void> {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return;
  if (size <= SMALL_BYTES) unlinkSync(file);
  else await unlink(file);
}
