// KLL_QUANTILES: sketches of quantiles. Here a sketch is the sorted values with how many there are up to each; of more than MOST values every one
// at even ranks is kept, the least and the greatest always.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/kll_functions
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, cast, element, ident, iff, infix, isNotNull, lambda, lit, NULL, raw, tuple } from '../../target/build.ts';
import { clickhouseType, plainType } from '../../target/types.ts';
import { defineAggregate, type Family, type LowerAggregateCall, type LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { bind, hasPrecision, mergedHead, sketchBody, sketchHead } from './sketch.ts';

const MOST = 10_000;
const MOST_QUANTILES = 10_000n;
const OTHER_SKETCH = {
  approximate: `exact up to ${MOST} different values, then within a ${MOST}th of the ranks; the bytes of sketches are not BigQuery’s`,
} as const;

type Values = 'I64' | 'U64' | 'F64';
const NAMES = { I64: 'INT64', U64: 'UINT64', F64: 'FLOAT64' } as const;
/** Values as whole numbers in their order, each with the count of values up to it. */
const ENTRIES = 'Array(Tuple(Int64, UInt64))';

const LEAST = raw("toInt64('-9223372036854775808')");
const MAGNITUDE = raw("toInt64('9223372036854775807')");
/** The bits of a float are in order but for those of negative ones; NaN comes first. */
const floatKey = (value: SqlExpression): SqlExpression => {
  const bits = call('reinterpretAsInt64', infix('+', value, raw('0.0')));
  return iff(call('isNaN', value), LEAST, iff(infix('<', bits, lit(0)), call('bitXor', bits, MAGNITUDE), bits));
};
const floatOf = (key: SqlExpression): SqlExpression => {
  const bits = iff(infix('<', key, lit(0)), call('bitXor', key, MAGNITUDE), key);
  return iff(infix('=', key, LEAST), raw('nan'), call('reinterpretAsFloat64', bits));
};

/** Pairs of a value and its weight, in any order, as entries of a sketch. */
function entriesOf(pairs: SqlExpression, c: LowerCall): SqlExpression {
  const [pair, weighed, run, entry, before] = ['pair', 'pair', 'run', 'entry', 'before'].map((base) => c.fresh(base)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return bind('sorted', call('arraySort', pairs), c, (sorted) =>
    bind('values', call('arrayMap', lambda([pair], element(ident(pair), 1)), sorted), c, (values) => {
      const counts = call('arrayCumSum', lambda([weighed], element(ident(weighed), 2)), sorted);
      const following = call('arrayPopFront', call('arrayPushBack', values, call('bitNot', call('arrayElement', values, lit(-1)))));
      const isLast = infix('!=', element(ident(run), 1), element(ident(run), 3));
      const runs = call('arrayFilter', lambda([run], isLast), call('arrayZip', values, counts, following));
      const all = call('arrayMap', lambda([entry], tuple(element(ident(entry), 1), call('toUInt64', element(ident(entry), 2)))), runs);
      return bind('entries', all, c, (entries) => {
        const total = element(call('arrayElement', entries, lit(-1)), 2);
        const place = (count: SqlExpression): SqlExpression =>
          call('floor', infix('*', infix('/', count, call('greatest', total, lit(1))), lit(MOST)));
        const [kept, start] = [c.fresh('entry'), c.fresh('count')];
        const isKept = infix('OR', infix('=', ident(start), lit(0)), infix('<', place(ident(start)), place(element(ident(kept), 2))));
        const counted = call('arrayMap', lambda([before], element(ident(before), 2)), entries);
        const starts = call('arrayPushFront', call('arrayPopBack', counted), lit(0));
        return iff(
          infix('<=', call('length', entries), lit(MOST)),
          entries,
          call('arrayFilter', lambda([kept, start], isKept), entries, starts),
        );
      });
    }),
  );
}

const sketchText = (head: SqlExpression, entries: SqlExpression): SqlExpression => call('concat', head, call('toString', entries));

function readEntries(sketch: SqlExpression, type: Values | null, c: LowerCall): SqlExpression {
  return bind('body', sketchBody(sketch, 'KLL', type, c), c, (body) => cast(iff(call('empty', body), lit('[]'), body), ENTRIES));
}

function init(type: Values, value: SqlExpression, weight: SqlExpression | undefined, c: LowerAggregateCall): SqlExpression {
  const nothing = cast(NULL, 'Nullable(String)');
  if (!hasPrecision(c, 1, 1n, 100_000n)) return nothing;
  const weighed = weight === undefined ? call('toInt64', lit(1)) : weight;
  const bad = infix('OR', infix('<', weighed, lit(1)), infix('>', weighed, lit(2_147_483_647)));
  const checked = weight === undefined ? weighed : c.failIf(bad, 'a weight of KLL_QUANTILES must be from 1 to 2147483647', weighed);
  const given = type === 'U64' ? c.failIf(infix('<', value, lit(0)), 'a value of KLL_QUANTILES.INIT_UINT64 is below 0', value) : value;
  const key = type === 'F64' ? floatKey(given) : given;
  const pair = tuple(call('assumeNotNull', key), call('toUInt64', call('assumeNotNull', checked)));
  const isKnown = weight === undefined ? isNotNull(value) : infix('AND', isNotNull(value), isNotNull(weight));
  const pairs = c.aggregate('groupArray', [pair], { where: isKnown });
  return bind('pairs', pairs, c, (all) => iff(call('empty', all), NULL, sketchText(lit(sketchHead('KLL', type)), entriesOf(all, c))));
}

/** Merged sketches as entries. */
function mergedEntries(sketch: SqlExpression, type: Values | null, c: LowerAggregateCall): SqlExpression {
  const [entry, before, counted] = [c.fresh('entry'), c.fresh('before'), c.fresh('entry')];
  const pairs = bind('entries', readEntries(sketch, type, c), c, (entries) => {
    const counts = call('arrayMap', lambda([counted], element(ident(counted), 2)), entries);
    const weight = infix('-', element(ident(entry), 2), ident(before));
    const starts = iff(call('empty', entries), counts, call('arrayPushFront', call('arrayPopBack', counts), lit(0)));
    return call('arrayMap', lambda([entry, before], tuple(element(ident(entry), 1), call('toUInt64', weight))), entries, starts);
  });
  return entriesOf(c.aggregate('groupArrayArray', [pairs]), c);
}

/** The value at a rank that counts from 1. */
function valueAt(entries: SqlExpression, rank: SqlExpression, type: Values, c: LowerCall): SqlExpression {
  const entry = c.fresh('entry');
  const found = call('arrayFirst', lambda([entry], infix('>=', element(ident(entry), 2), rank)), entries);
  return type === 'F64' ? floatOf(element(found, 1)) : element(found, 1);
}

const totalOf = (entries: SqlExpression): SqlExpression => element(call('arrayElement', entries, lit(-1)), 2);

function quantiles(given: SqlExpression, type: Values, c: LowerCall): SqlExpression {
  const arg = c.args[1] ?? null;
  const number = c.constant(1);
  if (typeof number !== 'bigint' || number < 1n || number > MOST_QUANTILES)
    return fail('type', arg?.span ?? { start: 0, end: 0 }, `the number of quantiles must be a constant from 1 to ${MOST_QUANTILES}`);
  const k = c.fresh('k');
  return bind('sketch', given, c, (entries) => {
    const share = infix('*', ident(k), totalOf(entries));
    const rank = call('greatest', call('intDiv', infix('+', share, lit(number - 1n)), lit(number)), lit(1));
    const all = call('arrayMap', lambda([k], valueAt(entries, rank, type, c)), call('range', lit(number + 1n)));
    return cast(iff(call('empty', entries), array(), all), plainType(c.type));
  });
}

function point(given: SqlExpression, phi: SqlExpression, type: Values, c: LowerCall): SqlExpression {
  const outside = infix('OR', infix('<', phi, lit(0)), infix('>', phi, lit(1)));
  return bind('sketch', given, c, (entries) => {
    // The float 0.7 * 10 is a hair above 7.
    const rank = call('greatest', call('ceil', infix('-', infix('*', phi, totalOf(entries)), raw('1e-9'))), lit(1));
    const value = cast(iff(call('empty', entries), NULL, valueAt(entries, rank, type, c)), clickhouseType(c.type));
    return c.failIf(outside, 'phi of KLL_QUANTILES must be from 0 to 1', value);
  });
}

function ofType(type: Values): Family {
  const name = NAMES[type];
  const shown = type === 'F64' ? 'FLOAT64' : 'INT64';
  const options = { distinct: false, ...OTHER_SKETCH };
  return {
    [`KLL_QUANTILES.INIT_${name}`]: defineAggregate(
      `value ${shown}, [precision INT64], [weight => INT64] -> BYTES`,
      ({ value, weight }, c) => init(type, value, weight, c),
      options,
    ),
    [`KLL_QUANTILES.MERGE_${name}`]: defineAggregate(
      `sketch BYTES, number INT64 -> ARRAY<${shown}>`,
      ({ sketch }, c) => quantiles(mergedEntries(sketch, type, c), type, c),
      { ...options, collects: 'present' },
    ),
    [`KLL_QUANTILES.MERGE_POINT_${name}`]: defineAggregate(
      `sketch BYTES, phi FLOAT64 -> ${shown}`,
      ({ sketch, phi }, c) => point(mergedEntries(sketch, type, c), phi, type, c),
      options,
    ),
    [`KLL_QUANTILES.EXTRACT_${name}`]: strict(
      `sketch BYTES, number INT64 -> ARRAY<${shown}>`,
      ({ sketch }, c) => quantiles(readEntries(sketch, type, c), type, c),
      OTHER_SKETCH,
    ),
    [`KLL_QUANTILES.EXTRACT_POINT_${name}`]: strict(
      `sketch BYTES, phi FLOAT64 -> ${shown}`,
      ({ sketch, phi }, c) => point(readEntries(sketch, type, c), phi, type, c),
      OTHER_SKETCH,
    ),
  };
}

export const kll = (): Family => ({
  ...ofType('I64'),
  ...ofType('U64'),
  ...ofType('F64'),
  'KLL_QUANTILES.MERGE_PARTIAL': defineAggregate(
    'sketch BYTES -> BYTES',
    ({ sketch }, c) =>
      bind('entries', mergedEntries(sketch, null, c), c, (entries) =>
        iff(call('empty', entries), NULL, sketchText(call('assumeNotNull', mergedHead(sketch, 'KLL', c)), entries)),
      ),
    { distinct: false, ...OTHER_SKETCH },
  ),
});
