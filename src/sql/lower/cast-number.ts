// CAST between numbers, and of text to numbers. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import { isBeyondNumeric } from '../functions/decimal.ts';
import { nearestWhole } from '../functions/rounding.ts';
import { floatOfText, intOfText, trimmed } from '../functions/text-number.ts';
import type { SqlExpression } from '../target/ast.ts';
import { bare, call, cast, failIf, iff, infix, isNotNull, isNull, lit, NULL, not, rarely, raw, unwidened } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { defineHelper } from '../target/helpers.ts';
import type { CastContext, CastRule, CastRules } from './cast-rule.ts';

const checked = (bad: SqlExpression, message: string, value: SqlExpression, { safe }: CastContext): SqlExpression =>
  safe ? iff(bad, NULL, value) : failIf(bad, message, value);

/** Halves round away from zero. A NULL may have an infinity behind it, as that of a division by zero that gives NULL, and accurateCast reads the infinity. */
const floatToInt: CastRule = (value, { safe, isPresent }) => {
  const rounded = nearestWhole(value);
  if (safe) return call('accurateCastOrNull', rounded, lit('Int64'));
  const isKnown = isConstant(value);
  if (isKnown || !isPresent) return call('accurateCast', isKnown ? rounded : iff(isNull(value), NULL, rounded), lit('Int64'));
  // 2^63 is the first FLOAT64 beyond INT64, and -2^63 the last one in it.
  const isInside = infix('AND', infix('<', value, raw('9223372036854775808.')), infix('>=', value, raw('-9223372036854775808.')));
  return failIf(not(isInside), 'a value is out of the range of INT64', call('toInt64', rounded));
};
/** accurateCastOrNull fails for decimals that are too large, and toInt64 for those that stand in a NULL's place. */
const decimalToInt: CastRule = (value, { safe }) => {
  if (safe) return call('toInt64OrNull', call('toString', call('round', value)));
  if (isConstant(value)) return call('toInt64', call('round', value));
  return iff(isNull(value), NULL, call('toInt64', call('round', call('ifNull', value, lit(0)))));
};

/** printf rounds a half to the even digit and BigQuery away from zero, so the digit behind the last one decides. */
function exactBignumeric(value: SqlExpression): SqlExpression {
  const digits = call('printf', lit('%.60f'), value);
  const size = call('length', digits);
  const cut = call('toDecimal256', call('substring', digits, lit(1), infix('-', size, lit(22))), lit(38));
  const next = call('substring', digits, infix('-', size, lit(21)), lit(1));
  const step = call(
    'toDecimal256',
    call('concat', iff(infix('<', value, lit(0)), lit('-'), lit('')), lit(`0.${'0'.repeat(37)}1`)),
    lit(38),
  );
  return iff(infix('>=', next, lit('5')), infix('+', cut, step), cut);
}

/** Rounds all digits of the float, instead of a product with a power of ten. */
const floatToDecimal =
  (type: 'Decimal(38, 9)' | 'Decimal(76, 38)'): CastRule =>
  (value, context) => {
    const small = type === 'Decimal(38, 9)';
    const exact = small
      ? call('round', call('toDecimal256', call('printf', lit('%.30f'), value), lit(30)), lit(9))
      : exactBignumeric(value);
    // The FLOAT64 that is called 1e29 lies a little below that, and so does 1e38.
    const outside = infix('>', call('abs', value), raw(small ? '1e29' : '1e38'));
    return checked(
      infix('OR', not(call('isFinite', value)), outside),
      'CAST: the FLOAT64 is out of range for the decimal type',
      cast(exact, type),
      context,
    );
  };

/** Returns `read`; where it is NULL for a text, CAST fails. ClickHouse's own conversions of Nullable texts give NULL as well. */
const readFrom = (text: SqlExpression, read: SqlExpression, type: string, { safe }: CastContext): SqlExpression =>
  safe ? read : failIf(infix('AND', isNull(read), isNotNull(text)), `CAST: the text is not ${type}`, read);

