// Aggregate functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions
import { fail } from '../../base/fail.ts';
import { COUNT, fits, productRange, type Range } from '../../base/number-range.ts';
import { typeName } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import {
  bare,
  call,
  failIf,
  iff,
  infix,
  isNotNull,
  lit,
  NULL,
  narrow,
  numberUnless,
  raw,
  tuple,
  unwidened,
  widened,
  writtenAs,
} from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { defineHelper } from '../../target/helpers.ts';
import { aggregatedBytes } from '../bytes-bits.ts';
import { bigMean, withDigits } from '../decimal.ts';
import { define, defineAggregate, type Facts, type Family, type LowerAggregateCall } from '../define.ts';
import { intervalMicros } from '../sort-key.ts';
import { isBeyond } from '../time/interval.ts';
import { distinctValue } from './group-value.ts';

/** FLOAT64 first: what an undeclared field is added up as. */
const NUMBERS = 'value FLOAT64 -> FLOAT64 | value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC';

/** 5.7e38: beyond it a BIGNUMERIC has no room. */
const BIGNUMERIC_LIMIT = raw('5.7e38');
const NUMERIC_LIMIT = "toDecimal256('99999999999999999999999999999.999999999', 9)";

const SUM_OUT_OF_RANGE = 'SUM: the result is out of range';

/** True if the sum over as many values as there can be rows is in range. */
const sumFits = (c: LowerAggregateCall): boolean => fits(productRange(c.range(0), COUNT), c.type);

function sum(given: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const value = distinctValue(given, c);
  switch (c.type.kind) {
    case 'NUMERIC':
      if (!sumFits(c)) {
        const total = wideSum(value, c);
        return writtenAs(toNumeric(total, 'SUM', c), numericSum(total));
      }
      return widened(value, c.aggregate('sum', [unwidened(value)]));
    case 'BIGNUMERIC': {
      // Decimal256 wraps around, a float does not.
      const size = call('abs', c.aggregate('sum', [call('toFloat64', value)]));
      return c.failIf(infix('>', size, BIGNUMERIC_LIMIT), SUM_OUT_OF_RANGE, c.aggregate('sum', [value]));
    }
    case 'INTERVAL': {
      const [months, days, micros] = intervalTotals(value, c);
      const total = tuple(call('toInt64', months), call('toInt64', days), call('toInt64', micros));
      const known = iff(infix('=', c.aggregate('count', [value]), lit(0)), NULL, total);
      return c.failIf(isBeyond([months, days, micros]), SUM_OUT_OF_RANGE, known);
    }
    case 'FLOAT64': {
      const total = c.aggregate('sum', [value]);
      if (sumFits(c)) return total;
      const grown = call('isInfinite', total);
      if (c.finite(0) || c.range(0) !== undefined) return c.numberUnless(grown, SUM_OUT_OF_RANGE, total);
      if (c.checked) return total;
      const size = c.aggregate('max', [call('abs', value)], { distinct: false });
      return calledSum('float64', total, c.numberUnless(infix('AND', grown, call('isFinite', size)), SUM_OUT_OF_RANGE, total));
    }
    default: {
      const short = c.distinct ? undefined : shortSum(value, c);
      if (short !== undefined) return short;
      if (sumFits(c)) return c.aggregate('sum', [value]);
      if (!c.checked && !c.safe) {
        // Measured over 20 million rows: 1.1 times a plain sum, in Int128 1.3 times. A sum that has wrapped around is off by 2^64 or more.
        const total = c.aggregate('sum', [value]);
        const rounded = c.aggregate('sum', [call('toFloat64', value)]);
        return calledSum(
          'int64',
          total,
          c.numberUnless(infix('>', call('abs', infix('-', rounded, total)), raw('1e18')), SUM_OUT_OF_RANGE, total),
        );
      }
      const total = c.aggregate('sum', [call('toInt128', bare(value))]);
      return c.safe ? call('accurateCastOrNull', total, lit('Int64')) : call('accurateCast', total, lit('Nullable(Int64)'));
    }
  }
}

