// Mathematical functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions
import { fail } from '../base/fail.ts';
import { fits, magnitudeRange, negatedRange, type Range, unionRange } from '../base/number-range.ts';
import type { SqlExpression } from '../target/ast.ts';
import { and, array, bare, call, ident, iff, infix, lambda, lit, not, raw } from '../target/build.ts';
import { rootOfNumeric } from './decimal.ts';
import type { Family, LowerCall } from './define.ts';
import { LEAST, LEAST_BIGNUMERIC } from './overflow.ts';
import { intervalMicros } from './sort-key.ts';
import { nullsPass, strict } from './strict.ts';

const FLOAT = 'value FLOAT64 -> FLOAT64';
const FLOAT_OR_DECIMAL = 'value INT64 -> FLOAT64 | value FLOAT64 -> FLOAT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC';
const POWER =
  'value INT64, exponent INT64 -> FLOAT64 | value FLOAT64, exponent FLOAT64 -> FLOAT64 | value NUMERIC, exponent NUMERIC -> NUMERIC | value BIGNUMERIC, exponent BIGNUMERIC -> BIGNUMERIC';
const LOG =
  'value INT64, [base INT64] -> FLOAT64 | value FLOAT64, [base FLOAT64] -> FLOAT64 | value NUMERIC, [base NUMERIC] -> NUMERIC | value BIGNUMERIC, [base BIGNUMERIC] -> BIGNUMERIC';
const ANY_NUMBER = 'value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value FLOAT64 -> FLOAT64';

const float = (name: string) => strict(FLOAT, ({ value }) => call(name, value));

/** Fails where a FLOAT64 result leaves the range though the argument did not. */
const inRange = (name: 'exp' | 'sinh' | 'cosh', value: SqlExpression, c: LowerCall): SqlExpression => {
  const result = call(name, value);
  const known = bare(value);
  if (known.kind === 'lit' && Math.abs(Number(known.value)) < 700) return result;
  return c.numberUnless(
    infix('AND', call('isInfinite', result), call('isFinite', value)),
    `${name.toUpperCase()}: the result is out of range`,
    result,
  );
};

/** These functions are NaN for infinities. */
const isFarther = (value: SqlExpression, operator: '>' | '>=', most: number): SqlExpression =>
  infix('AND', infix(operator, call('abs', value), lit(most)), call('isFinite', value));

const outside = (
  name: string,
  condition: (value: SqlExpression) => SqlExpression,
  signature: typeof FLOAT | typeof FLOAT_OR_DECIMAL = FLOAT,
  called = name.toUpperCase(),
) =>
  strict(signature, ({ value }, c) => {
    refuseDecimals(called, c);
    return c.numberUnless(condition(value), `${called}: the argument is out of range`, call(name, value));
  });

/** BigQuery answers with all decimal digits, which ClickHouse does not work out. */
function refuseDecimals(name: string, c: LowerCall): void {
  if (c.type.kind !== 'FLOAT64')
    fail(
      'unsupported',
      c.args[0]?.span ?? { start: 0, end: 0 },
      `${name.toUpperCase()} of ${c.type.kind} is not supported`,
      'CAST it to FLOAT64',
    );
}

/** 1 over a function: of 0, and so near to it that the result is beyond FLOAT64, it fails. */
const ratio = (of: string, name: string) =>
  strict(FLOAT, ({ value }, c) => {
    const result = infix('/', lit(1), call(of, value));
    return c.numberUnless(call('isInfinite', result), `${name}: the argument is out of range`, result);
  });

const positive = (name: string, called: string) =>
  outside(name, (value) => infix('AND', infix('<=', value, lit(0)), call('isFinite', value)), FLOAT_OR_DECIMAL, called);

function extreme(name: 'greatest' | 'least', values: readonly SqlExpression[], c: LowerCall): SqlExpression {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  if (c.type.kind === 'INTERVAL') return extremeInterval(name, values, c);
  const result = call(name, ...values);
  if (c.type.kind !== 'FLOAT64') return result;
  const uncertain = values.filter((_, i) => !c.finite(i));
  if (uncertain.length === 0) return result;
  return iff(
    uncertain.map((v) => call('isNaN', v)).reduce((a, b) => infix('OR', a, b)),
    // NULL stays NULL.
    infix('*', result, raw('nan')),
    result,
  );
}

/** Intervals compare by their length, whatever their months and days; NULL where one is NULL. */
function extremeInterval(name: 'greatest' | 'least', values: readonly SqlExpression[], c: LowerCall): SqlExpression {
  const item = c.fresh('item');
  const sort = name === 'least' ? 'arraySort' : 'arrayReverseSort';
  const sorted = call(sort, lambda([item], intervalMicros(ident(item))), array(...values));
  return nullsPass(c, values, call('arrayElement', sorted, lit(1)));
}

