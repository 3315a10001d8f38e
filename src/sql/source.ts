// What the translator must know of a source: its ClickHouse table, and how each column is held there.
import type { Type } from './types.ts';

/** A plain ClickHouse column. */
export interface PlainRead {
  readonly layout: 'column';
  /** Column name in the table; the source may show it under another name. */
  readonly column: string;
  /** ClickHouse type text, e.g. `LowCardinality(String)`. */
  readonly clickhouseType: string;
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

/** A repeated record as JSON text in a `String` column. */
export interface TextRead {
  readonly layout: 'text';
  readonly column: string;
}

export type ColumnRead = PlainRead | JsonRead | TextRead;

export interface SourceColumn {
  readonly name: string;
  readonly type: Type;
  readonly read: ColumnRead;
}

export interface Source {
  readonly name: string;
  readonly database?: string;
  readonly table: string;
  readonly columns: readonly SourceColumn[];
}

/** Finds sources by the name in FROM (also an alias such as `cloudflare.logs.prod`); `names` is for suggestions. */
export interface SourceCatalog {
  find(name: string): Source | undefined;
  readonly names: readonly string[];
}
