// ROUND, TRUNC, CEIL, FLOOR. https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#round
import { fail } from '../base/fail.ts';
import { fits } from '../base/number-range.ts';
import { NUMERIC } from '../base/types.ts';
import type { SqlExpression } from '../target/ast.ts';
import { bare, call, iff, infix, lit, NULL, raw } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { defineHelper } from '../target/helpers.ts';
import { isBeyondNumeric, leavesNumeric } from './decimal.ts';
import type { Family, LowerCall } from './define.ts';
import { strict } from './strict.ts';

const SIGNATURE =
  'value INT64, [digits INT64] -> FLOAT64 | value FLOAT64, [digits INT64] -> FLOAT64 | value NUMERIC, [digits INT64] -> NUMERIC | value BIGNUMERIC, [digits INT64] -> BIGNUMERIC';
const ROUND_SIGNATURE =
  'value INT64, [digits INT64] -> FLOAT64 | value FLOAT64, [digits INT64], [rounding_mode STRING] -> FLOAT64 | value NUMERIC, [digits INT64], [rounding_mode STRING] -> NUMERIC | value BIGNUMERIC, [digits INT64], [rounding_mode STRING] -> BIGNUMERIC';
const WHOLE = 'value INT64 -> FLOAT64 | value FLOAT64 -> FLOAT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC';

/** A power of ten as a Float64 literal. */
const ten = (digits: number, factor = 1): SqlExpression =>
  raw(digits < 15 ? `${factor * 10 ** digits}.0`.replace('.0', '') : `${factor}e${digits}`);

/** 2^52: numbers from here on are whole. */
const LAST_WITH_DIGITS = raw('4503599627370496');

/** Half away from zero, where ClickHouse's round takes halves of floats to the even neighbour. */
function halfAway(value: SqlExpression, digits: number): SqlExpression {
  const outside = beyond(value, digits);
  if (outside !== undefined) return outside;
  if (digits === 0) return nearestWhole(value);
  if (digits < 0) return infix('*', nearestWhole(infix('/', value, ten(-digits))), ten(-digits));
  return isConstant(value) ? roundedTo(value, ten(digits)) : roundHalfAway(value, ten(digits));
}

/** The greatest FLOAT64 below a half: with a half, what lies just below it would be rounded up. */
const ALMOST_HALF = raw('0.49999999999999994');

/** The nearest whole FLOAT64, of two that are equally near the one farther from zero; `signed` has the sign of the value. */
export const nearestWhole = (value: SqlExpression, signed = value): SqlExpression =>
  call('trunc', infix('+', value, infix('*', call('sign', signed), ALMOST_HALF)));

const scaledHalfAway = (value: SqlExpression, power: SqlExpression): SqlExpression =>
  infix('/', nearestWhole(infix('*', value, power), value), power);

/** Larger numbers have no digits to round, and times the power may be infinite. */
const roundedTo = (value: SqlExpression, power: SqlExpression): SqlExpression =>
  iff(infix('<', call('abs', value), LAST_WITH_DIGITS), scaledHalfAway(value, power), value);

const roundHalfAway = defineHelper('round_half_away', ['_value', '_power'], roundedTo, {
  of: (value, power) => scaledHalfAway(value ?? NULL, power ?? NULL),
});

/**
 * Without the digits behind so many, all digits of the float considered: 2.3 is a little less, and 2.2 is left of it. Where the product with the power of
 * ten is whole, it may have been rounded up to that; what was lost tell the products of the halves of both numbers.
 */
function cutDigits(value: SqlExpression, digits: number): SqlExpression {
  const [magnitude, power] = [call('abs', value), 10 ** digits];
  const product = infix('*', magnitude, ten(digits));
  const spread = infix('*', magnitude, raw(String(SPLIT)));
  const high = infix('-', spread, infix('-', spread, magnitude));
  const low = infix('-', magnitude, high);
  const powerHigh = SPLIT * power - (SPLIT * power - power);
  const times = (half: SqlExpression, factor: number): readonly SqlExpression[] =>
    factor === 0 ? [] : [infix('*', half, raw(String(factor)))];
  const lost = [
    ...times(high, powerHigh),
    product,
    ...times(high, power - powerHigh),
    ...times(low, powerHigh),
    ...times(low, power - powerHigh),
  ].reduce((sum, part) => infix(part === product ? '-' : '+', sum, part));
  const whole = call('trunc', product);
  // BigQuery multiplies in 80 bits: what they lose is lost.
  const isLess = infix('AND', infix('=', whole, product), infix('<', lost, infix('*', product, raw(String(-(2 ** -65))))));
  return infix('/', infix('*', call('sign', value), infix('-', whole, isLess)), ten(digits));
}

/** Half of the digits of a FLOAT64. */
const SPLIT = 2 ** 27 + 1;