function log(value: SqlExpression, base: SqlExpression | undefined, c: LowerCall): SqlExpression {
  refuseDecimals('log', c);
  const quotient = base === undefined ? call('log', value) : infix('/', call('log', value), call('log', base));
  // LOG of -inf and to the base of an infinity are NaN in BigQuery, as they are here.
  const tooSmall = infix('AND', infix('<=', value, lit(0)), call('isFinite', value));
  const known = base === undefined ? 10 : Number(c.constant(1) ?? 0);
  if (base === undefined) return c.numberUnless(tooSmall, 'LOG: the argument is not positive', quotient);
  if (known > 0 && known !== 1 && Number.isFinite(known)) return c.numberUnless(tooSmall, 'LOG: the argument is not positive', quotient);
  const areNumbers = infix('AND', call('isFinite', value), call('isFinite', base));
  const bad = [infix('<=', value, lit(0)), infix('<=', base, lit(0)), infix('=', base, lit(1))].reduce((any, test) =>
    infix('OR', any, test),
  );
  const noValue = infix('OR', call('isInfinite', base), infix('=', value, raw('-inf')));
  const found = nullsPass(c, [value, base], iff(noValue, raw('nan'), quotient));
  return c.failIf(infix('AND', areNumbers, bad), 'LOG: the argument or the base is out of range', found);
}

/** A power of a base and an exponent. */
type Power = (value: SqlExpression, exponent: SqlExpression) => SqlExpression;

const plainPower: Power = (value, exponent) => call('pow', value, exponent);

/** ClickHouse computes another power for numbers with fewer digits, so they are scaled up, and the result is scaled down again. */
const tinyPower: Power = (value, exponent) => {
  const isTiny = infix('<', call('abs', value), raw(String(SMALLEST)));
  const larger = call('pow', infix('*', value, raw(String(2 ** SHIFT))), exponent);
  const made = infix('*', larger, call('pow', raw('2.'), infix('*', lit(-SHIFT), exponent)));
  return iff(isTiny, made, call('pow', value, exponent));
};
const SHIFT = 200;

/** ClickHouse's pow is wrong where the result is far beyond FLOAT64. */
function farPower(power: Power, value: SqlExpression, exponent: SqlExpression): SqlExpression {
  const log = infix('*', exponent, call('log', call('abs', value)));
  const isWhole = infix('OR', infix('>', value, lit(0)), infix('=', exponent, call('trunc', exponent)));
  const zero = infix('AND', infix('<', log, lit(-800)), isWhole);
  return call(
    'multiIf',
    zero,
    raw('0.'),
    infix('AND', infix('>', log, lit(800)), call('isFinite', value)),
    raw('inf'),
    power(value, exponent),
  );
}

function power(value: SqlExpression, exponent: SqlExpression, c: LowerCall): SqlExpression {
  refuseDecimals('pow', c);
  const known = c.constant(1);
  // Squares and cubes of measurements stay in range.
  const small = known !== undefined && Number.isInteger(Number(known)) && Number(known) >= 0 && Number(known) <= 10;
  if (small && staysSmall(c, Number(known))) return call('pow', value, exponent);
  const base = c.constant(0);
  const hasDigits = small || c.typeOf(0).kind === 'INT64' || (base !== undefined && Math.abs(Number(base)) >= SMALLEST);
  const made = hasDigits ? plainPower : tinyPower;
  const result = known !== undefined && Math.abs(Number(known)) <= 1e6 ? made(value, exponent) : farPower(made, value, exponent);
  // A negative base with a fractional exponent has no value; 0 has none with a negative exponent.
  const finite = [value, exponent].filter((_, i) => !c.finite(i)).map((argument) => call('isFinite', argument));
  return c.numberUnless(and(...finite, not(call('isFinite', result))), 'POW: the arguments are out of range', result);
}

/** INT64 has 19 digits, a FLOAT64 308. */
function staysSmall(c: LowerCall, exponent: number): boolean {
  const range = c.range(0);
  const largest = range === undefined ? Number.POSITIVE_INFINITY : Math.max(Math.abs(range[0]), Math.abs(range[1]));
  return c.typeOf(0).kind === 'INT64' || exponent <= 1 || largest ** exponent < 1e308;
}

/** The least FLOAT64 above 0 with all its digits. */
const SMALLEST = 2.2250738585072014e-308;

const oneOf = (...values: readonly (Range | undefined)[]): Range | undefined => unionRange(values);

