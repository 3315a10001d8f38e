// The facts that the translator needs about a column of JSON texts.

/** A repeated record as JSON text in a `String` column: objects, or arrays of them. */
export interface TextRead {
  readonly layout: 'text';
  readonly column: string;
  /** True when some event has a record of several elements. Otherwise a query that meets one fails, it never loses an element. */
  readonly severalElements?: boolean;
}