/** Reads a sign and decimal digits, or hexadecimal digits after 0x. */
const textToInt: CastRule = (value, context) => {
  const { constant } = context;
  const plain = typeof constant === 'string' && !/0x/i.test(constant);
  return readFrom(value, plain ? call('toInt64OrNull', trimmed(value)) : intOfText(value), 'an INT64', context);
};

const textToFloat: CastRule = (value, context) => {
  const plain = typeof context.constant === 'string' && !/0x/i.test(context.constant);
  return readFrom(value, plain ? call('toFloat64OrNull', trimmed(value)) : floatOfText(value), 'a FLOAT64', context);
};

/** Rounds the digits beyond the scale, which ClickHouse would cut. */
const decimalOfText =
  (kind: 'NUMERIC' | 'BIGNUMERIC') =>
  (text: SqlExpression): SqlExpression => {
    const isNumber = call('match', text, lit('^\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\\s*$'));
    const wide = call('toDecimal256OrNull', trimmed(text), lit(38));
    const rounded = call('round', wide, lit(9));
    const numeric = iff(isBeyondNumeric(rounded), NULL, call('accurateCastOrNull', rounded, lit('Decimal(38, 9)')));
    return iff(isNumber, kind === 'NUMERIC' ? numeric : wide, NULL);
  };

/** Most texts fit into 128 bits with nine digits more than are left. ClickHouse also takes several points for a number, and for 0 a text without digits. */
const textToNumeric = defineHelper('text_to_numeric', ['_text'], (text) => {
  const short = call('toDecimal128OrNull', text, lit(18));
  const isUsual = infix('AND', infix('!=', short, lit(0)), infix('<', call('countSubstrings', text, lit('.')), lit(2)));
  return rarely(isUsual, call('toDecimal128', call('round', short, lit(9)), lit(9)), [text], decimalOfText('NUMERIC'));
});
const textToBignumeric = defineHelper('text_to_bignumeric', ['_text'], decimalOfText('BIGNUMERIC'));

const textToDecimal =
  (kind: 'NUMERIC' | 'BIGNUMERIC'): CastRule =>
  (value, context) => {
    const read = kind === 'NUMERIC' ? textToNumeric : textToBignumeric;
    return readFrom(value, isConstant(value) ? decimalOfText(kind)(value) : read(value), `a ${kind}`, context);
  };

export const NUMBER_CASTS: CastRules = {
  'INT64>FLOAT64': (value) => call('toFloat64', bare(value)),
  'INT64>NUMERIC': (value) => call('toDecimal128', value, lit(9)),
  'INT64>BIGNUMERIC': (value) => call('toDecimal256', value, lit(38)),
  'INT64>BOOL': (value) => infix('!=', value, lit(0)),
  'BOOL>INT64': (value) => call('toInt64', value),
  'FLOAT64>INT64': floatToInt,
  'FLOAT64>NUMERIC': floatToDecimal('Decimal(38, 9)'),
  'FLOAT64>BIGNUMERIC': floatToDecimal('Decimal(76, 38)'),
  'NUMERIC>INT64': decimalToInt,
  'NUMERIC>FLOAT64': (value) => call('toFloat64', unwidened(value)),
  'NUMERIC>BIGNUMERIC': (value) => call('toDecimal256', value, lit(38)),
  'BIGNUMERIC>INT64': decimalToInt,
  // ClickHouse's own conversion of Decimal256 is one digit off: 0.1 becomes 0.09999999999999999.
  'BIGNUMERIC>FLOAT64': (value) => call('toFloat64', call('toString', value)),
  'BIGNUMERIC>NUMERIC': (value, context) => {
    const rounded = call('round', value, lit(9));
    const numeric = call(context.safe ? 'accurateCastOrNull' : 'accurateCast', rounded, lit('Decimal(38, 9)'));
    return checked(isBeyondNumeric(rounded), 'CAST: the BIGNUMERIC is out of range for NUMERIC', numeric, context);
  },
  'STRING>INT64': textToInt,
  'STRING>FLOAT64': textToFloat,
  'STRING>NUMERIC': textToDecimal('NUMERIC'),
  'STRING>BIGNUMERIC': textToDecimal('BIGNUMERIC'),
};
