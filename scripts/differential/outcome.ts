// What a query gives, on either side.
import type { Value } from '../../src/base/result.ts';
import type { Type } from '../../src/sql/base/types.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  readonly rows: readonly (readonly Value[])[];
}

/** A query parameter and its argument. */
export interface Argument {
  readonly name: string;
  readonly type: Type;
  readonly value: Value;
}

export type Outcome =
  | { readonly kind: 'rows'; readonly types: readonly Type[]; readonly rows: readonly (readonly Value[])[] }
  /** The values do not allow an answer: a division by zero, a text that is no number. */
  | { readonly kind: 'error'; readonly message: string }
  /** quern does not translate it. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** It was translated, and the engine does not run it. */
  | { readonly kind: 'engine'; readonly message: string }
  /** A server died of it. */
  | { readonly kind: 'died'; readonly message: string }
  /** The reference lacks something, takes the query for wrong, crashes, or does not end. */
  | { readonly kind: 'unable'; readonly message: string };
