// Dates and times from the fields that a parse format reads out of a text.

import type { Span } from '../../../base/source-text.ts';
import { quoteString } from '../../../clickhouse/quote.ts';
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, failIf, ident, iff, infix, isNotNull, isNull, lambda, lit, NULL, rarely, raw } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { dateOfAnyYear, dateOrNull, whereHeld } from '../held-years.ts';
import { lowerLiteral } from '../literal.ts';
import { clockOf, UTC } from './date-part.ts';
import { parseConstant } from './parse-constant.ts';
import { type FieldName, SOME_SPACE, type Target, type Token, WHITE_SPACE } from './parse-token.ts';
import { usualInstant } from './text-time.ts';
import { instantOf, type Zone } from './time-zone.ts';

export interface ParseContext {
  readonly target: Target;
  readonly zone: Zone;
  /** NULL where the text does not read. */
  readonly safe: boolean;
  /** Of the format. */
  readonly span: Span;
  fresh(base: string): string;
}

/** Fields that say the same in different ways: the one that comes last in the format counts. */
const RIVALS: readonly (readonly FieldName[])[] = [
  ['year', 'year2', 'isoYear', 'isoYear2'],
  ['month', 'monthName', 'quarter'],
  ['hour', 'hour12'],
];
const DATE_FIELDS: readonly FieldName[] = [
  'year',
  'year2',
  'isoYear',
  'isoYear2',
  'month',
  'monthName',
  'quarter',
  'day',
  'dayOfYear',
  'sundayWeek',
  'mondayWeek',
];
const CLOCK_FIELDS: readonly FieldName[] = ['hour', 'hour12', 'meridiem', 'minute', 'second', 'fraction', 'secondOfDay'];
const INSTANT_FIELDS: readonly FieldName[] = ['epoch'];
const ZONE_FIELDS: readonly FieldName[] = ['zulu', 'offsetSign', 'offsetHour', 'offsetMinute'];
const READS: Readonly<Record<Target, readonly FieldName[]>> = {
  DATE: [...DATE_FIELDS, ...INSTANT_FIELDS],
  TIME: CLOCK_FIELDS,
  DATETIME: [...DATE_FIELDS, ...CLOCK_FIELDS, ...INSTANT_FIELDS],
  TIMESTAMP: [...DATE_FIELDS, ...CLOCK_FIELDS, ...INSTANT_FIELDS, ...ZONE_FIELDS],
};

/** The whole expression: groups of the text, then the value made of them. */
export function parseText(value: SqlExpression, tokens: readonly Token[], context: ParseContext): SqlExpression {
  const positions = new Map<FieldName, number>();
  let groups = 0;
  let pattern = '';
  for (const [i, token] of tokens.entries()) {
    const digitsFollow = tokens[i + 1]?.digits === true;
    const apart = digitsFollow && token.pattern === WHITE_SPACE && tokens[i - 1]?.greedy === true;
    const written = digitsFollow ? (token.full ?? token.pattern) : token.pattern;
    pattern += apart ? SOME_SPACE : written;
    for (const field of token.fields) {
      groups += 1;
      const rivals = RIVALS.find((r) => r.includes(field)) ?? [field];
      for (const rival of rivals) positions.delete(rival);
      positions.set(field, groups);
    }
  }
  const stray = [...positions.keys()].find((f) => !READS[context.target].includes(f));
  if (stray !== undefined) fail('type', context.span, `this format has elements that a ${context.target} does not have`);
  // A format without fields still needs a group to tell a match from none.
  const full = `^${WHITE_SPACE}${groups === 0 ? `(${pattern})` : pattern}${WHITE_SPACE}$`;
  const known = knownTime(value, { re2: full, tokens, positions }, context);
  if (known !== undefined) return known;
  const name = context.fresh('g');
  const fields = (field: FieldName): SqlExpression | undefined => {
    const at = positions.get(field);
    return at === undefined ? undefined : call('arrayElement', ident(name), lit(at));
  };
  // What does not read is NULL first, so that one check stands for all that may be wrong.
  const read = iff(call('empty', ident(name)), NULL, make(fields, context));
  const readGroups = (text: SqlExpression): SqlExpression => {
    const matched = call('extractGroups', text, raw(quoteString(full)));
    return call('arrayElement', call('arrayMap', lambda([name], read), array(matched)), lit(1));
  };
  // A text that is NULL has no groups.
  const found = isConstant(value) ? readGroups(value) : plainText(value, tokens, context, readGroups);
  const { target } = context;
  if (context.safe) return found;
  const wrong = value.kind === 'lit' ? isNull(found) : infix('AND', isNull(found), isNotNull(value));
  return failIf(wrong, `the text does not match the format of this ${target}, or there is no such ${target}`, found);
}

