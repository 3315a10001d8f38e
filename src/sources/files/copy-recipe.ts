// How the copy of a file is made that the engine reads in its place: unpacked where it could not be read as it is, and decoded into UTF-8.
import { rm, stat, writeFile } from 'node:fs/promises';
import { quoteString } from '../../clickhouse/quote.ts';
import { mostUnpacked, tooLarge } from '../../files/bounds.ts';
import { type Compression, unpackBzip2 } from '../../files/compression.ts';
import { decodeFile } from '../../files/decode.ts';
import type { Encoding } from '../../files/encoding.ts';
import { checkFrames } from '../../files/frames.ts';
import type { Ask } from './description.ts';

/** Writes what the engine is to read of the file `from` into the file `to`. */
type Make = (from: string, to: string) => Promise<void>;

interface CopyOptions {
  readonly encoding?: Encoding | undefined;
  /** Of the embedded engine, which unpacks what it can. */
  readonly ask: Ask;
  readonly signal?: AbortSignal | undefined;
}

/** Undefined where there is nothing to do: for UTF-8 that is not compressed. */
export function copyRecipe(compression: Compression | undefined, { encoding, ask, signal }: CopyOptions): Make | undefined {
  const unpack = compression === undefined ? undefined : unpackerOf(compression, ask, signal);
  if (encoding === undefined) return unpack;
  if (unpack === undefined) return (from, to) => decodeFile(from, to, encoding, signal);
  return async (from, to) => {
    const unpacked = `${to}.unpacked`;
    try {
      await unpack(from, unpacked);
      await decodeFile(unpacked, to, encoding, signal);
    } finally {
      await rm(unpacked, { force: true });
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
