// Checks of the parameters of a type in CAST: NUMERIC(10, 2), STRING(5).
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#parameterized_data_types
import type { SqlExpression } from '../target/ast.ts';
import { call, infix, lit } from '../target/build.ts';
import type { Family, LowerCall } from './define.ts';
import { strict } from './strict.ts';

function heldToDigits(value: SqlExpression, c: LowerCall): SqlExpression {
  const [precision, scale] = [Number(c.constant(1)), Number(c.constant(2))];
  const { kind } = c.type;
  const rounded = call('round', value, lit(scale));
  const whole = '9'.repeat(precision - scale);
  const most = `${whole === '' ? '0' : whole}${scale === 0 ? '' : `.${'9'.repeat(scale)}`}`;
  const limit = call('toDecimal256', lit(most), lit(kind === 'NUMERIC' ? 9 : 38));
  const isLarge = infix('>', call('abs', rounded), limit);
  // Rounded up beyond its range, a BIGNUMERIC has the other sign in ClickHouse.
  const wraps = infix('<', infix('*', call('sign', rounded), call('sign', value)), lit(0));
  const isOutside = kind === 'NUMERIC' ? isLarge : infix('OR', isLarge, wraps);
  return c.failIf(isOutside, `CAST: the value is out of range for ${kind}(${precision}, ${scale}), which goes up to ${most}`, rounded);
}

export const heldTo = (): Family => ({
  $held_to_digits: strict(
    'value NUMERIC, precision INT64, scale INT64 -> NUMERIC | value BIGNUMERIC, precision INT64, scale INT64 -> BIGNUMERIC',
    ({ value }, c) => heldToDigits(value, c),
  ),
  $held_to_length: strict('value STRING, length INT64 -> STRING | value BYTES, length INT64 -> BYTES', ({ value }, c) => {
    const { kind } = c.type;
    const most = Number(c.constant(1));
    const length = call(kind === 'BYTES' ? 'length' : 'lengthUTF8', value);
    return c.failIf(infix('>', length, lit(most)), `CAST: the value is longer than ${kind}(${most})`, value);
  }),
});
