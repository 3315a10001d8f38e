// CAST and SAFE_CAST, by the pair of types. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import { fail } from '../analyze/fail.ts';
import type { Ch } from '../clickhouse/ast.ts';
import { array, bare, call, cast, ident, iff, infix, isNull, lambda, lit, NULL, raw, tuple } from '../clickhouse/build.ts';
import { clickhouseType, plainType } from '../clickhouse/types.ts';
import type { Cast } from '../resolved.ts';
import { sameType, type Type, typeName } from '../types.ts';
import { lowerExpr } from './lower-expression.ts';
import { lowerLiteral } from './lower-literal.ts';
import type { Environment, Lowering } from './lowering.ts';

interface CastContext {
  readonly safe: boolean;
  readonly to: Type;
  readonly from: Type;
  readonly zone: Ch;
  readonly l: Lowering;
}
type CastRule = (value: Ch, context: CastContext) => Ch;

const UTC = lit('UTC');
/** `toInt64` fails on what it can't read; `toInt64OrNull` is SAFE_CAST. */
const parse =
  (name: string, ...args: readonly Ch[]): CastRule =>
  (value, { safe }) =>
    call(safe ? `${name}OrNull` : name, call('toString', value), ...args);

const trimmed = (value: Ch): Ch => call('trimBoth', value);

/** Numbers that round to INT64 half away from zero and fail outside of its range. */
const floatToInt: CastRule = (value, { safe }) => {
  const rounded = iff(infix('<', value, lit(0)), call('ceil', infix('-', value, raw('0.5'))), call('floor', infix('+', value, raw('0.5'))));
  return safe ? call('accurateCastOrNull', rounded, lit('Int64')) : call('accurateCast', rounded, lit('Int64'));
};

const toText: CastRule = (value) => cast(value, 'Nullable(String)');

/** Shortest text with the point that tells a float from an integer only where BigQuery prints one. */
const floatToText: CastRule = (value) =>
  call(
    'multiIf',
    call('isNaN', value),
    lit('NaN'),
    call('isInfinite', value),
    iff(infix('>', value, lit(0)), lit('Infinity'), lit('-Infinity')),
    cast(value, 'Nullable(String)'),
  );

/** `2026-01-02 03:04:05.678901` with only as many decimals (0, 3, 6) as needed. */
export function datetimeText(value: Ch, zone: Ch): Ch {
  const text = call('formatDateTime', value, lit('%Y-%m-%d %H:%i:%S.%f'), zone);
  return call('replaceRegexpOne', call('replaceRegexpOne', text, lit('\\.000000$'), lit('')), lit('(\\.\\d{3})000$'), lit('\\1'));
}

