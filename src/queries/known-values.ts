// The values that parameters may have, where a header says so.
import type { SavedQuery } from './saved-query.ts';

/** By the name of the parameter in lower case, the values of its `enum`. */
export function knownValues({ parameters }: Pick<SavedQuery, 'parameters'>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    parameters.flatMap(({ name, enum: allowed }) => (allowed === undefined ? [] : [[name.toLowerCase(), allowed.map(String)]])),
  );
}
