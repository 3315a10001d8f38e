// Products and quotients of decimals: ClickHouse cuts digits and changes the scale, BigQuery rounds half away from zero to the type's scale.
// https://clickhouse.com/docs/sql-reference/data-types/decimal
import type { Range } from '../base/number-range.ts';
import type { CastTo, SqlExpression } from '../target/ast.ts';
import {
  array,
  call,
  failIf,
  ident,
  iff,
  infix,
  isNull,
  lambda,
  lit,
  NULL,
  not,
  numberUnless,
  rarely,
  raw,
  unwidened,
} from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { defineHelper } from '../target/helpers.ts';
import type { LowerCall } from './define.ts';

type DecimalKind = 'NUMERIC' | 'BIGNUMERIC';

/** Back in the type's own scale; too large a value fails. */
const settled = (value: SqlExpression, kind: DecimalKind): SqlExpression =>
  kind === 'NUMERIC'
    ? call('toDecimal128', call('round', value, lit(9)), lit(9))
    : call('toDecimal256', call('round', value, lit(38)), lit(38));

const wide = (value: SqlExpression, scale: number): SqlExpression => call('toDecimal256', value, lit(scale));

/** Values below it are computed in 128 bits, which is some twenty times as fast: a product has 38 digits at most, and so has a dividend with the digits of its divisor. */
const isSmall = defineHelper('is_small', ['_value'], (value) => ({
  kind: 'between',
  operand: value,
  low: lit(-9_999_999_999),
  high: lit(9_999_999_999),
}));
/** Of a value that is short to write: its magnitude would cost three times as much. */
const within = (value: SqlExpression, most: string): SqlExpression => ({
  kind: 'between',
  operand: value,
  low: raw(`toDecimal128('-${most}', 9)`),
  high: raw(`toDecimal128('${most}', 9)`),
});
const rounded = (value: SqlExpression): SqlExpression => call('toDecimal128', call('round', value, lit(9)), lit(9));

const wideProduct = (left: SqlExpression, right: SqlExpression): SqlExpression => settled(infix('*', wide(left, 9), right), 'NUMERIC');

const PRODUCT_OUT_OF_RANGE = 'the result of * is out of the range of NUMERIC';
const MOST = `${'9'.repeat(29)}.${'9'.repeat(9)}`;
const NUMERIC_END = raw(`toDecimal256('${MOST}', 9)`);
export const isBeyondNumeric = (value: SqlExpression): SqlExpression => infix('>', call('abs', value), NUMERIC_END);
/** The same of a Decimal(38, 9), at a third of the cost. */
export const leavesNumeric = defineHelper('is_beyond_numeric', ['_value'], (value) => not(within(value, MOST)));

/** The product of NUMERICs, which fails beyond the type's range. */
export const checkedProduct = defineHelper('multiply_numeric', ['_left', '_right'], (left, right) => {
  const areSmall = infix('AND', isSmall(left), isSmall(right));
  return rarely(areSmall, rounded(infix('*', left, right)), [left, right], (x, y) => {
    const exact = wideProduct(x, y);
    return failIf(isBeyondNumeric(exact), PRODUCT_OUT_OF_RANGE, exact);
  });
});

/**
 * Returns the product in as few digits as its factors have, where these are known, so that nothing is rounded. A product that may need more than 38 digits
 * has 76, and is looked at only where the second factor is so large that it could be beyond NUMERIC.
 */
