// The cache of results: answers from files while they are fresh, runs and stores otherwise. Its failures never cost an answer.
import { join } from 'node:path';
import { departure } from '../base/departure.ts';
import { QuernError } from '../base/errors.ts';
import type { QueryResult } from '../base/result.ts';
import { FilePool } from '../files/file-pool.ts';
import { reasonOf } from '../files/reason.ts';
import { type CacheEntry, type EntryHeader, ofOtherVersion, parseEntry, parseHeader, printEntry } from './entry.ts';
import { type BytesMemory, digest, openBytesMemory } from './json-memory.ts';
import { type KeptBuckets, openKeptBuckets } from './kept-buckets.ts';
import { ageSeconds, freshness } from './policy.ts';
import type { SharedStore, SharedTurn } from './shared-store.ts';
import { createSingleFlight } from './single-flight.ts';

interface CacheOptions {
  readonly folder: string;
  /** Upper bound on what all results take of the disk, in bytes. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called once, with words, when the folder cannot be used. */
  readonly onNote: (note: string) => void;
  /** Where other processes, with folders of their own, find results too; absent: only the folder may be shared. */
  readonly shared?: SharedStore | undefined;
}

/** `use` reads and writes, `refresh` runs and replaces, `none` neither reads nor writes. */
export type CacheMode = 'use' | 'refresh' | 'none';

/** The query, arguments and data of an entry's rows. */
export type Wanted = Omit<EntryHeader, 'storedAtMs' | 'rowCount'>;

/** Rows, and what they turned out to be: the data may have changed since they were wanted. */
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
  /** Called with rows that are stored before anybody who waits has them; only that of the first who wanted the run is. */
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

/** How much of the disk rows of buckets may take in addition to results, as a part of what these may take. */
const BUCKETS_SHARE = 0.25;
/** The same for rows of BigQuery's jobs. */
const PAGES_SHARE = 1;
const PAGES_SECONDS = 24 * 3600;

/** Enough for the header of nearly every entry. */
const HEADER_BYTES = 4096;

interface OwnRun {
  readonly run: () => Promise<Ran>;
  readonly keep: Filling['keep'];
}

interface Listed {
  readonly bytes: number;
  readonly header: EntryHeader;
}

/** The cache of results and, in `buckets` and `pages`, of rows of parts of queries, and of rows that clients read page by page. */
export class Cache {
  /** Rows of BigQuery's jobs in pages, for a day, and what is known of the jobs. */
  readonly pages: BytesMemory;
  /** More bytes than these have no place in `pages`. */
  readonly mostPageBytes: number;
  /** Rows of parts of queries, which outlive results: see execution/buckets/. */
  readonly buckets: KeptBuckets;
  readonly #options: CacheOptions;
  readonly #folder: string;
  readonly #pool: FilePool;
  readonly #flights = createSingleFlight<Filled>();
  readonly #running = new Set<Promise<Filled>>();
  readonly #writes = new Map<string, Promise<void>>();
  readonly #turns = new Set<Promise<void>>();
  #noted = false;

  constructor(options: CacheOptions) {
    const { folder, maxBytes, now, shared } = options;
    this.#options = options;
    this.#folder = join(folder, 'results');
    this.#pool = new FilePool({ folder: this.#folder, suffix: '.entry', maxBytes, now, onTrouble: this.#onTrouble });
    this.buckets = openKeptBuckets({ folder: join(folder, 'buckets'), maxBytes: maxBytes * BUCKETS_SHARE, now, shared });
    this.mostPageBytes = maxBytes * PAGES_SHARE;
    const pages = { folder: join(folder, 'pages'), suffix: '.page', maxBytes: this.mostPageBytes, sharedSeconds: PAGES_SECONDS };
    this.pages = openBytesMemory({ ...pages, now, shared });
  }

  /** Returns the entry of `key`, whatever its age; once a write of it that is under way has ended. */
  async lookup(key: string): Promise<CacheEntry | undefined> {
    await this.#writes.get(key);
    return this.#read(key);
  }

  /**
   * Returns new rows: runs once for all who ask under the same name at the same time, and stores what is whole. Failures are not stored, nor rows
   * of which parts are missing.
   */
  fill(name: string, run: (signal: AbortSignal) => Promise<Ran>, { signal, fresh = false, keep }: Filling = {}): Promise<Filled> {
    const { shared } = this.#options;
    const work = (stop: AbortSignal): Promise<Filled> => {
      const own = { run: () => run(stop), keep };
      const filling = (fresh || shared === undefined ? this.#runAndStore(own) : this.#runInTurn(shared, name, stop, own)).finally(() =>
        this.#running.delete(filling),
      );
      this.#running.add(filling);
      return filling;
    };
    return this.#flights.share(name, work, signal);
  }

  /** Resolves when the runs under way have ended, and what they stored is written. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
    await Promise.all(this.#writes.values());
    await Promise.all(this.#turns);
  }

  /** Returns the headers of all entries, the newest first. */
  async list(): Promise<readonly CacheListing[]> {
    const nowMs = this.#options.now();
    const listings: CacheListing[] = [];
    for await (const keys of this.#pool.names()) {
      for (const { bytes, header } of await this.#headersOf(keys)) {
        const fresh = freshness({ ...header, nowMs }) === 'fresh';
        listings.push({ ...header, bytes, ageSeconds: ageSeconds(header.storedAtMs, nowMs), fresh });
      }
    }
    return listings.sort((a, b) => b.storedAtMs - a.storedAtMs);
  }

