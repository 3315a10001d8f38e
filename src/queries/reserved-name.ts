// Names that quern itself gives to parameters.
import { positionOf } from '../sql/base/positional.ts';
import { INSTANT_PARAMETER, NULL_ARRAY } from '../sql/translation.ts';

/** What is wrong with a `?` in a saved query. */
export const POSITIONAL = {
  message: '? is a positional parameter, which a saved query cannot have',
  hint: 'name it: declare it under params: in the header, and write @name',
};

/** Says what a name is reserved for; undefined for one that a parameter may have. */
export function reservedFor(name: string): string | undefined {
  const known = name.toLowerCase();
  if (known === INSTANT_PARAMETER) return 'is reserved for the time of CURRENT_TIMESTAMP()';
  if (known.startsWith(NULL_ARRAY)) return `starts with ${NULL_ARRAY}, which is reserved for parameters that say whether an array is NULL`;
  return positionOf(known) === undefined ? undefined : 'is reserved for a positional parameter';
}
