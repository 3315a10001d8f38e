// The cache of results: answers from files while they are fresh, runs and stores otherwise. Its failures never cost an answer.
import { join } from 'node:path';
import { QuernError } from '../base/errors.ts';
import type { QueryResult } from '../base/result.ts';
import { openFilePool } from '../files/file-pool.ts';
import { reasonOf } from '../files/reason.ts';
import { type CacheEntry, type EntryHeader, ofOtherVersion, parseEntry, parseHeader, printEntry } from './entry.ts';
import { digest } from './json-memory.ts';
import { type KeptBuckets, openKeptBuckets } from './kept-buckets.ts';
import { ageSeconds, freshness } from './policy.ts';
import type { SharedStore, SharedTurn } from './shared-store.ts';
import { createSingleFlight, departure } from './single-flight.ts';

interface CacheOptions {
  readonly folder: string;
  /** Upper bound on what all results take of the disk, in bytes. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told once, in words, when the folder cannot be used. */
  readonly onNote: (note: string) => void;
  /** What other processes, with folders of their own, find too; absent: only the folder may be shared. */
  readonly shared?: SharedStore | undefined;
}

/** `use` reads and writes, `refresh` runs and replaces, `none` neither reads nor writes. */
export type CacheMode = 'use' | 'refresh' | 'none';

/** Whose rows an entry has. */
export type Wanted = Omit<EntryHeader, 'storedAtMs' | 'rowCount'>;

/** Rows, and whose they turned out to be: the data may have changed since they were asked for. */
export interface Ran {
  readonly wanted: Wanted;
  readonly result: QueryResult;
  /** The rows are those of a run before: one now would give the same. */
  readonly revalidated?: true | undefined;
}

export interface StoredResult extends Pick<Ran, 'result' | 'revalidated'> {
  /** When they came from the engine, or were found to be the same still. Milliseconds since 1970. */
  readonly storedAtMs: number;
}

interface Filling {
  readonly signal?: AbortSignal | undefined;
  /** Rows of a run that another process has begun will not do. */
  readonly fresh?: boolean | undefined;
  /** Told of rows that are stored before anybody who waits for them; by the one whose run it is. */
  readonly keep?: (stored: StoredResult) => Promise<void>;
}

interface Filled extends StoredResult {
  /** When they are in the cache's files, or cannot be written there. */
  readonly written: Promise<void>;
}

interface CacheListing extends EntryHeader {
  readonly bytes: number;
  readonly ageSeconds: number;
  readonly fresh: boolean;
}

export interface Cache {
  /** Rows of parts of queries, which outlive results: see execution/buckets/. */
  readonly buckets: KeptBuckets;
  /** The entry of `key`, whatever its age; once a write of it that is under way has ended. */
  lookup(key: string): Promise<CacheEntry | undefined>;
  /**
   * New rows: runs once for all who ask under the same name at the same time, and stores what is whole. Failures are not stored, nor rows of
   * which parts are missing.
   */
  fill(name: string, run: (signal: AbortSignal) => Promise<Ran>, how?: Filling): Promise<Filled>;
  /** When the runs under way have ended, and what they stored is written. */
  settled(): Promise<void>;
  /** The newest first. */
  list(): Promise<readonly CacheListing[]>;
  /** The entry whose key begins with `prefix`. Throws QuernError `usage` when there is none, or more than one. */
  show(prefix: string): Promise<CacheEntry>;
  /** Removes all entries and copies of files, or the entries of one saved query; how many entries there were. */
  clear(filter?: { readonly query?: string }): Promise<number>;
  /** The bytes are those of the disk. */
  stats(): Promise<{ readonly folder: string; readonly entries: number; readonly bytes: number; readonly maxBytes: number }>;
}

/** What rows of buckets may take beside results, as a part of that. */
const BUCKETS_SHARE = 0.25;

/** Enough for the header of nearly every entry. */
const HEADER_BYTES = 4096;

interface Listed {
  readonly bytes: number;
  readonly header: EntryHeader;
}

