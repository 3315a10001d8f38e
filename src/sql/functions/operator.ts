// Operators, as functions whose names users cannot write.

import { fail } from '../base/fail.ts';
import { differenceRange, negatedRange, productRange, sumRange } from '../base/number-range.ts';
import type { SqlExpression } from '../target/ast.ts';
import {
  bare,
  call,
  ident,
  iff,
  inArray,
  infix,
  inList,
  isNotNull,
  isNull,
  lambda,
  lit,
  NULL,
  not,
  raw,
  select,
  unwidened,
} from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { mayFail } from '../target/may-fail.ts';
import { bitwiseBytes, invertedBytes, shiftedBytes } from './bytes-bits.ts';
import { type Arguments, define, type Facts, type Family, type LowerCall } from './define.ts';
import { divide } from './divide.ts';
import { among, comparable, distinct, equal } from './equality.ts';
import { checked, checkedMinus } from './overflow.ts';
import { nullOf } from './strict.ts';
import { likes } from './text/like.ts';
import {
  combine,
  divide as divideInterval,
  minus as minusInterval,
  multiply as multiplyInterval,
  between as timeBetween,
} from './time/interval.ts';
import { intervalTuple, shift, shiftDays } from './time/shift.ts';

/**
 * Characters that JSON writes as they are, or as \\u and four digits. One of them is no digit and no e: numbers may be written otherwise than they are read.
 */
const WORD = '[A-Za-z0-9_-]*[A-DF-Za-df-z_][A-Za-z0-9_-]*';

/** A search for an empty word finds it in every text. */
const mayHold = (text: SqlExpression, word: SqlExpression): SqlExpression =>
  infix('OR', infix('!=', call('position', text, word), lit(0)), infix('!=', call('position', text, lit('\\u')), lit(0)));

const inSet = (value: SqlExpression, array: SqlExpression, alias: string): SqlExpression => ({
  kind: 'in',
  operand: value,
  items: select([{ value: call('arrayJoin', array), alias }], null),
  not: false,
});

const NUMERIC_PAIRS =
  'left INT64, right INT64 -> INT64 | left NUMERIC, right NUMERIC -> NUMERIC | left BIGNUMERIC, right BIGNUMERIC -> BIGNUMERIC | left FLOAT64, right FLOAT64 -> FLOAT64';

const written = <const S extends string>(
  operator: string,
  signature: S,
  lower: (args: Arguments<S>, call: LowerCall) => SqlExpression,
  facts: Facts = {},
): ReturnType<typeof define> => define(signature, lower, { operator, ...facts });

/** NULL for NULL. */
const operation = <const S extends string>(
  operator: string,
  signature: S,
  lower: (args: Arguments<S>, call: LowerCall) => SqlExpression,
  facts: Facts = {},
) => written(operator, signature, lower, { strict: 'any', ...facts });

/** Fails instead of leaving the range of the numbers. */
const arithmetic = <const S extends string>(
  operator: string,
  signature: S,
  lower: (args: Arguments<S>, call: LowerCall) => SqlExpression,
  facts: Facts = {},
) => written(operator, signature, lower, { strict: 'any', finite: true, ...facts });

const most = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? undefined : Math.max(left, right);

/** FALSE, once what may fail has been computed: ClickHouse's AND and OR leave it out where what stands before it decides. */
function computed(values: readonly SqlExpression[]): SqlExpression | undefined {
  const failing = values.filter((value) => !isConstant(value) && mayFail(value));
  return failing.length === 0 ? undefined : call('ignore', ...failing);
}

const subscript = (operator: string, elementFrom: 0 | 1, safe: boolean) =>
  written(
    operator,
    'array ARRAY<T>, index INT64 -> T',
    ({ array, index }, c) => element(array, bare(index), { first: elementFrom, safe }, c),
    {
      elementFrom,
      range: (elements) => elements,
      ...(safe ? { emptyLikeNull: true } : {}),
    },
  );

const comparison = (operator: string, turned: string) =>
  operation(
    operator,
    'left T, right T -> BOOL',
    ({ left, right }, c) => infix(operator, comparable(left, c.typeOf(0)), comparable(right, c.typeOf(0))),
    { compares: true, turned },
  );

