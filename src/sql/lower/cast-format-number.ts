// CAST(number AS STRING FORMAT '$999,999.99').
// https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_numeric_type_as_string
import { fail } from '../base/fail.ts';
import { decimalText, floatText, integerText } from '../functions/text/format-number.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, cast, failIf, iff, infix, lit, NULL, not } from '../target/build.ts';
import type { CastContext } from './cast-rule.ts';

/** Digits, with a comma before every third or without commas. The last digit before the point may be 0, which shows a zero. */
const FORMAT = /^(FM)?(\$?)(9*0?|9{1,3}(?:,999)*,99[90])(?:\.([90]+))?$/;

export function numberFormat(value: SqlExpression, context: CastContext): SqlExpression {
  const { format, from, span } = context;
  const written = format?.constant;
  if (written === null) return cast(NULL, 'Nullable(String)');
  if (typeof written !== 'string') return fail('unsupported', span, 'FORMAT must be a constant string');
  const [all, tight, dollar = '', whole = '', fraction = ''] = FORMAT.exec(written.toUpperCase()) ?? [];
  if (all === undefined || whole + fraction === '' || (tight !== undefined && fraction !== ''))
    return fail(
      'unsupported',
      span,
      `the format '${written}' of numbers is not supported`,
      "write digits, as in '$999,999.00', or use FORMAT('%.2f', number)",
    );
  const places = fraction === '' ? whole : `${whole}.${fraction}`;
  const spec = { flags: whole.includes(',') ? "'" : '', width: null, precision: fraction.length, letter: 'f' };
  const size = call('abs', value);
  const isFloat = from.kind === 'FLOAT64';
  const digits =
    from.kind === 'INT64'
      ? call('concat', integerText(size, { ...spec, precision: null, letter: 'd' }), lit(places.slice(whole.length).replaceAll('9', '0')))
      : (isFloat ? floatText : decimalText)(size, spec);
  const body =
    fraction === '' || whole.endsWith('0') ? digits : iff(call('startsWith', digits, lit('0.')), call('substring', digits, lit(2)), digits);
  const fitting = iff(infix('>', call('length', body), lit(places.length)), lit(places.replaceAll(/[90]/g, '#')), body);
  const signed = call('concat', iff(infix('<', value, lit(0)), lit('-'), lit('')), lit(dollar), fitting);
  const text = tight === undefined ? call('leftPad', signed, lit(1 + dollar.length + places.length), lit(' ')) : signed;
  return isFloat ? failIf(not(call('isFinite', value)), 'CAST: FORMAT of inf and NaN is not supported', text) : text;
}
