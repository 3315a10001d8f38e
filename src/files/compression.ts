// How a file is compressed, told by its first bytes, and what unpacks those that the embedded engine cannot read.
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { unpackWorker } from '../package-file.ts';
import { mostUnpacked } from './bounds.ts';
import type { Unpacked, Unpacking } from './unpack-worker.ts';

/** The names are those of the engine. */
export type Compression = 'gz' | 'zstd' | 'xz' | 'lz4' | 'br' | 'bz2';

const MAGIC: readonly (readonly [Compression, Buffer])[] = [
  ['gz', Buffer.from([0x1f, 0x8b])],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a])],
  ['lz4', Buffer.from([0x04, 0x22, 0x4d, 0x18])],
  ['bz2', Buffer.from('BZh')],
];

const ENDINGS: readonly (readonly [Compression, RegExp])[] = [
  ['gz', /\.gz$/i],
  ['zstd', /\.zstd?$/i],
  ['xz', /\.xz$/i],
  ['lz4', /\.lz4$/i],
  ['br', /\.br$/i],
  ['bz2', /\.bz2$/i],
];

/** By the name of a file alone. */
export const namedCompression = (name: string): Compression | undefined => ENDINGS.find(([, ending]) => ending.test(name))?.[0];

/** By the first bytes of a file. The name counts where these are too few to say, and for brotli, which has no mark of its own. */
export function compressionOf(head: Buffer, name: string): Compression | undefined {
  const marked = MAGIC.find(([, magic]) => head.subarray(0, magic.length).equals(magic))?.[0];
  const named = namedCompression(name);
  const mark = MAGIC.find(([compression]) => compression === named)?.[1];
  const isBeginning = named === 'br' || (mark !== undefined && head.length > 0 && head.length < mark.length && mark.indexOf(head) === 0);
  return marked ?? (isBeginning ? named : undefined);
}

/**
 * Unpacks a file of bzip2, in a thread of its own, which ends when `signal` aborts. The engine is built without bzip2, and so is Node. Throws an error without a code
 * for what is wrong with the data, the system's errors, and the reason of `signal`.
 */
export async function unpackBzip2(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const { size } = await stat(from);
  signal?.throwIfAborted();
  const unpacking: Unpacking = { from, to, maxBytes: mostUnpacked(size) };
  const worker = new Worker(unpackWorker(), { workerData: unpacking, env: {}, execArgv: [] });
  let stop = (): void => undefined;
  try {
    const { damage, failure } = await new Promise<Unpacked>((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      worker.on('message', resolve).on('error', reject);
      worker.on('exit', () => reject(new Error('the thread that unpacks it has ended')));
    });
    if (failure !== undefined) throw Object.assign(new Error(failure.message), failure);
    if (damage !== undefined) throw new Error(damage);
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