/** Zeros come in on both sides. With a signed count ClickHouse would take an unsigned value for a signed one. */
function shiftBits(name: 'bitShiftLeft' | 'bitShiftRight', value: SqlExpression, count: SqlExpression, c: LowerCall): SqlExpression {
  const known = c.constant(1);
  if (known === null || c.constant(0) === null) return nullOf(c.type);
  const bits = typeof known === 'bigint' ? lit(known < 0n ? 0n : known) : call('toUInt64', count);
  const shifted = call('toInt64', call(name, call('toUInt64', value), bits));
  if (typeof known === 'bigint' && known >= 0n && known < 64n) return shifted;
  // NULL stays NULL.
  const held = iff(infix('>=', count, lit(64)), call('bitAnd', value, lit(0)), shifted);
  const isNegative = infix('<', count, lit(0));
  return c.failIf(c.neverNull(0) ? isNegative : infix('AND', isNegative, isNotNull(value)), 'a shift by a negative number of bits', held);
}

const SHIFTED = 'value INT64, count INT64 -> INT64 | value BYTES, count INT64 -> BYTES';
const isBytes = (c: LowerCall): boolean => c.type.kind === 'BYTES';

const bitwise = (operator: string, name: 'bitAnd' | 'bitOr' | 'bitXor') =>
  operation(operator, 'left INT64, right INT64 -> INT64 | left BYTES, right BYTES -> BYTES', ({ left, right }, c) =>
    isBytes(c) ? bitwiseBytes(name, left, right, c) : call(name, left, right),
  );

