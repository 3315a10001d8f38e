// Aggregate functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions
import { fail } from '../../fail.ts';
import type { Ch } from '../../target/ast.ts';
import { bare, call, iff, infix, lit, NULL, raw, tuple } from '../../target/build.ts';
import { typeName } from '../../types.ts';
import { define, defineAggregate, type Family, type LowerAggregateCall } from '../define.ts';
import { intervalMicros } from '../sort-key.ts';
import { distinctValue } from './group-value.ts';

/** FLOAT64 first: what an undeclared field is added up as. */
const NUMBERS = 'value FLOAT64 -> FLOAT64 | value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC';

/** 5.7e38: beyond it a BIGNUMERIC has no room. */
const BIGNUMERIC_LIMIT = raw('5.7e38');
const NUMERIC_LIMIT = "toDecimal256('99999999999999999999999999999.999999999', 9)";

function sum(given: Ch, c: LowerAggregateCall): Ch {
  const value = distinctValue(given, c);
  switch (c.type.kind) {
    case 'NUMERIC':
      return toNumeric(c.aggregate('sum', [call('toDecimal256', value, lit(9))]), 'SUM', c);
    case 'BIGNUMERIC': {
      // Decimal256 wraps around, a float does not.
      const size = call('abs', c.aggregate('sum', [call('toFloat64', value)]));
      return c.failIf(infix('>', size, BIGNUMERIC_LIMIT), 'SUM: the result is out of range', c.aggregate('sum', [value]));
    }
    case 'INTERVAL': {
      const part = (i: number): Ch => call('assumeNotNull', c.aggregate('sum', [call('tupleElement', value, lit(i))]));
      return iff(infix('=', c.aggregate('count', [value]), lit(0)), NULL, tuple(part(1), part(2), part(3)));
    }
    case 'FLOAT64': {
      const total = c.aggregate('sum', [value]);
      return (c.checked || c.safe) && c.finite(0) ? c.failIf(call('isInfinite', total), 'SUM: the result is out of range', total) : total;
    }
    default: {
      // Adding up in Int128 takes two to three times as long where little else is done.
      if (!c.checked && !c.safe) return c.aggregate('sum', [value]);
      const total = c.aggregate('sum', [call('toInt128', bare(value))]);
      return c.safe ? call('accurateCastOrNull', total, lit('Int64')) : call('accurateCast', total, lit('Nullable(Int64)'));
    }
  }
}

/** A sum or quotient of wider digits as NUMERIC. */
const toNumeric = (wide: Ch, name: string, c: LowerAggregateCall): Ch =>
  c.failIf(infix('>', call('abs', wide), raw(NUMERIC_LIMIT)), `${name}: the result is out of range`, call('toDecimal128', wide, lit(9)));

/** ClickHouse's avg of decimals is a float. */
function average(given: Ch, c: LowerAggregateCall): Ch {
  const value = distinctValue(given, c);
  // avg of Int64 adds up in Int64, which can wrap around.
  if (c.type.kind === 'FLOAT64') return c.aggregate('avg', [c.typeOf(0).kind === 'INT64' ? call('toFloat64', value) : value]);
  // Over no values the sum is NULL.
  const count = call('greatest', c.aggregate('count', [value]), lit(1));
  if (c.type.kind === 'INTERVAL') return averageInterval(value, call('toInt64', count), c);
  const counted = call('toDecimal256', count, lit(0));
  if (c.type.kind === 'BIGNUMERIC') return call('divideDecimal', sum(given, c), counted, lit(38));
  // divideDecimal cuts off; a tenth digit says which way to round.
  const quotient = call('divideDecimal', c.aggregate('sum', [call('toDecimal256', value, lit(9))]), counted, lit(10));
  return call('toDecimal128', call('round', quotient, lit(9)), lit(9));
}

