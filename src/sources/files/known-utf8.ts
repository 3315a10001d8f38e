// What all bytes of files of text show, found out once: whether they are UTF-8, so that no query has to check their texts, and whether a quote may be open at the end.
import { open } from 'node:fs/promises';
import { createUtf8Check } from '../../files/utf8.ts';
import { isCompressed } from './formats.ts';
import type { ListedFile } from './list-files.ts';

/** In all files of a source together; more would take longer than what a query saves that reads some of them. */
const MOST_BYTES = 128e6;
const PIECE_BYTES = 1 << 18;
const QUOTE = 0x22;

/** How many quotes there are. */
export function quotesIn(piece: Uint8Array): number {
  let quotes = 0;
  if (piece.includes(QUOTE)) for (const byte of piece) if (byte === QUOTE) quotes++;
  return quotes;
}

interface LookedThrough {
  readonly isUtf8: boolean;
  /** The number of quotes in some file is odd. */
  readonly mayBeOpen: boolean;
}

const UNKNOWN: LookedThrough = { isUtf8: false, mayBeOpen: false };

/** Files that are compressed or large are not looked at. Throws what the file system throws. */
export async function lookThrough(files: readonly ListedFile[]): Promise<LookedThrough> {
  if (files.some(({ path, unpacked }) => !unpacked && isCompressed(path))) return UNKNOWN;
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let left = MOST_BYTES;
  let mayBeOpen = false;
  for (const { path } of files) {
    const isUtf8 = createUtf8Check();
    let quotes = 0;
    const file = await open(path);
    try {
      for (let bytes = 1; bytes > 0; left -= bytes) {
        bytes = (await file.read(buffer, 0, PIECE_BYTES, null)).bytesRead;
        const piece = buffer.subarray(0, bytes);
        if (left < bytes || !isUtf8(piece, bytes > 0)) return UNKNOWN;
        quotes += quotesIn(piece);
      }
      mayBeOpen ||= quotes % 2 === 1;
    } finally {
      await file.close();
    }
  }
  return { isUtf8: true, mayBeOpen };
}
