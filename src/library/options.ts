// The options of the library's client.
import { didYouMean, QuernError } from '../base/errors.ts';

/** Options that are left out are as on the command line in this folder: from the environment, quern.yaml, the user's settings. */
export interface QuernOptions {
  /** Folder of the embedded store. */
  readonly store?: string;
  /** Folders of saved queries in addition to those that ship. */
  readonly queries?: readonly string[];
  /** Folder of cached results. */
  readonly cacheDir?: string;
  /** Time after which a query is cancelled, such as `30s`. */
  readonly timeout?: string;
  /** Memory that a query may use on the engine, such as `2GiB`. */
  readonly maxMemory?: string;
  /** Rows that a query may read from tables, such as `1000000`. */
  readonly maxScan?: string;
  /** Size that a result may have, such as `64MiB`. */
  readonly maxResultBytes?: string;
  /** A ClickHouse server to run on instead of the embedded store: `https://db.example:8443`. Its login comes from the settings. */
  readonly url?: string;
  /** Database of the server's tables. */
  readonly database?: string;
  /** A profile of quern.yaml. */
  readonly profile?: string;
  /** Cancels running queries, and refuses later ones. */
  readonly signal?: AbortSignal;
  /** Hears what the command line would say on standard error; silent by default. */
  readonly onNote?: (note: string) => void;
}

export interface QuernStreamOptions {
  /** The instant that CURRENT_TIMESTAMP() gives, such as `2026-01-15T12:00:00Z`; now by default. */
  readonly asOf?: string;
  /** Cancels this query. */
  readonly signal?: AbortSignal;
}

export interface QuernRunOptions extends QuernStreamOptions {
  /** `use` (default) reads and writes the cache, `refresh` runs and replaces, `none` leaves it alone. */
  readonly cache?: 'use' | 'refresh' | 'none';
  /** Accepts a cached result only up to this age. */
  readonly maxAgeSeconds?: number;
}

/** SQL that nobody has saved, in the BigQuery dialect unless a header of its own says otherwise. */
export interface QuernSql {
  readonly sql: string;
  /** Most rows; 1000 by default, of a stream any number. */
  readonly maxRows?: number;
  /** Keeps the result for so long, and takes one that was kept; by default it is not cached. */
  readonly cacheSeconds?: number;
  /** Lets paths between backticks in FROM read files. Only for SQL that you trust with every file that you can read. */
  readonly files?: boolean;
}

export interface QuernFormatOptions {
  /** Case of keywords; by default that which most of a text have. */
  readonly keywords?: 'lower' | 'upper' | 'keep';
}

export interface QuernCheckOptions {
  /** Only queries and assertions of these names, or `tag:NAME`; `*` stands for any text. */
  readonly select?: readonly string[];
  /** All but these. */
  readonly exclude?: readonly string[];
  /** Arguments for every query that has such parameters. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly asOf?: string;
  /** Takes answers from the cache, and keeps them there. */
  readonly useCache?: boolean;
  /** How many checks run at once. */
  readonly jobs?: number;
  /** How many failing rows are given of an assertion; 5 by default. */
  readonly rows?: number;
}

type Known<T> = Readonly<Record<keyof T, true>>;

export const OPTIONS: Known<QuernOptions> = {
  store: true,
  queries: true,
  cacheDir: true,
  timeout: true,
  maxMemory: true,
  maxScan: true,
  maxResultBytes: true,
  url: true,
  database: true,
  profile: true,
  signal: true,
  onNote: true,
};
export const STREAM_OPTIONS: Known<QuernStreamOptions> = { asOf: true, signal: true };
export const RUN_OPTIONS: Known<QuernRunOptions> = { ...STREAM_OPTIONS, cache: true, maxAgeSeconds: true };
export const SQL_OPTIONS: Known<QuernSql> = { sql: true, maxRows: true, cacheSeconds: true, files: true };
export const FORMAT_OPTIONS: Known<QuernFormatOptions> = { keywords: true };
export const CHECK_OPTIONS: Known<QuernCheckOptions> = {
  select: true,
  exclude: true,
  parameters: true,
  asOf: true,
  useCache: true,
  jobs: true,
  rows: true,
};

/** A script without types would not notice that its option does nothing. */
export function refuseUnknown(owner: string, given: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, Object.keys(known)) ?? `its options are ${Object.keys(known).join(', ')}`;
  throw new QuernError('usage', `${owner} has no option ${unknown}`, { hint });
}

/** Throws `usage` for a value that is not one of `allowed`. */
export function oneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value as string)) return; // includes takes any value; its type asks for a string
  throw new QuernError('usage', `${name}: ${JSON.stringify(value)} is not one of: ${allowed.join(', ')}`);
}

/** Throws `usage` for what is no query, which a script without types may pass. */
export function refuseNoQuery(query: unknown): void {
  if (typeof query === 'string' || (typeof query === 'object' && query !== null && 'sql' in query && typeof query.sql === 'string')) return;
  throw new QuernError('usage', 'the query is neither the name of a saved query nor SQL', {
    hint: "pass a name such as 'usage.api-counts', or { sql: 'select …' }",
  });
}
