// Equality and distinctness of values of every type.

import type { Type } from '../base/types.ts';
import type { SqlExpression } from '../target/ast.ts';
import { bare, call, fullArray, ident, iff, infix, isNeverNull, isNull, lambda, lit, NULL, narrow, not, tuple } from '../target/build.ts';
import { groupValue, holdsFloat } from './aggregate/group-value.ts';
import type { LowerCall } from './define.ts';
import { intervalMicros } from './sort-key.ts';

/** Structs compare field by field and arrays element by element, with NULL wherever a comparison is NULL and none is false. */
export function equal(left: SqlExpression, right: SqlExpression, type: Type, fresh: LowerCall['fresh']): SqlExpression {
  if (type.kind === 'STRUCT') {
    const fields = type.fields.map((f, i) =>
      equal(call('tupleElement', left, lit(i + 1)), call('tupleElement', right, lit(i + 1)), f.type, fresh),
    );
    if (fields.length === 0) return iff(infix('OR', isNull(left), isNull(right)), NULL, lit(true));
    return fields.reduce((all, f) => infix('AND', all, f));
  }
  if (type.kind === 'ARRAY') return equalArrays(left, right, type.element, fresh);
  return infix('=', comparable(left, type), comparable(right, type));
}

function equalArrays(left: SqlExpression, right: SqlExpression, element: Type, fresh: LowerCall['fresh']): SqlExpression {
  const pair = fresh('pair');
  const same = equal(call('tupleElement', ident(pair), lit(1)), call('tupleElement', ident(pair), lit(2)), element, fresh);
  // Arrays of different lengths are told apart before; this must not fail for them.
  const pairs = call('arrayZipUnaligned', left, right);
  const some = (condition: SqlExpression): SqlExpression => call('arrayExists', lambda([pair], condition), pairs);
  return call(
    'multiIf',
    infix('!=', call('length', left), call('length', right)),
    lit(false),
    some(not(call('ifNull', same, lit(true)))),
    lit(false),
    some(isNull(same)),
    NULL,
    lit(true),
  );
}

/**
 * `value IN UNNEST(array)`: NULL when the value is NULL and the array has elements, or when there is no match but a NULL. `find` looks for the value in the
 * array.
 */
export function among(
  value: SqlExpression,
  array: SqlExpression,
  isPresent: boolean,
  find = (of: SqlExpression): SqlExpression => call('has', of, value),
): SqlExpression {
  const full = fullArray(array);
  if (full !== undefined && (isPresent || isNeverNull(bare(value)))) return find(full);
  const of = full ?? array;
  const noMatch = full === undefined ? [lit(true), call('has', of, NULL), NULL, lit(false)] : [];
  return call('multiIf', call('empty', of), lit(false), isNull(value), NULL, find(of), ...noMatch);
}

/** Returns the form in which values of a type are compared: a month of an INTERVAL has 30 days, a day 24 hours. */
export const comparable = (value: SqlExpression, type: Type): SqlExpression =>
  type.kind === 'INTERVAL' ? intervalMicros(value) : narrow(bare(value));

/** Distinctness treats NULL and NaN as values. https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#is_distinct */
export function distinct(left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  const type = c.typeOf(0);
  if (type.kind === 'INTERVAL') return call('isDistinctFrom', intervalMicros(left), intervalMicros(right));
  // Values that hold FLOAT64 have one bit pattern for NaN then, by which tuples and arrays are compared.
  if (type.kind === 'STRUCT' && holdsFloat(type)) {
    const [one, other] = [left, right].map((side) => call('toString', tuple(groupValue(side, type, false, c.fresh))));
    return infix('!=', one ?? left, other ?? right);
  }
  const differ = call('isDistinctFrom', left, right);
  // To ClickHouse one NaN is distinct from another.
  const number = (position: number): boolean => typeof c.constant(position) === 'number' && !Number.isNaN(c.constant(position));
  if (type.kind !== 'FLOAT64' || number(0) || number(1)) return differ;
  const isNan = (value: SqlExpression): SqlExpression => call('ifNull', call('isNaN', value), lit(false));
  return infix('AND', differ, not(infix('AND', isNan(left), isNan(right))));
}
