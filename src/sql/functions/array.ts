// ARRAY functions. ClickHouse has no NULL array: a NULL array is [] (clickhouse/types.ts).
// https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions
import { fail } from '../fail.ts';
import type { Ch } from '../target/ast.ts';
import { array as arrayOf, bare, call, ident, iff, infix, isNotNull, isNull, lambda, lit, NULL } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import type { Family, LowerCall } from './define.ts';
import { nullsPass, strict } from './strict.ts';

const whole = (name: string) => strict('array ARRAY<T> -> ARRAY<T>', ({ array }) => call(name, array));

/** The first or last element; an empty array is an error. */
const end = (position: 1 | -1, name: string) =>
  strict('array ARRAY<T> -> T', ({ array }, c) => {
    const element = call(c.type.kind === 'ARRAY' ? 'arrayElement' : 'arrayElementOrNull', array, lit(position));
    return c.failIf(call('empty', array), `${name}: the array is empty`, element);
  });

/** BigQuery includes the end, range() does not. */
function series(start: Ch, stop: Ch, step: Ch | undefined, c: LowerCall): Ch {
  const isNullArg = [start, stop, step].filter((a, i): a is Ch => a !== undefined && c.constant(i) === undefined).map(isNull);
  const guarded = (items: Ch): Ch =>
    isNullArg.length === 0
      ? items
      : iff(
          isNullArg.reduce((a, b) => infix('OR', a, b)),
          arrayOf(),
          items,
        );
  if ([0, 1, 2].some((i) => c.constant(i) === null)) return call('emptyArrayInt64');
  const known = step === undefined ? 1n : c.constant(2);
  if (known === 0n || known === 0) return fail('type', c.args[2]?.span ?? { start: 0, end: 0 }, 'the step of GENERATE_ARRAY is 0');
  const knownStep = typeof known === 'bigint' || typeof known === 'number' ? Number(known) : undefined;
  if (c.type.kind === 'ARRAY' && c.type.element.kind === 'INT64') {
    if (knownStep !== undefined && knownStep !== 0)
      return guarded(
        call('range', start, infix(knownStep > 0 ? '+' : '-', stop, call('toInt64', lit(1))), ...(knownStep === 1 ? [] : [step ?? lit(1)])),
      );
    const by = step ?? lit(1);
    const items = call('range', start, infix('+', stop, call('toInt64', call('sign', by))), by);
    return guarded(c.failIf(infix('=', by, lit(0)), 'GENERATE_ARRAY: the step is 0', items));
  }
  const by = step ?? lit(1);
  const item = c.fresh('i');
  const count = call('toInt64', call('floor', infix('/', infix('-', stop, start), by)));
  const items = call(
    'arrayMap',
    lambda([item], infix('+', start, infix('*', ident(item), by))),
    call('range', call('greatest', infix('+', count, lit(1)), call('toInt64', lit(0)))),
  );
  return guarded(c.failIf(infix('=', by, lit(0)), 'GENERATE_ARRAY: the step is 0', items));
}

const lambdaOf = (name: string, signature: 'array ARRAY<T>, test (T;INT64)=>BOOL -> ARRAY<T>') =>
  strict(signature, ({ array, test }) => call(name, ...withPosition(test, array)));

/** A lambda of two parameters gets the 0-based position too. */
const withPosition = (fn: Ch, array: Ch): readonly Ch[] =>
  fn.kind === 'lambda' && fn.parameters.length === 2
    ? [fn, array, call('arrayMap', lambda(['i'], infix('-', call('toInt64', ident('i')), lit(1))), call('arrayEnumerate', array))]
    : [fn, array];

