// How a file is compressed, told by its first bytes, and what unpacks those that the embedded engine cannot read.
import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The names are those of the engine. */
export type Compression = 'gz' | 'zstd' | 'xz' | 'lz4' | 'br' | 'bz2';

const MAGIC: readonly (readonly [Compression, Buffer])[] = [
  ['gz', Buffer.from([0x1f, 0x8b])],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a])],
  ['lz4', Buffer.from([0x04, 0x22, 0x4d, 0x18])],
  ['bz2', Buffer.from('BZh')],
];

/** By the first bytes of a file; brotli has no mark of its own, and is told by the name. */
export const compressionOf = (head: Buffer, name: string): Compression | undefined =>
  MAGIC.find(([, magic]) => head.subarray(0, magic.length).equals(magic))?.[0] ?? (/\.br$/i.test(name) ? 'br' : undefined);

/** What comes out of bzip2 data, checked against its checksums. The engine is built without bzip2, and so is Node. */
export async function* unpackedBzip2(packed: Readable): AsyncGenerator<Uint8Array> {
  const { default: unbzip2 } = await import('unbzip2-stream');
  const unpacked = new PassThrough();
  pipeline(packed, unbzip2(), unpacked).catch(() => undefined); // comes out of `unpacked`
  try {
    yield* unpacked;
  } catch (cause) {
    throw said(cause);
  }
}

/** What is wrong with the data has no code, other than what is wrong with reading them. */
const said = (cause: unknown): unknown =>
  cause instanceof Error && !('code' in cause) ? new Error('the bzip2 data is damaged or cut off', { cause }) : cause;

/** Throws what is wrong with the data without a code, and the system's errors. */
export async function unpackBzip2(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await pipeline(unpackedBzip2(createReadStream(from)), createWriteStream(to), { signal });
}