/** LIKE ANY|ALL over an array of patterns: a NULL pattern makes the answer NULL unless another pattern decides. */
function quantifiedLike(unlike: boolean, quantifier: 'any' | 'all') {
  const operator = `${unlike ? 'NOT ' : ''}LIKE ${quantifier.toUpperCase()}`;
  return written(
    operator,
    'value STRING, patterns ARRAY<STRING> -> BOOL | value BYTES, patterns ARRAY<BYTES> -> BOOL',
    ({ value, patterns }, c) => {
      const pattern = c.fresh('pattern');
      const like = likes(value, ident(pattern), undefined, c.typeOf(0).kind === 'BYTES');
      const test = unlike ? not(like) : like;
      const some = (condition: SqlExpression): SqlExpression => call('arrayExists', lambda([pattern], condition), patterns);
      const decided = quantifier === 'any' ? some(call('ifNull', test, lit(false))) : some(not(call('ifNull', test, lit(true))));
      return call('multiIf', decided, lit(quantifier === 'any'), some(isNull(test)), NULL, lit(quantifier === 'all'));
    },
    unlike ? { emptyLikeNull: true } : { emptyLikeNull: true, matches: true },
  );
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of operators
export const operator = (): Family => ({
  $add: arithmetic(
    '+',
    `${NUMERIC_PAIRS} | left DATE, right INT64 -> DATE | left DATE, right INTERVAL -> DATETIME | left DATETIME, right INTERVAL -> DATETIME | left TIMESTAMP, right INTERVAL -> TIMESTAMP | left INTERVAL, right DATETIME -> DATETIME | left INTERVAL, right TIMESTAMP -> TIMESTAMP | left INTERVAL, right INTERVAL -> INTERVAL`,
    ({ left, right }, c) => {
      if (c.typeOf(0).kind === 'INTERVAL' || c.typeOf(1).kind === 'INTERVAL') return addInterval(left, right, c, 1);
      return c.typeOf(0).kind === 'DATE' ? shiftDays(left, right, 1, c) : checked('+', left, right, c);
    },
    { range: sumRange, digits: most },
  ),
  $subtract: arithmetic(
    '-',
    `${NUMERIC_PAIRS} | left DATE, right INT64 -> DATE | left DATE, right INTERVAL -> DATETIME | left DATETIME, right INTERVAL -> DATETIME | left TIMESTAMP, right INTERVAL -> TIMESTAMP | left INTERVAL, right INTERVAL -> INTERVAL | left DATE, right DATE -> INTERVAL | left DATETIME, right DATETIME -> INTERVAL | left TIMESTAMP, right TIMESTAMP -> INTERVAL | left TIME, right TIME -> INTERVAL`,
    ({ left, right }, c) => {
      if (c.typeOf(1).kind === 'INTERVAL') return addInterval(left, right, c, -1);
      if (c.type.kind === 'INTERVAL') return timeBetween(left, right, c.typeOf(0).kind);
      return c.typeOf(0).kind === 'DATE' ? shiftDays(left, right, -1, c) : checked('-', left, right, c);
    },
    { range: differenceRange, digits: most },
  ),
  $multiply: arithmetic(
    '*',
    `${NUMERIC_PAIRS} | left INTERVAL, right INT64 -> INTERVAL | left INT64, right INTERVAL -> INTERVAL`,
    ({ left, right }, c) => {
      if (c.type.kind === 'INTERVAL')
        return c.typeOf(0).kind === 'INTERVAL' ? multiplyInterval(left, right, c) : multiplyInterval(right, left, c);
      return checked('*', left, right, c);
    },
    { range: productRange, digits: (left, right) => (left === undefined || right === undefined ? undefined : left + right) },
  ),
  $divide: arithmetic(
    '/',
    'left INT64, right INT64 -> FLOAT64 | left FLOAT64, right FLOAT64 -> FLOAT64 | left NUMERIC, right NUMERIC -> NUMERIC | left BIGNUMERIC, right BIGNUMERIC -> BIGNUMERIC | left INTERVAL, right INT64 -> INTERVAL',
    ({ left, right }, c) => (c.type.kind === 'INTERVAL' ? divideInterval(left, right, c) : divide(left, right, c)),
    { divides: true },
  ),
  $negate: arithmetic(
    '-',
    'value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value FLOAT64 -> FLOAT64 | value INTERVAL -> INTERVAL',
    ({ value }, c) => (c.type.kind === 'INTERVAL' ? minusInterval(value) : checkedMinus(value, c)),
    { range: negatedRange },
  ),
  $plus: arithmetic(
    '+',
    'value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value FLOAT64 -> FLOAT64',
    ({ value }) => value,
    { range: (value) => value },
  ),
  $concat: operation(
    '||',
    'left TEXT, right TEXT -> STRING | left BYTES, right BYTES -> BYTES | left ARRAY<T>, right ARRAY<T> -> ARRAY<T>',
    ({ left, right }, c) => (c.type.kind === 'ARRAY' ? call('arrayConcat', left, right) : infix('||', left, right)),
  ),
  $bit_not: operation('~', 'value INT64 -> INT64 | value BYTES -> BYTES', ({ value }, c) =>
    isBytes(c) ? invertedBytes(value, c) : call('bitNot', value),
  ),
  $bit_and: bitwise('&', 'bitAnd'),
  $bit_or: bitwise('|', 'bitOr'),
  $bit_xor: bitwise('^', 'bitXor'),
  $shift_left: operation('<<', SHIFTED, ({ value, count }, c) =>
    isBytes(c) ? shiftedBytes(1, value, count, c) : shiftBits('bitShiftLeft', value, count, c),
  ),
  $shift_right: operation('>>', SHIFTED, ({ value, count }, c) =>
    isBytes(c) ? shiftedBytes(-1, value, count, c) : shiftBits('bitShiftRight', value, count, c),
  ),

  $equal: written('=', 'left T, right T -> BOOL', ({ left, right }, c) => equal(left, right, c.typeOf(0), c.fresh), {
    strict: 'any',
    searches: 'value',
    compares: true,
    turned: '$equal',
    equality: true,
  }),
  $not_equal: operation(
    '<>',
    'left T, right T -> BOOL',
    ({ left, right }, c) =>
      c.typeOf(0).kind === 'STRUCT' || c.typeOf(0).kind === 'ARRAY'
        ? not(equal(left, right, c.typeOf(0), c.fresh))
        : infix('!=', comparable(left, c.typeOf(0)), comparable(right, c.typeOf(0))),
    { compares: true, turned: '$not_equal' },
  ),
  $less: comparison('<', '$greater'),
  $less_or_equal: comparison('<=', '$greater_or_equal'),
  $greater: comparison('>', '$less'),
  $greater_or_equal: comparison('>=', '$less_or_equal'),
  // With one bound that is NULL, the other one may still say no.
  $between: written(
    'BETWEEN',
    'value T, low T, high T -> BOOL',
    ({ value, low, high }, c) => {
      const at = comparable(value, c.typeOf(0));
      const within = infix('AND', infix('>=', at, comparable(low, c.typeOf(0))), infix('<=', at, comparable(high, c.typeOf(0))));
      const ignored = computed([low, high]);
      return ignored === undefined ? within : infix('AND', not(ignored), within);
    },
    { strict: 'first', compares: true },
  ),
  $is_distinct: written('IS DISTINCT FROM', 'left T, right T -> BOOL', ({ left, right }, c) => distinct(left, right, c), {
    compares: true,
  }),
  $is_not_distinct: written('IS NOT DISTINCT FROM', 'left T, right T -> BOOL', ({ left, right }, c) => not(distinct(left, right, c)), {
    compares: true,
    equality: true,
  }),
  $is_null: written('IS NULL', 'value T -> BOOL', ({ value }) => isNull(unwidened(value))),
  $is_not_null: written('IS NOT NULL', 'value T -> BOOL', ({ value }) => isNotNull(value)),
  $is_true: written('IS TRUE', 'value BOOL -> BOOL', ({ value }) => call('ifNull', value, lit(false))),
  $is_false: written('IS FALSE', 'value BOOL -> BOOL', ({ value }) => not(call('ifNull', value, lit(true)))),

  $and: written('AND', 'left BOOL, right BOOL -> BOOL', ({ left, right }) => infix('AND', left, right)),
  $or: written('OR', 'left BOOL, right BOOL -> BOOL', ({ left, right }) => infix('OR', left, right)),
  $not: operation('NOT', 'value BOOL -> BOOL', ({ value }) => not(value)),

  $in_list: written(
    'IN',
    'value T, ...items T -> BOOL',
    ({ value, items }, c) => {
      const type = c.typeOf(0);
      const constants = c.args.slice(1).every((a) => a?.kind === 'literal' && a.value !== null);
      if (constants && type.kind !== 'STRUCT' && type.kind !== 'INTERVAL') {
        // To a set one NaN is equal to another.
        const numbers = items.filter((_, i) => !Number.isNaN(c.constant(i + 1)));
        // Nor is 0.0 equal to -0.0.
        const isZero = type.kind === 'FLOAT64' && items.some((_, i) => Number(c.constant(i + 1)) === 0);
        const zeros = isZero ? [raw('0.0'), raw('-0.0')] : [];
        return numbers.length > 0
          ? inList(type.kind === 'TIMESTAMP' ? value : comparable(value, type), [...numbers.map(bare), ...zeros])
          : iff(isNull(value), NULL, lit(false));
      }
      // ClickHouse's IN forgets NULLs in the list; a chain of equalities keeps three-valued logic.
      const found = items.map((item) => equal(value, item, type, c.fresh)).reduce((all, test) => infix('OR', all, test));
      const ignored = computed(items.slice(1));
      return ignored === undefined ? found : infix('OR', ignored, found);
    },
    { strict: 'first', compares: true },
  ),
  $in_array: written(
    'IN UNNEST',
    'value T, array ARRAY<T> -> BOOL',
    ({ value, array }, c) => {
      const type = c.typeOf(0);
      if (type.kind === 'STRUCT' || type.kind === 'INTERVAL') {
        const item = c.fresh('item');
        const test = equal(ident(item), value, type, c.fresh);
        const any = (condition: SqlExpression): SqlExpression => call('arrayExists', lambda([item], condition), array);
        return call('multiIf', any(call('ifNull', test, lit(false))), lit(true), any(isNull(test)), NULL, lit(false));
      }
      // has() compares with each of many elements, while a set is looked up, also by the key of a table. Numbers that are written
      // differently may be equal, so this is done only for some types.
      const isSet = (type.kind === 'INT64' || type.kind === 'STRING') && array.kind !== 'ident' && isConstant(array);
      const held = (of: SqlExpression): SqlExpression => (isSet ? inArray(value, of) : call('has', of, value));
      // To has() one NaN is equal to another.
      const mayBeNaN = type.kind === 'FLOAT64' && !c.finite(0);
      return among(value, array, c.neverNull(0), (of) => (mayBeNaN ? infix('AND', held(of), not(call('isNaN', value))) : held(of)));
    },
    { compares: true, matches: true, emptyLikeNull: true },
  ),
  $like: operation(
    'LIKE',
    'value STRING, pattern STRING -> BOOL | value BYTES, pattern BYTES -> BOOL',
    ({ value, pattern }, c) => likes(value, pattern, c.constant(1), c.typeOf(0).kind === 'BYTES'),
    { matches: true },
  ),

  // Membership in a generated series, where neither side holds a NULL. As a set it is looked up at once; has() compares with every element:
  // measured, 301 buckets over one block of rows cost 8 ms.
  $in_series: define(
    'value T, array ARRAY<T> -> BOOL',
    ({ value, array }, c) => (isConstant(array) ? inSet(value, array, c.fresh('start')) : call('has', array, value)),
    { emptyLikeNull: true },
  ),
  // Tests whether a JSON text may contain a string with `value` in it, or one that a regular expression which is a plain word matches.
  $json_may_hold: define('text STRING, value STRING -> BOOL', ({ text, value }) => mayHold(text, call('extract', value, lit(WORD)))),
  $json_may_match: define('text STRING, regexp STRING -> BOOL', ({ text, regexp }) =>
    mayHold(text, call('extract', regexp, lit(`^(?:${WORD})$`))),
  ),
  $like_any: quantifiedLike(false, 'any'),
  $like_all: quantifiedLike(false, 'all'),
  $unlike_any: quantifiedLike(true, 'any'),
  $unlike_all: quantifiedLike(true, 'all'),

  /** The key of an order by the rules of Unicode, whatever the case: ORDER BY writes it, and nothing else can. */
  $collated: define('value STRING -> STRING', (_, c) =>
    fail('unsupported', c.args[0]?.span ?? { start: 0, end: 0 }, 'COLLATE is not translated here', 'to ignore case, order by LOWER(text)'),
  ),
  $offset: subscript('OFFSET', 0, false),
  $ordinal: subscript('ORDINAL', 1, false),
  $safe_offset: subscript('SAFE_OFFSET', 0, true),
  $safe_ordinal: subscript('SAFE_ORDINAL', 1, true),

  $interval: define('count INT64, part PART -> INTERVAL', ({ count }, c) => intervalTuple(count, String(c.constant(1)), c)),
});

/** Element by position counted from `first`; outside of the array an error, or NULL for the SAFE_ forms. ClickHouse counts from 1 and takes negative positions from the end. */
function element(
  array: SqlExpression,
  index: SqlExpression,
  { first, safe }: { readonly first: 0 | 1; readonly safe: boolean },
  c: LowerCall,
): SqlExpression {
  const type = c.typeOf(0);
  if (type.kind === 'ARRAY' && type.element.kind === 'RECORD') {
    return fail(
      'unsupported',
      c.args[0]?.span ?? { start: 0, end: 0 },
      'an element of an array of records can be used only to read a field of the first one',
      'unnest the array: CROSS JOIN UNNEST(array) AS element',
    );
  }
  const known = c.constant(1);
  // Before the first element there is none, and no array has so many.
  if (safe && typeof known === 'bigint' && (known < first || known > MOST_ELEMENTS)) return nullOf(c.type);
  const next = typeof known === 'bigint' ? lit(known + 1n) : infix('+', index, lit(1));
  const position = first === 1 ? index : next;
  const constant = known !== undefined && known !== null && Number(known) >= first;
  const value = call('arrayElementOrNull', array, position);
  const outside = constant
    ? infix('<', call('length', array), position)
    : infix('OR', infix('<', position, lit(1)), infix('>', position, call('length', array)));
  const read = c.type.kind === 'ARRAY' ? call('arrayElement', array, position) : value;
  if (safe) return constant ? read : iff(outside, NULL, read);
  return c.failIf(outside, 'the array index is out of bounds', read);
}

const MOST_ELEMENTS = 2n ** 32n;

/** value ± interval, or the sum or difference of two intervals. */
function addInterval(left: SqlExpression, right: SqlExpression, c: LowerCall, sign: 1 | -1): SqlExpression {
  if (c.type.kind === 'INTERVAL') return combine(left, right, sign === 1 ? '+' : '-', c);
  const at = c.typeOf(0).kind === 'INTERVAL' ? 0 : 1;
  const [value, interval] = at === 0 ? [right, left] : [left, right];
  const base = c.typeOf(1 - at).kind === 'DATE' ? call('toDateTime64', value, lit(6), lit('UTC')) : value;
  return shift(base, interval, at, 1 - at, sign, c);
}
