// Whether files of text are UTF-8, found out once by looking at all their bytes: then no query has to check their texts.
import { open } from 'node:fs/promises';
import { createUtf8Check } from '../../files/utf8.ts';
import { isCompressed } from './formats.ts';
import type { ListedFile } from './list-files.ts';

/** In all files of a source together; more would take longer than what a query saves that reads some of them. */
const MOST_BYTES = 128e6;
const PIECE_BYTES = 1 << 18;

/** False for files that are not looked at, too: compressed and large ones. Throws what the file system throws. */
export async function areKnownUtf8(files: readonly ListedFile[]): Promise<boolean> {
  if (files.some(({ path, unpacked }) => !unpacked && isCompressed(path))) return false;
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let left = MOST_BYTES;
  for (const { path } of files) {
    const isUtf8 = createUtf8Check();
    const file = await open(path);
    try {
      for (let bytes = 1; bytes > 0; left -= bytes) {
        bytes = (await file.read(buffer, 0, PIECE_BYTES, null)).bytesRead;
        if (left < bytes || !isUtf8(buffer.subarray(0, bytes), bytes > 0)) return false;
      }
    } finally {
      await file.close();
    }
  }
  return true;
}