const RULES: Readonly<Record<string, CastRule>> = {
  'INT64>FLOAT64': (value) => call('toFloat64', bare(value)),
  'INT64>NUMERIC': (value) => call('toDecimal128', value, lit(9)),
  'INT64>BIGNUMERIC': (value) => call('toDecimal256', value, lit(38)),
  'INT64>STRING': (value) => toText(bare(value), { safe: false } as CastContext),
  'INT64>BOOL': (value) => infix('!=', value, lit(0)),
  'BOOL>INT64': (value) => call('toInt64', value),
  'BOOL>STRING': (value) => iff(value, lit('true'), iff(isNull(value), NULL, lit('false'))),
  'FLOAT64>INT64': floatToInt,
  'FLOAT64>NUMERIC': (value) => call('toDecimal128', value, lit(9)),
  'FLOAT64>BIGNUMERIC': (value) => call('toDecimal256', value, lit(38)),
  'FLOAT64>STRING': floatToText,
  'NUMERIC>INT64': (value, context) => floatToInt(value, context),
  'NUMERIC>FLOAT64': (value) => call('toFloat64', value),
  'NUMERIC>BIGNUMERIC': (value) => call('toDecimal256', value, lit(38)),
  'NUMERIC>STRING': toText,
  'BIGNUMERIC>INT64': (value, context) => floatToInt(value, context),
  'BIGNUMERIC>FLOAT64': (value) => call('toFloat64', value),
  'BIGNUMERIC>NUMERIC': (value) => call('toDecimal128', value, lit(9)),
  'BIGNUMERIC>STRING': toText,
  'STRING>INT64': (value, context) => parse('toInt64')(trimmed(value), context),
  'STRING>FLOAT64': (value, context) => parse('toFloat64')(trimmed(value), context),
  'STRING>NUMERIC': (value, context) => parse('toDecimal128', lit(9))(trimmed(value), context),
  'STRING>BIGNUMERIC': (value, context) => parse('toDecimal256', lit(38))(trimmed(value), context),
  'STRING>BOOL': (value, { safe }) =>
    call(
      'multiIf',
      infix('=', call('lower', value), lit('true')),
      lit(true),
      infix('=', call('lower', value), lit('false')),
      lit(false),
      safe ? NULL : call('toBool', value),
    ),
  'STRING>BYTES': (value) => value,
  'BYTES>STRING': (value) => value,
  'STRING>DATE': (value, { safe }) => call(safe ? 'toDate32OrNull' : 'toDate32', value),
  'STRING>DATETIME': (value, { safe }) => call(safe ? 'parseDateTime64BestEffortOrNull' : 'parseDateTime64BestEffort', value, lit(6), UTC),
  'STRING>TIMESTAMP': (value, { safe, zone }) =>
    call(safe ? 'parseDateTime64BestEffortOrNull' : 'parseDateTime64BestEffort', value, lit(6), zone),
  'DATE>STRING': toText,
  'DATE>DATETIME': (value) => call('toDateTime64', value, lit(6), UTC),
  'DATE>TIMESTAMP': (value, { zone }) =>
    isUtc(zone)
      ? call('toDateTime64', value, lit(6), UTC)
      : call('toTimeZone', call('toDateTime64', call('toString', value), lit(6), zone), UTC),
  'DATETIME>STRING': (value) => datetimeText(value, UTC),
  'DATETIME>DATE': (value) => call('toDate32', value),
  'DATETIME>TIMESTAMP': (value, { zone }) =>
    isUtc(zone) ? value : call('toTimeZone', call('toDateTime64', call('toString', value), lit(6), zone), UTC),
  'DATETIME>TIME': (value) => call('toTime64', value, lit(6)),
  'TIMESTAMP>STRING': (value, { zone }) =>
    isUtc(zone)
      ? call('concat', datetimeText(value, UTC), lit('+00'))
      : fail('unsupported', { start: 0, end: 0 }, 'a TIMESTAMP as text in a time zone is not supported', 'use FORMAT_TIMESTAMP'),
  'TIMESTAMP>DATE': (value, { zone }) => call('toDate32', call('toTimeZone', value, zone)),
  'TIMESTAMP>DATETIME': (value, { zone }) => (isUtc(zone) ? value : wallClock(value, zone)),
  'TIMESTAMP>TIME': (value, { zone }) => call('toTime64', wallClock(value, zone), lit(6)),
  'TIME>STRING': toText,
  'DYNAMIC>STRING': (value) => value,
};

const isUtc = (zone: Ch): boolean => zone.kind === 'lit' && zone.value === 'UTC';

/** What a clock in `zone` shows at the instant, as a DATETIME. */
export function wallClock(value: Ch, zone: Ch): Ch {
  return isUtc(zone) ? value : call('toDateTime64', call('toString', call('toTimeZone', value, zone)), lit(6), UTC);
}

export function lowerCast(expr: Cast, value: Ch, env: Environment, l: Lowering): Ch {
  const { operand, type: to, safe, format, timeZone, span } = expr;
  const from = operand.type;
  if (format !== null)
    return fail('unsupported', format.span, 'CAST with FORMAT is not supported', 'use FORMAT_TIMESTAMP, PARSE_TIMESTAMP and their kin');
  if (operand.kind === 'literal' && operand.value === null) return lowerLiteral({ ...operand, type: to });
  const zone = timeZone === null ? UTC : lowerExpr(timeZone, env, l);
  return castValue(value, { safe, from, to, zone, l }, span);
}

function castValue(value: Ch, context: CastContext, span: Cast['span']): Ch {
  const { from, to, l } = context;
  if (sameType(from, to)) return value;
  // An undeclared field is text; what does not read as the wanted type is NULL.
  if (from.kind === 'DYNAMIC')
    return to.kind === 'STRING' ? value : castValue(value, { ...context, from: { kind: 'STRING' }, safe: true }, span);
  if (from.kind === 'ARRAY' && to.kind === 'ARRAY') {
    const name = l.fresh('e');
    return call('arrayMap', lambda([name], castValue(ident(name), { ...context, from: from.element, to: to.element }, span)), value);
  }
  if (from.kind === 'STRUCT' && to.kind === 'STRUCT' && from.fields.length === to.fields.length) {
    const fields = to.fields.map((f, i) =>
      castValue(call('tupleElement', value, lit(i + 1)), { ...context, from: from.fields[i]?.type ?? f.type, to: f.type }, span),
    );
    return iff(isNull(value), NULL, tuple(...fields));
  }
  const rule = RULES[`${from.kind}>${to.kind}`];
  if (rule === undefined) return fail('type', span, `${typeName(from)} can’t be cast to ${typeName(to)}`);
  return rule(value, context);
}

export const nullOf = (type: Type): Ch => (type.kind === 'ARRAY' ? cast(array(), plainType(type)) : cast(NULL, clickhouseType(type)));
