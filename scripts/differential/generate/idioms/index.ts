// The forms that people's queries have: each with values of all types in its holes.
import type { Random } from '../../../../src/cli/demo/random.ts';
import type { Argument } from '../../outcome.ts';
import { type Node, textOf } from '../../tree.ts';
import { CALL_IDIOMS } from './calls.ts';
import { FRAME_IDIOMS } from './frames.ts';
import { JSON_IDIOMS } from './json.ts';
import { KEY_IDIOMS } from './keys.ts';
import { LIST_IDIOMS } from './lists.ts';
import { LOG_IDIOMS } from './logs.ts';
import { type Idiom, type Made, type Maker, makerOf, sql } from './maker.ts';
import { NAME_IDIOMS } from './names.ts';
import { PARAMETER_IDIOMS, someArguments } from './parameters.ts';
import { SET_IDIOMS } from './sets.ts';
import { STEP_IDIOMS } from './steps.ts';
import { STRUCT_IDIOMS } from './structs.ts';
import { SUBQUERY_IDIOMS } from './subqueries.ts';
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
  SUBQUERY_IDIOMS,
  FRAME_IDIOMS,
  SET_IDIOMS,
  LIST_IDIOMS,
  NAME_IDIOMS,
  STEP_IDIOMS,
  PARAMETER_IDIOMS,
  LOG_IDIOMS,
];

export const IDIOMS: readonly (readonly [name: string, idiom: Idiom])[] = FAMILIES.flatMap((family) => Object.entries(family));

export interface MadeIdiom extends Required<Made> {
  readonly name: string;
  readonly args: readonly Argument[];
}

export function anyIdiom(random: Random, logs: Maker['logs']): MadeIdiom {
  const [name, idiom] = random.pick(IDIOMS);
  const made = idiom(makerOf(random, logs));
  const { query, ordered = false } = 'query' in made ? made : { query: made };
  const args = someArguments(random).filter((argument) => textOf(query).includes(`@${argument.name}`));
  return !/^(?:CREATE|DECLARE) /.test(textOf(query)) && random.chance(0.12)
    ? { query: around(random, query), ordered: false, name, args }
    : { query, ordered, name, args };
}

/** A query that reads the query as a table. */
const around = (random: Random, query: Node): Node =>
  random.pick([
    () => sql`SELECT COUNT(*) AS n FROM (${query})`,
    () => sql`SELECT EXISTS(${query}) AS y`,
    () => sql`SELECT w.* FROM (${query}) AS w JOIN (SELECT 1 AS one) AS o ON TRUE`,
    () => sql`SELECT w.*, z.id AS z FROM t3 AS z LEFT JOIN (${query}) AS w ON z.id = 2`,
    () => sql`WITH w AS (${query}) SELECT * FROM w UNION ALL SELECT * FROM w`,
    () => sql`WITH w AS (${query}) SELECT z.id, (SELECT COUNT(*) FROM w) AS n, EXISTS(SELECT 1 FROM w WHERE z.id = 1) AS y FROM t3 AS z`,
    () => sql`SELECT z.id, ARRAY_LENGTH(ARRAY(SELECT AS STRUCT w.* FROM (${query}) AS w)) AS n FROM t3 AS z`,
  ])();
