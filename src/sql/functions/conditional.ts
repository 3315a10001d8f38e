// Conditional functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/conditional_expressions
import { type Range, unionRange } from '../base/number-range.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, iff, infix, isNotNull, lit, NULL } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { mayFail } from '../target/may-fail.ts';
import { define, type Family } from './define.ts';

const oneOf = (...values: readonly (Range | undefined)[]): Range | undefined => unionRange(values);

/** The first that is not NULL. ClickHouse computes all of them, but for those behind `if`: what may fail must not where it is not asked for. */
function firstValue(values: readonly SqlExpression[], name: 'coalesce' | 'ifNull'): SqlExpression {
  const [first = NULL, ...rest] = values;
  if (rest.length === 0) return first;
  return rest.some((value) => mayFail(value)) ? iff(isNotNull(first), first, firstValue(rest, 'coalesce')) : call(name, ...values);
}

export const conditional = (): Family => ({
  COALESCE: define('...values T -> T', ({ values }) => firstValue(values, 'coalesce'), {
    finite: true,
    range: oneOf,
    firstPresent: true,
  }),
  IFNULL: define('value T, otherwise T -> T', ({ value, otherwise }) => firstValue([value, otherwise], 'ifNull'), {
    finite: true,
    range: oneOf,
    firstPresent: true,
  }),
  // ClickHouse rewrites aggregates of `if(c, NULL, x)` into ones of the rows where c is false, which those where it is NULL are not.
  NULLIF: define(
    'value T, match T -> T',
    ({ value, match }) => {
      const equal = infix('=', value, match);
      return iff(isConstant(equal) ? equal : call('ifNull', equal, lit(false)), NULL, value);
    },
    { strict: 'first', finite: true, range: (value) => value, compares: true },
  ),
  NULLIFZERO: define('value INT64 -> INT64 | value NUMERIC -> NUMERIC | value FLOAT64 -> FLOAT64', ({ value }) =>
    call('nullIf', value, { kind: 'lit', value: 0 }),
  ),
  ZEROIFNULL: define('value INT64 -> INT64 | value NUMERIC -> NUMERIC | value FLOAT64 -> FLOAT64', ({ value }) =>
    call('ifNull', value, { kind: 'lit', value: 0 }),
  ),
});