export const array: Family = {
  ARRAY_LENGTH: strict('array ARRAY<T> -> INT64', ({ array }) => call('toInt64', call('length', array))),
  ARRAY_CONCAT: strict('...arrays ARRAY<T> -> ARRAY<T>', ({ arrays }) => call('arrayConcat', ...arrays)),
  ARRAY_REVERSE: whole('arrayReverse'),
  ARRAY_FIRST: end(1, 'ARRAY_FIRST'),
  ARRAY_LAST: end(-1, 'ARRAY_LAST'),
  ARRAY_SLICE: strict('array ARRAY<T>, start INT64, end INT64 -> ARRAY<T>', ({ array, start, end }) => {
    // Positions count from 0, negative ones from the end; those outside of the array are its ends.
    const size = call('toInt64', call('length', array));
    const position = (at: Ch): Ch => iff(infix('<', at, lit(0)), infix('+', at, size), at);
    const from = call('greatest', position(start), call('toInt64', lit(0)));
    const to = position(end);
    const count = call('greatest', infix('+', infix('-', to, from), lit(1)), call('toInt64', lit(0)));
    return call('arraySlice', array, infix('+', from, lit(1)), count);
  }),
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
    { series: true },
  ),
  ARRAY_FILTER: lambdaOf('arrayFilter', 'array ARRAY<T>, test (T;INT64)=>BOOL -> ARRAY<T>'),
  ARRAY_TRANSFORM: strict('array ARRAY<T>, transform (T;INT64)=>U -> ARRAY<U>', ({ array, transform }) =>
    call('arrayMap', ...withPosition(transform, array)),
  ),
  ARRAY_INCLUDES: strict('array ARRAY<T>, target T -> BOOL | array ARRAY<T>, target (T)=>BOOL -> BOOL', ({ array, target }) =>
    target.kind === 'lambda' ? call('arrayExists', target, array) : iff(isNull(target), NULL, call('has', array, target)),
  ),
  ARRAY_INCLUDES_ANY: strict('array ARRAY<T>, targets ARRAY<T> -> BOOL', ({ array, targets }) => call('hasAny', array, targets)),
  ARRAY_INCLUDES_ALL: strict('array ARRAY<T>, targets ARRAY<T> -> BOOL', ({ array, targets }) => call('hasAll', array, targets)),
  ARRAY_MIN: strict('array ARRAY<T> -> T', ({ array }, c) => extreme('min', array, c)),
  ARRAY_MAX: strict('array ARRAY<T> -> T', ({ array }, c) => extreme('max', array, c)),
  ARRAY_SUM: strict('array ARRAY<INT64> -> INT64 | array ARRAY<NUMERIC> -> NUMERIC | array ARRAY<FLOAT64> -> FLOAT64', ({ array }) =>
    call('arrayReduce', lit('sumOrNull'), array),
  ),
  ARRAY_AVG: strict('array ARRAY<FLOAT64> -> FLOAT64', ({ array }) => call('arrayReduce', lit('avgOrNull'), array)),
  ARRAY_IS_DISTINCT: strict('array ARRAY<T> -> BOOL', ({ array }, c) => {
    if (c.typeOf(0).kind === 'ARRAY' && isFloat(c))
      return fail('unsupported', c.args[0]?.span ?? { start: 0, end: 0 }, 'ARRAY_IS_DISTINCT of FLOAT64 is not supported');
    return infix('=', call('length', call('arrayDistinct', array)), call('length', array));
  }),
};

/** ClickHouse joins with one text for all rows; another is written before every element but the first. */
function joined(array: Ch, delimiter: Ch, c: LowerCall): Ch {
  if (isConstant(delimiter)) return call('arrayStringConcat', array, delimiter);
  const [shown, item, position] = [c.fresh('item'), c.fresh('item'), c.fresh('i')];
  const texts = call('arrayFilter', lambda([shown], isNotNull(ident(shown))), array);
  const led = iff(infix('=', ident(position), lit(1)), ident(item), call('concat', delimiter, ident(item)));
  return call('arrayStringConcat', call('arrayMap', lambda([item, position], led), texts, call('arrayEnumerate', texts)));
}

const isFloat = (c: LowerCall): boolean => {
  const type = c.typeOf(0);
  return type.kind === 'ARRAY' && type.element.kind === 'FLOAT64';
};

function extreme(which: 'min' | 'max', array: Ch, c: LowerCall): Ch {
  const value = call('arrayReduce', lit(`${which}OrNull`), array);
  if (!isFloat(c)) return value;
  const item = c.fresh('item');
  // NaN wins in BigQuery.
  return iff(call('arrayExists', lambda([item], call('isNaN', ident(item))), array), { kind: 'raw', text: 'nan' }, bare(value));
}