/** Counts rows instead of adding up ones and zeros, and adds a constant once instead of for each row. */
function shortSum(value: SqlExpression, c: LowerAggregateCall): SqlExpression | undefined {
  const isNumber = (part: SqlExpression | undefined, number: bigint): boolean => {
    const plain = part === undefined ? NULL : bare(part);
    return plain.kind === 'lit' && plain.value === number;
  };
  if (value.kind === 'func' && value.name === 'if' && isNumber(value.args[1], 1n) && isNumber(value.args[2], 0n)) {
    const total = c.aggregate('sum', [value]);
    const counted = call('toInt64', c.aggregate('count', [], { where: value.args[0] ?? NULL }));
    if (total.kind !== 'func' || total.over !== null) return undefined;
    return total.name === 'sum' ? counted : iff(infix('=', c.aggregate('count', []), lit(0)), NULL, counted);
  }
  if (value.kind !== 'infix' || (value.operator !== '+' && value.operator !== '-') || !sumFits(c)) return undefined;
  const by = bare(value.right);
  if (by.kind !== 'lit' || isConstant(value.left)) return undefined;
  const of = unwidened(value.left);
  return infix(value.operator, c.aggregate('sum', [of]), infix('*', by, call('toInt64', c.aggregate('count', [of]))));
}

type Sum = 'sum' | 'sumOrNull';

const bodyOfSum = {
  float64: (value: SqlExpression, sum: Sum): SqlExpression => {
    const total = call(sum, value);
    const size = call(sum === 'sum' ? 'max' : 'maxOrNull', call('abs', value));
    return numberUnless(infix('AND', call('isInfinite', total), call('isFinite', size)), SUM_OUT_OF_RANGE, total);
  },
  int64: (value: SqlExpression, sum: Sum): SqlExpression => {
    const apart = infix('-', call(sum, call('toFloat64', value)), call(sum, value));
    return numberUnless(infix('>', call('abs', apart), raw('1e18')), SUM_OUT_OF_RANGE, call(sum, value));
  },
};

const sums = Object.fromEntries(
  (['float64', 'int64'] as const).flatMap((type) =>
    (['sum', 'sumOrNull'] as const).map((sum) => {
      const name = sum === 'sum' ? `sum_${type}` : `sum_${type}_or_null`;
      return [`${type} ${sum}`, defineHelper(name, ['_value'], (value) => bodyOfSum[type](value, sum))] as const;
    }),
  ),
);

/** The checked sum, as a call of a helper where it is a plain sum of all rows. */
function calledSum(type: keyof typeof bodyOfSum, total: SqlExpression, checked: SqlExpression): SqlExpression {
  if (total.kind !== 'func' || total.distinct || total.over !== null) return checked;
  const [value] = total.args;
  const helper = sums[`${type} ${total.name}`];
  return helper === undefined || value === undefined ? checked : writtenAs(checked, helper(value));
}

/** A sum that may be beyond NUMERIC. */
const numericSum = defineHelper('numeric_sum', ['_sum'], (total) =>
  failIf(infix('>', call('abs', total), raw(NUMERIC_LIMIT)), SUM_OUT_OF_RANGE, call('toDecimal128', total, lit(9))),
);

/** The sum of NUMERICs in 256 bits, with the digits after the point that they have. */
function wideSum(value: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const digits = value.kind === 'cast' ? (value.digits ?? 9) : (c.digits(0) ?? 9);
  const few = value.kind === 'cast' || digits >= 9 ? unwidened(value) : withDigits(value, digits);
  return c.aggregate('sum', [call('toDecimal256', few, lit(digits))]);
}

/** A sum or quotient of wider digits as NUMERIC. */
const toNumeric = (wide: SqlExpression, name: string, c: LowerAggregateCall): SqlExpression =>
  c.failIf(infix('>', call('abs', wide), raw(NUMERIC_LIMIT)), `${name}: the result is out of range`, call('toDecimal128', wide, lit(9)));

