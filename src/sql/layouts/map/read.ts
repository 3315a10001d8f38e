// The facts that the translator needs about a Map column.

import type { AttributeFacts } from '../layout.ts';

/** A repeated record in a `Map(String, String)` column with dotted keys: `LogAttributes['request.path']`. It has one element per event. */
export interface MapRead {
  readonly layout: 'map';
  readonly column: string;
  readonly attributes?: AttributeFacts;
}
