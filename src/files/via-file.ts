// Bytes that only a file can be filled with, on their way elsewhere.
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The bytes of a file that `write` makes, and that is gone afterwards; `onEnd` is told what `write` gave once they are read. */
export async function* viaFile<T>(write: (file: string) => Promise<T>, onEnd?: (given: T) => void): AsyncIterable<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'quern-result-'));
  try {
    const file = join(folder, 'result');
    const given = await write(file);
    yield* createReadStream(file, { highWaterMark: 1 << 18 });
    onEnd?.(given);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