/** ClickHouse's avg of decimals is a float. */
function average(given: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const value = distinctValue(given, c);
  // avg of integers adds up in Int64, which can wrap around.
  if (c.type.kind === 'FLOAT64') {
    const whole = c.typeOf(0).kind === 'INT64';
    if (whole && fits(productRange(c.range(0), COUNT), c.typeOf(0))) return c.aggregate('avg', [narrow(value)]);
    return c.aggregate('avg', [whole ? call('toFloat64', narrow(value)) : value]);
  }
  // Over no values the sum is NULL.
  const counted = c.neverNull(0) && !c.distinct ? [] : [unwidened(value)];
  const count = call('greatest', c.aggregate('count', counted), lit(1));
  if (c.type.kind === 'INTERVAL') return averageInterval(value, call('toInt64', count), c);
  if (c.type.kind === 'BIGNUMERIC') return bigMean(sum(given, c), count);
  // A division cuts off; a tenth digit says which way to round.
  const total = sumFits(c) ? c.aggregate('sum', [unwidened(value)]) : wideSum(value, c);
  const quotient = infix('/', call('toDecimal256', total, lit(10)), count);
  return call('toDecimal128', call('round', quotient, lit(9)), lit(9));
}

/** Months, days and microseconds of all values, wide enough for as many as there can be. */
function intervalTotals(value: SqlExpression, c: LowerAggregateCall): readonly [SqlExpression, SqlExpression, SqlExpression] {
  const total = (i: number): SqlExpression =>
    call('assumeNotNull', c.aggregate('sum', [call('toInt128', call('tupleElement', value, lit(i)))]));
  return [total(1), total(2), total(3)];
}

/** The rest of the months is divided as days, the rest of the days as time. */
function averageInterval(value: SqlExpression, counted: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const totals = intervalTotals(value, c);
  const rest = (whole: SqlExpression, unit: number): SqlExpression => infix('*', infix('%', whole, counted), lit(unit));
  const days = infix('+', totals[1], rest(totals[0], 30));
  const micros = infix('+', totals[2], rest(days, 86_400_000_000));
  const parts = [totals[0], days, micros].map((part) => call('toInt64', call('intDiv', part, counted)));
  return iff(infix('=', c.aggregate('count', [value]), lit(0)), NULL, tuple(...parts));
}

/**
 * Types that min and max compare right once ClickHouse 26.7 has compiled them, after the third run of a query: it takes a DateTime64 before 1970 for a
 * large number. It compiles no `minOrNull`.
 */
const COMPARED_RIGHT: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'STRING', 'BOOL', 'BYTES']);

/** NaN is the least and the greatest of all values in BigQuery; ClickHouse passes it over. */
function extreme(name: 'min' | 'max', value: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const type = c.typeOf(0);
  const once = { distinct: false };
  switch (type.kind) {
    case 'ARRAY':
    case 'STRUCT':
    case 'JSON':
    case 'RECORD':
      return fail('type', c.args[0]?.span ?? { start: 0, end: 0 }, `values of type ${typeName(type)} have no order`);
    case 'INTERVAL':
      return c.aggregate(name === 'min' ? 'argMin' : 'argMax', [value, intervalMicros(value)], once);
    default: {
      const plain = widened(value, c.aggregate(name, [unwidened(value)], { ...once, orNull: !COMPARED_RIGHT.has(type.kind) }));
      return c.finite(0) ? plain : iff(c.aggregate('max', [call('isNaN', value)], once), raw('nan'), plain);
    }
  }
}

/** Returns the condition of `if(condition, 1, NULL)`. */
function conditionOf(value: SqlExpression): SqlExpression | undefined {
  const [condition, then, otherwise] = value.kind === 'func' && value.name === 'if' ? value.args : [];
  const isThere = then !== undefined && bare(then).kind === 'lit' && !isNullLiteral(then);
  if (condition === undefined || !isThere || otherwise === undefined || !isNullLiteral(otherwise)) return undefined;
  // The rows where it is NULL are not counted either way.
  const [inner, ifNull] = condition.kind === 'func' && condition.name === 'ifNull' ? condition.args : [];
  return inner !== undefined && ifNull?.kind === 'lit' && ifNull.value === false ? inner : condition;
}

const isNullLiteral = (value: SqlExpression): boolean =>
  (value.kind === 'lit' && value.value === null) || (value.kind === 'cast' && isNullLiteral(value.operand));

