// What the idioms are made with: values of all types over the tables of a batch, and texts with holes for them.
import type { Random } from '../../../../src/cli/demo/random.ts';
import {
  BIGNUMERIC,
  BOOL,
  BYTES,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  NUMERIC,
  STRING,
  TIME,
  TIMESTAMP,
  type Type,
} from '../../../../src/sql/base/types.ts';
import { literal } from '../../literal.ts';
import { compound, type Expression, type Node, operand, optional } from '../../tree.ts';
import { expressions } from '../expression.ts';
import type { Relation } from '../names.ts';
import type { Production } from '../productions.ts';
import { columnsOf } from '../tables.ts';
import { anyValue } from '../values.ts';

/** Types that rows are grouped, compared and sorted by. */
export const KEYS: readonly Type[] = [INT64, STRING, BOOL, FLOAT64, NUMERIC, BIGNUMERIC, BYTES, DATE, DATETIME, TIMESTAMP, TIME];

export interface Made {
  readonly query: Node;
  readonly ordered?: boolean;
}

/** A form that people's queries have. */
export type Idiom = (maker: Maker) => Node | Made;

export interface Maker {
  readonly random: Random;
  some<T>(...choices: readonly T[]): T;
  /** A type that rows can be grouped by. */
  key(): Type;
  /** One that windows can be partitioned by. */
  division(): Type;
  /** Of the columns of the alias: one of the type, or what is computed of some. */
  value(type: Type, from: From, depth?: number): Expression;
  /** The same, as it stands beside an operator. */
  part(type: Type, from: From, depth?: number): Node;
  constant(type: Type): Expression;
  /** ` WHERE …`, or nothing. */
  where(from: From): Node;
  condition(from: From): Expression;
  call(production: Production, from: From): Expression | undefined;
  /** Log events, with some of their records unnested, under the name e. */
  logs(): Relation;
}

/** The alias of a table, or columns. */
export type From = string | readonly Expression[];

export function makerOf(random: Random, logs: Maker['logs']): Maker {
  const { expression, call } = expressions(random);
  const scopeOf = (from: From) =>
    typeof from === 'string'
      ? { columns: columnsOf(from), mild: true, json: `${from}.jx` }
      : { columns: from, mild: true, json: undefined };
  const value: Maker['value'] = (type, from, depth = random.pick([0, 1, 1, 2])) => expression(type, scopeOf(from), depth);
  const constant = (type: Type): Expression => {
    const text = literal(type, anyValue(random, type, { mild: true, nulls: 0.08 }));
    return text.startsWith('-') ? compound(type, text) : { type, parts: [text], atom: true };
  };
  const condition = (from: From): Expression => {
    const type = random.pick(KEYS);
    return random.pick([
      () => compound(BOOL, operand(value(type, from)), ` ${random.pick(['=', '!=', '<', '>='])} `, operand(value(type, from, 0))),
      () => compound(BOOL, operand(value(type, from)), ' IS NOT NULL'),
      () => value(BOOL, from, 1),
    ])();
  };
  return {
    random,
    some: (...choices) => random.pick(choices),
    key: () => random.pick(KEYS),
    division: () => random.pick(KEYS.filter(({ kind }) => kind !== 'FLOAT64')),
    value,
    part: (type, from, depth) => operand(value(type, from, depth)),
    constant,
    condition,
    where: (from) => (random.chance(0.4) ? optional(' WHERE ', condition(from)) : { parts: [] }),
    call: (production, from) => call(production, scopeOf(from), random.pick([1, 1, 2])),
    logs,
  };
}

/** Text with nodes in it. */
export const sql = (texts: TemplateStringsArray, ...holes: readonly (string | number | Node)[]): Node => ({
  parts: texts.flatMap((text, at) => {
    const hole = holes[at];
    return hole === undefined ? [text] : [text, typeof hole === 'number' ? String(hole) : hole];
  }),
});

/** What the reference has no construct for is written in another way there. */
export const instead = (ours: Node, reference: Node): Node => ({ parts: ours.parts, reference: reference.parts });

export const ordered = (query: Node): Made => ({ query, ordered: true });