/** The value of a constant text, where it is known now. */
function knownTime(
  value: SqlExpression,
  format: Parameters<typeof parseConstant>[1],
  { target, zone, span }: ParseContext,
): SqlExpression | undefined {
  if (value.kind !== 'lit' || typeof value.value !== 'string') return undefined;
  if (target === 'TIMESTAMP' && zone.kind !== 'utc') return undefined;
  const known = parseConstant(value.value, format, target);
  return known === undefined ? undefined : lowerLiteral({ kind: 'literal', value: known, type: { kind: target }, span });
}

/** Formats that ClickHouse's own parser reads as well. */
const PLAIN = /^year\\-month\\-day(T| |\[\\s\\v\]\*)hour:minute:second$/;

/** The value of texts of usual formats that have all their digits, which needs no groups; what `rare` makes of other texts and formats. */
function plainText(
  text: SqlExpression,
  tokens: readonly Token[],
  { target, zone }: ParseContext,
  rare: (text: SqlExpression) => SqlExpression,
): SqlExpression {
  const form = tokens.map(({ fields, pattern }) => (fields.length === 0 ? pattern : fields.join('+'))).join('');
  if (target === 'DATE') {
    const day = call('toDate32OrNull', text);
    const digits = { 'year\\-month\\-day': day, yearmonthday: call('toYYYYMMDD', day) }[form];
    return digits === undefined ? rare(text) : rarely(infix('=', call('toString', digits), text), day, [text], rare);
  }
  const separator = PLAIN.exec(form)?.[1];
  if (separator === undefined || (target === 'TIMESTAMP' && zone.kind !== 'utc')) return rare(text);
  return usualInstant(text, separator === 'T' ? 'T' : ' ', rare);
}

/** `value`, but where `wrong` holds the text does not read. */
const unless = (wrong: SqlExpression, value: SqlExpression): SqlExpression => iff(wrong, NULL, value);

type Fields = (field: FieldName) => SqlExpression | undefined;
const integer = (text: SqlExpression): SqlExpression => call('toInt64OrZero', text);

function make(fields: Fields, context: ParseContext): SqlExpression {
  const { target, zone, span } = context;
  const epoch = fields('epoch');
  if (epoch !== undefined) {
    const instant = call('fromUnixTimestamp64Micro', infix('*', integer(epoch), lit(1_000_000)), UTC);
    const all = [lit(-62_135_596_800), lit(253_402_300_799)] as const;
    const held = whereHeld(integer(epoch), all, [lit(-2_208_988_800), lit(10_413_791_999)], instant, context);
    return target === 'DATE' ? call('toDate32', held) : held;
  }
  const micros = clockMicros(fields, span);
  if (target === 'TIME')
    return clockOf(call('addMicroseconds', call('toDateTime64', lit('1970-01-01 00:00:00'), lit(6), UTC), micros ?? lit(0)));
  const date = makeDate(fields, context);
  if (target === 'DATE') return date;
  const midnight = call('toDateTime64', date, lit(6), UTC);
  const clock = micros === undefined ? midnight : call('addMicroseconds', midnight, micros);
  if (target === 'DATETIME') return clock;
  return withOffset(clock, fields, zone);
}

/** An offset in the text counts before the zone of the call. */
function withOffset(clock: SqlExpression, fields: Fields, zone: Zone): SqlExpression {
  const [sign, hours, minutes] = [fields('offsetSign'), fields('offsetHour'), fields('offsetMinute')];
  if (sign === undefined || hours === undefined) return instantOf(clock, zone);
  const total = infix('+', infix('*', integer(hours), lit(60)), minutes === undefined ? lit(0) : integer(minutes));
  const east = iff(infix('=', sign, lit('-')), call('negate', total), total);
  return unless(infix('>', total, lit(840)), call('subtractMinutes', clock, east));
}