export const math = (): Family => ({
  ABS: strict(
    ANY_NUMBER,
    ({ value }, c) => {
      const isInteger = c.type.kind === 'INT64';
      const size = isInteger ? call('toInt64', call('abs', value)) : call('abs', value);
      const mayOverflow = isInteger ? !fits(negatedRange(c.range(0)), c.type) : c.type.kind === 'BIGNUMERIC';
      if (!mayOverflow) return size;
      const isLeast = infix('=', value, isInteger ? LEAST : LEAST_BIGNUMERIC);
      return (isInteger ? c.numberUnless : c.failIf)(isLeast, 'ABS: the result is out of range', size);
    },
    { finite: true, range: magnitudeRange },
  ),
  SIGN: strict(ANY_NUMBER, ({ value }, c) => {
    const sign = call('sign', value);
    if (c.type.kind === 'INT64') return call('toInt64', sign);
    if (c.type.kind === 'FLOAT64') return iff(call('isNaN', value), value, call('toFloat64', sign));
    return c.type.kind === 'NUMERIC' ? call('toDecimal128', sign, lit(9)) : call('toDecimal256', sign, lit(38));
  }),
  SQRT: strict(FLOAT_OR_DECIMAL, ({ value }, c) => {
    if (c.type.kind !== 'NUMERIC') refuseDecimals('sqrt', c);
    const [isNegative, message] = [infix('<', value, lit(0)), 'SQRT: the argument is out of range'];
    return c.type.kind === 'NUMERIC'
      ? c.failIf(isNegative, message, rootOfNumeric(value))
      : c.numberUnless(isNegative, message, call('sqrt', value));
  }),
  CBRT: float('cbrt'),
  EXP: strict(FLOAT_OR_DECIMAL, ({ value }, c) => {
    refuseDecimals('exp', c);
    return inRange('exp', value, c);
  }),
  LN: positive('log', 'LN'),
  LOG10: positive('log10', 'LOG10'),
  LOG: strict(LOG, ({ value, base }, c) => log(value, base, c)),
  POW: strict(POWER, ({ value, exponent }, c) => power(value, exponent, c)),
  POWER: strict(POWER, ({ value, exponent }, c) => power(value, exponent, c)),
  SIN: float('sin'),
  COS: float('cos'),
  TAN: float('tan'),
  ASIN: outside('asin', (value) => isFarther(value, '>', 1)),
  ACOS: outside('acos', (value) => isFarther(value, '>', 1)),
  ATAN: float('atan'),
  CSC: ratio('sin', 'CSC'),
  SEC: ratio('cos', 'SEC'),
  COT: ratio('tan', 'COT'),
  CSCH: ratio('sinh', 'CSCH'),
  SECH: ratio('cosh', 'SECH'),
  COTH: strict(FLOAT, ({ value }, c) => {
    const result = iff(infix('>', call('abs', value), lit(20)), call('sign', value), infix('/', call('cosh', value), call('sinh', value)));
    return c.numberUnless(call('isInfinite', result), 'COTH: the argument is out of range', result);
  }),
  ATAN2: strict('y FLOAT64, x FLOAT64 -> FLOAT64', ({ y, x }) => call('atan2', y, x)),
  SINH: strict(FLOAT, ({ value }, c) => inRange('sinh', value, c)),
  COSH: strict(FLOAT, ({ value }, c) => inRange('cosh', value, c)),
  // ClickHouse's tanh is quick but not exact; sinh and cosh lose a digit where they are nearly the same.
  TANH: strict(FLOAT, ({ value }) => {
    const size = call('abs', value);
    const beyond = infix('/', lit(2), infix('+', call('exp', infix('*', lit(2), size)), lit(1)));
    const large = infix('*', call('sign', value), infix('-', lit(1), beyond));
    return iff(infix('>=', size, lit(1)), large, infix('/', call('sinh', value), call('cosh', value)));
  }),
  ASINH: float('asinh'),
  ACOSH: outside('acosh', (value) => infix('AND', infix('<', value, lit(1)), call('isFinite', value))),
  ATANH: outside('atanh', (value) => isFarther(value, '>=', 1)),
  IS_NAN: strict('value FLOAT64 -> BOOL', ({ value }) => call('isNaN', value)),
  IS_INF: strict('value FLOAT64 -> BOOL', ({ value }) => call('isInfinite', value)),
  RAND: strict(' -> FLOAT64', (_, c) => call('randCanonical', c.occasion()), { volatile: true }),
  GREATEST: strict('...values T -> T', ({ values }, c) => extreme('greatest', values, c), { finite: true, range: oneOf, compares: true }),
  LEAST: strict('...values T -> T', ({ values }, c) => extreme('least', values, c), { finite: true, range: oneOf, compares: true }),
});
