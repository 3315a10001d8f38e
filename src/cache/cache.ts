// The cache of results: answers from files while they are fresh, runs and stores otherwise. Its failures never cost an answer.
import { join } from 'node:path';
import { QuernError } from '../errors.ts';
import type { QueryResult } from '../result.ts';
import { type CacheEntry, type EntryHeader, ofOtherVersion, parseEntry, parseHeader, printEntry } from './entry.ts';
import { openFilePool } from './file-pool.ts';
import { ageSeconds, freshness } from './policy.ts';
import { createSingleFlight } from './single-flight.ts';

interface CacheOptions {
  readonly folder: string;
  /** Upper bound on what all results take of the disk, in bytes. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told once, in words, when the folder cannot be used. */
  readonly onNote: (note: string) => void;
}

/** `use` reads and writes, `refresh` runs and replaces, `none` neither reads nor writes. */
export type CacheMode = 'use' | 'refresh' | 'none';

/** A result to store. */
interface Storing extends Omit<EntryHeader, 'storedAtMs' | 'rowCount'> {
  readonly result: QueryResult;
}

export interface CachedRun extends Omit<Storing, 'result'> {
  readonly mode: CacheMode;
  readonly maxAgeSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface CachedResult {
  readonly result: QueryResult;
  /** `off`: the cache had no part in it. `stale` is for servers, which may show old rows while they fetch new ones. */
  readonly state: 'hit' | 'miss' | 'stale' | 'off';
  /** Milliseconds since 1970; absent when `off`. */
  readonly storedAtMs?: number;
  readonly ageSeconds?: number;
}

interface CacheListing extends EntryHeader {
  readonly bytes: number;
  readonly ageSeconds: number;
  readonly fresh: boolean;
}

export interface Cache {
  /** Answers from the entry of `run.key`, or calls `execute` once for all who ask for it at the same time. Failures are not stored. */
  cached(run: CachedRun, execute: (signal: AbortSignal | undefined) => Promise<QueryResult>): Promise<CachedResult>;
  /** The entry of `key`, whatever its age. */
  find(key: string): Promise<CacheEntry | undefined>;
  /** Stores a result as of now; the entry holds even where it could not be written. */
  store(storing: Storing): Promise<CacheEntry>;
  /** The newest first. */
  list(): Promise<readonly CacheListing[]>;
  /** The entry whose key begins with `prefix`. Throws QuernError `usage` when there is none, or more than one. */
  show(prefix: string): Promise<CacheEntry>;
  /** Removes all entries, or those of one saved query; how many there were. */
  clear(filter?: { readonly query?: string }): Promise<number>;
  /** The bytes are those of the disk. */
  stats(): Promise<{ readonly folder: string; readonly entries: number; readonly bytes: number; readonly maxBytes: number }>;
}

/** Enough for the header of nearly every entry. */
const HEADER_BYTES = 4096;

interface Listed {
  readonly bytes: number;
  readonly header: EntryHeader;
}

export function openCache({ folder, maxBytes, now, onNote }: CacheOptions): Cache {
  let noted = false;
  const onTrouble = (cause: NodeJS.ErrnoException) => {
    if (noted) return;
    noted = true;
    onNote(`results are not cached: ${describeTrouble(cause, folder)}`);
  };
  const results = join(folder, 'results');
  const pool = openFilePool({ folder: results, suffix: '.entry', maxBytes, now, onTrouble });
  const flights = createSingleFlight<CachedResult>();

  const find = async (key: string): Promise<CacheEntry | undefined> => {
    const text = await pool.read(key);
    const entry = text === undefined ? undefined : parseEntry(text, key);
    if (text !== undefined && entry === undefined && !ofOtherVersion(text)) await pool.remove([key]);
    return entry;
  };

  const store = async (storing: Storing): Promise<CacheEntry> => {
    const entry = { ...storing, storedAtMs: now(), rowCount: storing.result.rows.length };
    await pool.write(storing.key, printEntry(entry));
    return entry;
  };

  const executeAndStore = async (run: CachedRun, execute: () => Promise<QueryResult>): Promise<CachedResult> => {
    const { mode: _, maxAgeSeconds: __, signal: ___, ...header } = run;
    const result = await execute();
    if (result.missing !== undefined) return { result, state: 'off' };
    const { storedAtMs } = await store({ ...header, result });
    return { result, state: 'miss', storedAtMs, ageSeconds: 0 };
  };

  const headersOf = async (keys: readonly string[]): Promise<readonly Listed[]> => {
    const found: Listed[] = [];
    for (const { name, text, size } of await pool.readStarts(keys, HEADER_BYTES)) {
      const header = parseHeader(text) ?? (size > HEADER_BYTES ? parseHeader((await pool.read(name)) ?? '') : undefined);
      if (header?.key === name) found.push({ bytes: size, header });
    }
    return found;
  };

  return {
    async cached(run, execute) {
      if (run.mode === 'none' || run.ttlSeconds <= 0) return { result: await execute(run.signal), state: 'off' };
      if (run.mode === 'use') {
        const entry = await find(run.key);
        if (entry !== undefined && freshness({ ...run, storedAtMs: entry.storedAtMs, nowMs: now() }) === 'fresh') {
          return { result: entry.result, state: 'hit', storedAtMs: entry.storedAtMs, ageSeconds: ageSeconds(entry.storedAtMs, now()) };
        }
      }
      // Who asks for a refresh must not be given work that began before the question.
      const flight = run.mode === 'refresh' ? `refresh ${run.key}` : run.key;
      return flights.share(flight, (signal) => executeAndStore(run, () => execute(signal)), run.signal);
    },

    find,
    store,

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
      for await (const some of pool.names(prefix)) keys.push(...some);
      const [key, other] = keys;
      if (key !== undefined && other === undefined) {
        const entry = await find(key);
        if (entry !== undefined) return entry;
      }
      const problem = other === undefined ? 'no entry of the cache begins' : `${keys.length} entries of the cache begin`;
      throw new QuernError('usage', `${problem} with ${JSON.stringify(prefix)}`, { hint: 'see the keys with `quern cache list`' });
    },

    async clear({ query } = {}) {
      let removed = 0;
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

const TROUBLES: Readonly<Record<string, string>> = {
  ENOENT: 'the folder cannot be made',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the folder is on a read-only disk',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
};

function describeTrouble(cause: NodeJS.ErrnoException, folder: string): string {
  return `${folder}: ${TROUBLES[cause.code ?? ''] ?? cause.message}`;
}
