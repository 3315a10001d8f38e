// Statistical aggregates. https://cloud.google.com/bigquery/docs/reference/standard-sql/statistical_aggregate_functions
import type { Ch } from '../../target/ast.ts';
import { and, call, iff, infix, isNotNull, lit, NULL, not, raw } from '../../target/build.ts';
import { defineAggregate, type Family, type LowerAggregateCall } from '../define.ts';
import { distinctValue } from './group-value.ts';

/** ClickHouse gives NaN over too few rows, BigQuery NULL; NaN is also what values without a variance give. */
const enough = (count: Ch, value: Ch): Ch => iff(infix('<', count, lit(2)), NULL, value);

/** A NaN or infinity among the values makes the result NaN; ClickHouse's is not always. */
const unlessEndless = (values: readonly Ch[], c: LowerAggregateCall, result: Ch): Ch => {
  const endless = values.filter((_, i) => !c.finite(i)).map((v) => not(call('isFinite', v)));
  if (endless.length === 0) return result;
  const others = values.length === 1 ? [] : values.map(isNotNull);
  const where = and(
    ...others,
    endless.reduce((a, b) => infix('OR', a, b)),
  );
  return iff(infix('>', c.aggregate('count', [], { where, distinct: false }), lit(0)), raw('nan'), result);
};

/** A converted integer or decimal: its square is in range. */
function fromExact(c: LowerAggregateCall): boolean {
  const [arg] = c.args;
  return arg?.kind === 'cast' && ['INT64', 'NUMERIC', 'BIGNUMERIC'].includes(arg.operand.type.kind);
}

const ofOne = (name: string, sample: boolean) =>
  defineAggregate('value FLOAT64 -> FLOAT64', ({ value }, c) => {
    const values = distinctValue(value, c);
    const plain = c.aggregate(name, [values]);
    // A deviation is never beyond the values themselves, but ClickHouse's squares may be.
    const root =
      name.startsWith('stddev') && !fromExact(c)
        ? c.failIf(call('isInfinite', plain), 'the deviation of numbers this large is not supported', plain)
        : plain;
    const result = unlessEndless([values], c, root);
    return sample ? enough(c.aggregate('count', [values]), result) : result;
  });

const ofPairs = (name: string, sample: boolean) =>
  defineAggregate(
    'first FLOAT64, second FLOAT64 -> FLOAT64',
    ({ first, second }, c) => {
      const result = unlessEndless([first, second], c, c.aggregate(name, [first, second]));
      return sample ? enough(pairs(first, second, c), result) : result;
    },
    { distinct: false },
  );

const pairs = (first: Ch, second: Ch, c: LowerAggregateCall): Ch =>
  c.aggregate('count', [], { where: and(isNotNull(first), isNotNull(second)) });

// The plain forms lose precision where values are large and close to each other.
// https://clickhouse.com/docs/sql-reference/aggregate-functions/reference/varpopstable
const VARIANCE = ofOne('varSampStable', true);
const DEVIATION = ofOne('stddevSampStable', true);

export const statistics: Family = {
  VAR_POP: ofOne('varPopStable', false),
  VAR_SAMP: VARIANCE,
  VARIANCE,
  STDDEV_POP: ofOne('stddevPopStable', false),
  STDDEV_SAMP: DEVIATION,
  STDDEV: DEVIATION,
  COVAR_POP: ofPairs('covarPopStable', false),
  COVAR_SAMP: ofPairs('covarSampStable', true),
  CORR: ofPairs('corrStable', true),
};
