// The facts that the translator needs about a record whose fields are columns.

export interface FlatField {
  readonly column: string;
  readonly clickhouseType: string;
}

/** A record of which each field is a column of its own: `request.path` or `request_path`. It has one element per event. */
export interface FlatRead {
  readonly layout: 'flat';
  /** By dotted path. */
  readonly fields: Readonly<Record<string, FlatField>>;
  /** Paths of declared fields that the table has no column for: NULL. */
  readonly absent: readonly string[];
}
