// ARRAY functions. ClickHouse has no NULL array: here it is []; what differs for NULL, optimizer/null-arrays/ writes around the calls.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions
import { fail } from '../fail.ts';
import { COUNT, unionRange } from '../number-range.ts';
import type { SqlExpression } from '../target/ast.ts';
import {
  array as arrayOf,
  bare,
  call,
  cast,
  failIf,
  ident,
  iff,
  infix,
  isNotNull,
  isNull,
  lambda,
  lit,
  NULL,
  not,
  raw,
} from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import type { Family, LowerCall } from './define.ts';
import { isBeyondNumeric, LEAST } from './overflow.ts';
import { nullsPass, strict } from './strict.ts';

const whole = (name: string) => strict('array ARRAY<T> -> ARRAY<T>', ({ array }) => call(name, array), { emptyLikeNull: true });

/** The first or last element; an empty array is an error. */
const end = (position: 1 | -1, name: string) =>
  strict('array ARRAY<T> -> T', ({ array }, c) => {
    const element = call(c.type.kind === 'ARRAY' ? 'arrayElement' : 'arrayElementOrNull', array, lit(position));
    return c.failIf(call('empty', array), `${name}: the array is empty`, element);
  });

/** BigQuery includes the end, range() does not. */
function series(start: SqlExpression, stop: SqlExpression, step: SqlExpression | undefined, c: LowerCall): SqlExpression {
  const known = step === undefined ? 1n : c.constant(2);
  const none = [start, stop, step].filter((a, i): a is SqlExpression => a !== undefined && c.constant(i) === undefined).map(isNull);
  if (c.safe && known === undefined && step !== undefined)
    none.push(infix('=', step, lit(0)), ...(c.finite(2) ? [] : [call('isInfinite', step)]));
  const guarded = (items: SqlExpression): SqlExpression =>
    none.length === 0
      ? items
      : iff(
          none.reduce((a, b) => infix('OR', a, b)),
          arrayOf(),
          items,
        );
  if ([0, 1, 2].some((i) => c.constant(i) === null)) return call('emptyArrayInt64');
  if (known === 0n || known === 0) return fail('type', c.args[2]?.span ?? { start: 0, end: 0 }, 'the step of GENERATE_ARRAY is 0');
  const knownStep = typeof known === 'bigint' || typeof known === 'number' ? Number(known) : undefined;
  if (c.type.kind === 'ARRAY' && c.type.element.kind === 'INT64') {
    const one = call('toInt64', lit(1));
    if (knownStep !== undefined && knownStep !== 0) {
      const end = infix(knownStep > 0 ? '+' : '-', inside(stop, knownStep > 0 ? [GREATEST] : [LEAST], c), one);
      return guarded(call('range', start, end, ...(knownStep === 1 ? [] : [step ?? lit(1)])));
    }
    const by = checkedStep(step ?? lit(1), c);
    return guarded(call('range', start, infix('+', inside(stop, [GREATEST, LEAST], c), call('toInt64', call('sign', by))), by));
  }
  const by = knownStep === undefined ? checkedStep(step ?? lit(1), c) : (step ?? lit(1));
  const item = c.fresh('i');
  const steps = call('floor', infix('/', infix('-', stop, start), by));
  // The difference of two infinities is no number.
  const finite = c.finite(0) && c.finite(1);
  const count = call('greatest', finite ? steps : iff(infix('=', start, stop), lit(0), steps), lit(-1));
  const element = infix('+', start, infix('*', ident(item), by));
  return guarded(call('arrayMap', lambda([item], element), call('range', infix('+', call('toInt64', count), lit(1)))));
}

/** The step, where an array can be made with it. An array that may be NULL is none to ClickHouse, so only the step is checked. */
function checkedStep(step: SqlExpression, c: LowerCall): SqlExpression {
  if (c.safe) return step;
  const isZero = infix('=', step, lit(0));
  const bad = c.typeOf(2).kind === 'FLOAT64' && !c.finite(2) ? infix('OR', isZero, call('isInfinite', step)) : isZero;
  return c.failIf(bad, bad === isZero ? 'GENERATE_ARRAY: the step is 0' : 'GENERATE_ARRAY: the step is 0 or infinite', step);
}

const GREATEST = raw('toInt64(9223372036854775807)');

/** The last number of a series, unless it is one of INT64's ends: range() stops before its own end, and there is no number behind these. */
function inside(stop: SqlExpression, ends: readonly SqlExpression[], c: LowerCall): SqlExpression {
  const range = c.range(1);
  if (range !== undefined && range[0] > -9e18 && range[1] < 9e18) return stop;
  const known = c.constant(1);
  if (typeof known === 'bigint' && known > -(2n ** 63n) && known < 2n ** 63n - 1n) return stop;
  const isEnd = ends.map((end) => infix('=', stop, end)).reduce((any, test) => infix('OR', any, test));
  return failIf(isEnd, 'GENERATE_ARRAY up to an end of INT64 is not supported', stop);
}

const lambdaOf = (name: string, signature: 'array ARRAY<T>, test (T;INT64)=>BOOL -> ARRAY<T>') =>
  strict(signature, ({ array, test }) => call(name, ...withPosition(test, array)), { emptyLikeNull: true });

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

