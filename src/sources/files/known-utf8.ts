// What all bytes of files of text show, found out once: whether they are UTF-8, so that no query has to check their texts, and whether a quote may be open at the end.
import { open } from 'node:fs/promises';
import { createUtf8Check } from '../../files/utf8.ts';
import type { Ask } from './description.ts';
import { isCompressed } from './formats.ts';
import type { ListedFile } from './list-files.ts';

/** In all files of a source together; more would take longer than what a query saves that reads some of them. */
const MOST_BYTES = 128e6;
const PIECE_BYTES = 1 << 18;
const QUOTE = 0x22;

/** The same of a quote, asked of the engine, which unpacks as it reads: `lines` is the function that reads the files as lines. Throws what `ask` throws. */
export async function mayBeOpen(lines: string, ask: Ask): Promise<boolean> {
  const odd = `SELECT bitAnd(sum(countSubstrings(line, '"')), 1) AS odd FROM ${lines} GROUP BY _path`;
  const [[some] = []] = await ask(`SELECT max(odd) FROM (${odd})`);
  return Number(some) === 1;
}

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

/** Undefined for files that are compressed or large, which are not looked at. Throws what the file system throws. */
export async function lookThrough(files: readonly ListedFile[]): Promise<LookedThrough | undefined> {
  if (files.some(({ path, unpacked }) => !unpacked && isCompressed(path))) return undefined;
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
        if (left < bytes || !isUtf8(piece, bytes > 0)) return undefined;
        quotes += quotesIn(piece);
      }
      mayBeOpen ||= quotes % 2 === 1;
    } finally {
      await file.close();
    }
  }
  return { isUtf8: true, mayBeOpen };
}
