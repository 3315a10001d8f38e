// Mathematical functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions
import type { Ch } from '../clickhouse/ast.ts';
import { call, iff, infix, lit, not, raw } from '../clickhouse/build.ts';
import type { Family, LowerCall } from './define.ts';
import { strict } from './strict.ts';

const FLOAT = 'value FLOAT64 -> FLOAT64';
const ANY_NUMBER = 'value INT64 -> INT64 | value NUMERIC -> NUMERIC | value BIGNUMERIC -> BIGNUMERIC | value FLOAT64 -> FLOAT64';

const float = (name: string) => strict(FLOAT, ({ value }) => call(name, value));

/** Fails where a FLOAT64 result leaves the range though the argument did not. */
const inRange = (name: string, value: Ch, c: LowerCall, ...args: readonly Ch[]): Ch => {
  const result = call(name, ...args);
  return c.failIf(
    infix('AND', call('isInfinite', result), call('isFinite', value)),
    `${name.toUpperCase()}: the result is out of range`,
    result,
  );
};

const outside = (name: string, condition: (value: Ch) => Ch) =>
  strict(FLOAT, ({ value }, c) => c.failIf(condition(value), `${name.toUpperCase()}: the argument is out of range`, call(name, value)));

const positive = (name: string) => outside(name, (value) => infix('<=', value, lit(0)));

function extreme(name: 'greatest' | 'least', values: readonly Ch[], c: LowerCall): Ch {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  const result = call(name, ...values);
  if (c.type.kind !== 'FLOAT64') return result;
  const uncertain = values.filter((_, i) => c.constant(i) === undefined);
  if (uncertain.length === 0) return result;
  return iff(
    uncertain.map((v) => call('isNaN', v)).reduce((a, b) => infix('OR', a, b)),
    raw('nan'),
    result,
  );
}

function log(value: Ch, base: Ch | undefined, c: LowerCall): Ch {
  const known = base === undefined ? 10 : c.constant(1);
  const quotient = base === undefined ? call('log', value) : infix('/', call('log', value), call('log', base));
  const tooSmall = infix('<=', value, lit(0));
  if (base === undefined || (typeof known === 'number' && known > 0 && known !== 1))
    return c.failIf(tooSmall, 'LOG: the argument is not positive', quotient);
  const badBase = infix('OR', infix('<=', base, lit(0)), infix('=', base, lit(1)));
  return c.failIf(infix('OR', tooSmall, badBase), 'LOG: the argument or the base is out of range', quotient);
}

function power(value: Ch, exponent: Ch, c: LowerCall): Ch {
  const result = call('pow', value, exponent);
  const known = c.constant(1);
  // Squares and cubes of measurements stay in range.
  const small = typeof known === 'number' && known >= 0 && known <= 10 && Number.isInteger(known);
  if (small) return result;
  // A negative base with a fractional exponent has no value; 0 has none with a negative exponent.
  const finite = infix('AND', call('isFinite', value), call('isFinite', exponent));
  return c.failIf(infix('AND', finite, not(call('isFinite', result))), 'POW: the arguments are out of range', result);
}

export const math: Family = {
  ABS: strict(ANY_NUMBER, ({ value }, c) =>
    c.type.kind === 'INT64'
      ? c.failIf(
          infix('=', value, raw('toInt64(-9223372036854775808)')),
          'ABS: the result is out of range',
          call('toInt64', call('abs', value)),
        )
      : call('abs', value),
  ),
  SIGN: strict(ANY_NUMBER, ({ value }, c) => {
    const sign = call('sign', value);
    if (c.type.kind === 'INT64') return call('toInt64', sign);
    if (c.type.kind === 'FLOAT64') return iff(call('isNaN', value), value, call('toFloat64', sign));
    return c.type.kind === 'NUMERIC' ? call('toDecimal128', sign, lit(9)) : call('toDecimal256', sign, lit(38));
  }),
  SQRT: outside('sqrt', (value) => infix('<', value, lit(0))),
  CBRT: float('cbrt'),
  EXP: strict(FLOAT, ({ value }, c) => inRange('exp', value, c, value)),
  LN: positive('log'),
  LOG10: positive('log10'),
  LOG: strict('value FLOAT64, [base FLOAT64] -> FLOAT64', ({ value, base }, c) => log(value, base, c)),
  POW: strict('value FLOAT64, exponent FLOAT64 -> FLOAT64', ({ value, exponent }, c) => power(value, exponent, c)),
  POWER: strict('value FLOAT64, exponent FLOAT64 -> FLOAT64', ({ value, exponent }, c) => power(value, exponent, c)),
  SIN: outside('sin', (value) => call('isInfinite', value)),
  COS: outside('cos', (value) => call('isInfinite', value)),
  TAN: outside('tan', (value) => call('isInfinite', value)),
  ASIN: outside('asin', (value) => infix('>', call('abs', value), lit(1))),
  ACOS: outside('acos', (value) => infix('>', call('abs', value), lit(1))),
  ATAN: float('atan'),
  ATAN2: strict('y FLOAT64, x FLOAT64 -> FLOAT64', ({ y, x }) => call('atan2', y, x)),
  SINH: strict(FLOAT, ({ value }, c) => inRange('sinh', value, c, value)),
  COSH: strict(FLOAT, ({ value }, c) => inRange('cosh', value, c, value)),
  // ClickHouse's tanh is quick but not exact.
  TANH: strict(FLOAT, ({ value }) =>
    iff(infix('>', call('abs', value), lit(20)), call('sign', value), infix('/', call('sinh', value), call('cosh', value))),
  ),
  ASINH: float('asinh'),
  ACOSH: outside('acosh', (value) => infix('<', value, lit(1))),
  ATANH: outside('atanh', (value) => infix('>=', call('abs', value), lit(1))),
  IS_NAN: strict('value FLOAT64 -> BOOL', ({ value }) => call('isNaN', value)),
  IS_INF: strict('value FLOAT64 -> BOOL', ({ value }) => call('isInfinite', value)),
  RAND: { ...strict(' -> FLOAT64', () => call('randCanonical')), volatile: true },
  GREATEST: strict('...values T -> T', ({ values }, c) => extreme('greatest', values, c)),
  LEAST: strict('...values T -> T', ({ values }, c) => extreme('least', values, c)),
};
