// The public API of the package: the translator, and a client that runs saved queries from a script.
import { nearest, QuernError } from './errors.ts';
import { prepare } from './execution/prepared-query.ts';
import { runSavedQuery } from './execution/run.ts';
import { specializedFor } from './execution/specialize.ts';
import { quietIo } from './process-io.ts';
import { readArguments } from './queries/parameters.ts';
import type { ResultColumn, Value } from './result.ts';
import { openServices, type Services } from './services.ts';
import type { Translation } from './sql/index.ts';

export { type ErrorCode, type ErrorDetails, type Problem, QuernError } from './errors.ts';
export type { ResultColumn, Value } from './result.ts';
export { type Position, positionAt, type SourceText, type Span } from './source-text.ts';
export {
  parse,
  type Script,
  type TranslatedColumn,
  type TranslatedParameter,
  type TranslateOptions,
  type Translation,
  translate,
} from './sql/index.ts';
export type { Source, SourceCatalog } from './sql/source.ts';
export type { Type } from './sql/types.ts';

/** What is left out is as the command line would have it in this folder: from the environment, quern.yaml, the user's settings. */
export interface QuernOptions {
  /** Folder of the embedded store. */
  readonly store?: string;
  /** Folders of saved queries beside the ones that ship. */
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
  /** Cancels what is running, and refuses what is asked for later. */
  readonly signal?: AbortSignal;
  /** Hears what the command line would say on standard error; silent by default. */
  readonly onNote?: (note: string) => void;
}

export interface QuernRunOptions {
  /** The instant that CURRENT_TIMESTAMP() gives, such as `2026-01-15T12:00:00Z`; now by default. */
  readonly asOf?: string;
  /** `use` (default) reads and writes the cache, `refresh` runs and replaces, `none` leaves it alone. */
  readonly cache?: 'use' | 'refresh' | 'none';
  /** Accepts a cached result only up to this age. */
  readonly maxAgeSeconds?: number;
}

export interface QuernResult {
  readonly columns: readonly ResultColumn[];
  /** Values by position, in the order of `columns`. */
  readonly rows: readonly (readonly Value[])[];
  /** True when the row limit of the saved query cut rows off. */
  readonly truncated: boolean;
  /** Parts of the data that did not answer, in words: shards that the settings allow to be left out. */
  readonly missing?: readonly string[];
  /** Where the rows come from: `off` when the cache had no part in it. */
  readonly cache: 'hit' | 'miss' | 'stale' | 'off';
}

/** What a saved query becomes; ClickHouse SQL of the user's own has no columns that are known before it runs. */
export type QuernExplanation = Pick<Translation, 'sql' | 'parameters' | 'settings' | 'sources'> & Partial<Pick<Translation, 'columns'>>;

export interface Quern {
  /** The rows of a saved query, by its name, UUID or path. Throws QuernError. */
  run(query: string, parameters?: Readonly<Record<string, unknown>>, options?: QuernRunOptions): Promise<QuernResult>;
  /**
   * The ClickHouse SQL a saved query becomes, without its row limit, and what it is bound with: for any parameters, or as it runs with
   * those given. Throws QuernError.
   */
  explain(query: string, parameters?: Readonly<Record<string, unknown>>): Promise<QuernExplanation>;
  /** Closes the engine. A store can be used by one process at a time, so do not forget it. */
  close(): Promise<void>;
}

/**
 * A client for saved queries, on the embedded store or on a ClickHouse server. Nothing is opened until it is needed, nothing is printed.
 * Throws QuernError `usage` for an option that there is not.
 *
 * ```ts
 * const quern = openQuern({ store: './logs' });
 * const { rows } = await quern.run('usage.api-counts', { project: 'demo', interval: 'hourly' });
 * await quern.close();
 * ```
 */
export function openQuern(options: QuernOptions = {}): Quern {
  refuseUnknown('openQuern', options, OPTIONS);
  const { signal = new AbortController().signal, onNote, ...flags } = options;
  const io = quietIo((text) => onNote?.(text.trimEnd()));
  const services = openServices({ io, signal, flags: () => ({ ...flags, quiet: onNote === undefined }) });
  let closed: Promise<void> | undefined;
  const opened = (): Services => {
    if (closed !== undefined) throw new QuernError('usage', 'this client is closed', { hint: 'make another one with openQuern' });
    return services;
  };
  return {
    async run(query, parameters = {}, runOptions = {}) {
      refuseUnknown('run', runOptions, RUN_OPTIONS);
      const { cache } = runOptions;
      if (cache !== undefined && !CACHE_MODES.includes(cache))
        throw new QuernError('usage', `cache: ${JSON.stringify(cache)} is not one of: ${CACHE_MODES.join(', ')}`);
      const request = { ...runOptions, query, arguments: parameters, signal };
      const { result, cache: used } = await opened().running((held) => runSavedQuery(request, held));
      const { columns, rows, truncated, missing } = result;
      return { columns, rows, truncated, ...(missing === undefined ? {} : { missing }), cache: used.state };
    },
    async explain(query, parameters) {
      const prepared = await prepare(query, await opened().preparing());
      const values = parameters === undefined ? undefined : readArguments(prepared.parameters, parameters, prepared.name);
      const { sql, bound, columns, settings, sources } = values === undefined ? prepared : await specializedFor(prepared, values);
      return { sql, parameters: bound, ...(columns === undefined ? {} : { columns }), settings, sources };
    },
    close() {
      closed ??= services.close();
      return closed;
    },
  };
}

const CACHE_MODES: readonly string[] = ['use', 'refresh', 'none'] satisfies readonly QuernRunOptions['cache'][];

const OPTIONS: Readonly<Record<keyof QuernOptions, true>> = {
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

const RUN_OPTIONS: Readonly<Record<keyof QuernRunOptions, true>> = { asOf: true, cache: true, maxAgeSeconds: true };

/** A script without types would not notice that its option does nothing. */
function refuseUnknown(owner: string, given: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const near = nearest(unknown, Object.keys(known));
  const hint = near === undefined ? `its options are: ${Object.keys(known).join(', ')}` : `did you mean ${near}?`;
  throw new QuernError('usage', `${owner} has no option ${unknown}`, { hint });
}
