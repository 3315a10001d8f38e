// Numbers of texts that are written in hexadecimal digits, which ClickHouse does not read.
import type { SqlExpression } from '../target/ast.ts';
import { call, iff, infix, lit, NULL } from '../target/build.ts';

export const isHex = (text: SqlExpression): SqlExpression => infix('>', call('positionCaseInsensitive', text, lit('0x')), lit(0));

/** A sign, 0x and digits of 64 bits at most as an Int128; NULL for other texts. */
export function hexNumber(text: SqlExpression): SqlExpression {
  const digits = call('extract', text, lit('^[+-]?0[xX]0*([0-9a-fA-F]{0,16})$'));
  const magnitude = call(
    'toInt128',
    call('reinterpretAsUInt64', call('reverse', call('unhex', call('leftPad', digits, lit(16), lit('0'))))),
  );
  const signed = iff(call('startsWith', text, lit('-')), call('negate', magnitude), magnitude);
  return iff(call('match', text, lit('^[+-]?0[xX]0*[0-9a-fA-F]{1,16}$')), signed, NULL);
}

/** A FLOAT64 of a text without spaces around it; NULL where it is none. */
export const floatOfText = (text: SqlExpression): SqlExpression =>
  iff(isHex(text), call('toFloat64', hexNumber(text)), call('toFloat64OrNull', text));
