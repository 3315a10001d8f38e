// Constant texts that PARSE_DATE and its kin read, whose values are known now.
import { daysOf, FIRST_MICROSECOND, LAST_MICROSECOND, PART_MICROS } from '../../base/civil.ts';

import type { FieldName, Target, Token } from './parse-token.ts';

/** Reads a field as text; undefined where the format, or the text, has none. */
type Fields = (field: FieldName) => string | undefined;

/** The fields that are read here; texts with others are left to the engine. */
const KNOWN: ReadonlySet<FieldName> = new Set<FieldName>([
  ...(['year', 'year2', 'month', 'monthName', 'quarter', 'day', 'dayOfYear'] as const),
  ...(['hour', 'hour12', 'meridiem', 'minute', 'second', 'fraction', 'epoch'] as const),
  ...(['zulu', 'offsetSign', 'offsetHour', 'offsetMinute'] as const),
]);

const DAY = PART_MICROS['DAY'] ?? 1n;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** RE2's expression of the whole format as one of JavaScript; undefined where the two would read differently. */
function expressionOf(re2: string, tokens: readonly Token[]): RegExp | undefined {
  const ignoresCase = re2.includes('(?i:');
  const isWord = ({ fields, pattern }: Token): boolean =>
    fields.length === 0 && !pattern.includes('(?i:') && /(?<!\\)[A-Za-z]/.test(pattern);
  if (ignoresCase && tokens.some(isWord)) return undefined;
  const spaces = ' \\t\\n\\f\\r';
  const written = re2.replaceAll('(?i:', '(?:').replaceAll('[\\s\\v]', `[${spaces}\\v]`);
  return new RegExp(written, ignoresCase ? 'i' : '');
}

function dayOf(fields: Fields): number | undefined {
  const [year, year2, month, name, quarter, day, ofYear] = (
    ['year', 'year2', 'month', 'monthName', 'quarter', 'day', 'dayOfYear'] as const
  ).map(fields);
  const century = Number(year2) < 69 ? 2000 : 1900;
  const inYear = year2 === undefined ? Number(year ?? 1970) : century + Number(year2);
  if (ofYear !== undefined) {
    const made = (daysOf(inYear, 1, 1) ?? Number.NaN) + Number(ofYear) - 1;
    return made < (daysOf(inYear + 1, 1, 1) ?? Number.NaN) ? made : undefined;
  }
  const ofQuarter = quarter === undefined ? 1 : Number(quarter) * 3 - 2;
  const named = name === undefined ? ofQuarter : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return daysOf(inYear, month === undefined ? named : Number(month), Number(day ?? 1));
}

function clockMicros(fields: Fields): bigint {
  const [hour, half, meridiem, minute, second, fraction] = (['hour', 'hour12', 'meridiem', 'minute', 'second', 'fraction'] as const).map(
    fields,
  );
  const afternoon = meridiem?.toLowerCase() === 'p' ? 12n : 0n;
  const hours = half === undefined ? BigInt(hour ?? 0) : (BigInt(half) % 12n) + afternoon;
  const seconds = (hours * 60n + BigInt(minute ?? 0)) * 60n + BigInt(second ?? 0);
  // The second 60 is the next minute's first, without its fraction.
  const micros = second === '60' ? 0n : BigInt((fraction ?? '').slice(0, 6).padEnd(6, '0'));
  return seconds * 1_000_000n + micros;
}

/** Microseconds east of UTC; undefined beyond 14 hours. */
function offsetOf(fields: Fields): bigint | undefined {
  const minutes = BigInt(fields('offsetHour') ?? 0) * 60n + BigInt(fields('offsetMinute') ?? 0);
  return minutes > 840n ? undefined : minutes * 60_000_000n * (fields('offsetSign') === '-' ? -1n : 1n);
}

/**
 * Returns the value of a text in days or microseconds; undefined where it does not read, or is left to the engine. `re2` is the expression of the whole
 * format, `positions` has the groups of its fields. A time without an offset is one of UTC.
 */
export function parseConstant(
  text: string,
  format: { readonly re2: string; readonly tokens: readonly Token[]; readonly positions: ReadonlyMap<FieldName, number> },
  target: Target,
): bigint | undefined {
  const { re2, tokens, positions } = format;
  if ([...positions.keys()].some((field) => !KNOWN.has(field))) return undefined;
  if (positions.has('dayOfYear') && ['month', 'monthName', 'quarter', 'day'].some((field) => positions.has(field as FieldName)))
    return undefined;
  const groups = expressionOf(re2, tokens)?.exec(text);
  if (groups === null || groups === undefined) return undefined;
  const fields: Fields = (field) => {
    const at = positions.get(field);
    return at === undefined ? undefined : groups[at];
  };
  const epoch = fields('epoch');
  if (target === 'TIME') return clockMicros(fields) % DAY;
  const day = epoch === undefined ? dayOf(fields) : 0;
  if (day === undefined) return undefined;
  if (target === 'DATE' && epoch === undefined) return BigInt(day);
  const clock = epoch === undefined ? BigInt(day) * DAY + clockMicros(fields) : BigInt(epoch) * 1_000_000n;
  const east = target === 'TIMESTAMP' && epoch === undefined ? offsetOf(fields) : 0n;
  const at = east === undefined ? undefined : clock - east;
  if (at === undefined || at < FIRST_MICROSECOND || at > LAST_MICROSECOND) return undefined;
  return target === 'DATE' ? (at - (((at % DAY) + DAY) % DAY)) / DAY : at;
}
