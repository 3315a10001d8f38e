// Approximate aggregates: here they are exact, or, for APPROX_COUNT_DISTINCT of very many values, an estimate by another sketch.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/approximate_aggregate_functions
import { fail } from '../../base/fail.ts';
import type { LiteralValue } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, ident, iff, infix, lambda, lit, raw, tuple } from '../../target/build.ts';
import { clickhouseType } from '../../target/types.ts';
import { defineAggregate, type Family, type LowerAggregateCall } from '../define.ts';
import { requireOrdered } from '../sort-key.ts';
import { groupValue } from './group-value.ts';
import { ranksPlainly, sortedValues } from './sorted-values.ts';

const spanOf = (c: LowerAggregateCall, position: number) => c.args[position]?.span ?? { start: 0, end: 0 };

/** A constant of at least 1. */
/** Each element is written as a number of its own. */
const MOST = 10_000n;

function positive(c: LowerAggregateCall, position: number, name: string): number {
  const value: LiteralValue | undefined = c.constant(position);
  if (typeof value !== 'bigint' || value < 1n)
    return fail('type', spanOf(c, position), `the last argument of ${name} must be a positive constant`, `e.g. ${name}(x, 100)`);
  if (value > MOST) return fail('unsupported', spanOf(c, position), `quern translates ${name} for at most ${MOST} elements`);
  return Number(value);
}

/**
 * quantileExact takes the element of rank floor(level * n), counted from 0: a hair below k / number gives the rank ceil(k * n / number),
 * counted from 1, as BigQuery does on small inputs.
 */
const level = (k: number, number: number): SqlExpression => raw(String(k === 0 ? 0 : Number((k / number - 1e-10).toFixed(12))));

/** That rank in a sorted array. */
const rank = (values: SqlExpression, k: SqlExpression, number: number): SqlExpression =>
  call('greatest', call('intDiv', infix('+', infix('*', k, call('length', values)), lit(number - 1)), lit(number)), lit(1));

function quantiles(value: SqlExpression, c: LowerAggregateCall): SqlExpression {
  requireOrdered(c, 0);
  const number = positive(c, 1, 'APPROX_QUANTILES');
  if (ranksPlainly(c, c.respectNulls)) {
    const levels = Array.from({ length: number + 1 }, (_, k) => level(k, number));
    // The OrNull form of an array is empty over no values.
    return c.aggregate('quantilesExact', [value], { params: levels });
  }
  const values = sortedValues(value, c, c.respectNulls);
  const k = c.fresh('k');
  const elements = call(
    'arrayMap',
    lambda([k], call('arrayElement', values, rank(values, ident(k), number))),
    call('range', lit(number + 1)),
  );
  return iff(call('empty', values), raw('[]'), elements);
}

/**
 * APPROX_QUANTILES(value, number)[OFFSET(position)] without the array; NULL where there are no values. `positions` are all that the query reads: they
 * come from one state, which holds the values once.
 */
function quantileElement(value: SqlExpression, c: LowerAggregateCall): SqlExpression {
  requireOrdered(c, 0);
  const number = positive(c, 1, 'APPROX_QUANTILES');
  const k = Number(c.constant(2));
  if (ranksPlainly(c, c.respectNulls)) return ranked(value, k, number, c);
  if (c.typeOf(0).kind === 'FLOAT64' && !c.respectNulls && !c.distinct) return quantileWithNaN(value, k, number, c);
  const values = sortedValues(value, c, c.respectNulls);
  return call('arrayElementOrNull', values, rank(values, lit(k), number));
}

function ranked(value: SqlExpression, k: number, number: number, c: LowerAggregateCall): SqlExpression {
  const positions = c.args.slice(2).map((_, i) => Number(c.constant(i + 2)));
  if (positions.length === 1) return c.aggregate('quantileExact', [value], { params: [level(k, number)] });
  const sorted = [...positions].sort((a, b) => a - b);
  const elements = c.aggregate('quantilesExact', [value], { params: sorted.map((at) => level(at, number)) });
  return call('arrayElementOrNull', elements, lit(sorted.indexOf(k) + 1));
}

/**
 * quantileExact passes over NaN, which comes before all numbers. As -inf, which is what max2 makes of it, it keeps its place; and it is meant where its
 * share of the values reaches up to the rank. The share is off by less than any two shares of a table differ.
 */
function quantileWithNaN(value: SqlExpression, k: number, number: number, c: LowerAggregateCall): SqlExpression {
  const share = c.aggregate('avg', [call('isNaN', value)]);
  const numbers = ranked(call('max2', value, raw('-inf')), k, number, c);
  return iff(k === 0 ? infix('>', share, lit(0)) : infix('>=', share, raw(String(k / number))), raw('nan'), numbers);
}

