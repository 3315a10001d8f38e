// Division, remainders and arithmetic that gives NULL instead of failing.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions
import { fits, magnitudeRange, negatedRange } from '../base/number-range.ts';
import type { SqlExpression } from '../target/ast.ts';
import { bare, call, iff, infix, isNull, lit, NULL, raw } from '../target/build.ts';
import { bigSum, isBeyondNumeric, product, quotient, safeQuotient } from './decimal.ts';
import type { Family, LowerCall } from './define.ts';
import { LEAST, LEAST_BIGNUMERIC } from './overflow.ts';
import { nullOf, strict } from './strict.ts';

const PAIRS =
  'left INT64, right INT64 -> INT64 | left NUMERIC, right NUMERIC -> NUMERIC | left BIGNUMERIC, right BIGNUMERIC -> BIGNUMERIC | left FLOAT64, right FLOAT64 -> FLOAT64';
const EXACT_PAIRS =
  'left INT64, right INT64 -> INT64 | left NUMERIC, right NUMERIC -> NUMERIC | left BIGNUMERIC, right BIGNUMERIC -> BIGNUMERIC';
const QUOTIENTS =
  'left INT64, right INT64 -> FLOAT64 | left FLOAT64, right FLOAT64 -> FLOAT64 | left NUMERIC, right NUMERIC -> NUMERIC | left BIGNUMERIC, right BIGNUMERIC -> BIGNUMERIC';

/** The result, or NULL where it leaves its type's range. */
function safely(operator: '+' | '-' | '*', left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  switch (c.type.kind) {
    case 'INT64':
      return call('accurateCastOrNull', infix(operator, call('toInt128', left), right), lit('Int64'));
    case 'FLOAT64': {
      const result = infix(operator, left, right);
      return nullWhereInfinite(result, left, right);
    }
    case 'NUMERIC': {
      const exact = infix(operator, call('toDecimal256', left, lit(9)), right);
      const result = operator === '*' ? call('round', exact, lit(9)) : exact;
      return iff(isBeyondNumeric(result), NULL, call('accurateCastOrNull', result, lit('Decimal(38, 9)')));
    }
    default:
      return operator === '*' ? product(left, right, 'BIGNUMERIC', orNull(c)) : bigSum(operator, left, right);
  }
}

/** The call, whose checks give NULL instead of failing. */
const orNull = (c: LowerCall): LowerCall => ({ ...c, failIf: (condition, _, value) => iff(condition, NULL, value) });

const nullWhereInfinite = (result: SqlExpression, left: SqlExpression, right: SqlExpression): SqlExpression =>
  iff(infix('AND', call('isInfinite', result), infix('AND', call('isFinite', left), call('isFinite', right))), NULL, result);

/** A divisor that is 0 makes the result NULL under SAFE.; without it ClickHouse fails by itself. */
const divisor = (right: SqlExpression, c: LowerCall): SqlExpression => (c.safe ? call('nullIf', right, lit(0)) : right);

/** The whole parts of the largest decimals. */
const LARGEST_WHOLE = {
  NUMERIC: `toUInt128('${'9'.repeat(29)}')`,
  BIGNUMERIC: `toUInt256('${(2n ** 255n - 1n) / 10n ** 38n}')`,
} as const;

/** The whole part of a quotient. Of integers only one leaves the type: the least one divided by -1. */
function whole(left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  const by = divisor(right, c);
  if (c.type.kind !== 'INT64') {
    // intDiv of decimals counts in 64 bits; both have the same scale.
    const digits = (value: SqlExpression): SqlExpression =>
      call('reinterpret', value, lit(c.type.kind === 'NUMERIC' ? 'Int128' : 'Int256'));
    const one = inType(lit(1), c);
    const held = isSurelyDivisor(c) ? by : call('ifNull', iff(isNull(left), one, by), one);
    const exact = call('intDiv', digits(left), digits(held));
    const outside = infix('>', call('abs', exact), raw(LARGEST_WHOLE[c.type.kind === 'NUMERIC' ? 'NUMERIC' : 'BIGNUMERIC']));
    const value = c.failIf(outside, 'DIV: the result is out of range', inType(iff(outside, lit(0), exact), c));
    return held === by ? value : iff(infix('OR', isNull(left), isNull(by)), NULL, value);
  }
  const known = c.constant(1);
  if (known === LEAST_INT64) return call('toInt64', infix('=', left, LEAST));
  const held = isSurelyDivisor(c) ? by : ofNull(left, by, c);
  const quotient = call('intDiv', left, held);
  if ((typeof known === 'bigint' && known !== -1n) || fits(negatedRange(c.range(0)), c.type)) return quotient;
  // Divided by 1 there, it fails with words of its own.
  const wraps = infix('AND', infix('=', right, lit(-1)), infix('=', left, LEAST));
  return c.failIf(wraps, 'DIV: the result is out of range', call('intDiv', iff(wraps, lit(0), left), held));
}

