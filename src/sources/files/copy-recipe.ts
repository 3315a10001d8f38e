// How the copy of a file is made that the engine reads in its place: unpacked where it could not be read as it is, decoded into UTF-8, and with texts for JSON.
import { copyFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import type { Make } from '../../cache/made-files.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import { mostUnpacked, tooLarge } from '../../files/bounds.ts';
import type { Compression } from '../../files/compression.ts';
import { decodeFile } from '../../files/decode.ts';
import type { Encoding } from '../../files/encoding.ts';
import { checkFrames } from '../../files/frames.ts';
import { unpackBzip2 } from '../../files/unpack-bzip2.ts';
import type { Ask } from './description.ts';
import { type JsonTexts, mayHoldTexts, plainFile, writeJsonTexts } from './json-texts.ts';

interface CopyOptions {
  readonly encoding?: Encoding | undefined;
  readonly jsonTexts?: JsonTexts | undefined;
  /** What needs no other text may be a link to the file, which stays where it is. */
  readonly mayLink?: boolean;
  /** Of the embedded engine, which unpacks what it can. */
  readonly ask: Ask;
  readonly signal?: AbortSignal | undefined;
}

/** Undefined where there is nothing to do: for UTF-8 that is not compressed. */
export function copyRecipe(compression: Compression | undefined, options: CopyOptions): Make | undefined {
  const { encoding, jsonTexts, mayLink = false, ask, signal } = options;
  const steps: Make[] = [
    ...(compression === undefined ? [] : [unpackerOf(compression, ask, signal)]),
    ...(encoding === undefined ? [] : [(from: string, to: string) => decodeFile(from, to, encoding, signal)]),
  ];
  const made = inSteps(steps);
  if (jsonTexts === undefined) return made;
  return async (from, to) => {
    const plain = made === undefined ? from : `${to}.plain`;
    try {
      await made?.(from, plain);
      if (await mayHoldTexts(plainFile(plain), jsonTexts, ask)) await writeJsonTexts(plain, to, jsonTexts, ask);
      else if (made !== undefined) await rename(plain, to);
      else await (mayLink ? symlink : copyFile)(from, to);
    } finally {
      if (plain !== from) await rm(plain, { force: true });
    }
  };
}

/** One after the other, each over what the one before has made; undefined for none. */
function inSteps([first, second]: readonly Make[]): Make | undefined {
  if (first === undefined || second === undefined) return first;
  return async (from, to) => {
    const between = `${to}.unpacked`;
    try {
      await first(from, between);
      await second(between, to);
    } finally {
      await rm(between, { force: true });
    }
  };
}

/** Throws what unpackBzip2, checkFrames and `ask` throw, and DamagedError for what becomes far too large. */
const unpackerOf =
  (compression: Compression, ask: Ask, signal: AbortSignal | undefined): Make =>
  async (from, to) => {
    if (compression === 'bz2') return unpackBzip2(from, to, signal);
    if (compression === 'zstd' || compression === 'lz4') await checkFrames(from, compression);
    const { size } = await stat(from);
    if (size === 0) return writeFile(to, '');
    const maxBytes = mostUnpacked(size);
    // Byte by byte, since neither lines nor anything else of a text in another encoding means anything to the engine.
    const bytes = (path: string, how: string): string => `file(${[path, 'RowBinary', 'byte UInt8', how].map(quoteString).join(', ')})`;
    await ask(
      `INSERT INTO FUNCTION ${bytes(to, 'none')} SELECT byte FROM ${bytes(from, compression)} LIMIT ${maxBytes + 1} ` +
        'SETTINGS max_threads = 1, engine_file_truncate_on_insert = 1',
    );
    if ((await stat(to)).size > maxBytes) throw tooLarge(maxBytes);
  };