export const array: Family = {
  ARRAY_LENGTH: strict('array ARRAY<T> -> INT64', ({ array }) => call('toInt64', call('length', array)), { range: COUNT, length: true }),
  ARRAY_CONCAT: strict('...arrays ARRAY<T> -> ARRAY<T>', ({ arrays }) => call('arrayConcat', ...arrays)),
  ARRAY_REVERSE: whole('arrayReverse'),
  ARRAY_FIRST: end(1, 'ARRAY_FIRST'),
  ARRAY_LAST: end(-1, 'ARRAY_LAST'),
  ARRAY_SLICE: strict(
    'array ARRAY<T>, start INT64, end INT64 -> ARRAY<T>',
    ({ array, start, end }, c) => {
      // Positions count from 0, negative ones from the end; those outside of the array are its ends.
      const size = call('toInt64', call('length', array));
      const position = (at: SqlExpression): SqlExpression => iff(infix('<', at, lit(0)), infix('+', at, size), at);
      const from = call('greatest', position(start), call('toInt64', lit(0)));
      const known = c.constant(2);
      // A constant end that counts from the end of the array cannot lie far behind it.
      const to = typeof known === 'bigint' && known < 0n ? position(end) : call('least', position(end), size);
      const count = call('greatest', infix('+', infix('-', to, from), lit(1)), call('toInt64', lit(0)));
      // Of a NULL greatest and least know nothing.
      const nulls = [start, end].filter((_, i) => c.constant(i + 1) === undefined && !c.neverNull(i + 1)).map(isNull);
      const slice = call('arraySlice', array, infix('+', from, lit(1)), count);
      return nulls.length === 0
        ? slice
        : iff(
            nulls.reduce((a, b) => infix('OR', a, b)),
            arrayOf(),
            slice,
          );
    },
    { emptyLikeNull: true },
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
    { emptyLikeNull: true, nullElements: 'made' },
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
  ARRAY_AVG: strict(
    'array ARRAY<FLOAT64> -> FLOAT64',
    ({ array }, c) => {
      const average = call('arrayReduce', lit('avgOrNull'), array);
      return c.failIf(becomesInfinite(average, array, c), 'ARRAY_AVG: the sum is out of range', average);
    },
    { emptyLikeNull: true },
  ),
  ARRAY_IS_DISTINCT: strict('array ARRAY<T> -> BOOL', ({ array }, c) => {
    if (c.typeOf(0).kind === 'ARRAY' && isFloat(c))
      return fail('unsupported', c.args[0]?.span ?? { start: 0, end: 0 }, 'ARRAY_IS_DISTINCT of FLOAT64 is not supported');
    // One NULL is distinct, which arrayDistinct leaves out.
    return infix('=', infix('+', call('length', call('arrayDistinct', array)), call('has', array, NULL)), call('length', array));
  }),
};

/** ClickHouse joins with one text for all rows; another is written before every element but the first. */
function joined(array: SqlExpression, delimiter: SqlExpression, c: LowerCall): SqlExpression {
  if (isConstant(delimiter)) return call('arrayStringConcat', array, delimiter);
  const [shown, item, position] = [c.fresh('item'), c.fresh('item'), c.fresh('i')];
  const texts = call('arrayFilter', lambda([shown], isNotNull(ident(shown))), array);
  const led = iff(infix('=', ident(position), lit(1)), ident(item), call('concat', delimiter, ident(item)));
  return call('arrayStringConcat', call('arrayMap', lambda([item, position], led), texts, call('arrayEnumerate', texts)));
}

/** ClickHouse's sums wrap around, and those of floats become infinite. */
function sum(array: SqlExpression, c: LowerCall): SqlExpression {
  const message = 'ARRAY_SUM: the result is out of range';
  const item = c.fresh('item');
  const total = call('arrayReduce', lit('sumOrNull'), array);
  const each = (made: SqlExpression): SqlExpression => call('arrayReduce', lit('sumOrNull'), call('arrayMap', lambda([item], made), array));
  switch (c.type.kind) {
    case 'INT64': {
      const wide = call('arrayReduce', lit('sumOrNull'), cast(array, 'Array(Nullable(Int128))'));
      return call(c.safe ? 'accurateCastOrNull' : 'accurateCast', wide, lit(c.safe ? 'Int64' : 'Nullable(Int64)'));
    }
    case 'NUMERIC': {
      const wide = each(call('toDecimal256', ident(item), lit(9)));
      return c.failIf(isBeyondNumeric(wide), message, call('toDecimal128', wide, lit(9)));
    }
    case 'BIGNUMERIC':
      // Decimal256 wraps around, a float does not; beyond 5.7e38 a BIGNUMERIC has no room.
      return c.failIf(infix('>', call('abs', each(call('toFloat64', ident(item)))), raw('5.7e38')), message, total);
    default:
      return c.failIf(becomesInfinite(total, array, c), message, total);
  }
}

/** Whether a sum of numbers that are not infinite is. */
function becomesInfinite(total: SqlExpression, array: SqlExpression, c: LowerCall): SqlExpression {
  const item = c.fresh('item');
  const finite = call('arrayAll', lambda([item], call('ifNull', call('isFinite', ident(item)), lit(true))), array);
  return infix('AND', call('isInfinite', total), finite);
}

const isFloat = (c: LowerCall): boolean => {
  const type = c.typeOf(0);
  return type.kind === 'ARRAY' && type.element.kind === 'FLOAT64';
};

function extreme(which: 'min' | 'max', array: SqlExpression, c: LowerCall): SqlExpression {
  const value = call('arrayReduce', lit(`${which}OrNull`), array);
  if (!isFloat(c)) return value;
  const item = c.fresh('item');
  // NaN wins in BigQuery.
  return iff(call('arrayExists', lambda([item], call('isNaN', ident(item))), array), { kind: 'raw', text: 'nan' }, bare(value));
}
