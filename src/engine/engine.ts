// What every engine can do. Engines execute ClickHouse SQL with bound values and know nothing of BigQuery.
import type { ExecutionStatistics } from '../base/result.ts';

/** A value as bound: text for everything but booleans, numbers, NULL and arrays of those. */
export type BoundValue = null | boolean | number | bigint | string | readonly BoundValue[];

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

export interface EngineQuery {
  readonly sql: string;
  readonly bindings: readonly Binding[];
  /** ClickHouse settings the translation relies on. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** SQL of quern's own that makes tables for this query, in its session: each is files. Of an engine within this process only. */
  readonly tables?: readonly string[] | undefined;
  /** quern's own SQL reads files at an address: a table function, for which ClickHouse wants a little more than reading. Of a server only. */
  readonly readsAddress?: boolean | undefined;
  readonly limits?: ExecutionLimits;
  readonly signal?: AbortSignal | undefined;
  /** A SELECT whose rows may share large values: see engine/embedded/shared-values.ts. */
  readonly sharedValues?: true | undefined;
  /** Text for the engine's own log, where the query is found by it; callers may have chosen parts of it, so nothing is stopped by it. */
  readonly comment?: string | undefined;
  /** For a server, which goes on with the trace that the query is part of. */
  readonly trace?: EngineTrace | undefined;
}

export interface EngineTrace {
  /** The header of the W3C's Trace Context. */
  readonly traceparent: string;
  /** Told where the query goes, and under which id; once more for every attempt. */
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
  /** Parts of the data that did not answer and may be missing in the rows, in words; absent when all did. */
  readonly missing?: readonly string[];
}

/** How a stream of rows was, as far as the engine knows. */
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
  /** What the file ends with when it is whole. */
  readonly ending: string;
  readonly compression?: 'zstd' | undefined;
}

export interface Engine {
  /** Identity for cache keys: two engines with equal ids answer from the same data. */
  readonly id: string;
  /** What an engine within this process has for its queries; absent where that is another machine's to say. */
  readonly local?: { readonly queriesAtOnce: number; readonly processors: number };
  /**
   * Runs one read-only query. Throws QuernError `engine`, `data`, `limit`, `timeout`, `unreachable` or `interrupted`. Of max_result_bytes both the engine's own
   * count and that of the bytes that arrive must hold.
   */
  execute(query: EngineQuery): Promise<EngineResult>;
  /**
   * The result of one read-only query as the bytes of a ClickHouse output format, never held as a whole. Leaving the loop stops the query.
   * Throws as `execute` does, also in mid-stream: bytes that end without an error are the whole result. An engine that has
   * `writeFile` counts the rows, and tells `onEnd`.
   */
  stream(query: EngineQuery, format: StreamFormat, onEnd?: (end: StreamEnd) => void): AsyncIterable<Uint8Array>;
  /**
   * The same, written by the engine itself into a file on this machine, which is replaced. Absent where the engine cannot do it. Throws an
   * error with the code ENOSPC when the file could not be written whole.
   */
  writeFile?(query: EngineQuery, target: FileTarget): Promise<StreamEnd>;
  /** Rows of a query of quern's own, such as DESCRIBE, which is trusted and not checked. Throws as `execute` does. */
  rows(sql: string, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}