export function openCache({ folder, maxBytes, now, onNote, shared }: CacheOptions): Cache {
  let noted = false;
  const onTrouble = (cause: NodeJS.ErrnoException) => {
    if (noted) return;
    noted = true;
    onNote(`results are not cached: ${describeTrouble(cause, folder)}`);
  };
  const results = join(folder, 'results');
  const pool = openFilePool({ folder: results, suffix: '.entry', maxBytes, now, onTrouble });
  const flights = createSingleFlight<Filled>();
  const running = new Set<Promise<Filled>>();
  const writes = new Map<string, Promise<void>>();
  const turns = new Set<Promise<void>>();

  const readFile = async (key: string): Promise<CacheEntry | undefined> => {
    const text = await pool.read(key);
    const entry = text === undefined ? undefined : parseEntry(text, key);
    if (text !== undefined && entry === undefined && !ofOtherVersion(text)) await pool.remove([key]);
    return entry;
  };

  /** Others may have written it, not all of them this version of quern. */
  const readShared = async (key: string): Promise<CacheEntry | undefined> => {
    const text = await shared?.read('results', key);
    const entry = text === undefined ? undefined : parseEntry(text, key);
    if (text !== undefined && entry === undefined && !ofOtherVersion(text)) await shared?.remove('results', key);
    return entry;
  };

  const isFresh = (entry: CacheEntry): boolean => freshness({ ...entry, nowMs: now() }) === 'fresh';

  /** While the shared store was away, newer rows may have come into the files. */
  const read = async (key: string): Promise<CacheEntry | undefined> => {
    const near = await readShared(key);
    if (near !== undefined && isFresh(near)) return near;
    const own = await readFile(key);
    return near !== undefined && (own === undefined || own.storedAtMs < near.storedAtMs) ? near : own;
  };

  const store = ({ wanted, result, revalidated }: Ran): Filled => {
    const storedAtMs = now();
    if (result.missing !== undefined) return { result, storedAtMs, written: Promise.resolve() };
    const { key } = wanted;
    const write = async () => {
      const text = await printEntry({ ...wanted, result, storedAtMs, rowCount: result.rows.length });
      await Promise.all([shared?.write('results', key, text, wanted.ttlSeconds), pool.write(key, text)]);
    };
    const end = () => {
      if (writes.get(key) === written) writes.delete(key);
    };
    // A result can be larger than any text.
    const written = write().then(end, end);
    writes.set(key, written);
    return { result, revalidated, storedAtMs, written };
  };

  const headersOf = async (keys: readonly string[]): Promise<readonly Listed[]> => {
    const found: Listed[] = [];
    for (const { name, text, size } of await pool.readStarts(keys, HEADER_BYTES)) {
      const header = parseHeader(text) ?? (size > HEADER_BYTES ? parseHeader((await pool.read(name)) ?? '') : undefined);
      if (header?.key === name) found.push({ bytes: size, header });
    }
    return found;
  };

  const runAndStore = async (run: () => Promise<Ran>, keep: Filling['keep'], turn?: SharedTurn): Promise<Filled> => {
    let key: string | undefined;
    let written = Promise.resolve();
    try {
      const ran = await run();
      const filled = store(ran);
      if (filled.result.missing === undefined) {
        await keep?.(filled);
        key = ran.wanted.key;
        written = filled.written;
      }
      return filled;
    } finally {
      if (turn !== undefined) {
        const ended = written.then(() => turn.end(key)).finally(() => turns.delete(ended));
        turns.add(ended);
      }
    }
  };

  /** What another process has run meanwhile will do, and is not run again. */
  const runInTurn = async (
    { turn: take }: SharedStore,
    name: string,
    stop: AbortSignal,
    { run, keep }: { readonly run: () => Promise<Ran>; readonly keep: Filling['keep'] },
  ): Promise<Filled> => {
    const turn = await take(digest(name), stop).catch((reason: unknown) => {
      throw departure(reason);
    });
    const entry = turn.key === undefined ? undefined : await readShared(turn.key);
    if (entry === undefined || !isFresh(entry)) return runAndStore(run, keep, turn);
    // The run has been counted where it was.
    const result = { ...entry.result, statistics: undefined };
    const found: Filled = { result, storedAtMs: entry.storedAtMs, written: Promise.resolve() };
    await keep?.(found);
    return found;
  };

  const buckets = openKeptBuckets({ folder: join(folder, 'buckets'), maxBytes: maxBytes * BUCKETS_SHARE, now, shared });

  return {
    buckets,
    async lookup(key) {
      await writes.get(key);
      return read(key);
    },
    fill(name, run, { signal, fresh = false, keep } = {}) {
      const work = (stop: AbortSignal) => {
        const alone = () => run(stop);
        const filling = (
          fresh || shared === undefined ? runAndStore(alone, keep) : runInTurn(shared, name, stop, { run: alone, keep })
        ).finally(() => running.delete(filling));
        running.add(filling);
        return filling;
      };
      return flights.share(name, work, signal);
    },
    async settled() {
      await Promise.allSettled(running);
      await Promise.all(writes.values());
      await Promise.all(turns);
    },

    async list() {
      const nowMs = now();
      const listings: CacheListing[] = [];
      for await (const keys of pool.names()) {
        for (const { bytes, header } of await headersOf(keys)) {
          const fresh = freshness({ ...header, nowMs }) === 'fresh';
          listings.push({ ...header, bytes, ageSeconds: ageSeconds(header.storedAtMs, nowMs), fresh });
        }
      }
      return listings.sort((a, b) => b.storedAtMs - a.storedAtMs);
    },

    async show(prefix) {
      const keys: string[] = [];
      for await (const some of pool.names(prefix)) for (const name of some) keys.push(name);
      const [key, other] = keys;
      if (key !== undefined && other === undefined) {
        const entry = await readFile(key);
        if (entry !== undefined) return entry;
      }
      const problem = other === undefined ? 'no cache entry starts' : `${keys.length} cache entries start`;
      throw new QuernError('usage', `${problem} with ${JSON.stringify(prefix)}`, { hint: 'list the keys with `quern cache list`' });
    },

    async clear({ query } = {}) {
      let removed = 0;
      if (query === undefined) await (await import('./made-files.ts')).removeMadeFiles(folder, onTrouble);
      // They have no names of queries: all go.
      await buckets.clear();
      for await (const keys of pool.names()) {
        const own =
          query === undefined ? keys : (await headersOf(keys)).flatMap(({ header }) => (header.query === query ? [header.key] : []));
        removed += await pool.remove(own);
      }
      return removed;
    },

    async stats() {
      const { files, bytes } = await pool.measure();
      return { folder: results, entries: files, bytes, maxBytes };
    },
  };
}

function describeTrouble(cause: NodeJS.ErrnoException, folder: string): string {
  return `${folder}: ${reasonOf(cause)}`;
}