  /** Returns the entry whose key begins with `prefix`. Throws QuernError `usage` when there is none, or more than one. */
  async show(prefix: string): Promise<CacheEntry> {
    const keys: string[] = [];
    for await (const some of this.#pool.names(prefix)) for (const name of some) keys.push(name);
    const [key, other] = keys;
    if (key !== undefined && other === undefined) {
      const entry = await this.#readFile(key);
      if (entry !== undefined) return entry;
    }
    const problem = other === undefined ? 'no cache entry starts' : `${keys.length} cache entries start`;
    throw new QuernError('usage', `${problem} with ${JSON.stringify(prefix)}`, { hint: 'list the keys with `quern cache list`' });
  }

  /** Removes all entries and copies of files, or the entries of one saved query; returns how many entries there were. */
  async clear({ query }: { readonly query?: string } = {}): Promise<number> {
    let removed = 0;
    if (query === undefined) await (await import('./made-files.ts')).removeMadeFiles(this.#options.folder, this.#onTrouble);
    // Rows of buckets have no names of queries: all go.
    await this.buckets.clear();
    if (query === undefined) await this.pages.clear();
    for await (const keys of this.#pool.names()) {
      const own =
        query === undefined ? keys : (await this.#headersOf(keys)).flatMap(({ header }) => (header.query === query ? [header.key] : []));
      removed += await this.#pool.remove(own);
    }
    return removed;
  }

  /** Returns how many entries there are, and how many bytes of the disk they take. */
  async stats(): Promise<{ readonly folder: string; readonly entries: number; readonly bytes: number; readonly maxBytes: number }> {
    const { files, bytes } = await this.#pool.measure();
    return { folder: this.#folder, entries: files, bytes, maxBytes: this.#options.maxBytes };
  }

  readonly #onTrouble = (cause: NodeJS.ErrnoException): void => {
    if (this.#noted) return;
    this.#noted = true;
    const { folder, onNote } = this.#options;
    onNote(`results are not cached: ${folder}: ${reasonOf(cause)}`);
  };

  /** The newer of both: while the shared store was away, newer rows may have come into the files. */
  async #read(key: string): Promise<CacheEntry | undefined> {
    const near = await this.#readShared(key);
    if (near !== undefined && this.#isFresh(near)) return near;
    const own = await this.#readFile(key);
    return near !== undefined && (own === undefined || own.storedAtMs < near.storedAtMs) ? near : own;
  }

  async #readFile(key: string): Promise<CacheEntry | undefined> {
    const text = await this.#pool.read(key);
    const entry = text === undefined ? undefined : parseEntry(text, key);
    if (text !== undefined && entry === undefined && !ofOtherVersion(text)) await this.#pool.remove([key]);
    return entry;
  }

  /** Others may have written it, not all of them this version of quern. */
  async #readShared(key: string): Promise<CacheEntry | undefined> {
    const { shared } = this.#options;
    const text = await shared?.read('results', key);
    const entry = text === undefined ? undefined : parseEntry(text, key);
    if (text !== undefined && entry === undefined && !ofOtherVersion(text)) await shared?.remove('results', key);
    return entry;
  }

  #isFresh(entry: CacheEntry): boolean {
    return freshness({ ...entry, nowMs: this.#options.now() }) === 'fresh';
  }

  #store({ wanted, result, revalidated }: Ran): Filled {
    const { now, shared } = this.#options;
    const storedAtMs = now();
    if (result.missing !== undefined) return { result, storedAtMs, written: Promise.resolve() };
    const { key } = wanted;
    const write = async (): Promise<void> => {
      const text = await printEntry({ ...wanted, result, storedAtMs, rowCount: result.rows.length });
      await Promise.all([shared?.write('results', key, text, wanted.ttlSeconds), this.#pool.write(key, text)]);
    };
    const end = (): void => {
      if (this.#writes.get(key) === written) this.#writes.delete(key);
    };
    // A result can be larger than any text.
    const written = write().then(end, end);
    this.#writes.set(key, written);
    return { result, revalidated, storedAtMs, written };
  }

  async #runAndStore({ run, keep }: OwnRun, turn?: SharedTurn): Promise<Filled> {
    let key: string | undefined;
    let written = Promise.resolve();
    try {
      const ran = await run();
      const filled = this.#store(ran);
      if (filled.result.missing === undefined) {
        await keep?.(filled);
        key = ran.wanted.key;
        written = filled.written;
      }
      return filled;
    } finally {
      if (turn !== undefined) {
        const ended = written.then(() => turn.end(key)).finally(() => this.#turns.delete(ended));
        this.#turns.add(ended);
      }
    }
  }

  /** Takes the rows of another process that has run meanwhile, or runs. */
  async #runInTurn({ turn: take }: SharedStore, name: string, stop: AbortSignal, own: OwnRun): Promise<Filled> {
    const turn = await take(digest(name), stop).catch((reason: unknown) => {
      throw departure(reason);
    });
    const entry = turn.key === undefined ? undefined : await this.#readShared(turn.key);
    if (entry === undefined || !this.#isFresh(entry)) return this.#runAndStore(own, turn);
    // The run has been counted where it was.
    const result = { ...entry.result, statistics: undefined };
    const found: Filled = { result, storedAtMs: entry.storedAtMs, written: Promise.resolve() };
    await own.keep?.(found);
    return found;
  }

  async #headersOf(keys: readonly string[]): Promise<readonly Listed[]> {
    const found: Listed[] = [];
    for (const { name, text, size } of await this.#pool.readStarts(keys, HEADER_BYTES)) {
      const header = parseHeader(text) ?? (size > HEADER_BYTES ? parseHeader((await this.#pool.read(name)) ?? '') : undefined);
      if (header?.key === name) found.push({ bytes: size, header });
    }
    return found;
  }
}