/** No column is divided by it in ClickHouse. */
const LEAST_INT64 = -(2n ** 63n);

/** ClickHouse fails for the least integer and -1, where every number leaves 0. */
function remainder(left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  const by = divisor(right, c);
  const known = c.constant(1);
  if (c.type.kind === 'INT64' && known === LEAST_INT64) return iff(infix('=', left, LEAST), lit(0), left);
  const plain = c.type.kind !== 'INT64' || (typeof known === 'bigint' && known !== -1n) || fits(negatedRange(c.range(0)), c.type);
  const held = plain ? by : iff(infix('=', by, lit(-1)), lit(1), by);
  return infix('%', left, isSurelyDivisor(c) ? held : ofNull(left, held, c));
}

/** A constant other than 0. */
const isSurelyDivisor = (c: LowerCall): boolean => c.constant(1) !== undefined && Number(c.constant(1)) !== 0;

/** NULL is divided by 1: ClickHouse fails where it is divided by 0. */
const ofNull = (left: SqlExpression, by: SqlExpression, c: LowerCall): SqlExpression =>
  c.neverNull(0) ? by : iff(isNull(left), lit(1), by);

/** Whole numbers of the call's type. */
const inType = (value: SqlExpression, c: LowerCall): SqlExpression =>
  c.type.kind === 'NUMERIC' ? call('toDecimal128', value, lit(9)) : call('toDecimal256', value, lit(38));

export const arithmetic = (): Family => ({
  DIV: strict(EXACT_PAIRS, ({ left, right }, c) => whole(left, right, c), { range: magnitudeRange, divides: true }),
  MOD: strict(EXACT_PAIRS, ({ left, right }, c) => remainder(left, right, c), {
    range: (_, by) => by && [-Math.max(-by[0], by[1]), Math.max(-by[0], by[1])],
    divides: true,
  }),
  SAFE_DIVIDE: strict(
    QUOTIENTS,
    ({ left, right }, c) => {
      // ClickHouse finds out too late that this is NULL for all rows.
      if (c.constant(1) !== undefined && Number(c.constant(1)) === 0) return nullOf(c.type);
      const isKnown = c.constant(1) !== undefined && c.constant(1) !== null;
      const by = isKnown ? bare(right) : call('nullIf', bare(right), lit(0));
      if (c.type.kind === 'NUMERIC') return safeQuotient(left, by);
      if (c.type.kind === 'BIGNUMERIC') return quotient(left, by, c.type.kind, orNull(c));
      const divided = infix('/', bare(left), by);
      const known = c.constant(1);
      const grows = c.typeOf(0).kind === 'FLOAT64' && !(typeof known === 'number' && Math.abs(known) >= 1);
      return grows ? nullWhereInfinite(divided, left, right) : divided;
    },
    { finite: true, divides: true },
  ),
  IEEE_DIVIDE: strict('left FLOAT64, right FLOAT64 -> FLOAT64', ({ left, right }) => infix('/', left, right), { divides: true }),
  SAFE_ADD: strict(PAIRS, ({ left, right }, c) => safely('+', left, right, c)),
  SAFE_SUBTRACT: strict(PAIRS, ({ left, right }, c) => safely('-', left, right, c)),
  SAFE_MULTIPLY: strict(PAIRS, ({ left, right }, c) => safely('*', left, right, c)),
  SAFE_NEGATE: strict(
    'value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value FLOAT64 -> FLOAT64',
    ({ value }, c) =>
      c.type.kind === 'INT64'
        ? call('accurateCastOrNull', call('negate', call('toInt128', value)), lit('Int64'))
        : call('negate', c.type.kind === 'BIGNUMERIC' ? call('nullIf', value, LEAST_BIGNUMERIC) : value),
  ),
});
