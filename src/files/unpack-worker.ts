// The thread that unpacks a file; an entry of the build. It ends with the file.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { tooLarge } from './bounds.ts';
import { unpackBzip2Data } from './bzip2.ts';
import { DamagedError } from './damaged.ts';

export interface Unpacking {
  readonly from: string;
  readonly to: string;
  /** What becomes larger is not unpacked. */
  readonly maxBytes: number;
}

/** How it went: well, or what is wrong with the data, or what the system says. */
export type Unpacked = { readonly damage?: string; readonly failure?: Pick<NodeJS.ErrnoException, 'code' | 'path' | 'message'> };

function unpack({ from, to, maxBytes }: Unpacking): Unpacked {
  const opened: number[] = [];
  try {
    const input = openSync(from, 'r');
    opened.push(input);
    const output = openSync(to, 'w', 0o600);
    opened.push(output);
    let bytes = 0;
    unpackBzip2Data(
      (into) => readSync(input, into),
      (piece) => {
        bytes += piece.length;
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        for (let at = 0; at < piece.length; ) at += writeSync(output, piece, at);
      },
    );
    return {};
  } catch (error) {
    if (error instanceof DamagedError) return { damage: error.message };
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { failure: { code, message, ...(path === undefined ? {} : { path }) } };
  } finally {
    for (const file of opened) closeSync(file);
  }
}

parentPort?.postMessage(unpack(workerData as Unpacking));