function digitsOf(digits: SqlExpression | undefined, name: string, c: LowerCall): number {
  if (digits === undefined) return 0;
  const known = c.constant(1);
  if (typeof known !== 'bigint')
    return fail(
      'unsupported',
      c.args[1]?.span ?? { start: 0, end: 0 },
      `${name} takes a constant number of digits here`,
      `write it as a number: ${name}(x, 2)`,
    );
  if (known > 22n || known < -22n) {
    // So many digits change nothing, so few leave nothing; in between a Float64 can't hold the power of ten.
    if (known < 340n && known > -309n)
      return fail('unsupported', spanOf(c), `${name} of FLOAT64 to ${known} digits is not supported`, 'a FLOAT64 has at most 17 digits');
  }
  return Number(known);
}

const spanOf = (c: LowerCall) => c.args[1]?.span ?? { start: 0, end: 0 };

/** The whole value where there are more digits than it has, 0 where there are fewer. */
function beyond(value: SqlExpression, digits: number): SqlExpression | undefined {
  if (digits > 22) return value;
  // Also of NaN and the infinities.
  return digits < -22 ? iff(call('isNull', value), NULL, raw('0.0')) : undefined;
}

/** INT64 arguments are FLOAT64 here. */
const floating = (value: SqlExpression, c: LowerCall): SqlExpression =>
  c.typeOf(0).kind === 'INT64' ? call('toFloat64', bare(value)) : value;
const isWhole = (c: LowerCall): boolean => c.typeOf(0).kind === 'INT64';

/** Rounded up beyond its range, a BIGNUMERIC has the other sign in ClickHouse, and a NUMERIC digits that it has no room for. */
function inRange(rounded: SqlExpression, value: SqlExpression, name: string, c: LowerCall): SqlExpression {
  if (c.type.kind === 'FLOAT64' || (c.type.kind === 'NUMERIC' && fits(c.range(0), NUMERIC))) return rounded;
  const outside =
    c.type.kind === 'NUMERIC'
      ? (isConstant(rounded) ? isBeyondNumeric : leavesNumeric)(rounded)
      : infix('<', infix('*', call('sign', rounded), call('sign', value)), lit(0));
  return c.failIf(outside, `${name}: the result is out of range`, rounded);
}

const whole = (name: 'ceil' | 'floor') =>
  strict(WHOLE, ({ value }, c) => (isWhole(c) ? floating(value, c) : inRange(call(name, value), value, name.toUpperCase(), c)), {
    finite: true,
  });

/** ClickHouse takes no more digits than a decimal can have. */
function decimalDigits(digits: SqlExpression | undefined, c: LowerCall): readonly SqlExpression[] {
  if (digits === undefined) return [];
  const known = c.constant(1);
  if (typeof known === 'bigint') {
    const atLeast = known < -MOST_DIGITS ? -MOST_DIGITS : known;
    return [lit(atLeast > MOST_DIGITS ? MOST_DIGITS : atLeast)];
  }
  return [call('greatest', call('least', bare(digits), lit(MOST_DIGITS)), lit(-MOST_DIGITS))];
}

const MOST_DIGITS = 76n;

/** ClickHouse's function for the third argument of ROUND; without one halves go away from zero. */
function decimalRounding(c: LowerCall): 'round' | 'roundBankers' {
  const mode = c.args[2] ?? null;
  if (mode === null) return 'round';
  const known = c.constant(2);
  if (known === 'ROUND_HALF_EVEN') return 'roundBankers';
  if (known === 'ROUND_HALF_AWAY_FROM_ZERO') return 'round';
  return fail('type', mode.span, 'ROUND does not know this rounding mode', "write 'ROUND_HALF_EVEN' or 'ROUND_HALF_AWAY_FROM_ZERO'");
}

export const rounding = (): Family => ({
  ROUND: strict(
    ROUND_SIGNATURE,
    ({ value, digits }, c) => {
      if (c.type.kind !== 'FLOAT64') return inRange(call(decimalRounding(c), value, ...decimalDigits(digits, c)), value, 'ROUND', c);
      const mode = c.args[2] ?? null;
      if (mode !== null)
        return fail(
          'type',
          mode.span,
          'a rounding mode works only with NUMERIC and BIGNUMERIC',
          'write ROUND(CAST(… AS NUMERIC), digits, mode)',
        );
      const known = digitsOf(digits, 'ROUND', c);
      return isWhole(c) && known >= 0 ? floating(value, c) : halfAway(floating(value, c), known);
    },
    { finite: true },
  ),
  TRUNC: strict(
    SIGNATURE,
    ({ value, digits }, c) => {
      if (c.type.kind !== 'FLOAT64') return call('trunc', value, ...decimalDigits(digits, c));
      const known = digitsOf(digits, 'TRUNC', c);
      if (isWhole(c) && known >= 0) return floating(value, c);
      const number = floating(value, c);
      const cut = known > 0 ? cutDigits(number, known) : call('trunc', number, ...(known === 0 ? [] : [lit(known)]));
      // Larger numbers have no digits to cut, and may be infinite after multiplying them by a power of ten.
      const isShort = Math.abs(Number(c.constant(0) ?? Number.NaN)) < 2 ** 52;
      const held = known > 0 && !isShort ? iff(infix('<', call('abs', value), LAST_WITH_DIGITS), cut, value) : cut;
      return beyond(value, known) ?? held;
    },
    { finite: true },
  ),
  CEIL: whole('ceil'),
  CEILING: whole('ceil'),
  FLOOR: whole('floor'),
});
