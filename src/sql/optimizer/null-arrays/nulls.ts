// The tests of arrays that may be NULL. A NULL array is [] wherever it is read; a condition beside it is true where it is NULL.

import type { Type } from '../../base/types.ts';
import { bool } from '../../logical/build.ts';
import type { Column, Expr, Rel } from '../../logical/nodes.ts';
import { columnsMade } from '../../logical/properties/made.ts';
import { visitRels } from '../../logical/walk.ts';
import { call } from '../build.ts';

/** The condition under which an array is NULL; undefined where it never is; `untold` where its layout stores NULL and [] alike. */
export type NullTest = Expr | 'untold' | undefined;

/** The tests of the array columns that are visible at a place, and may be NULL. */
export interface Nulls {
  readonly tests: ReadonlyMap<number, Expr | 'untold'>;
  readonly outer: Nulls | null;
}

export function testOf(id: number, nulls: Nulls): NullTest {
  for (let at: Nulls | null = nulls; at !== null; at = at.outer) {
    const test = at.tests.get(id);
    if (test !== undefined) return test;
  }
  return undefined;
}

/** True of types that are arrays in ClickHouse: arrays of records are texts, which can be NULL. */
export const isArray = (type: Type): boolean => type.kind === 'ARRAY' && type.element.kind !== 'RECORD';

/** True if the type is an array or a STRUCT that has one. */
export const holdsArray = (type: Type): boolean => (type.kind === 'STRUCT' ? type.fields.some((f) => holdsArray(f.type)) : isArray(type));

/** Returns the columns of arrays that are made anywhere in `rel`. */
export function arraysMade(rel: Rel): readonly Column[] {
  const made: Column[] = [];
  const see = (r: Rel): void => void made.push(...columnsMade(r).filter((c) => isArray(c.type)));
  see(rel);
  visitRels(rel, see);
  return made;
}

export const not = (condition: Expr): Expr =>
  condition.kind === 'literal' && typeof condition.value === 'boolean'
    ? bool(!condition.value, condition)
    : call('$not', [condition], condition);

/** Returns a test that is TRUE where any of the tests is. */
export function anyOf(tests: readonly NullTest[]): NullTest {
  const known = tests.filter((t) => t !== undefined);
  if (known.includes('untold')) return 'untold';
  // None of them is 'untold' by now.
  const conditions = known as readonly Expr[];
  const always = conditions.find((c) => c.kind === 'literal' && c.value === true);
  return always ?? (conditions.length === 0 ? undefined : conditions.reduce((a, b) => call('$or', [a, b], a)));
}

export function choice(when: Expr, then: Expr | null, otherwise: Expr | null): Expr {
  const type = (otherwise ?? then ?? when).type;
  const missing: Expr = { kind: 'literal', value: null, type, span: when.span };
  if (when.kind === 'literal') return (when.value === true ? then : otherwise) ?? missing;
  return { kind: 'case', whens: [{ when, then: then ?? missing }], otherwise: otherwise ?? missing, type, span: when.span };
}
