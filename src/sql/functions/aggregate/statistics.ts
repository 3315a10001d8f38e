// Statistical aggregates. https://cloud.google.com/bigquery/docs/reference/standard-sql/statistical_aggregate_functions

import type { Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { and, call, ident, iff, infix, isNotNull, lambda, lit, NULL, not, raw } from '../../target/build.ts';
import { defineAggregate, type Family, type LowerAggregateCall } from '../define.ts';
import { distinctValue } from './group-value.ts';

/** ClickHouse gives NaN over too few rows, BigQuery NULL; NaN is also what values without a variance give. */
const enough = (count: SqlExpression, value: SqlExpression): SqlExpression => iff(infix('<', count, lit(2)), NULL, value);

/** A NaN or infinity among the values makes the result NaN; ClickHouse's is not always. */
const unlessEndless = (values: readonly SqlExpression[], c: LowerAggregateCall, result: SqlExpression): SqlExpression => {
  const endless = values.filter((_, i) => !c.finite(i)).map((v) => not(call('isFinite', v)));
  if (endless.length === 0) return result;
  const others = values.length === 1 ? [] : values.map(isNotNull);
  const where = and(
    ...others,
    endless.reduce((a, b) => infix('OR', a, b)),
  );
  return iff(infix('>', c.aggregate('count', [], { where, distinct: false }), lit(0)), raw('nan'), result);
};

const isDecimal = (type: Type): boolean => type.kind === 'NUMERIC' || type.kind === 'BIGNUMERIC';

/** 2 to the power of -540: the square of what is multiplied by it is in range. */
const SMALL = 2 ** -540;

const ofOne = (name: string, sample: boolean) =>
  defineAggregate(
    'value FLOAT64 -> FLOAT64 | value INT64 -> FLOAT64 | value NUMERIC -> FLOAT64 | value BIGNUMERIC -> FLOAT64',
    ({ value }, c) => {
      const values = distinctValue(value, c);
      const result = isDecimal(c.typeOf(0)) ? ofDecimals(name, [c.aggregate('groupArray', [values])], c) : ofFloats(name, values, c);
      return sample ? enough(c.aggregate('count', [values]), result) : result;
    },
  );

function ofFloats(name: string, values: SqlExpression, c: LowerAggregateCall): SqlExpression {
  if (c.typeOf(0).kind === 'INT64') return c.aggregate(name, [call('toFloat64', values)]);
  const plain = c.aggregate(name, [values]);
  // ClickHouse's squares, and its sums of differences, may be beyond FLOAT64: a variance then is too, while a deviation is near the values.
  const small = (): SqlExpression => c.aggregate(name, [infix('*', values, raw(String(SMALL)))]);
  if (name === 'stddevSampStable') {
    const near = small();
    // Two values of which one is infinite have no finite deviation in either form.
    const far = iff(call('isFinite', near), infix('/', near, raw(String(SMALL))), raw('nan'));
    return iff(call('isFinite', plain), plain, far);
  }
  const far = name.startsWith('stddev') ? infix('/', small(), raw(String(SMALL))) : raw('inf');
  return unlessEndless([values], c, iff(not(call('isFinite', plain)), far, plain));
}

/** Over lists of decimals, less the first of each: a float has no room for the digits in which they differ. */
function ofDecimals(name: string, lists: readonly SqlExpression[], c: LowerAggregateCall): SqlExpression {
  const near = lists.map((list) => {
    const item = c.fresh('item');
    // Two NUMERICs may be further apart than a NUMERIC reaches.
    const wide = (value: SqlExpression): SqlExpression => (c.typeOf(0).kind === 'NUMERIC' ? call('toDecimal256', value, lit(9)) : value);
    const apart = infix('-', wide(ident(item)), wide(call('arrayElement', list, lit(1))));
    return call('arrayMap', lambda([item], call('assumeNotNull', call('toFloat64', apart))), list);
  });
  return iff(call('empty', lists[0] ?? NULL), NULL, call('arrayReduce', lit(name), ...near));
}

const ofPairs = (name: string, sample: boolean) =>
  defineAggregate(
    'first FLOAT64, second FLOAT64 -> FLOAT64 | first INT64, second INT64 -> FLOAT64 | first NUMERIC, second NUMERIC -> FLOAT64 | first BIGNUMERIC, second BIGNUMERIC -> FLOAT64',
    ({ first, second }, c) => {
      if (isDecimal(c.typeOf(0))) {
        const where = { where: and(isNotNull(first), isNotNull(second)) };
        const exact = ofDecimals(name, [c.aggregate('groupArray', [first], where), c.aggregate('groupArray', [second], where)], c);
        return sample ? enough(pairs(first, second, c), exact) : exact;
      }
      const isWhole = c.typeOf(0).kind === 'INT64';
      const [one, other] = isWhole ? [call('toFloat64', first), call('toFloat64', second)] : [first, second];
      const plain = c.aggregate(name, [one, other]);
      const result = unlessEndless([one, other], c, isWhole ? plain : inRange(name, plain, [one, other], c));
      return sample ? enough(pairs(first, second, c), result) : result;
    },
    { distinct: false },
  );

/** Where squares are beyond FLOAT64, the result is none, and is refused. */
function inRange(name: string, plain: SqlExpression, values: readonly SqlExpression[], c: LowerAggregateCall): SqlExpression {
  const refused = (what: string, isBeyond: SqlExpression): SqlExpression =>
    c.failIf(isBeyond, `the ${what} of such large numbers is not supported`, plain);
  if (!name.startsWith('corr')) {
    // Where differences are beyond FLOAT64 too, its sign is another.
    const [first, second] = values.map((v) => call('isInfinite', infix('-', c.aggregate('max', [v]), c.aggregate('min', [v]))));
    const apart = infix('OR', first ?? NULL, second ?? NULL);
    return refused('covariance', infix('OR', call('isNaN', plain), infix('AND', call('isInfinite', plain), apart)));
  }
  const [one, other] = values.map((v) => c.aggregate('varPopStable', [v]));
  return refused('correlation', not(call('isFinite', infix('*', one ?? NULL, other ?? NULL))));
}

const pairs = (first: SqlExpression, second: SqlExpression, c: LowerAggregateCall): SqlExpression =>
  c.aggregate('count', [], { where: and(isNotNull(first), isNotNull(second)) });

// The plain forms lose precision where values are large and close to each other.
// https://clickhouse.com/docs/sql-reference/aggregate-functions/reference/varpopstable
const VARIANCE = ofOne('varSampStable', true);
const DEVIATION = ofOne('stddevSampStable', true);

export const statistics = (): Family => ({
  VAR_POP: ofOne('varPopStable', false),
  VAR_SAMP: VARIANCE,
  VARIANCE,
  STDDEV_POP: ofOne('stddevPopStable', false),
  STDDEV_SAMP: DEVIATION,
  STDDEV: DEVIATION,
  COVAR_POP: ofPairs('covarPopStable', false),
  COVAR_SAMP: ofPairs('covarSampStable', true),
  CORR: ofPairs('corrStable', true),
});