export function shortProduct(left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression | undefined {
  const [ofLeft, ofRight] = [c.digits(0) ?? 9, c.digits(1) ?? 9];
  const digits = ofLeft + ofRight;
  const [leftMost, rightMost] = [mostOf(c.range(0)), mostOf(c.range(1))];
  const zeros = Math.floor(Math.log10(9.9e28 / leftMost));
  if (digits > 9) return undefined;
  if (zeros < 1) return ofRight === 0 && rightMost < 1e9 ? multiplyByShort(left, withDigits(right, 0)) : undefined;
  if (ofLeft === 0 && leftMost < 1e9 && rightMost > 1e28 && !isConstant(right)) return multiplyByShort(right, withDigits(left, 0));
  const harmless = 10 ** zeros;
  const [x, y] = [withDigits(left, ofLeft), rightMost * 10 ** ofRight < 1e17 ? inFewBits(right, ofRight) : withDigits(right, ofRight)];
  if (leftMost * rightMost * 10 ** digits < 1e38 && rightMost <= harmless) return asNumeric(infix('*', x, y), digits);
  const exact = { kind: 'infix', operator: '*', left: call('toDecimal256', x, lit(ofLeft)), right: y } as const;
  if (rightMost <= harmless) return asNumeric(exact, digits);
  const isLarge = infix('>', call('abs', y), raw(`toDecimal128('1${'0'.repeat(zeros)}', ${ofRight})`));
  // The check stands at the factor, which has fewer bits than the product.
  const factor = numberUnless(infix('AND', isLarge, isBeyondNumeric(exact)), PRODUCT_OUT_OF_RANGE, y);
  return asNumeric(infix('*', exact.left, factor), digits);
}

/** A NUMERIC of nine digits times a whole number of at most nine. */
const multiplyByShort = defineHelper('multiply_numeric_by_integer', ['_left', '_right'], (left, right) => {
  return rarely(isSmall(left), infix('*', left, right), [left, right], (x, y) => {
    const exact = infix('*', call('toDecimal256', x, lit(9)), y);
    return call('toDecimal128', failIf(isBeyondNumeric(exact), PRODUCT_OUT_OF_RANGE, exact), lit(9));
  });
});

/** A NUMERIC made of a decimal with fewer digits. */
const asNumeric = (value: SqlExpression, digits: number): SqlExpression => ({
  kind: 'cast',
  operand: value,
  type: 'Decimal(38, 9)',
  digits,
});

/** The greatest magnitude in a range. */
const mostOf = (range: Range | undefined): number => (range === undefined ? 1e29 : Math.max(Math.abs(range[0]), Math.abs(range[1]), 1));

/** Returns a NUMERIC with this number of digits after the point; it has no more. */
export function withDigits(value: SqlExpression, digits: number): SqlExpression {
  if (value.kind === 'func' && (value.name === 'if' || value.name === 'multiIf')) {
    const isValue = (at: number): boolean => at % 2 === 1 || at === value.args.length - 1;
    return { ...value, args: value.args.map((arg, at) => (isValue(at) ? withDigits(arg, digits) : arg)) };
  }
  if (value.kind === 'infix' && (value.operator === '+' || value.operator === '-'))
    return { ...value, left: withDigits(value.left, digits), right: withDigits(value.right, digits) };
  const stored = unwidened(value);
  if (isProduct(value) && value.digits === digits) return stored;
  if (stored.kind === 'func' && stored.name === 'toDecimal128' && stored.args[0] !== undefined)
    return call('toDecimal128', stored.args[0], lit(digits));
  return call('toDecimal128', stored, lit(digits));
}

/** The same in as many bits as the table has, for a column that is small enough, also where a whole number is added to it. */
function inFewBits(value: SqlExpression, digits: number): SqlExpression {
  const few = (part: SqlExpression): SqlExpression | undefined => {
    if (part.kind === 'cast' && part.digits === digits && part.operand.kind === 'ident') return part.operand;
    const [text] = part.kind === 'func' && part.name === 'toDecimal128' ? part.args : [];
    return text?.kind === 'lit' && /^\d{1,9}$/.test(String(text.value)) ? raw(String(text.value)) : undefined;
  };
  if (value.kind !== 'infix' || (value.operator !== '+' && value.operator !== '-')) return few(value) ?? withDigits(value, digits);
  const [left, right] = [few(value.left), few(value.right)];
  return left === undefined || right === undefined ? withDigits(value, digits) : { ...value, left, right };
}

const isProduct = (value: SqlExpression): value is CastTo =>
  value.kind === 'cast' && value.digits !== undefined && value.operand.kind === 'infix' && value.operand.operator === '*';

export function product(left: SqlExpression, right: SqlExpression, kind: DecimalKind, c: LowerCall): SqlExpression {
  return kind === 'NUMERIC' ? wideProduct(left, right) : bigProduct(left, right, c);
}

const divideNumeric = defineHelper('divide_numeric', ['_left', '_right'], (left, right) =>
  rarely(isSmall(left), rounded(infix('/', call('toDecimal128', left, lit(10)), right)), [left, right], (x, y) =>
    settled(infix('/', wide(x, 10), y), 'NUMERIC'),
  ),
);

/** The divisor must not be 0. A digit more than the result has decides its rounding. */
export function quotient(left: SqlExpression, right: SqlExpression, kind: DecimalKind, c: LowerCall): SqlExpression {
  if (kind !== 'NUMERIC') return bigQuotient(left, right, c);
  return isConstant(left) && isConstant(right) ? settled(infix('/', wide(left, 18), right), kind) : divideNumeric(left, right);
}

/** The same of NUMERICs, NULL where it is beyond them. */
export const safeQuotient = defineHelper('safe_divide_numeric', ['_left', '_right'], (left, right) => {
  const quick = rounded(infix('/', call('toDecimal128', left, lit(18)), right));
  return rarely(isSmall(left), quick, [left, right], (x, y) => {
    const exact = call('round', infix('/', wide(x, 18), y), lit(9));
    const isBeyond = isBeyondNumeric(exact);
    return iff(isBeyond, NULL, call('toDecimal128', iff(isBeyond, lit(0), exact), lit(9)));
  });
});

/** NULL where the result has another sign than it should: 256 bits wrap around. */
export function bigSum(operator: '+' | '-', left: SqlExpression, right: SqlExpression): SqlExpression {
  const [a, b] = [stepsOf(left), stepsOf(right)];
  const steps = infix(operator, a, b);
  const isNegative = (value: SqlExpression): SqlExpression => infix('<', value, lit(0));
  const sameSigns = infix(operator === '+' ? '=' : '!=', isNegative(a), isNegative(b));
  const wraps = infix('AND', sameSigns, infix('!=', isNegative(steps), isNegative(a)));
  return iff(wraps, NULL, call('reinterpret', steps, lit('Decimal(76, 38)')));
}

const ONE = raw("toUInt256('100000000000000000000000000000000000000')");
const HALF = raw("toUInt256('50000000000000000000000000000000000000')");
const OUT_OF_RANGE = 'the result is out of the range of BIGNUMERIC';

const stepsOf = (value: SqlExpression): SqlExpression => call('reinterpret', value, lit('Int256'));
const magnitude = (value: SqlExpression): SqlExpression => call('toUInt256', call('abs', stepsOf(value)));
const fromSteps = (steps: SqlExpression, sign: SqlExpression): SqlExpression =>
  call('reinterpret', infix('*', call('toInt256', steps), sign), lit('Decimal(76, 38)'));

/** A sum of BIGNUMERICs by their number, which is none of 0. */
export function bigMean(total: SqlExpression, count: SqlExpression): SqlExpression {
  const by = call('toUInt256', count);
  return fromSteps(call('intDiv', infix('+', magnitude(total), call('intDiv', by, lit(2))), by), call('sign', total));
}

const signOf = (left: SqlExpression, right: SqlExpression): SqlExpression => infix('*', call('sign', left), call('sign', right));

/** Returns `made` of the operands, each of which is written once though it stands there several times. */
function once(
  left: SqlExpression,
  right: SqlExpression,
  c: LowerCall,
  made: (left: SqlExpression, right: SqlExpression) => SqlExpression,
): SqlExpression {
  const names = [c.fresh('left'), c.fresh('right')];
  const [x, y] = names.map((name) => ident(name)) as [SqlExpression, SqlExpression]; // one for each name
  return call('arrayElement', call('arrayMap', lambda(names, made(x, y)), array(left), array(right)), lit(1));
}

/**
 * ClickHouse's own product has 76 digits at most, BIGNUMERIC some more. Whole parts and fractions are multiplied for themselves in steps of 10^-38, of
 * which 256 bits hold all that BIGNUMERIC does.
 */
const bigProduct = (left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression =>
  once(left, right, c, (x, y) => {
    const [a, b] = [magnitude(x), magnitude(y)];
    const [a1, a0, b1, b0] = [call('intDiv', a, ONE), infix('%', a, ONE), call('intDiv', b, ONE), infix('%', b, ONE)];
    const mixed = infix('+', infix('*', a1, b0), infix('*', a0, b1));
    const low = call('intDiv', infix('+', infix('*', a0, b0), HALF), ONE);
    const steps = infix('+', infix('+', infix('*', infix('*', a1, b1), ONE), mixed), low);
    const estimate = call('abs', infix('*', call('toFloat64', x), call('toFloat64', y)));
    return c.failIf(isBeyond(estimate, steps), OUT_OF_RANGE, fromSteps(steps, signOf(x, y)));
  });

/** Where 256 bits are too few for the steps, the estimate says so; near the end the highest bit does. */
const isBeyond = (estimate: SqlExpression, steps: SqlExpression): SqlExpression =>
  infix('OR', infix('>', estimate, raw('5.7897e38')), infix('<', call('toInt256', steps), lit(0)));

const TEN_TO_19 = raw("toUInt256('10000000000000000000')");
/** 10^38: from here on there are 77 digits. */
const LONG = raw("toUInt256('10000000000000000000000000000000000000000000000000000000000000000000000000000')");
/** 2^256 / 10^19. */
const FEW_DIGITS = raw("toUInt256('5000000000000000000000000000000000000000000000000000000000')");

/**
 * divideDecimal has 76 digits at most too. A quotient beyond 10^36 has a divisor that is small enough to go on with the remainder, 19 digits at a
 * time; numbers of 77 digits that have another one are refused.
 */
const bigQuotient = (left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression =>
  once(left, right, c, (x, given) => {
    // Both ways are gone for every row: the 0 that stands in a NULL's place must be no divisor.
    const y = call('ifNull', given, wide(lit(1), 38));
    const [a, b] = [magnitude(x), magnitude(y)];
    const estimate = call('abs', infix('/', call('toFloat64', x), call('toFloat64', y)));
    const isLong = infix('OR', infix('>=', a, LONG), infix('>=', b, LONG));
    const isLarge = infix('OR', isLong, infix('>', estimate, raw('1e36')));
    const divided = call('divideDecimal', iff(isLarge, wide(lit(0), 38), x), iff(isLarge, wide(lit(1), 38), y), lit(39));
    const plain = settled(divided, 'BIGNUMERIC');
    const next = (steps: SqlExpression, rest: SqlExpression): readonly [SqlExpression, SqlExpression] => {
      const more = infix('*', rest, TEN_TO_19);
      return [infix('+', infix('*', steps, TEN_TO_19), call('intDivOrZero', more, b)), call('moduloOrZero', more, b)];
    };
    const [half, rest] = next(call('intDivOrZero', a, b), call('moduloOrZero', a, b));
    const [steps, last] = next(half, rest);
    const rounded = infix('+', steps, infix('>=', last, infix('-', b, last)));
    const large = c.failIf(infix('AND', isLarge, isBeyond(estimate, rounded)), OUT_OF_RANGE, fromSteps(rounded, signOf(x, y)));
    const tooLong = infix('AND', isLong, infix('>', b, FEW_DIGITS));
    const value = iff(isNull(given), NULL, iff(isLarge, large, plain));
    return failIf(tooLong, 'a BIGNUMERIC quotient with 39 digits before the point is not supported', value);
  });

const STEP = raw("toInt256('1')");

/** The nearest whole number to the root of `number`, where `root` is less than 1 from it. */
const nearestRoot = defineHelper('nearest_root', ['_number', '_root'], (number, root) => {
  const square = infix('*', root, root);
  const next = iff(infix('<', infix('+', square, root), number), infix('+', root, STEP), root);
  return iff(infix('>=', infix('-', square, root), number), infix('-', root, STEP), next);
});

/** A step of Newton's brings a root with the digits of a FLOAT64 so near. */
const rootOfInteger = defineHelper('root_of_integer', ['_number'], (number) => {
  const near = call('greatest', call('toInt256', call('sqrt', call('toFloat64', number))), STEP);
  const nearer = call('intDiv', infix('+', near, call('intDiv', number, near)), raw("toInt256('2')"));
  return nearestRoot(number, call('greatest', nearer, STEP));
});

/** The root of a NUMERIC that is not below 0, rounded to its nine digits. */
export const rootOfNumeric = defineHelper('sqrt_numeric', ['_value'], (value) => {
  const whole = call('toInt256', infix('*', wide(value, 9), raw("toInt256('1000000000000000000')")));
  return call('toDecimal128', infix('/', wide(rootOfInteger(whole), 9), raw("toInt256('1000000000')")), lit(9));
});
