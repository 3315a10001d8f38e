// Rows of whole buckets of time, in files beside those of results, shared between processes.
import type { Row } from '../result.ts';
import { decodeValue, type Encoded, encodeValue } from './codec.ts';
import { openJsonMemory } from './json-memory.ts';

export interface KeptBucket {
  /** Microseconds since 1970. */
  readonly start: number;
  /** Of the data that its rows are made of, in the words of whoever keeps them. */
  readonly stamp: string;
  readonly rows: readonly Row[];
}

/** Of a query with its arguments: none yet where it is only known to be worth it. */
interface Kept {
  readonly buckets: readonly KeptBucket[];
}

export interface KeptBuckets {
  read(key: string): Promise<Kept | undefined>;
  /** Nothing is kept of what is too large. */
  write(key: string, kept: Kept): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

interface Options {
  readonly folder: string;
  /** Of all buckets of all queries, on the disk. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Of one query with its arguments. */
const MOST_ROWS = 100_000;

interface Stored {
  readonly buckets: readonly (readonly [number, string, Encoded])[];
}

export function openKeptBuckets({ folder, maxBytes, now }: Options): KeptBuckets {
  const memory = openJsonMemory<Stored>({ folder, suffix: '.buckets', maxBytes, now });
  return {
    async read(key) {
      const stored = await memory.read(key);
      if (stored === undefined) return undefined;
      // Rows went in, rows come out.
      const buckets = stored.buckets.map(([start, stamp, rows]) => ({ start, stamp, rows: decodeValue(rows) as readonly Row[] }));
      return { buckets };
    },
    async write(key, kept) {
      if (kept.buckets.reduce((sum, { rows }) => sum + rows.length, 0) > MOST_ROWS) return;
      await memory.write(key, { buckets: kept.buckets.map(({ start, stamp, rows }) => [start, stamp, encodeValue(rows)]) });
    },
    remove: (key) => memory.remove(key),
    clear: () => memory.clear(),
  };
}
