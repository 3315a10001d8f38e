// The results of the library's client.
import type { ResultColumn, Value } from '../base/result.ts';
import type { Position } from '../base/source-text.ts';
import type { Translation } from '../sql/translation.ts';

export interface QuernResult {
  readonly columns: readonly ResultColumn[];
  /** Values by position, in the order of `columns`. */
  readonly rows: readonly (readonly Value[])[];
  /** True when the row limit cut rows off. */
  readonly truncated: boolean;
  /** Parts of the data that did not answer, in words: shards that the settings allow to be left out. */
  readonly missing?: readonly string[];
  /** Tells where the rows come from: `off` when the cache was not involved. */
  readonly cache: 'hit' | 'revalidated' | 'miss' | 'stale' | 'off';
}

/** A row by the names of its columns; a STRUCT is an object too. Columns without a name are `f0_`, `f1_` …, repeated names get `_1`, `_2` …. */
export type QuernRow = Readonly<Record<string, Value>>;

/** Rows as they come from the engine, past the cache and never in memory as a whole. Leaving the loop stops the query. */
export interface QuernStream extends AsyncIterable<QuernRow> {
  /** Once the loop has ended: whether the row limit cut rows off. */
  readonly truncated: boolean | undefined;
  /** Once the loop has ended: parts of the data that did not answer, as in QuernResult. */
  readonly missing: readonly string[] | undefined;
}

/** The translation of a saved query; ClickHouse SQL of the user's own has no columns that are known before it runs. */
export type QuernExplanation = Pick<Translation, 'sql' | 'parameters' | 'settings' | 'sources'> & Partial<Pick<Translation, 'columns'>>;

export interface QuernFinding extends Position {
  readonly file: string;
  /** Errors keep the query from running; warnings are hardly meant; notes are to be known. */
  readonly severity: 'error' | 'warning' | 'note';
  /** The code of an error, or what is looked for. */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
}

export interface QuernAssertion {
  readonly name: string;
  readonly severity: 'error' | 'warn';
  /** `unknown`: the engine could not say. */
  readonly state: 'pass' | 'warn' | 'fail' | 'unknown';
  /** Why it has this state; '' where there is nothing to say. */
  readonly reason: string;
  /** The number of rows that break an assertion about each row. */
  readonly failingRows?: number;
  /** Some of those rows. */
  readonly sample?: readonly QuernRow[];
}

export interface QuernCheck {
  readonly query: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Undefined when the rows could not be had. */
  readonly rows: number | undefined;
  readonly elapsedMs: number;
  readonly assertions: readonly QuernAssertion[];
}

export interface QuernCheckReport {
  /** True if every assertion holds but for those that only warn. */
  readonly ok: boolean;
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  readonly unknown: number;
  readonly checks: readonly QuernCheck[];
}
