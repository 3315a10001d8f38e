// The interface of engines, which execute ClickHouse SQL with bound values and know nothing of BigQuery.
import type { ExecutionStatistics } from '../base/result.ts';

/** A value as bound: text for everything but booleans, numbers, NULL, arrays, and what has a form of its own. */
export type BoundValue = null | boolean | number | bigint | string | readonly BoundValue[] | BoundForm;

/** The digits of a decimal; bytes, a character for each; the fields of a tuple. */
type BoundForm = { readonly digits: string } | { readonly bytes: string } | { readonly tuple: readonly BoundValue[] };

export interface Binding {
  readonly name: string;
  /** ClickHouse type, e.g. `Nullable(String)`, `DateTime64(6, 'UTC')`, `Array(Int64)`. */
  readonly type: string;
  readonly value: BoundValue;
}

export interface ExecutionLimits {
  /** Seconds. */
  readonly maxExecutionSeconds?: number;
  readonly maxMemoryBytes?: number;
  readonly maxResultRows?: number;
  readonly maxResultBytes?: number;
  /** Rows that a query may read from tables, over all of them. */
  readonly maxRowsToRead?: number;
  readonly maxThreads?: number;
}

/** SQL with placeholders, `{name:Type}`, and their values. */
export interface BoundText {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

export interface EngineQuery extends BoundText {
  /** ClickHouse settings the translation relies on. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** quern's own SQL that makes tables of files in the query's session. Only an engine within this process takes it. */
  readonly tables?: readonly string[] | undefined;
  /** True if quern's own SQL reads files at an address: ClickHouse demands a further right for table functions. Only a server takes it. */
  readonly readsAddress?: boolean | undefined;
  readonly limits?: ExecutionLimits;
  readonly signal?: AbortSignal | undefined;
  /** True for a SELECT whose rows may share large values: see engine/embedded/shared-values.ts. */
  readonly sharedValues?: true | undefined;
  /** Text for the engine's own log, where the query is found by it; callers may have chosen parts of it, so it never decides what is stopped. */
  readonly comment?: string | undefined;
  /** The trace that the query is part of, for a server, which continues it. */
  readonly trace?: EngineTrace | undefined;
}

export interface EngineTrace {
  /** The header of the W3C's Trace Context. */
  readonly traceparent: string;
  /** Reports the server and the query's id; called again for every attempt. */
  readonly onSent: (to: { readonly queryId: string; readonly host: string; readonly port: number }) => void;
}

export interface EngineColumn {
  readonly name: string;
  /** ClickHouse type text. */
  readonly type: string;
}

/**
 * Rows by position, as JSON values: integers as numbers, or bigint beyond 2^53 (text is understood too); decimals as text; nan, inf,
 * -inf as text; dates and times as ClickHouse's simple text (`2026-01-02 03:04:05.678901`); tuples as arrays; JSON columns as objects.
 */
export interface EngineResult {
  readonly columns: readonly EngineColumn[];
  readonly rows: readonly (readonly unknown[])[];
  readonly statistics: ExecutionStatistics;
  /** Describes the parts of the data that did not answer and may be missing in the rows; absent when all did. */
  readonly missing?: readonly string[];
}

/** What the engine knows about a stream that has ended. */
export interface StreamEnd {
  readonly rows?: number;
  /** As in EngineResult. */
  readonly missing?: readonly string[];
}

/** Lines of one text each, rows as arrays of JSON, and two kinds of documents. */
export type StreamFormat = 'TSVRaw' | 'JSONCompactEachRow' | 'Parquet' | 'Arrow';

export interface FileTarget {
  readonly file: string;
  readonly format: string;
  /** The bytes that end a file which is whole. */
  readonly ending: string;
  readonly compression?: 'zstd' | undefined;
}

export interface Engine {
  /** The capacity of an engine within this process; absent for a server, which has its own. */
  readonly local?: { readonly queriesAtOnce: number; readonly processors: number };
  /**
   * Runs one read-only query. Throws QuernError `engine`, `data`, `limit`, `timeout`, `unreachable` or `interrupted`. Both the engine's own count and that of the
   * bytes that arrive must stay within max_result_bytes.
   */
  execute(query: EngineQuery): Promise<EngineResult>;
  /**
   * Streams the result of one read-only query in a ClickHouse output format, without keeping it in memory. Leaving the loop stops the query.
   * Throws as `execute` does, also in mid-stream: bytes that end without an error are the whole result. An engine that has
   * `writeFile` counts the rows, and reports them to `onEnd`.
   */
  stream(query: EngineQuery, format: StreamFormat, onEnd?: (end: StreamEnd) => void): AsyncIterable<Uint8Array>;
  /**
   * Lets the engine write the result into a file on this machine, which is replaced. Absent where the engine cannot do it. Throws an
   * error with the code ENOSPC when the file could not be written whole.
   */
  writeFile?(query: EngineQuery, target: FileTarget): Promise<StreamEnd>;
  /** Returns the rows of a query of quern's own, such as DESCRIBE, which is trusted and not checked. Throws as `execute` does. */
  rows(sql: string, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}
