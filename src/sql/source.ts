// What the translator must know of a source: its ClickHouse table, and how each column is held there.
import type { Type } from './types.ts';

/** A plain ClickHouse column. */
export interface PlainRead {
  readonly layout: 'column';
  /** Column name in the table; the source may show it under another name. */
  readonly column: string;
  /** ClickHouse type text, e.g. `LowCardinality(String)`. */
  readonly clickhouseType: string;
  /** ClickHouse type to convert it to where the stored type is not the one that stands for the column's GoogleSQL type. */
  readonly castTo?: string;
  /** The value is the entry of this key in a Map column. */
  readonly key?: string;
  /** A DateTime column that holds the same time cut to the second: partitions and keys are made of it. */
  readonly secondsColumn?: string;
  /** The table's key is made of toDateTime(column). */
  readonly keyOfSeconds?: boolean;
}

/** A column that the source may have and this table has not: NULL in every row. */
interface AbsentRead {
  readonly layout: 'absent';
}

/**
 * A repeated record (`metadata`) in a `JSON` column. Nested records are plain objects there: an array of one object is stored as the object.
 */
export interface JsonRead {
  readonly layout: 'json';
  readonly column: string;
  /** Dotted paths with a type hint in the column's type, and that ClickHouse type: `request.path` → `Nullable(String)`. */
  readonly typedPaths: Readonly<Record<string, string>>;
  /** `Array(LowCardinality(String))` column naming the record paths an event has (`request`, `request.headers`), if the table has one. */
  readonly recordsColumn?: string;
  /** String column that holds the event's own JSON text where the JSON column cannot (records with several elements), else ''. */
  readonly textColumn?: string;
  /** True when some event has a record of several elements: then records are unnested from text, not read as paths. */
  readonly severalElements?: boolean;
}

/** A repeated record as JSON text in a `String` column: objects, or arrays of them. */
export interface TextRead {
  readonly layout: 'text';
  readonly column: string;
  /** True when some event has a record of several elements. Otherwise a query that meets one fails, it never loses an element. */
  readonly severalElements?: boolean;
}

/** A repeated record in a `Map(String, String)` column with dotted keys: `LogAttributes['request.path']`. It has one element per event. */
export interface MapRead {
  readonly layout: 'map';
  readonly column: string;
}

/** What a field of a nested column holds. */
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

export type RecordRead = JsonRead | TextRead | MapRead | NestedRead;
export type ColumnRead = PlainRead | AbsentRead | RecordRead;

export interface SourceColumn {
  readonly name: string;
  readonly type: Type;
  readonly read: ColumnRead;
}

export interface Source {
  readonly name: string;
  readonly database?: string;
  readonly table: string;
  /** The table is read on every shard of this cluster: `cluster('name', database.table)`. */
  readonly cluster?: string;
  readonly columns: readonly SourceColumn[];
  /** The table is not there: a query may name the source in a WITH table that nobody reads, but rows cannot be had. */
  readonly absent?: { readonly message: string; readonly hint: string };
  /** Column name → path of a field that always equals it (`project` → `['metadata', 'project_ref']`): filters on the field also filter the column. */
  readonly sameAs?: Readonly<Record<string, readonly string[]>>;
  /** No event is without those fields, unless its column holds '' or 0: the columns are filtered instead of them. */
  readonly sameAsEverywhere?: boolean;
  /** Only rows whose stored column holds this text belong to the source. */
  readonly rows?: readonly { readonly column: string; readonly value: string }[];
}

/** Finds sources by the name in FROM (also an alias such as `cloudflare.logs.prod`); `names` is for suggestions. */
export interface SourceCatalog {
  find(name: string): Source | undefined;
  readonly names: readonly string[];
}
