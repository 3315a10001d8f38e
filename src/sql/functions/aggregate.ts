// Aggregate functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions

import type { Ch } from '../clickhouse/ast.ts';
import { call, lit, raw } from '../clickhouse/build.ts';
import { arrayAgg, stringAgg } from './aggregate-array.ts';
import { defineAggregate, type Family, type LowerAggregateCall } from './define.ts';

const NUMBERS = 'value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value FLOAT64 -> FLOAT64';

/** Elements 0 … n of an approximate quantile array: values that occur in the data. */
function approxQuantiles(value: Ch, c: LowerAggregateCall): Ch {
  const count = Number(c.constant(1) ?? 0);
  if (!Number.isInteger(count) || count < 1) return c.failIf(lit(true), 'the number of quantiles must be a positive constant', value);
  // quantileExact takes the element of rank floor(level * n): a hair below k/n gives rank ceil(k * n / number), as BigQuery does on small inputs.
  const levels = Array.from({ length: count + 1 }, (_, k) => raw(String(Math.max(0, k / count - (k === 0 ? 0 : 1e-10)))));
  return c.aggregate('quantilesExact', [value], { params: levels });
}

export const aggregate: Family = {
  COUNT: defineAggregate(
    '[value T] -> INT64',
    ({ value }, c) => (value === undefined ? c.aggregate('count', []) : c.aggregate('count', [value])),
    { zeroWhenEmpty: true },
  ),
  COUNTIF: defineAggregate(
    'condition BOOL -> INT64',
    ({ condition }, c) =>
      // The only distinct value that counts is TRUE.
      c.distinct
        ? call('toInt64', call('ifNull', c.aggregate('max', [condition], { distinct: false }), lit(0)))
        : c.aggregate('countIf', [condition]),
    { zeroWhenEmpty: true },
  ),
  SUM: defineAggregate(`${NUMBERS} | value INTERVAL -> INTERVAL`, ({ value }, c) => c.aggregate('sum', [value])),
  AVG: defineAggregate('value FLOAT64 -> FLOAT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC', ({ value }, c) =>
    c.aggregate('avg', [value]),
  ),
  MIN: defineAggregate('value T -> T', ({ value }, c) => c.aggregate('min', [value], { distinct: false })),
  MAX: defineAggregate('value T -> T', ({ value }, c) => c.aggregate('max', [value], { distinct: false })),
  ANY_VALUE: defineAggregate('value T -> T', ({ value }, c) => c.aggregate('any', [value], { distinct: false })),
  LOGICAL_AND: defineAggregate('value BOOL -> BOOL', ({ value }, c) => c.aggregate('min', [value], { distinct: false })),
  LOGICAL_OR: defineAggregate('value BOOL -> BOOL', ({ value }, c) => c.aggregate('max', [value], { distinct: false })),
  BIT_AND: defineAggregate('value INT64 -> INT64', ({ value }, c) => c.aggregate('groupBitAnd', [value], { distinct: false })),
  BIT_OR: defineAggregate('value INT64 -> INT64', ({ value }, c) => c.aggregate('groupBitOr', [value], { distinct: false })),
  BIT_XOR: defineAggregate('value INT64 -> INT64', ({ value }, c) => c.aggregate('groupBitXor', [value])),
  APPROX_COUNT_DISTINCT: defineAggregate('value T -> INT64', ({ value }, c) => c.aggregate('uniqHLL12', [value]), {
    zeroWhenEmpty: true,
    approximate: 'an estimate, as in BigQuery, by another sketch',
  }),
  APPROX_QUANTILES: defineAggregate('value T, number INT64 -> ARRAY<T>', ({ value }, c) => approxQuantiles(value, c), { nulls: true }),
  ARRAY_AGG: defineAggregate('value T -> ARRAY<T>', ({ value }, c) => arrayAgg(value, c), { orderBy: true, limit: true, nulls: true }),
  ARRAY_CONCAT_AGG: defineAggregate('value ARRAY<T> -> ARRAY<T>', ({ value }, c) => call('arrayFlatten', arrayAgg(value, c)), {
    orderBy: true,
    limit: true,
  }),
  STRING_AGG: defineAggregate(
    'value STRING, [delimiter STRING] -> STRING | value BYTES, [delimiter BYTES] -> BYTES',
    ({ value, delimiter }, c) => stringAgg(value, delimiter ?? lit(','), c),
    { orderBy: true, limit: true },
  ),
};
