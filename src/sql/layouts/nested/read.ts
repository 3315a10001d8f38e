// The facts that the translator needs about a nested column.

/** A field of a nested column. */
export type NestedField = NestedLeaf | NestedRecord;
export interface NestedLeaf {
  readonly kind: 'leaf';
  readonly clickhouseType: string;
}
export interface NestedRecord {
  readonly kind: 'record';
  /** `Array(Tuple(…))`; false for a plain Tuple, which holds one record. */
  readonly repeated: boolean;
  readonly fields: Readonly<Record<string, NestedField>>;
}

/** A repeated record in an `Array(Tuple(…))` or `Tuple(…)` column, or in the columns `metadata.…` that a Nested column becomes. */
export interface NestedRead {
  readonly layout: 'nested';
  readonly column: string;
  readonly record: NestedRecord;
  /** True when every array holds at most one record, so that fields are read directly. A query that meets more fails. */
  readonly oneElement?: boolean;
  /** The fields of the top record are columns of their own, `metadata.request`: there is no column `metadata`. */
  readonly flattened?: boolean;
}
