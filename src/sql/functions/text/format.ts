// FORMAT. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#format_string
import { fail } from '../../base/fail.ts';
import { FLOAT64, NUMERIC, STRING } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, infix, isNull, lit, NULL, raw } from '../../target/build.ts';
import { define, type Family, type LowerCall } from '../define.ts';
import { jsonText } from '../json/json-text.ts';
import { nullOf } from '../strict.ts';
import { decimalText, type FormatSpec, floatText, integerText, isPlain, padded, printfText } from './format-number.ts';
import { valueText } from './format-value.ts';

const SPEC = /%(?:%|([-+ 0#']*)(\*|\d+)?(?:\.(\*|-?\d+)?)?([a-zA-Z]?))/gsu;
const MOST = 2 ** 31;

/** A constant NULL makes the result NULL, except as a value of %t or %T. */
const hasNull = (text: string, c: LowerCall): boolean =>
  !/%[^%a-zA-Z]*[tT]/.test(text) && c.args.some((_, i) => i > 0 && c.constant(i) === null);

/** A piece of the result: text, or a ClickHouse printf of values, or an expression. */
type Piece = { readonly printf: string; readonly values: readonly SqlExpression[] } | SqlExpression;

function pieces(text: string, values: readonly SqlExpression[], c: LowerCall): readonly Piece[] {
  const spanOf = (i: number) => c.args[i]?.span ?? { start: 0, end: 0 };
  const made: Piece[] = [];
  let next = 0;
  let end = 0;
  const take = (): number => {
    if (next >= values.length) fail('type', spanOf(0), `FORMAT has more elements than the ${values.length} values given`);
    return next++;
  };
  /** Width and precision: digits, or the next argument. */
  const size = (written: string | undefined): number | SqlExpression | null => {
    if (written === undefined) return null;
    if (written !== '*') return Number(written);
    const at = take();
    if (c.typeOf(at + 1).kind !== 'INT64') fail('type', spanOf(at + 1), '* in FORMAT takes an INT64');
    const known = c.constant(at + 1);
    // A NULL makes the whole result NULL.
    if (known === null) return 0;
    return typeof known === 'bigint' ? Number(known) : (values[at] ?? null);
  };
  for (const match of text.matchAll(SPEC)) {
    const before = text.slice(end, match.index);
    if (before.includes('%')) fail('type', spanOf(0), `'%' in FORMAT must come before an element or another '%'`);
    end = match.index + match[0].length;
    made.push(lit(match[0] === '%%' ? `${before}%` : before));
    if (match[0] === '%%') continue;
    const [, flags = '', width, precision, letter = ''] = match;
    const implied = match[0].includes('.') ? 0 : null;
    const spec: FormatSpec = { flags, width: size(width), precision: precision === undefined ? implied : size(precision), letter };
    for (const bound of [spec.width, spec.precision])
      if (typeof bound === 'number' && bound >= MOST) fail('type', spanOf(0), `${bound} is too wide for FORMAT`);
    if (typeof spec.width === 'number' && spec.width > 1_000_000) fail('type', spanOf(0), `${spec.width} is too wide for FORMAT`);
    const at = take();
    made.push(formatOne(values[at] ?? lit(''), at + 1, spec, c));
  }
  const rest = text.slice(end);
  if (next < values.length) fail('type', spanOf(next + 1), `FORMAT has ${next} elements for ${values.length} values`);
  return [...made, lit(rest)];
}

function formatOne(value: SqlExpression, position: number, spec: FormatSpec, c: LowerCall): Piece {
  const type = c.typeOf(position);
  const { letter, precision } = spec;
  const refuse = (): never =>
    fail(
      'type',
      c.args[position]?.span ?? { start: 0, end: 0 },
      `%${letter} in FORMAT does not take a ${type.kind}`,
      '%t takes every type',
    );
  if ('diouxX'.includes(letter) && letter !== '') {
    if (type.kind !== 'INT64' || letter === 'u') return refuse();
    if (precision !== null && typeof precision !== 'number') return unsupported(position, c);
    if (!isPlain(spec)) return integerText(value, spec);
    const printf = printfText(spec);
    return printf === '%d' ? call('toString', value) : { printf, values: [value] };
  }
  if ('fFeEgG'.includes(letter) && letter !== '') {
    if (precision !== null && typeof precision !== 'number') return unsupported(position, c);
    if (type.kind === 'NUMERIC' || type.kind === 'BIGNUMERIC')
      return 'fF'.includes(letter) ? decimalText(value, spec) : formatFloat(c.cast(value, NUMERIC, FLOAT64), spec, undefined, true);
    return type.kind === 'FLOAT64' ? formatFloat(value, spec, c.constant(position), c.finite(position)) : refuse();
  }
  const cut = (text: SqlExpression): SqlExpression => {
    if (precision === null || (typeof precision === 'number' && precision < 0)) return text;
    if (typeof precision === 'number') return call('substringUTF8', text, lit(1), lit(precision));
    return iff(infix('<', precision, lit(0)), text, call('substringUTF8', text, lit(1), call('greatest', precision, lit(0))));
  };
  switch (letter) {
    case 's':
      return type.kind === 'STRING' ? padded(cut(value), spec) : refuse();
    case 't':
    case 'T':
      return padded(cut(valueText(value, type, letter === 'T', c)), spec);
    case 'p':
    case 'P':
      if (type.kind !== 'JSON') return refuse();
      if (letter === 'P') return unsupported(position, c);
      return iff(isNull(value), NULL, padded(cut(jsonText(value, type, { wideAsText: false, pretty: false }, c)), spec));
    default:
      return fail('type', c.args[0]?.span ?? { start: 0, end: 0 }, `%${letter} is not an element of FORMAT`, 'write %% for a percent sign');
  }
}

function formatFloat(value: SqlExpression, spec: FormatSpec, known: unknown, finite: boolean): Piece {
  if (!isPlain(spec)) return floatText(value, spec);
  // -0.0 + 0 is 0.0: it has no sign here, and neither has NaN.
  const unsigned = typeof known === 'number' && known !== 0 ? value : infix('+', value, raw('0.'));
  return { printf: printfText(spec), values: [finite ? unsigned : iff(call('isNaN', value), raw('nan'), unsigned)] };
}

const unsupported = (position: number, c: LowerCall): never =>
  fail(
    'unsupported',
    c.args[position]?.span ?? { start: 0, end: 0 },
    'this element of FORMAT is not supported',
    'write the precision as a number',
  );

/** Neighbouring texts and printfs become one call. */
function joined(parts: readonly Piece[]): SqlExpression {
  const isText = (p: Piece): p is Extract<SqlExpression, { kind: 'lit' }> => 'kind' in p && p.kind === 'lit';
  const filled = parts.filter((p) => !(isText(p) && p.value === ''));
  if (filled.length === 0) return lit('');
  const [only] = filled;
  if (filled.length === 1 && only !== undefined && 'kind' in only) return only;
  if (filled.some((p) => 'printf' in p) && filled.every((p) => 'printf' in p || isText(p))) {
    const text = filled.map((p) => ('printf' in p ? p.printf : String(isText(p) ? p.value : '').replaceAll('%', '%%'))).join('');
    return call('printf', lit(text), ...filled.flatMap((p) => ('printf' in p ? p.values : [])));
  }
  return call('concat', ...filled.map((p) => ('printf' in p ? call('printf', lit(p.printf), ...p.values) : p)));
}

export const format = (): Family => ({
  FORMAT: define(
    'format STRING, ...values ANY -> STRING',
    ({ format, values }, c) => {
      const text = c.constant(0);
      if (text === null) return nullOf(STRING);
      if (typeof text !== 'string')
        return fail(
          'unsupported',
          c.args[0]?.span ?? { start: 0, end: 0 },
          'FORMAT takes a constant format',
          'write the format as a string',
        );
      const made = pieces(text, values, c);
      if (hasNull(text, c)) return nullOf(STRING);
      return made.length === 0 ? format : joined(made);
    },
    { writesAny: true },
  ),
});