/** What is left of months is divided as days of them, what is left of days as time. */
function averageInterval(value: Ch, counted: Ch, c: LowerAggregateCall): Ch {
  const total = (i: number): Ch => call('assumeNotNull', c.aggregate('sum', [call('tupleElement', value, lit(i))]));
  const rest = (whole: Ch, unit: number): Ch => infix('*', infix('%', whole, counted), lit(unit));
  const days = infix('+', total(2), rest(total(1), 30));
  const micros = infix('+', total(3), rest(days, 86_400_000_000));
  const parts = [total(1), days, micros].map((part) => call('toInt64', call('intDiv', part, counted)));
  return iff(infix('=', c.aggregate('count', [value]), lit(0)), NULL, tuple(...parts));
}

/** NaN is the least and the greatest of all values in BigQuery; ClickHouse passes it over. */
function extreme(name: 'min' | 'max', value: Ch, c: LowerAggregateCall): Ch {
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
      const plain = c.aggregate(name, [value], once);
      return c.finite(0) ? plain : iff(c.aggregate('max', [call('isNaN', value)], once), raw('nan'), plain);
    }
  }
}

function count(value: Ch | undefined, c: LowerAggregateCall): Ch {
  // Counting a column without NULLs is counting rows, without reading the column.
  if (value === undefined || (c.neverNull(0) && !c.distinct)) return call('toInt64', c.aggregate('count', []));
  if (c.typeOf(0).kind === 'ARRAY')
    return fail(
      'unsupported',
      c.args[0]?.span ?? { start: 0, end: 0 },
      'COUNT of arrays is not supported: ClickHouse has no NULL array',
      'use COUNT(*), or COUNTIF(ARRAY_LENGTH(…) > 0)',
    );
  return call('toInt64', c.aggregate('count', [distinctValue(value, c)]));
}

const plain = (name: string, signature: 'value BOOL -> BOOL' | 'value INT64 -> INT64' | 'value T -> T') =>
  defineAggregate(signature, ({ value }, c) => c.aggregate(name, [value], { distinct: false }), { finite: true });

export const aggregate: Family = {
  COUNT: defineAggregate('[value T] -> INT64', ({ value }, c) => count(value, c), { zeroWhenEmpty: true }),
  COUNTIF: defineAggregate(
    'condition BOOL -> INT64',
    ({ condition }, c) =>
      // The only distinct value that counts is TRUE.
      c.distinct
        ? call('toInt64', call('ifNull', c.aggregate('max', [condition], { distinct: false }), lit(false)))
        : call('toInt64', c.aggregate('count', [], { where: condition })),
    { zeroWhenEmpty: true },
  ),
  SUM: defineAggregate(`${NUMBERS} | value INTERVAL -> INTERVAL`, ({ value }, c) => sum(value, c), {
    finite: true,
    approximate: 'a sum of INT64 beyond INT64 wraps around instead of failing, except with SAFE., DISTINCT or OVER',
  }),
  AVG: defineAggregate(
    'value INT64 -> FLOAT64 | value FLOAT64 -> FLOAT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value INTERVAL -> INTERVAL',
    ({ value }, c) => average(value, c),
    { finite: true },
  ),
  MIN: defineAggregate('value T -> T', ({ value }, c) => extreme('min', value, c), { finite: true }),
  MAX: defineAggregate('value T -> T', ({ value }, c) => extreme('max', value, c), { finite: true }),
  ANY_VALUE: plain('any', 'value T -> T'),
  LOGICAL_AND: plain('min', 'value BOOL -> BOOL'),
  LOGICAL_OR: plain('max', 'value BOOL -> BOOL'),
  BIT_AND: plain('groupBitAnd', 'value INT64 -> INT64'),
  BIT_OR: plain('groupBitOr', 'value INT64 -> INT64'),
  GROUPING: define('key T -> INT64', (_args, c) =>
    fail(
      'type',
      c.args[0]?.span ?? { start: 0, end: 0 },
      'GROUPING needs GROUP BY',
      'give its argument as a key of GROUP BY ROLLUP, CUBE or GROUPING SETS',
    ),
  ),
  BIT_XOR: defineAggregate('value INT64 -> INT64', ({ value }, c) => c.aggregate('groupBitXor', [value])),
};