function count(value: SqlExpression | undefined, c: LowerAggregateCall): SqlExpression {
  // Counting a column without NULLs is counting rows, without reading the column.
  if (value === undefined || (c.neverNull(0) && !c.distinct)) return call('toInt64', c.aggregate('count', []));
  const met = c.distinct ? undefined : conditionOf(value);
  if (met !== undefined) return call('toInt64', c.aggregate('count', [], { where: met }));
  const type = c.typeOf(0);
  // ClickHouse takes a tuple of one for its field, and passes over a NULL in it.
  if (c.distinct && type.kind === 'STRUCT' && type.fields.length === 1)
    return call('toInt64', c.aggregate('count', [call('array', distinctValue(value, c))], { where: isNotNull(value) }));
  return call('toInt64', c.aggregate('count', [unwidened(distinctValue(value, c))]));
}

/** One of the values. */
const ofValue = (value: Range | undefined): Range | undefined => value;

const plain = (name: string, signature: 'value BOOL -> BOOL' | 'value T -> T', facts: Facts = {}) =>
  defineAggregate(signature, ({ value }, c) => c.aggregate(name, [value], { distinct: false }), { finite: true, ...facts });

/** `mode` says what becomes of BYTES whose lengths differ. */
const bits = (name: 'groupBitAnd' | 'groupBitOr' | 'groupBitXor') =>
  defineAggregate(
    'value INT64, [mode => STRING] -> INT64 | value BYTES, [mode => STRING] -> BYTES',
    ({ value }, c) => {
      const mode = (c.args[1] ?? null) === null ? 'STRICT' : c.constant(1);
      if (mode !== 'STRICT' && mode !== 'PAD') fail('type', c.args[1]?.span ?? { start: 0, end: 0 }, "the mode must be 'STRICT' or 'PAD'");
      if (c.type.kind === 'BYTES') return aggregatedBytes(name, value, mode === 'PAD', c);
      return c.aggregate(name, [value], name === 'groupBitXor' ? {} : { distinct: false });
    },
    { finite: true },
  );

export const aggregate = (): Family => ({
  COUNT: defineAggregate('[value T] -> INT64', ({ value }, c) => count(value, c), { zeroWhenEmpty: true, range: COUNT }),
  COUNTIF: defineAggregate(
    'condition BOOL -> INT64',
    ({ condition }, c) =>
      // The only distinct value that counts is TRUE.
      c.distinct
        ? call('toInt64', call('ifNull', c.aggregate('max', [condition], { distinct: false }), lit(false)))
        : call('toInt64', c.aggregate('count', [], { where: condition })),
    { zeroWhenEmpty: true, range: COUNT },
  ),
  SUM: defineAggregate(`${NUMBERS} | value INTERVAL -> INTERVAL`, ({ value }, c) => sum(value, c), {
    finite: true,
    digits: (value) => value,
    range: (value) => productRange(value, COUNT),
  }),
  AVG: defineAggregate(
    'value INT64 -> FLOAT64 | value FLOAT64 -> FLOAT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value INTERVAL -> INTERVAL',
    ({ value }, c) => average(value, c),
    { finite: true, range: ofValue },
  ),
  MIN: defineAggregate('value T -> T', ({ value }, c) => extreme('min', value, c), { finite: true, range: ofValue }),
  MAX: defineAggregate('value T -> T', ({ value }, c) => extreme('max', value, c), { finite: true, range: ofValue }),
  ANY_VALUE: plain('any', 'value T -> T', { range: ofValue, picks: true }),
  LOGICAL_AND: plain('min', 'value BOOL -> BOOL'),
  LOGICAL_OR: plain('max', 'value BOOL -> BOOL'),
  BIT_AND: bits('groupBitAnd'),
  BIT_OR: bits('groupBitOr'),
  BIT_XOR: bits('groupBitXor'),
  GROUPING: define('key T -> INT64', (_args, c) =>
    fail(
      'type',
      c.args[0]?.span ?? { start: 0, end: 0 },
      'GROUPING needs GROUP BY',
      'give its argument as a key of GROUP BY ROLLUP, CUBE or GROUPING SETS',
    ),
  ),
});
