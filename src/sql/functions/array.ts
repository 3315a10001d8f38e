// ARRAY functions. ClickHouse has no NULL array: here it is []; what differs for NULL, optimizer/null-arrays/ writes around the calls.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions
import { fail } from '../base/fail.ts';
import { COUNT, unionRange } from '../base/number-range.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array as arrayOf, bare, call, ident, iff, infix, isNotNull, isNull, lambda, lit, NULL, not } from '../target/build.ts';
import { average, sum } from './array-sum.ts';
import type { Family, LowerCall } from './define.ts';
import { series } from './generate-array.ts';
import { intervalMicros } from './sort-key.ts';
import { nullsPass, strict } from './strict.ts';

const whole = (name: string) =>
  strict('array ARRAY<T> -> ARRAY<T>', ({ array }) => call(name, array), { emptyLikeNull: true, neverFails: true });

/** The first or last element; an empty array is an error. */
const end = (position: 1 | -1, name: string) =>
  strict('array ARRAY<T> -> T', ({ array }, c) => {
    const element = call(c.type.kind === 'ARRAY' ? 'arrayElement' : 'arrayElementOrNull', array, lit(position));
    return c.failIf(call('empty', array), `${name}: the array is empty`, element);
  });

const lambdaOf = (name: string, signature: 'array ARRAY<T>, test (T;INT64)=>BOOL -> ARRAY<T>') =>
  strict(signature, ({ array, test }) => call(name, ...withPosition(test, array)), { emptyLikeNull: true, neverFails: true });

/** To hasAny and hasAll a NULL is equal to what it covers, such as 0. */
function withoutNulls(array: SqlExpression, c: LowerCall): SqlExpression {
  const item = c.fresh('item');
  return call('arrayFilter', lambda([item], isNotNull(ident(item))), array);
}

/** A lambda of two parameters gets the 0-based position too. */
const withPosition = (fn: SqlExpression, array: SqlExpression): readonly SqlExpression[] =>
  fn.kind === 'lambda' && fn.parameters.length === 2
    ? [fn, array, call('arrayMap', lambda(['i'], infix('-', call('toInt64', ident('i')), lit(1))), call('arrayEnumerate', array))]
    : [fn, array];

/** A stored array without the cast of its elements: ClickHouse keeps its length apart, and reads nothing else for it. */
const uncast = (array: SqlExpression): SqlExpression =>
  array.kind === 'cast' && array.type.startsWith('Array(') && array.operand.kind === 'ident' ? array.operand : array;

