// What all bytes of files of text show, found out once: whether they are UTF-8, so that no query has to check their texts, and whether a quote may be open at the end.
import { open } from 'node:fs/promises';
import { createUtf8Check } from '../../files/utf8.ts';
import type { Ask } from './description.ts';
import { isCompressed } from './formats.ts';
import type { ListedFile } from './list-files.ts';

/** In all files of a source together; more would take longer than what a query saves that reads some of them. */
const MOST_BYTES = 128e6;
export const PIECE_BYTES = 1 << 20;
const QUOTE = 0x22;

/** Whether a quote may be open at the end of a file, asked of the engine, which unpacks as it reads: `lines` is the function that reads the files as lines. Throws what `ask` throws. */
export async function mayBeOpen(lines: string, ask: Ask): Promise<boolean> {
  const odd = `SELECT bitAnd(sum(countSubstrings(line, '"')), 1) AS odd FROM ${lines} GROUP BY _path`;
  const [[some] = []] = await ask(`SELECT max(odd) FROM (${odd})`);
  return Number(some) === 1;
}

const QUOTES = 0x22222222;
const LOW_BITS = 0x7f7f7f7f;

/** In the high bit of each byte of a word: 0 where that byte is a quote. */
function notQuotes(word: number): number {
  const others = word ^ QUOTES;
  return ((others & LOW_BITS) + LOW_BITS) | others;
}

/** Whether the number of quotes is odd. Looks at four words at a time: a file is looked through before the first row of a query is read. */
export function hasOddQuotes(piece: Uint8Array): boolean {
  const before = Math.min(piece.length, -piece.byteOffset & 3);
  const count = ((piece.length - before) >> 4) * 4;
  const words = new Int32Array(piece.buffer, count === 0 ? 0 : piece.byteOffset + before, count);
  let odd = 0;
  for (let at = 0; at < count; at += 4)
    odd ^= notQuotes(words[at] ?? 0) ^ notQuotes(words[at + 1] ?? 0) ^ notQuotes(words[at + 2] ?? 0) ^ notQuotes(words[at + 3] ?? 0);
  odd ^= odd >>> 16;
  let isOdd = ((odd ^ (odd >>> 8)) & 0x80) !== 0;
  for (const part of [piece.subarray(0, before), piece.subarray(before + 4 * count)])
    for (const byte of part) if (byte === QUOTE) isOdd = !isOdd;
  return isOdd;
}

interface LookedThrough {
  readonly isUtf8: boolean;
  /** The number of quotes in some file is odd. */
  readonly mayBeOpen: boolean;
}

/** Undefined for files that are compressed. Of large ones nobody knows whether they are UTF-8, and only those of `cells` are read to the end. Throws what the file system throws. */
export async function lookThrough(
  files: readonly ListedFile[],
  { cells }: { readonly cells: boolean },
): Promise<LookedThrough | undefined> {
  if (files.some(({ path, unpacked }) => !unpacked && isCompressed(path))) return undefined;
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let left = MOST_BYTES;
  let isUtf8 = true;
  let mayBeOpen = false;
  for (const { path } of files) {
    const check = createUtf8Check();
    let isOdd = false;
    const file = await open(path);
    try {
      for (let bytes = 1; bytes > 0; left -= bytes) {
        bytes = (await file.read(buffer, 0, PIECE_BYTES, null)).bytesRead;
        const piece = buffer.subarray(0, bytes);
        isUtf8 &&= left >= bytes && check(piece, bytes > 0);
        if (cells && hasOddQuotes(piece)) isOdd = !isOdd;
        else if (!cells && !isUtf8) return { isUtf8, mayBeOpen };
      }
      mayBeOpen ||= isOdd;
    } finally {
      await file.close();
    }
  }
  return { isUtf8, mayBeOpen };
}
