// HLL_COUNT: sketches that count different values. Here they are states of ClickHouse's uniq, which is exact up to 65536 values.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/hll_functions
import type { SqlExpression } from '../../target/ast.ts';
import { call, cast, iff, infix, isNotNull, isNull, lit, NULL, raw } from '../../target/build.ts';
import { define, defineAggregate, type Family, type LowerAggregateCall, type LowerCall } from '../define.ts';
import { bind, hasPrecision, mergedHead, sketchBody, sketchHead } from './sketch.ts';

const OTHER_SKETCH = {
  approximate: 'exact up to 65536 different values, then an estimate from a different sketch; the bytes of sketches are not BigQuery’s',
} as const;

/** The heads' names of the types; sketches of equal values of different types are different in BigQuery too. */
const TYPES: Readonly<Record<string, string>> = { INT64: 'I64', NUMERIC: 'NUM', BIGNUMERIC: 'BIG', STRING: 'STR', BYTES: 'BYT' };

const STATE = 'AggregateFunction(uniq, UInt64)';
/** A NULL sketch counts nothing. */
const EMPTY_STATE = raw("'\\0\\0'");

function stateOf(sketch: SqlExpression, c: LowerCall): SqlExpression {
  const state = bind('body', sketchBody(sketch, 'HLL', null, c), c, (body) => iff(call('empty', body), EMPTY_STATE, body));
  return cast(state, STATE);
}

function init(value: SqlExpression, c: LowerAggregateCall): SqlExpression {
  if (!hasPrecision(c, 1, 10n, 24n)) return cast(NULL, 'Nullable(String)');
  const hash = call('sipHash64', call('assumeNotNull', value));
  const state = cast(c.aggregate('uniqState', [hash], { where: isNotNull(value) }), 'String');
  const sketch = call('concat', lit(sketchHead('HLL', TYPES[c.typeOf(0).kind] ?? '')), state);
  return iff(infix('=', c.aggregate('count', [value]), lit(0)), NULL, sketch);
}

export const hyperloglog = (): Family => ({
  'HLL_COUNT.INIT': defineAggregate(
    'value INT64, [precision INT64] -> BYTES | value NUMERIC, [precision INT64] -> BYTES | value BIGNUMERIC, [precision INT64] -> BYTES | value STRING, [precision INT64] -> BYTES | value BYTES, [precision INT64] -> BYTES',
    ({ value }, c) => init(value, c),
    { distinct: false, windowed: false, ...OTHER_SKETCH },
  ),
  'HLL_COUNT.MERGE': defineAggregate(
    'sketch BYTES -> INT64',
    ({ sketch }, c) => {
      const counted = call('toInt64', c.aggregate('uniqMerge', [stateOf(sketch, c)]));
      const head = mergedHead(sketch, 'HLL', c);
      return iff(isNull(head), call('toInt64', lit(0)), counted);
    },
    { distinct: false, windowed: false, zeroWhenEmpty: true, ...OTHER_SKETCH },
  ),
  'HLL_COUNT.MERGE_PARTIAL': defineAggregate(
    'sketch BYTES -> BYTES',
    ({ sketch }, c) => call('concat', mergedHead(sketch, 'HLL', c), cast(c.aggregate('uniqMergeState', [stateOf(sketch, c)]), 'String')),
    { distinct: false, windowed: false, ...OTHER_SKETCH },
  ),
  'HLL_COUNT.EXTRACT': define(
    'sketch BYTES -> INT64',
    ({ sketch }, c) => call('toInt64', call('finalizeAggregation', stateOf(sketch, c))),
    OTHER_SKETCH,
  ),
});
