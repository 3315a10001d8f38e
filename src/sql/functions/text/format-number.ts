// Numbers in FORMAT(): sign, prefix, digits, grouping and padding.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_string
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, infix, lit } from '../../target/build.ts';

/** One `%…` of a format text. Width and precision may come from arguments (`*`). */
export interface FormatSpec {
  readonly flags: string;
  readonly width: number | SqlExpression | null;
  readonly precision: number | SqlExpression | null;
  readonly letter: string;
}

const SMALL = 1000;
const has = (spec: FormatSpec, flag: string): boolean => spec.flags.includes(flag);

/** `printf` of ClickHouse follows the same rules as long as nothing needs grouping and nothing negative is written in hex. */
export function isPlain({ flags, width, precision, letter }: FormatSpec): boolean {
  const small = (size: number | SqlExpression | null): boolean => size === null || (typeof size === 'number' && size >= 0 && size < SMALL);
  return (
    !flags.includes("'") &&
    'difFeEgG'.includes(letter) &&
    small(width) &&
    small(precision) &&
    !(flags.includes('0') && precision !== null && 'di'.includes(letter))
  );
}

export const printfText = ({ flags, width, precision, letter }: FormatSpec): string =>
  `%${flags}${typeof width === 'number' ? width : ''}${typeof precision === 'number' ? `.${precision}` : ''}${letter === 'i' ? 'd' : letter}`;

/** Spaces up to the width, on the right for the flag `-`; ClickHouse would also cut what is longer. */
export function padded(text: SqlExpression, spec: FormatSpec): SqlExpression {
  const { width } = spec;
  if (width === null || width === 0) return text;
  const pad = (side: 'left' | 'right', size: SqlExpression): SqlExpression =>
    call(`${side}PadUTF8`, text, call('greatest', call('lengthUTF8', text), size), lit(' '));
  if (typeof width === 'number') return pad(has(spec, '-') || width < 0 ? 'right' : 'left', lit(Math.abs(width)));
  const size = call('abs', width);
  return has(spec, '-') ? pad('right', size) : iff(infix('<', width, lit(0)), pad('right', size), pad('left', size));
}

/** Inserts `separator` before every group of `size` digits, counted from the right. */
function grouped(digits: SqlExpression, size: number, separator: string): SqlExpression {
  const reversed = call('replaceRegexpAll', call('reverse', digits), lit(`(.{${size}})`), lit(`\\1${separator}`));
  return call('reverse', call('trimRight', reversed, lit(separator)));
}

interface Parts {
  readonly isNegative: SqlExpression;
  readonly prefix: string;
  readonly body: SqlExpression;
  /** The body is digits, which zeros may stand before. */
  readonly zeros: boolean;
}

function assembled({ isNegative, prefix, body, zeros }: Parts, spec: FormatSpec): SqlExpression {
  const positive = ['+', ' '].find((flag) => has(spec, flag)) ?? '';
  const sign = iff(isNegative, lit('-'), lit(positive));
  const { width } = spec;
  const spaced = padded(call('concat', sign, lit(prefix), body), spec);
  if (!zeros || !has(spec, '0') || has(spec, '-') || width === null || (typeof width === 'number' && width < 0)) return spaced;
  const zeroed = (room: SqlExpression): SqlExpression => {
    const digits = call('greatest', infix('-', room, call('length', sign)), call('length', body));
    return call('concat', sign, lit(prefix), call('leftPad', body, digits, lit('0')));
  };
  if (typeof width === 'number') return zeroed(lit(Math.max(0, width - prefix.length)));
  return iff(infix('<', width, lit(0)), spaced, zeroed(prefix === '' ? width : infix('-', width, lit(prefix.length))));
}

const PREFIX: Readonly<Record<string, string>> = { x: '0x', X: '0X', o: '0' };

/** %d %i %o %x %X of an INT64: the sign stands before the digits of the absolute value, in every base. */
export function integerText(value: SqlExpression, spec: FormatSpec): SqlExpression {
  const { letter, precision } = spec;
  const base = letter === 'i' ? 'd' : letter;
  const least = typeof precision === 'number' && precision > 0 ? `.${Math.min(precision, SMALL)}` : '';
  // The least integer has its digits as an unsigned number only.
  const digits = call('printf', lit(`%${least}${base === 'd' ? 'u' : base}`), call('abs', value));
  const body = has(spec, "'") ? grouped(digits, base === 'd' ? 3 : 4, 'xX'.includes(base) ? ':' : ',') : digits;
  const zeros = precision === null || (typeof precision === 'number' && precision < 0);
  return assembled({ isNegative: infix('<', value, lit(0)), prefix: has(spec, '#') ? (PREFIX[letter] ?? '') : '', body, zeros }, spec);
}

/** %f %e %g and their upper case forms of a FLOAT64. */
export function floatText(value: SqlExpression, spec: FormatSpec): SqlExpression {
  const { letter, precision } = spec;
  const digits = typeof precision === 'number' && precision >= 0 ? `.${Math.min(precision, SMALL)}` : '';
  const text = call('printf', lit(`%${has(spec, '#') ? '#' : ''}${digits}${letter}`), call('abs', value));
  const whole = call('extract', text, lit('^[0-9]+'));
  const rest = call('substring', text, infix('+', call('length', whole), lit(1)));
  // Numbers with an exponent and inf have no groups.
  const groups = iff(infix('<', call('length', whole), lit(4)), text, call('concat', grouped(whole, 3, ','), rest));
  const body = has(spec, "'") ? groups : text;
  const parts = { isNegative: infix('<', value, lit(0)), prefix: '', body };
  const spaced = assembled({ ...parts, zeros: false }, spec);
  // Before inf and nan there are spaces.
  return has(spec, '0') ? iff(call('isFinite', value), assembled({ ...parts, zeros: true }, spec), spaced) : spaced;
}

/** %f of a decimal: all its digits. */
export function decimalText(value: SqlExpression, spec: FormatSpec): SqlExpression {
  const precision = typeof spec.precision === 'number' && spec.precision >= 0 ? spec.precision : 6;
  const digits = call('toDecimalString', call('abs', call('round', value, lit(precision))), lit(precision));
  // Without decimals ClickHouse leaves the point.
  const text = precision === 0 && !has(spec, '#') ? call('trimRight', digits, lit('.')) : digits;
  const whole = call('extract', text, lit('^[0-9]+'));
  const body = has(spec, "'")
    ? call('concat', grouped(whole, 3, ','), call('substring', text, infix('+', call('length', whole), lit(1))))
    : text;
  return assembled({ isNegative: infix('<', value, lit(0)), prefix: '', body, zeros: true }, spec);
}