export const array = (): Family => ({
  ARRAY_LENGTH: strict('array ARRAY<T> -> INT64', ({ array }) => call('toInt64', call('length', uncast(array))), {
    range: COUNT,
    length: true,
  }),
  ARRAY_CONCAT: strict('...arrays ARRAY<T> -> ARRAY<T>', ({ arrays }) => call('arrayConcat', ...arrays), { neverFails: true }),
  ARRAY_REVERSE: whole('arrayReverse'),
  ARRAY_FIRST: end(1, 'ARRAY_FIRST'),
  ARRAY_LAST: end(-1, 'ARRAY_LAST'),
  ARRAY_SLICE: strict(
    'array ARRAY<T>, start INT64, end INT64 -> ARRAY<T>',
    ({ array, start, end }, c) => {
      // Positions count from 0, negative ones from the end; those outside of the array are its ends.
      const size = call('toInt64', call('length', array));
      const position = (at: SqlExpression): SqlExpression => iff(infix('<', at, lit(0)), infix('+', at, size), at);
      const first = call('greatest', position(start), call('toInt64', lit(0)));
      const begin = c.constant(1);
      // Behind the array, what lies between two positions may be more than an INT64.
      const from = typeof begin === 'bigint' && begin < 2n ** 62n ? first : call('least', first, size);
      const known = c.constant(2);
      // A constant end that counts from the end of the array cannot lie far behind it.
      const to = typeof known === 'bigint' && known < 0n ? position(end) : call('least', position(end), size);
      const count = call('greatest', infix('+', infix('-', to, from), lit(1)), call('toInt64', lit(0)));
      // Of a NULL greatest and least know nothing.
      return nullsPass(c, [undefined, start, end], call('arraySlice', array, infix('+', from, lit(1)), count), arrayOf());
    },
    { emptyLikeNull: true, neverFails: true },
  ),
  ARRAY_TO_STRING: strict(
    'array ARRAY<STRING>, delimiter STRING, [null_text STRING] -> STRING | array ARRAY<BYTES>, delimiter BYTES, [null_text BYTES] -> BYTES',
    ({ array, delimiter, null_text }, c) => {
      const item = c.fresh('item');
      const shown = null_text === undefined ? array : call('arrayMap', lambda([item], call('ifNull', ident(item), null_text)), array);
      return nullsPass(c, [undefined, delimiter, null_text], joined(shown, delimiter, c));
    },
  ),
  GENERATE_ARRAY: strict(
    'start INT64, stop INT64, [step INT64] -> ARRAY<INT64> | start NUMERIC, stop NUMERIC, [step NUMERIC] -> ARRAY<NUMERIC> | start BIGNUMERIC, stop BIGNUMERIC, [step BIGNUMERIC] -> ARRAY<BIGNUMERIC> | start FLOAT64, stop FLOAT64, [step FLOAT64] -> ARRAY<FLOAT64>',
    ({ start, stop, step }, c) => series(start, stop, step, c),
    { series: true, range: (start, stop) => unionRange([start, stop]) },
  ),
  ARRAY_FILTER: lambdaOf('arrayFilter', 'array ARRAY<T>, test (T;INT64)=>BOOL -> ARRAY<T>'),
  ARRAY_TRANSFORM: strict(
    'array ARRAY<T>, transform (T;INT64)=>U -> ARRAY<U>',
    ({ array, transform }) => call('arrayMap', ...withPosition(transform, array)),
    { emptyLikeNull: true, nullElements: 'made', neverFails: true },
  ),
  ARRAY_INCLUDES: strict('array ARRAY<T>, target T -> BOOL | array ARRAY<T>, target (T)=>BOOL -> BOOL', ({ array, target }) =>
    target.kind === 'lambda' ? call('arrayExists', target, array) : iff(isNull(target), NULL, call('has', array, target)),
  ),
  ARRAY_INCLUDES_ANY: strict('array ARRAY<T>, targets ARRAY<T> -> BOOL', ({ array, targets }, c) =>
    call('hasAny', withoutNulls(array, c), withoutNulls(targets, c)),
  ),
  ARRAY_INCLUDES_ALL: strict('array ARRAY<T>, targets ARRAY<T> -> BOOL', ({ array, targets }, c) =>
    // NULL is in no array.
    infix('AND', call('hasAll', withoutNulls(array, c), targets), not(call('has', targets, NULL))),
  ),
  ARRAY_MIN: strict('array ARRAY<T> -> T', ({ array }, c) => extreme('min', array, c), { emptyLikeNull: true }),
  ARRAY_MAX: strict('array ARRAY<T> -> T', ({ array }, c) => extreme('max', array, c), { emptyLikeNull: true }),
  ARRAY_SUM: strict(
    'array ARRAY<INT64> -> INT64 | array ARRAY<NUMERIC> -> NUMERIC | array ARRAY<BIGNUMERIC> -> BIGNUMERIC | array ARRAY<FLOAT64> -> FLOAT64',
    ({ array }, c) => sum(array, c),
    { emptyLikeNull: true },
  ),
  ARRAY_AVG: strict('array ARRAY<FLOAT64> -> FLOAT64', ({ array }, c) => average(array, c), { emptyLikeNull: true }),
  ARRAY_IS_DISTINCT: strict('array ARRAY<T> -> BOOL', ({ array }, c) => {
    if (c.typeOf(0).kind === 'ARRAY' && isFloat(c))
      return fail('unsupported', c.args[0]?.span ?? { start: 0, end: 0 }, 'ARRAY_IS_DISTINCT of FLOAT64 is not supported');
    // One NULL is distinct, which arrayDistinct leaves out.
    return infix('=', infix('+', call('length', call('arrayDistinct', array)), call('has', array, NULL)), call('length', array));
  }),
});

/** ClickHouse joins with one text for all rows; another is written before every element but the first. */
function joined(array: SqlExpression, delimiter: SqlExpression, c: LowerCall): SqlExpression {
  if (delimiter.kind === 'lit' || delimiter.kind === 'param') return call('arrayStringConcat', array, delimiter);
  const [shown, item, position] = [c.fresh('item'), c.fresh('item'), c.fresh('i')];
  const texts = call('arrayFilter', lambda([shown], isNotNull(ident(shown))), array);
  const led = iff(infix('=', ident(position), lit(1)), ident(item), call('concat', delimiter, ident(item)));
  return call('arrayStringConcat', call('arrayMap', lambda([item, position], led), texts, call('arrayEnumerate', texts)));
}

const isFloat = (c: LowerCall): boolean => {
  const type = c.typeOf(0);
  return type.kind === 'ARRAY' && type.element.kind === 'FLOAT64';
};

/** Intervals compare by their length, whatever their months and days. */
function extremeInterval(which: 'min' | 'max', array: SqlExpression, c: LowerCall): SqlExpression {
  const [shown, item] = [c.fresh('item'), c.fresh('item')];
  const some = call('arrayFilter', lambda([shown], isNotNull(ident(shown))), array);
  const sort = which === 'min' ? 'arraySort' : 'arrayReverseSort';
  return call('arrayElementOrNull', call(sort, lambda([item], intervalMicros(ident(item))), some), lit(1));
}

function extreme(which: 'min' | 'max', array: SqlExpression, c: LowerCall): SqlExpression {
  if (c.type.kind === 'INTERVAL') return extremeInterval(which, array, c);
  const value = call('arrayReduce', lit(`${which}OrNull`), array);
  if (!isFloat(c)) return value;
  const item = c.fresh('item');
  // NaN wins in BigQuery.
  return iff(call('arrayExists', lambda([item], call('isNaN', ident(item))), array), { kind: 'raw', text: 'nan' }, bare(value));
}