/** Microseconds since midnight, or undefined when the format has no clock. */
function clockMicros(fields: Fields, span: Span): SqlExpression | undefined {
  const [hour, half, meridiem, minute, second, fraction, ofDay] = (
    ['hour', 'hour12', 'meridiem', 'minute', 'second', 'fraction', 'secondOfDay'] as const
  ).map(fields);
  const terms: SqlExpression[] = [];
  if (hour !== undefined) terms.push(infix('*', integer(hour), lit(3_600_000_000n)));
  if (half !== undefined) {
    const of12 = infix('%', integer(half), lit(12));
    // Without AM or PM, 12-hour clocks show the morning.
    const hours = meridiem === undefined ? of12 : infix('+', of12, iff(infix('=', call('lower', meridiem), lit('p')), lit(12), lit(0)));
    terms.push(infix('*', hours, lit(3_600_000_000n)));
  }
  if (minute !== undefined) terms.push(infix('*', integer(minute), lit(60_000_000)));
  if (second !== undefined) terms.push(infix('*', integer(second), lit(1_000_000)));
  if (ofDay !== undefined) terms.push(infix('*', integer(ofDay), lit(1_000_000)));
  if (fraction !== undefined) {
    const six = integer(call('rightPad', call('substring', fraction, lit(1), lit(6)), lit(6), lit('0')));
    // The second 60 is the next minute's first, without its fraction.
    terms.push(second === undefined ? six : infix('*', six, infix('!=', second, lit('60'))));
  }
  if (ofDay !== undefined && terms.length > (fraction === undefined ? 1 : 2))
    fail('type', span, 'the second of the day can’t be combined with hours, minutes and seconds');
  return terms.length === 0 ? undefined : terms.reduce((sum, term) => infix('+', sum, term));
}

const MONTHS = array(...['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map((m) => lit(m)));

function yearOf(fields: Fields): SqlExpression {
  const [year, iso] = (['year', 'isoYear'] as const).map(fields);
  const year2 = fields('year2') ?? fields('isoYear2');
  if (year2 !== undefined) {
    // https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements: 00-68 are 2000s, 69-99 are 1900s.
    return infix('+', integer(year2), iff(infix('<', integer(year2), lit(69)), lit(2000), lit(1900)));
  }
  const text = year ?? iso;
  return text === undefined ? lit(1970) : integer(text);
}

function monthOf(fields: Fields): SqlExpression {
  const [month, name, quarter] = (['month', 'monthName', 'quarter'] as const).map(fields);
  if (month !== undefined) return integer(month);
  if (name !== undefined) return call('indexOf', MONTHS, call('lower', call('substring', name, lit(1), lit(3))));
  if (quarter !== undefined) return infix('-', infix('*', integer(quarter), lit(3)), lit(2));
  return lit(1);
}

/** Date32 of the fields; years that ClickHouse can't hold fail even under SAFE. */
function makeDate(fields: Fields, context: ParseContext): SqlExpression {
  const year = yearOf(fields);
  const has = (field: FieldName): boolean => fields(field) !== undefined;
  /** Every ClickHouse holds it. */
  const isBounded = year.kind === 'lit' || has('year2') || has('isoYear2');
  const inYears = (date: SqlExpression): SqlExpression =>
    isBounded ? date : whereHeld(year, [lit(1), lit(9999)], [lit(1900), lit(2299)], date, context);
  const made = isBounded
    ? (month: SqlExpression, day: SqlExpression): SqlExpression => call('makeDate32', year, month, day)
    : (month: SqlExpression, day: SqlExpression): SqlExpression => dateOfAnyYear(year, month, day);
  const others = ['month', 'monthName', 'quarter', 'day', 'dayOfYear', 'sundayWeek', 'mondayWeek', 'isoYear', 'isoYear2'] as const;
  const used = others.filter(has);
  const lone = used.find((f) => ['dayOfYear', 'sundayWeek', 'mondayWeek', 'isoYear', 'isoYear2'].includes(f));
  if (lone !== undefined && used.length > 1)
    fail('unsupported', context.span, 'combining a day of the year or a week with other parts of the date is not supported');
  const [ofYear, sunday, monday] = (['dayOfYear', 'sundayWeek', 'mondayWeek'] as const).map(fields);
  const first = made(lit(1), lit(1));
  if (has('isoYear') || has('isoYear2')) return inYears(call('toStartOfISOYear', made(lit(1), lit(4))));
  if (ofYear !== undefined) {
    const date = call('addDays', first, infix('-', integer(ofYear), lit(1)));
    return inYears(unless(infix('!=', call('toYear', date), year), date));
  }
  const week = sunday ?? monday;
  if (week !== undefined) {
    // Weeks count from the first Sunday or Monday of the year.
    const start = call(
      'addDays',
      first,
      call('positiveModulo', infix('-', lit(8), call('toDayOfWeek', first, lit(sunday === undefined ? 0 : 3))), lit(7)),
    );
    const date = call('addDays', start, infix('*', infix('-', integer(week), lit(1)), lit(7)));
    return inYears(unless(infix('!=', call('toYear', date), year), date));
  }
  const day = fields('day');
  if (day === undefined) return inYears(made(monthOf(fields), lit(1)));
  if (!isBounded && !context.safe) return dateOrNull(year, monthOf(fields), integer(day));
  const date = made(monthOf(fields), integer(day));
  return inYears(unless(infix('!=', call('toDayOfMonth', date), integer(day)), date));
}
