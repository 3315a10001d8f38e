// PERCENTILE_CONT and PERCENTILE_DISC. https://cloud.google.com/bigquery/docs/reference/standard-sql/navigation_functions#percentile_cont
import { fail } from '../../base/fail.ts';
import type { Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, ident, iff, infix, isNull, lambda, lit, raw } from '../../target/build.ts';
import { defineWindow, type Family, type LowerAggregateCall } from '../define.ts';
import { requireOrdered } from '../sort-key.ts';
import { ranksPlainly, sortedValues } from './sorted-values.ts';

/** The percentile: a constant from 0 to 1. */
function percentileOf(c: LowerAggregateCall): number {
  const value = c.constant(1);
  const level = value === null || value === undefined ? Number.NaN : Number(value);
  if (!(level >= 0 && level <= 1))
    fail('type', c.args[1]?.span ?? { start: 0, end: 0 }, 'the percentile must be a constant from 0 to 1', 'e.g. 0.95');
  return level;
}

const isDecimal = ({ kind }: Type): boolean => kind === 'NUMERIC' || kind === 'BIGNUMERIC';

/** Interpolates between the two values next to position percentile * (n - 1). */
function continuous(value: SqlExpression, percentile: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const level = percentileOf(c);
  if (c.type.kind === 'FLOAT64' && ranksPlainly(c, c.respectNulls))
    return c.aggregate('quantileExactInclusive', [value], { params: [raw(String(level))] });
  if (c.type.kind === 'BIGNUMERIC')
    return fail(
      'unsupported',
      c.args[0]?.span ?? { start: 0, end: 0 },
      'PERCENTILE_CONT of BIGNUMERIC is not supported',
      'CAST it to NUMERIC',
    );
  const decimal = c.type.kind === 'NUMERIC';
  return ofValues(sortedValues(value, c, c.respectNulls), c, (values) => between(values, percentile, level, decimal));
}

function between(values: SqlExpression, percentile: SqlExpression, level: number, decimal: boolean): SqlExpression {
  const last = infix('-', call('length', values), lit(1));
  const position = infix('*', decimal ? call('toDecimal256', percentile, lit(9)) : raw(String(level)), last);
  const whole = call('floor', position);
  const part = infix('-', position, whole);
  const at = (offset: number): SqlExpression => {
    const found = call('arrayElementOrNull', values, infix('+', call('toInt64', whole), lit(offset)));
    return decimal ? call('toDecimal256', found, lit(9)) : found;
  };
  const mean = infix('+', infix('*', at(1), infix('-', lit(1), part)), infix('*', at(2), part));
  const mixed = decimal ? call('toDecimal128', call('round', mean, lit(9)), lit(9)) : mean;
  const exact = decimal ? call('toDecimal128', at(1), lit(9)) : at(1);
  const next = decimal ? call('toDecimal128', at(2), lit(9)) : at(2);
  // Between NULL and a value lies the value.
  return call('multiIf', call('empty', values), lit(null), infix('=', part, lit(0)), exact, isNull(at(1)), next, mixed);
}

/** The first value of which at least that share of the values is not beyond it. */
function discrete(value: SqlExpression, percentile: SqlExpression, c: LowerAggregateCall): SqlExpression {
  requireOrdered(c, 0);
  const level = percentileOf(c);
  const short = Number.isInteger(Number((level * 1000).toPrecision(15)));
  // quantileExact counts ranks from 0, hence the hair's breadth; it is too wide for percentiles of many digits.
  if (short && ranksPlainly(c, c.respectNulls))
    return c.aggregate('quantileExact', [value], { params: [raw(String(level === 0 ? 0 : Number((level - 1e-10).toFixed(12))))] });
  const share = c.typeOf(1).kind === 'FLOAT64' ? raw(String(level)) : percentile;
  return ofValues(sortedValues(value, c, c.respectNulls), c, (values) => {
    const rank = call('greatest', call('toInt64', call('ceil', infix('*', share, call('length', values)))), lit(1));
    return iff(call('empty', values), lit(null), call('arrayElementOrNull', values, rank));
  });
}

/** Writes the values once: their text may be long, and grows with each use. */
function ofValues(values: SqlExpression, c: LowerAggregateCall, use: (values: SqlExpression) => SqlExpression): SqlExpression {
  const name = c.fresh('ranked');
  return call('arrayElement', call('arrayMap', lambda([name], use(ident(name))), array(values)), lit(1));
}

export const percentile = (): Family => ({
  PERCENTILE_CONT: defineWindow(
    'value INT64, percentile FLOAT64 -> FLOAT64 | value INT64, percentile INT64 -> FLOAT64 | value INT64, percentile NUMERIC -> FLOAT64 | value FLOAT64, percentile FLOAT64 -> FLOAT64 | value FLOAT64, percentile INT64 -> FLOAT64 | value NUMERIC, percentile NUMERIC -> NUMERIC | value BIGNUMERIC, percentile BIGNUMERIC -> BIGNUMERIC | value NUMERIC, percentile INT64 -> FLOAT64 | value NUMERIC, percentile FLOAT64 -> FLOAT64 | value BIGNUMERIC, percentile INT64 -> FLOAT64 | value BIGNUMERIC, percentile FLOAT64 -> FLOAT64',
    ({ value, percentile: share }, c) =>
      continuous(c.type.kind === 'FLOAT64' && isDecimal(c.typeOf(0)) ? call('toFloat64', value) : value, share, c),
    { order: false, nulls: true, finite: true },
  ),
  PERCENTILE_DISC: defineWindow(
    'value T, percentile FLOAT64 -> T | value T, percentile NUMERIC -> T | value T, percentile BIGNUMERIC -> T',
    ({ value, percentile: share }, c) => discrete(value, share, c),
    { order: false, nulls: true, finite: true },
  ),
});
