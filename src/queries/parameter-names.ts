// A declared parameter without effect is a mistake somewhere: in the header, or in the SQL.
import { QuernError } from '../base/errors.ts';
import { positionOf } from '../sql/base/positional.ts';
import { INSTANT_PARAMETER, NULL_ARRAY } from '../sql/translation.ts';
import { placeInHeader } from './header/text.ts';
import type { SavedQuery } from './saved-query.ts';

/** Throws QuernError `config` naming the first declared parameter for which `isUsed` is false. */
export function refuseUnused(query: SavedQuery, isUsed: (name: string) => boolean): void {
  const unused = query.parameters.filter(({ name }) => !isUsed(name)).map(({ name }) => name);
  const [first] = unused;
  if (first === undefined) return;
  const start = placeInHeader(query.source.text, first);
  const verb = unused.length === 1 ? 'is' : 'are';
  throw new QuernError('config', `${unused.join(', ')} ${verb} declared but never used`, {
    source: query.source,
    span: { start, end: start + first.length },
    hint: `use @${first} in the SQL, or remove it from params:`,
  });
}

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
