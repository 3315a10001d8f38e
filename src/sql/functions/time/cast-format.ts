// CAST … FORMAT between text and dates or times: `YYYY-MM-DD HH24:MI:SS.FF3`.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_date_time_as_string

import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, infix, isNull, lit, NULL } from '../../target/build.ts';
import { UTC } from './date-part.ts';
import { type Element, type Needs, offsetText } from './format-element.ts';
import { type Piece, renderPieces } from './format-time.ts';
import { type ParseContext, parseText } from './parse-fields.ts';
import {
  DAY,
  DAY_OF_YEAR,
  type FieldName,
  HOUR,
  HOUR_12,
  MINUTE,
  MONTH,
  MONTH_NAME,
  SECOND,
  type Target,
  type Token,
} from './parse-token.ts';
import type { Zone } from './time-zone.ts';

/** Elements as written, longest first; quoted text; separators. */
const PART =
  /YYYY|YYY|YY|Y|RRRR|RR|MONTH|MON|MM|MI|DDD|DD|DAY|DY|D|HH24|HH12|HH|SSSSS|SS|FF[1-9]|[AP]\.M\.|[AP]M|TZH|TZM|"((?:[^"\\]|\\["\\])*)"|[-./,';:]|\s+/giy;

function readParts(
  format: string,
  span: Span,
): readonly { readonly name: string; readonly written: string; readonly text: string | null }[] {
  const parts = [];
  let end = 0;
  for (const match of format.matchAll(PART)) {
    end = match.index + match[0].length;
    const quoted = match[1]?.replace(/\\(["\\])/g, '$1');
    const separator = /^[-./,';:\s]/.test(match[0]) ? match[0] : null;
    parts.push({ name: match[0].toUpperCase(), written: match[0], text: quoted ?? separator });
  }
  if (end < format.length)
    fail('unsupported', span, `'${format.slice(end)}' in this FORMAT is not supported`, 'elements are YYYY, MM, DD, HH24, MI, SS, FF3, …');
  return parts;
}

// ---- dates and times to text ---------------------------------------------------------------------------------------------------

const native = (needs: Needs, text: string): Element => ({ needs, native: text });
const made = (needs: Needs, make: (clock: SqlExpression, zone: Zone, instant: SqlExpression) => SqlExpression): Element => ({
  needs,
  make,
});
const formatted = (clock: SqlExpression, text: string): SqlExpression => call('formatDateTime', clock, lit(text));
const tail = (text: string, from: number): Element => made('date', (clock) => call('substring', formatted(clock, text), lit(from)));

const WRITTEN: Readonly<Record<string, Element>> = {
  YYYY: native('date', '%Y'),
  RRRR: native('date', '%Y'),
  YYY: tail('%Y', 2),
  YY: native('date', '%y'),
  RR: native('date', '%y'),
  Y: tail('%Y', 4),
  MM: native('date', '%m'),
  D: made('date', (clock) => call('toString', call('toDayOfWeek', clock, lit(3)))),
  DD: native('date', '%d'),
  DDD: native('date', '%j'),
  HH: native('clock', '%I'),
  HH12: native('clock', '%I'),
  HH24: native('clock', '%H'),
  MI: native('clock', '%i'),
  SS: native('clock', '%S'),
  SSSSS: made('clock', (clock) => {
    // Before 1970 ClickHouse takes a fraction of a second for one of the second after it.
    const second = call('toStartOfSecond', clock);
    const midnight = call('toStartOfDay', second);
    return call('leftPad', call('toString', call('dateDiff', lit('second'), midnight, second)), lit(5), lit('0'));
  }),
  TZH: made('instant', (_clock, zone, instant) => call('substring', offsetText(zone, instant, ''), lit(1), lit(3))),
  TZM: made('instant', (_clock, zone, instant) => call('substring', offsetText(zone, instant, ''), lit(4))),
};
const NAMES: Readonly<Record<string, string>> = { MONTH: '%M', MON: '%b', DAY: '%W', DY: '%a' };

/** Names are written as the element is: `Day`, `DAY`, `day`. */
function writtenElement(name: string, written: string): Element | undefined {
  const format = NAMES[name];
  const capital = written[0] !== written[0]?.toLowerCase();
  if (format !== undefined) {
    if (!capital) return made('date', (clock) => call('lower', formatted(clock, format)));
    return written[1] === written[1]?.toUpperCase()
      ? made('date', (clock) => call('upper', formatted(clock, format)))
      : native('date', format);
  }
  if (/^[AP]\.?M/.test(name)) {
    const half = (letter: string): SqlExpression => {
      const text = name.includes('.') ? `${letter}.M.` : `${letter}M`;
      return lit(capital ? text : text.toLowerCase());
    };
    return made('clock', (clock) => iff(isNull(clock), NULL, iff(infix('<', call('toHour', clock), lit(12)), half('A'), half('P'))));
  }
  if (name.startsWith('FF')) return made('clock', (clock) => fraction(clock, Number(name.slice(2))));
  return WRITTEN[name];
}

function fraction(clock: SqlExpression, digits: number): SqlExpression {
  const six = formatted(clock, '%f');
  if (digits === 6) return six;
  return digits < 6 ? call('substring', six, lit(1), lit(digits)) : call('concat', six, lit('0'.repeat(digits - 6)));
}

const HAS: Readonly<Record<Target, readonly Needs[]>> = {
  DATE: ['date'],
  TIME: ['clock'],
  DATETIME: ['date', 'clock'],
  TIMESTAMP: ['date', 'clock', 'instant'],
};

/** `value` (TIMEs as DATETIME on 1970-01-01) as text in a FORMAT of CAST. */
export function formatCast(value: SqlExpression, from: Target, zone: Zone, format: string, span: Span): SqlExpression {
  const parts = readParts(format, span);
  const pieces = parts.map(({ name, written, text }): Piece => {
    if (text !== null) return { text };
    const element = writtenElement(name, written);
    if (element === undefined || !HAS[from].includes(element.needs))
      return fail('type', span, `this FORMAT asks for ${written}, which a ${from} does not have`);
    return { element };
  });
  // ClickHouse 26.7 counts one day less for the last day whose Date32 it can write as text.
  const isDay = from === 'DATE' && parts.some(({ name }) => name === 'DDD');
  return renderPieces(pieces, isDay ? call('toDateTime64', value, lit(6), UTC) : value, zone);
}

// ---- text to dates and times ---------------------------------------------------------------------------------------------------

const digits = (pattern: string, full: string, field: FieldName): Token => ({ pattern, full, fields: [field], digits: true });
const READ: Readonly<Record<string, Token>> = {
  YYYY: digits('(\\d{1,5})', '(\\d{4})', 'year'),
  MM: MONTH,
  MON: MONTH_NAME,
  MONTH: MONTH_NAME,
  DD: DAY,
  DDD: DAY_OF_YEAR,
  HH: HOUR_12,
  HH12: HOUR_12,
  HH24: HOUR,
  MI: MINUTE,
  SS: SECOND,
  SSSSS: digits('(\\d{1,5})', '(\\d{5})', 'secondOfDay'),
  TZH: { pattern: '([+-])(0\\d|1[0-4])', fields: ['offsetSign', 'offsetHour'], digits: false },
  TZM: digits('([0-5]\\d)', '([0-5]\\d)', 'offsetMinute'),
};

function readElement(name: string): Token | undefined {
  if (/^[AP]\.M\./.test(name)) return { pattern: '(?i:([ap])\\.m\\.)', fields: ['meridiem'], digits: false };
  if (/^[AP]M/.test(name)) return { pattern: '(?i:([ap])m)', fields: ['meridiem'], digits: false };
  if (name.startsWith('FF')) return digits(`(\\d{1,${name.slice(2)}})`, `(\\d{${name.slice(2)}})`, 'fraction');
  return READ[name];
}

/** White space stands for any other, quoted text and separators for themselves. */
const plain = (text: string): Token => ({
  pattern: /^\s/.test(text) ? '\\s+' : text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  fields: [],
  digits: /^\d/.test(text),
});

/** Text in a FORMAT of CAST as a date or time. */
export function parseCast(value: SqlExpression, format: string, context: ParseContext): SqlExpression {
  const { target, span } = context;
  const tokens = readParts(format, span)
    .filter(({ text }) => text !== '')
    .map(({ name, written, text }): Token => {
      const token = text === null ? readElement(name) : plain(text);
      return token ?? fail('unsupported', span, `${written} can’t be read from text`);
    });
  const fields = tokens.flatMap((t) => t.fields);
  const has = (field: FieldName): boolean => fields.includes(field);
  const doubled = fields.find((f, i) => fields.indexOf(f) !== i);
  const clash = (has('hour') && has('hour12')) || (has('month') && has('monthName')) || has('hour12') !== has('meridiem');
  if (doubled !== undefined || clash) fail('type', span, 'this FORMAT has elements that contradict each other');
  // Left out, year and month are those of the current day.
  if (target !== 'TIME' && !(has('year') && (has('month') || has('monthName') || has('dayOfYear'))))
    fail('unsupported', span, 'a FORMAT without year and month is not supported', 'add YYYY and MM');
  return parseText(value, tokens, context);
}
