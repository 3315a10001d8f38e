// The public API of the package: the translator, and a client that runs saved queries from a script.
import { type App, createApp } from './app.ts';
import type { CacheMode } from './cache/cache.ts';
import { processIo } from './process-io.ts';
import type { ResultColumn, Value } from './result.ts';
import type { Plan } from './saved-query/plan.ts';

export { type ErrorCode, type ErrorDetails, type Problem, QuernError } from './errors.ts';
export type { ResultColumn, Value } from './result.ts';
export type { Position, SourceText, Span } from './source-text.ts';
export { parse, type TranslatedColumn, type TranslatedParameter, type TranslateOptions, type Translation, translate } from './sql/index.ts';
export type { Source, SourceCatalog } from './sql/source.ts';
export type { Type } from './sql/types.ts';

export interface QuernOptions {
  /** Folder of the embedded store. Each option's default is what the command line would use in this folder. */
  readonly store?: string;
  /** Folders of saved queries beside the ones that ship. */
  readonly queries?: readonly string[];
  /** Folder of cached results. */
  readonly cacheDir?: string;
  /** Time after which a query is cancelled, such as `30s`. */
  readonly timeout?: string;
  /** Cancels what is running, and refuses what is asked for later. */
  readonly signal?: AbortSignal;
  /** Hears what the command line would say on standard error; silent by default. */
  readonly onNote?: (note: string) => void;
}

export interface QuernRunOptions {
  /** The instant that CURRENT_TIMESTAMP() gives; now by default. */
  readonly asOf?: string;
  /** `use` (default) reads and writes the cache, `refresh` runs and replaces, `none` leaves it alone. */
  readonly cache?: CacheMode;
  /** Accepts a cached result only up to this age. */
  readonly maxAgeSeconds?: number;
}

export interface QuernResult {
  readonly columns: readonly ResultColumn[];
  /** Values by position, in the order of `columns`. */
  readonly rows: readonly (readonly Value[])[];
  /** True when the row limit of the saved query cut rows off. */
  readonly truncated: boolean;
  readonly cache: 'hit' | 'miss' | 'stale' | 'off';
}

export interface Quern {
  /** Runs a saved query, by name, UUID or path. Throws QuernError, as the command line would print it. */
  run(query: string, parameters?: Readonly<Record<string, unknown>>, options?: QuernRunOptions): Promise<QuernResult>;
  /** The ClickHouse SQL a saved query becomes, and what it is bound with. Throws QuernError. */
  explain(query: string): Promise<Pick<Plan, 'sql' | 'bound' | 'settings'>>;
  /** Closes the engine. A store can be used by one process at a time, so do not forget it. */
  close(): Promise<void>;
}

/**
 * A client on the embedded store. Nothing is opened until it is needed.
 *
 * ```ts
 * const quern = openQuern({ store: './logs' });
 * const { rows } = await quern.run('usage.api-counts', { project: 'demo', interval: 'hourly' });
 * await quern.close();
 * ```
 */
export function openQuern(options: QuernOptions = {}): Quern {
  const { signal, onNote, ...flags } = options;
  const real = processIo();
  const io = { ...real, stderr: { isTerminal: false, columns: undefined, write: async (text: string) => onNote?.(text.trimEnd()) } };
  const app: App = createApp({ io, signal: signal ?? new AbortController().signal, flags: () => flags });
  return {
    async run(reference, parameters = {}, { cache = 'use', ...request } = {}) {
      const { result, cache: used } = await app.run({ ...request, reference, arguments: parameters, cache });
      return { columns: result.columns, rows: result.rows, truncated: result.truncated, cache: used.state };
    },
    async explain(reference) {
      const { sql, bound, settings } = await app.plan(reference);
      return { sql, bound, settings };
    },
    close: () => app.close(),
  };
}
