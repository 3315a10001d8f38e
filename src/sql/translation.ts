// The input and the output of translate().
import type { SourceText, Span } from '../base/source-text.ts';
import type { TextKind, Type } from './base/types.ts';
import type { SourceCatalog } from './source.ts';

/** The name of the query parameter that carries the instant of CURRENT_TIMESTAMP(). */
export const INSTANT_PARAMETER = 'quern_now';

/** Returns the name of the BOOL query parameter that is true if the array parameter `name` is NULL: ClickHouse binds no NULL array, only []. */
export const nullArrayParameter = (name: string): string => `${NULL_ARRAY}${name}`;

/** The beginning of such names. */
export const NULL_ARRAY = 'quern_null_';

/** Returns the value of a translation's parameter, given the arguments by the names that the query has for them. */
export function parameterValue<T>(name: string, values: Readonly<Record<string, T>>): T | boolean | null {
  const value = (of: string): T | null => (Object.hasOwn(values, of) ? (values[of] ?? null) : null);
  return name.startsWith(NULL_ARRAY) ? value(name.slice(NULL_ARRAY.length)) === null : value(name);
}

export interface TranslateOptions {
  /** Types of the `@name` parameters the text may use; any other `@name` is an error. */
  readonly parameters?: Readonly<Record<string, Type>>;
  /** Parameters that have no values of their own, and the GoogleSQL over others that they stand for. */
  readonly parameterExpressions?: Readonly<Record<string, string>>;
  readonly sources?: SourceCatalog;
  /** Returns the text of another saved query that FROM may name as a table, or undefined. */
  readonly savedQuery?: (name: string) => string | undefined;
  /** Returns another saved query that FROM may call as a table function, or undefined. */
  readonly savedFunction?: (name: string) => SavedFunction | undefined;
  /** What other saved queries and functions of files read. Default: the same. */
  readonly inner?: Pick<TranslateOptions, 'sources' | 'savedQuery' | 'savedFunction'>;
  /** Files with a CREATE FUNCTION each, which the text may call. */
  readonly functions?: readonly SourceText[];
  /** `parameter`: CURRENT_TIMESTAMP() and its kin read the bound parameter `quern_now`; `engine` (default): they read the engine's clock, once a query. */
  readonly instant?: 'parameter' | 'engine';
  /** `text`: BYTES columns of the result come as base64; `raw` (default): as they are. */
  readonly bytes?: 'raw' | 'text';
  /** `fail`: a NULL element in an array of the result fails the query, as in BigQuery; `keep` (default): it is returned. */
  readonly nullElements?: 'keep' | 'fail';
  /**
   * `with` (default): WITH defines functions and names for what would be written again and again; `functions`: the functions come apart, to be created on
   * a server; `inline`: everything is written where it is used.
   */
  readonly helpers?: 'with' | 'functions' | 'inline';
  /** The SQL is short and relies on nothing around it, so that it can be pasted elsewhere; `differences` of the translation say what else is other then. */
  readonly portable?: boolean;
  /** Which of the text's queries, counted from 0. Default: the last. */
  readonly result?: number | undefined;
  /** Where the comments begin that the SQL keeps, such as behind the header of a saved query. Default: it keeps none. */
  readonly commentsFrom?: number | undefined;
  /** With `portable`, what is read of an event that lacks it: `null` (default), BigQuery's rule, or `empty`: '' or 0. */
  readonly absent?: 'null' | 'empty';
}

/** A saved query as a table function: the arguments of a call stand for its `@name` parameters, by position. */
export interface SavedFunction {
  readonly text: string;
  /** `absent` is the GoogleSQL of a parameter that has no argument; without it the argument must be there. */
  readonly parameters: readonly { readonly name: string; readonly type: Type; readonly absent?: string | undefined }[];
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
  /** The parameters that the SQL uses, INSTANT_PARAMETER included. */
  readonly parameters: readonly TranslatedParameter[];
  /** By position; names as BigQuery gives them ('' for none), types after resolution. */
  readonly columns: readonly TranslatedColumn[];
  /** ClickHouse settings the SQL relies on. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Names of the sources read. */
  readonly sources: readonly string[];
  /** The number of queries in the text, where it has several. */
  readonly results?: number | undefined;
  /** With `helpers: 'functions'`: the CREATE FUNCTION statements that the SQL relies on, in their order. */
  readonly helpers?: readonly string[];
  /** With `portable`: in which cases the rows differ from BigQuery's, where it would fail or read more. */
  readonly differences?: readonly string[];
}

