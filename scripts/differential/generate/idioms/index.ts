// The forms that people's queries have: each with values of all types in its holes.
import type { Random } from '../../../../src/cli/demo/random.ts';
import { CALL_IDIOMS } from './calls.ts';
import { JSON_IDIOMS } from './json.ts';
import { KEY_IDIOMS } from './keys.ts';
import { type Idiom, type Made, makerOf } from './maker.ts';
import { STRUCT_IDIOMS } from './structs.ts';
import { TEXT_IDIOMS } from './texts.ts';
import { TIME_IDIOMS } from './times.ts';
import { WINDOW_IDIOMS } from './windows.ts';

const FAMILIES: readonly Readonly<Record<string, Idiom>>[] = [
  KEY_IDIOMS,
  WINDOW_IDIOMS,
  STRUCT_IDIOMS,
  TIME_IDIOMS,
  JSON_IDIOMS,
  CALL_IDIOMS,
  TEXT_IDIOMS,
];

export const IDIOMS: readonly (readonly [name: string, idiom: Idiom])[] = FAMILIES.flatMap((family) => Object.entries(family));

export function anyIdiom(random: Random): Required<Made> & { readonly name: string } {
  const [name, idiom] = random.pick(IDIOMS);
  const made = idiom(makerOf(random));
  return 'query' in made ? { ordered: false, ...made, name } : { query: made, ordered: false, name };
}
