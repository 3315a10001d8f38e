// Rows of whole buckets of time, in files next to those of results, shared between processes.
import type { Row, Value } from '../base/result.ts';
import { decodeValue, type Encoded, encodeValue } from './codec.ts';
import { type Memory, type MemoryOptions, openJsonMemory } from './json-memory.ts';

export interface KeptBucket {
  /** Microseconds since 1970. */
  readonly start: number;
  /** The stamp of the data that its rows are made of; execution/buckets/ makes it. */
  readonly stamp: string;
  readonly rows: readonly Row[];
}

/** The rows of a run, and what they hung on. */
export interface LastRun {
  /** The stamp of all the data that they are made of. */
  readonly stamp: string;
  /** The window of time, where there is one: unit, start and end as in KeptBucket. */
  readonly window?: { readonly unit: string; readonly start: number; readonly end: number };
  readonly rows: readonly Row[];
  readonly truncated: boolean;
}

/** What is kept of a query with its arguments; no rows yet after a first run that was slow enough. */
export interface Kept {
  readonly buckets: readonly KeptBucket[];
  readonly last?: LastRun | undefined;
  /** Why no buckets can be kept of its rows. */
  readonly why?: string | undefined;
  /** The last run read no rows. */
  readonly noRows?: boolean | undefined;
}

/** Nothing is kept of what is too large. */
export type KeptBuckets = Memory<Kept>;

/** Upper bound on the rows of one query with its arguments. */
const MOST_ROWS = 100_000;

export function openKeptBuckets(options: Omit<MemoryOptions, 'suffix'>): KeptBuckets {
  const memory = openJsonMemory<Encoded>({ ...options, suffix: '.buckets' });
  return {
    ...memory,
    async read(key) {
      const stored = await memory.read(key);
      return stored === undefined ? undefined : (decodeValue(stored) as unknown as Kept); // what write has encoded
    },
    async write(key, kept) {
      const { buckets, last } = kept;
      if (buckets.reduce((sum, { rows }) => sum + rows.length, last?.rows.length ?? 0) > MOST_ROWS) return;
      await memory.write(key, encodeValue(kept as unknown as Value)); // records and lists of values
    },
  };
}
