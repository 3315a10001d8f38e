// Rows in memory, the same whatever engine or cache they came from.
import type { Type } from '../sql/base/types.ts';

/**
 * A value of a result, by the column's GoogleSQL type:
 * BOOL boolean; INT64 number, or bigint beyond 2^53; FLOAT64 number (NaN and infinities included); NUMERIC, BIGNUMERIC text of
 * all digits; STRING text; BYTES base64 text; DATE `YYYY-MM-DD`; TIME `HH:MM:SS[.ffffff]`; DATETIME `YYYY-MM-DDTHH:MM:SS[.ffffff]`;
 * TIMESTAMP the same in UTC with a `Z`; INTERVAL BigQuery's text; JSON text; ARRAY array; STRUCT array by position;
 * a RECORD (`metadata`) object, with its nested records as arrays of objects.
 */
export type Value = null | boolean | number | bigint | string | readonly Value[] | { readonly [field: string]: Value };

export type Row = readonly Value[];

export interface ResultColumn {
  /** As BigQuery would name it; '' for an unnamed expression. */
  readonly name: string;
  readonly type: Type;
}

export interface ExecutionStatistics {
  readonly elapsedMs: number;
  readonly rowsRead?: number;
  readonly bytesRead?: number;
  readonly memoryBytes?: number;
}

export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
  /** True when the row limit cut rows off. */
  readonly truncated: boolean;
  /** Parts of the data that did not answer, in words: shards that the user allows to be left out. Such a result is never cached. */
  readonly missing?: readonly string[] | undefined;
  readonly statistics?: ExecutionStatistics | undefined;
}