/** A translation with the facts that only its execution needs. */
export interface SpecializableTranslation extends Translation {
  /** The parameters by which every WITH table of the saved query filters all that it reads of sources, so that callers' SQL reaches nothing else; with `sandbox` only. */
  readonly filteredBy?: readonly string[];
  /** The SQL in the form that bind reads, where it may be shorter for given arguments. */
  readonly statement?: string;
  /** The files of the functions that the text calls. */
  readonly functions?: readonly string[];
  /** True if rows may share large values, which an engine counts once. */
  readonly sharedValues?: true;
  /** The most rows that the LIMIT at the end of the SQL leaves; `none` where a LIMIT may be added there. Absent: it takes a query around it. */
  readonly ownLimit?: number | 'none';
  /** True of one row of short values, whatever the data and arguments are. */
  readonly small?: true;
  /** Warnings whose places point into the text; only for texts that read no other. */
  readonly doubts?: readonly Doubt[];
  /** By the parameter's name, the kind of text that it must be, or every run fails. */
  readonly textsReadAs?: Readonly<Record<string, TextKind>>;
  /** Present if the same data and arguments give the same rows, whenever it is run. */
  readonly repeatable?: {
    /** All the tables that it reads; absent where a source is no single table. */
    readonly tables?: readonly ReadTable[];
  };
  /** The query in buckets of time, or why it has none; with `buckets` only. */
  readonly buckets?: BucketedTranslation | { readonly why: string };
}

/** A warning about something in a query that is allowed, and that its author may not have meant. */
export interface Doubt {
  readonly kind: 'undeclared-field' | 'text-as-time';
  /** The name of the field or of the parameter. */
  readonly name: string;
  /** The declared field of nearly that name; the type that the text is read as. */
  readonly instead: string;
  readonly span: Span;
}

/**
 * A query whose rows belong to buckets of a source's time, written for ranges of it: a bucket's rows depend on the source's rows of that time alone.
 * See optimizer/buckets/.
 */
export interface BucketedTranslation {
  /** The units from which arguments choose. */
  readonly units: readonly string[];
  /**
   * The rows for the ranges of RANGE_PARAMETERS, whatever the query's own window. Behind the query's own columns stands the bucket, INT64 in microseconds
   * since 1970, and behind it the columns that the rows are ordered by and do not show.
   */
  readonly rows: Pick<SpecializableTranslation, 'sql' | 'statement' | 'ownLimit' | 'parameters' | 'columns'>;
  /** The query's window as one row: the unit (STRING), NULL where there are no buckets; for each bound whether it holds (BOOL), and its microseconds since 1970 (INT64). */
  readonly window: Pick<SpecializableTranslation, 'sql' | 'statement' | 'ownLimit' | 'parameters' | 'columns'>;
  readonly bounds: readonly ('from' | 'until')[];
  readonly order: readonly { readonly column: number; readonly descending: boolean; readonly nullsFirst: boolean }[];
  readonly limit?: number | undefined;
  /** True if `rows` have the limit, too; where each bucket has one row at most, they are all there. */
  readonly limitsRows: boolean;
  readonly table: ReadTable & {
    /** The table's names of the time column, and of the same cut to seconds where it has one. */
    readonly times: readonly string[];
  };
}

/** A single table that a query reads. */
export interface ReadTable {
  /** The name of the source. */
  readonly source: string;
  readonly database?: string | undefined;
  readonly name: string;
  /** The cluster on every shard of which it is read. */
  readonly cluster?: string | undefined;
}

/** The parameters of such a query, TIMESTAMPs: it returns rows of times from `from` until `to`, with `skips` (BOOL) without those from `skipFrom` until `skipTo`. */
export const RANGE_PARAMETERS = {
  from: 'quern_from',
  to: 'quern_to',
  skips: 'quern_skips',
  skipFrom: 'quern_skip_from',
  skipTo: 'quern_skip_to',
} as const;

/** A WITH table of a saved query that shows rows which a parameter filters out elsewhere in the query. */
export interface UnfilteredTable {
  readonly table: string;
  readonly parameter: string;
  /** The place of the table's name. */
  readonly span: Span;
}

/** A call, operator, cast or subquery, and what it became, apart from the parts inside of it. */
export interface LoweredPart {
  readonly span: Span;
  /** The function's name, `$add` for an operator, or `CAST`; absent for subqueries. */
  readonly name?: string;
  /** The messages of its checks. */
  readonly messages: readonly string[];
  /** The functions and operators of ClickHouse that it calls. */
  readonly functions: readonly string[];
  /** The parameters that alone decide whether it fails, whatever the rows. */
  readonly parameters: readonly string[];
  /** True if nothing in the rows decides whether it fails: its values stand in the query, or are parameters. */
  readonly constant: boolean;
  /** True of a function of one row, which has a form with SAFE. before it. */
  readonly scalar: boolean;
}