/** The `number` most frequent (heaviest) values: all are counted, then the first taken. */
function top(value: SqlExpression, weight: SqlExpression | null, c: LowerAggregateCall, name: string): SqlExpression {
  const number = positive(c, c.args.length - 1, name);
  const { kind } = c.typeOf(0);
  if (kind === 'JSON' || kind === 'INTERVAL') fail('unsupported', spanOf(c, 0), `${name} of values of type ${kind} is not supported`);
  const one = call('toInt64', lit(1));
  // A value whose weights add up to 0 would be left out without its count.
  const arrays = [tuple(groupValue(value, c.typeOf(0), c.finite(0), c.fresh)), ...(weight === null ? [] : [weight]), one].map(
    (v): SqlExpression => ({ kind: 'array', elements: [v] }),
  );
  const counted = call('assumeNotNull', c.aggregate('sumMap', arrays));
  const pair = c.fresh('pair');
  const part = (i: number): SqlExpression => call('tupleElement', counted, lit(i));
  const pairs = call('arrayReverseSort', lambda([pair], call('tupleElement', ident(pair), lit(2))), call('arrayZip', part(1), part(2)));
  const item = c.fresh('item');
  const field = (i: number): SqlExpression => call('tupleElement', ident(item), lit(i));
  const total = weight !== null && c.typeOf(1).kind === 'INT64' ? heldSum(field(2), name, c) : field(2);
  const shown = tuple(call('tupleElement', field(1), lit(1)), total);
  const type = c.type.kind === 'ARRAY' ? clickhouseType(c.type.element) : '';
  return {
    kind: 'cast',
    operand: call('arrayMap', lambda([item], shown), call('arraySlice', pairs, lit(1), lit(number))),
    type: `Array(${type})`,
  };
}

/** A sum of INT64, added up in a wider type. */
const heldSum = (sum: SqlExpression, name: string, c: LowerAggregateCall): SqlExpression =>
  c.failIf(infix('>', sum, lit(9_223_372_036_854_775_807n)), `${name}: the sum of weights is out of range`, call('toInt64', sum));

/** NULL weighs nothing; BigQuery refuses weights below 0 and NaN. */
function checkedWeight(weight: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const bad = infix('<', weight, lit(0));
  const checked = c.failIf(
    c.finite(1) ? bad : infix('OR', bad, call('isNaN', weight)),
    'APPROX_TOP_SUM does not take negative weights',
    weight,
  );
  const present = call('ifNull', checked, lit(0));
  return c.typeOf(1).kind === 'INT64' ? call('toInt128', present) : present;
}

export const approximate = (): Family => ({
  APPROX_COUNT_DISTINCT: defineAggregate(
    'value T -> INT64',
    ({ value }, c) => {
      const { kind } = c.typeOf(0);
      if (kind === 'JSON' || kind === 'INTERVAL') fail('type', spanOf(c, 0), `APPROX_COUNT_DISTINCT does not take values of type ${kind}`);
      return call('toInt64', c.aggregate('uniq', [groupValue(value, c.typeOf(0), c.finite(0), c.fresh)]));
    },
    { distinct: false, zeroWhenEmpty: true, approximate: 'exact up to 65536 different values, then an estimate from a different sketch' },
  ),
  APPROX_QUANTILES: defineAggregate('value T, number INT64 -> ARRAY<T>', ({ value }, c) => quantiles(value, c), {
    nulls: true,
    collects: 'present',
  }),
  $quantile_element: defineAggregate(
    'value T, number INT64, position INT64, ...positions INT64 -> T',
    ({ value }, c) => quantileElement(value, c),
    { nulls: true, finite: true },
  ),
  APPROX_TOP_COUNT: defineAggregate(
    'value T, number INT64 -> ARRAY<STRUCT<value T, count INT64>>',
    ({ value }, c) => top(value, null, c, 'APPROX_TOP_COUNT'),
    { distinct: false, collects: 'all' },
  ),
  APPROX_TOP_SUM: defineAggregate(
    'value T, weight INT64, number INT64 -> ARRAY<STRUCT<value T, sum INT64>> | value T, weight NUMERIC, number INT64 -> ARRAY<STRUCT<value T, sum NUMERIC>> | value T, weight FLOAT64, number INT64 -> ARRAY<STRUCT<value T, sum FLOAT64>>',
    ({ value, weight }, c) => top(value, checkedWeight(weight, c), c, 'APPROX_TOP_SUM'),
    { distinct: false, collects: 'all' },
  ),
});
