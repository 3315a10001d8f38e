// What translate() takes and gives.
import type { SourceText, Span } from '../base/source-text.ts';
import type { TextKind, Type } from './base/types.ts';
import type { SourceCatalog } from './source.ts';

/** Name of the query parameter that carries the instant of CURRENT_TIMESTAMP(). */
export const INSTANT_PARAMETER = 'quern_now';

/** Name of the BOOL query parameter that says whether the array parameter `name` is NULL: ClickHouse binds no NULL array, only []. */
export const nullArrayParameter = (name: string): string => `${NULL_ARRAY}${name}`;

/** How names of such parameters begin. */
export const NULL_ARRAY = 'quern_null_';

/** The value of a translation's parameter, given the arguments by the names that the query has for them. */
export function parameterValue<T>(name: string, values: Readonly<Record<string, T>>): T | boolean | null {
  const value = (of: string): T | null => (Object.hasOwn(values, of) ? (values[of] ?? null) : null);
  return name.startsWith(NULL_ARRAY) ? value(name.slice(NULL_ARRAY.length)) === null : value(name);
}

export interface TranslateOptions {
  /** Types of the `@name` parameters the text may use; any other `@name` is an error. */
  readonly parameters?: Readonly<Record<string, Type>>;
  /** What parameters stand for that are no values of their own: GoogleSQL over the others. */
  readonly parameterExpressions?: Readonly<Record<string, string>>;
  readonly sources?: SourceCatalog;
  /** Text of another saved query that FROM may name as a table, or undefined. */
  readonly savedQuery?: (name: string) => string | undefined;
  /** Files with a CREATE FUNCTION each, which the text may call. */
  readonly functions?: readonly SourceText[];
  /**
   * `parameter`: CURRENT_TIMESTAMP() and its kin read the bound parameter `quern_now`; `engine` (default): the engine's own clock,
   * one instant for the query.
   */
  readonly instant?: 'parameter' | 'engine';
  /** `text`: BYTES columns of the result come back as base64; `raw` (default): as they are. */
  readonly bytes?: 'raw' | 'text';
  /** `fail`: a column of the result that is an array with a NULL element fails the query, as BigQuery returns none; `keep` (default): it is returned. */
  readonly nullElements?: 'keep' | 'fail';
}

export interface TranslatedParameter {
  readonly name: string;
  /** ClickHouse type to bind it with, e.g. `Nullable(String)`. */
  readonly type: string;
}

export interface TranslatedColumn {
  readonly name: string;
  readonly type: Type;
}

export interface Translation {
  readonly sql: string;
  /** The parameters the SQL really uses, INSTANT_PARAMETER included. */
  readonly parameters: readonly TranslatedParameter[];
  /** By position; names as BigQuery gives them ('' for none), types after resolution. */
  readonly columns: readonly TranslatedColumn[];
  /** ClickHouse settings the SQL relies on. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Names of the sources read. */
  readonly sources: readonly string[];
}

/** A translation with what only its execution needs to know. */
export interface SpecializableTranslation extends Translation {
  /** Parameters by which every WITH table of the saved query filters all that it reads of sources, so that callers' SQL reaches nothing else; where that was asked. */
  readonly filteredBy?: readonly string[];
  /** The SQL in the form that bind reads, where it may be shorter for given arguments. */
  readonly statement?: string;
  /** Files of the functions that the text calls. */
  readonly functions?: readonly string[];
  /** Rows may share large values, which an engine counts once. */
  readonly sharedValues?: true;
  /** Of a text that reads no other: places point into it. */
  readonly doubts?: readonly Doubt[];
  /** What the text of a parameter must be, or every run fails; by its name, where the query says so. */
  readonly textsReadAs?: Readonly<Record<string, TextKind>>;
  /** The same data and arguments give the same rows, whenever it is run. */
  readonly repeatable?: {
    /** All that it reads; absent where a source is no single table. */
    readonly tables?: readonly ReadTable[];
  };
  /** The query in buckets of time, or why it has none; where that was asked. */
  readonly buckets?: BucketedTranslation | { readonly why: string };
}

/** Something in a query that is allowed, and that its author may not have meant. */
export interface Doubt {
  readonly kind: 'undeclared-field' | 'text-as-time';
  /** Of the field, or of the parameter. */
  readonly name: string;
  /** The declared field of nearly that name; the type that the text is read as. */
  readonly instead: string;
  readonly span: Span;
}

/**
 * A query whose rows belong to buckets of a source's time, written for ranges of that: a bucket's rows are those of the source's rows of its time, and of no
 * others. See optimizer/buckets/.
 */
export interface BucketedTranslation {
  /** Which arguments choose from. */
  readonly units: readonly string[];
  /**
   * For the ranges of RANGE_PARAMETERS, whatever the query's own window. Behind the query's own columns stands that of the bucket, INT64 in microseconds since
   * 1970, and behind it what the rows are ordered by and do not show.
   */
  readonly rows: Pick<SpecializableTranslation, 'sql' | 'statement' | 'parameters' | 'columns'>;
  /** One row: the unit (STRING), NULL where there are no buckets; then for each bound whether it holds (BOOL), and its microseconds since 1970 (INT64). */
  readonly window: Pick<SpecializableTranslation, 'sql' | 'statement' | 'parameters' | 'columns'>;
  readonly bounds: readonly ('from' | 'until')[];
  readonly order: readonly { readonly column: number; readonly descending: boolean; readonly nullsFirst: boolean }[];
  readonly limit?: number | undefined;
  /** Whether `rows` have the limit, too; where each bucket has one row at most, they are all there. */
  readonly limitsRows: boolean;
  readonly table: ReadTable & {
    /** The table's own names of the time, and of the same cut to seconds where it has that. */
    readonly times: readonly string[];
  };
}

/** A single table that a query reads. */
export interface ReadTable {
  /** Of the source that it is. */
  readonly source: string;
  readonly database?: string | undefined;
  readonly name: string;
  /** It is read on every shard of this cluster. */
  readonly cluster?: string | undefined;
}

/** Names of the parameters of such a query: rows of times from `from` until `to`, and with `skips` (BOOL) not those from `skipFrom` until `skipTo`. TIMESTAMPs. */
export const RANGE_PARAMETERS = {
  from: 'quern_from',
  to: 'quern_to',
  skips: 'quern_skips',
  skipFrom: 'quern_skip_from',
  skipTo: 'quern_skip_to',
} as const;

/** A WITH table of a saved query that shows rows which a parameter keeps out elsewhere in the query. */
export interface UnfilteredTable {
  readonly table: string;
  readonly parameter: string;
  /** Where the table has its name. */
  readonly span: Span;
}

/** A call, operator, cast or subquery, and what it became without the parts inside of it. */
export interface LoweredPart {
  readonly span: Span;
  /** The function's, `$add` for an operator, or `CAST`; absent for subqueries. */
  readonly name?: string;
  /** What its checks say. */
  readonly messages: readonly string[];
  /** The functions and operators of ClickHouse that it calls. */
  readonly functions: readonly string[];
  /** Parameters that alone decide whether it fails: nothing of the rows does. */
  readonly parameters: readonly string[];
  /** Nothing of the rows decides whether it fails: the values stand in the query, or are parameters. */
  readonly constant: boolean;
  /** A function of one row, which has a form with SAFE. before it. */
  readonly scalar: boolean;
}
