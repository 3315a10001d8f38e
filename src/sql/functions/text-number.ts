// Numbers of texts, also of those with hexadecimal digits, which ClickHouse does not read.
import type { SqlExpression } from '../target/ast.ts';
import { call, iff, infix, isNotNull, lit, NULL, rarely } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { defineHelper } from '../target/helpers.ts';

/** A sign, 0x and digits of 64 bits at most as an Int128; NULL for other texts. */
const hexToInt128 = defineHelper('hex_to_int128', ['_text'], (text) => {
  const digits = call('extract', text, lit('^[+-]?0[xX]0*([0-9a-fA-F]{1,16})$'));
  const magnitude = call('reinterpretAsUInt64', call('reverse', call('unhex', call('nullIf', digits, lit('')))));
  return infix('*', call('toInt128', magnitude), iff(call('startsWith', text, lit('-')), lit(-1), lit(1)));
});

export const trimmed = (text: SqlExpression): SqlExpression => call('trimBoth', text, lit(' \t\n\v\f\r'));

const intOf = (text: SqlExpression): SqlExpression =>
  call('coalesce', call('toInt64OrNull', text), call('accurateCastOrNull', hexToInt128(text), lit('Int64')));

/** A FLOAT64 of a text without spaces around it; NULL where it is none. */
export const floatOfBareText = (text: SqlExpression): SqlExpression =>
  call('coalesce', call('toFloat64OrNull', text), call('toFloat64', hexToInt128(text)));

/** Hardly a text has spaces around the number, or hexadecimal digits: they are looked for where there is no plain number. */
const orElse = (plain: SqlExpression, text: SqlExpression, rare: (text: SqlExpression) => SqlExpression): SqlExpression =>
  rarely(isNotNull(plain), plain, [text], rare);

const PLAIN_NUMBERS = 'CAST reads decimal digits without spaces around them; hexadecimal numbers are NULL';

const textToInt64 = defineHelper(
  'text_to_int64',
  ['_text'],
  (text) => orElse(call('toInt64OrNull', text), text, (odd) => intOf(trimmed(odd))),
  {
    of: (text) => call('toInt64OrNull', text ?? NULL),
    note: PLAIN_NUMBERS,
  },
);
const textToFloat64 = defineHelper(
  'text_to_float64',
  ['_text'],
  (text) => orElse(call('toFloat64OrNull', text), text, (odd) => floatOfBareText(trimmed(odd))),
  { of: (text) => call('toFloat64OrNull', text ?? NULL), note: PLAIN_NUMBERS },
);

/** An INT64 of a text; NULL where it is none. */
export const intOfText = (text: SqlExpression): SqlExpression => (isConstant(text) ? intOf(trimmed(text)) : textToInt64(text));

/** A FLOAT64 of a text; NULL where it is none. */
export const floatOfText = (text: SqlExpression): SqlExpression =>
  isConstant(text) ? floatOfBareText(trimmed(text)) : textToFloat64(text);
