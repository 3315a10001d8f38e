// Unpacks bzip2, which the embedded engine cannot read.
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { unpackWorker } from '../package-file.ts';
import { mostUnpacked } from './bounds.ts';
import type { Unpacked, Unpacking } from './unpack-worker.ts';

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
