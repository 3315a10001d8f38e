// The facts that the translator needs about a JSON column.

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
