// Date parts: which are allowed where, and the start of a part as ClickHouse has it.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#timestamp_trunc_granularity_timestamp
import { FIRST_DAY, LAST_DAY, PART_MICROS } from '../../base/civil.ts';
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, lit, narrow, widened } from '../../target/build.ts';
import type { LowerCall } from '../define.ts';

export const UTC = lit('UTC');
const WEEKDAYS: readonly string[] = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];
const WEEKS = ['WEEK', ...WEEKDAYS.map((d) => `WEEK(${d})`), 'ISOWEEK'];
export const DATE_PARTS: readonly string[] = ['YEAR', 'ISOYEAR', 'QUARTER', 'MONTH', ...WEEKS, 'DAY'];
export const TIME_PARTS: readonly string[] = ['HOUR', 'MINUTE', 'SECOND', 'MILLISECOND', 'MICROSECOND'];
export const ALL_PARTS: readonly string[] = [...DATE_PARTS, ...TIME_PARTS];

/** The date part at `position`, one of `allowed`; `name` is the function's, for the error. */
export function partAt(c: LowerCall, position: number, allowed: readonly string[], name: string): string {
  const part = String(c.constant(position));
  if (allowed.includes(part)) return part;
  const span = c.args[position]?.span ?? { start: 0, end: 0 };
  const shown = allowed.filter((p) => !p.startsWith('WEEK('));
  return fail('type', span, `${name} does not take the date part ${part}`, `use one of ${shown.join(', ')}`);
}

/** Days from Sunday to the first day of the week that `part` means. */
export function firstWeekday(part: string): number {
  if (part === 'ISOWEEK') return 1;
  return Math.max(0, WEEKDAYS.indexOf(part.slice('WEEK('.length, -1)));
}

/** Refuses a constant, the argument `at`, whose week or ISO year begins or ends outside of BigQuery's years, or whose day in another zone may lie there. */
export function refuseEdges(c: LowerCall, part: string, side: 'start' | 'end' = 'start', at = 0): void {
  const known = c.constant(at);
  if (typeof known !== 'bigint') return;
  const day = c.typeOf(at).kind === 'DATE' ? Number(known) : Math.floor(Number(known) / Number(PART_MICROS['DAY'] ?? 1n));
  const week = day - ((((day + 4 - firstWeekday(part)) % 7) + 7) % 7);
  const weekOutside = side === 'start' ? week < FIRST_DAY : week + 6 > LAST_DAY;
  const dateOutside = part.includes('WEEK') ? weekOutside : part === 'ISOYEAR' && side === 'end' && day > LAST_DAY - 362;
  const outside = part === 'ZONE' ? day === FIRST_DAY || day === LAST_DAY : dateOutside;
  if (outside) fail('type', c.args[at]?.span ?? { start: 0, end: 0 }, 'the result is, or may be, outside 0001-01-01 to 9999-12-31');
}

const CLOCK_STARTS: Readonly<Record<string, string>> = {
  DAY: 'toStartOfDay',
  HOUR: 'toStartOfHour',
  MINUTE: 'toStartOfMinute',
  SECOND: 'toStartOfSecond',
  MILLISECOND: 'toStartOfMillisecond',
};
const DATE_STARTS: Readonly<Record<string, string>> = {
  YEAR: 'toStartOfYear',
  ISOYEAR: 'toStartOfISOYear',
  QUARTER: 'toStartOfQuarter',
  MONTH: 'toStartOfMonth',
};

/** The first day of the part that `value` (a date, or a time on its wall clock) lies in, as Date32. Parts of a day and longer, without DAY. */
export function startDate(value: SqlExpression, part: string, ...zone: readonly SqlExpression[]): SqlExpression {
  const start = DATE_STARTS[part];
  if (start !== undefined) return call(start, value, ...zone);
  const first = firstWeekday(part);
  // ClickHouse's modes: 0 weeks from Sunday, 1 from Monday. https://clickhouse.com/docs/sql-reference/functions/date-time-functions#toStartOfWeek
  if (first <= 1) return call('toStartOfWeek', value, lit(first), ...zone);
  return call('addDays', call('toStartOfWeek', call('subtractDays', value, lit(first)), lit(0), ...zone), lit(first));
}

/** True of the times of a column that stores seconds in UTC. */
const isOfSeconds = (value: SqlExpression): boolean =>
  value.kind === 'cast' && /^(?:Nullable\()?DateTime(?:\('UTC'\))?\)?$/.test(value.widens ?? '');

/** Start of the part on the wall clock, as DateTime64: the functions keep the type and stay usable for the primary key. */
export function startTime(value: SqlExpression, part: string): SqlExpression {
  if (part === 'MICROSECOND') return value;
  const start = CLOCK_STARTS[part];
  // Without a wider type the primary key stays usable, and the time takes half of the room.
  if (isOfSeconds(value)) {
    if (part === 'SECOND' || part === 'MILLISECOND') return value;
    if (start !== undefined) return widened(value, call(start, narrow(value)));
  }
  return start === undefined ? call('toDateTime64', startDate(value, part), lit(6), UTC) : call(start, value);
}

/** A TIME as DATETIME on 1970-01-01: ClickHouse's functions of the clock take no Time64. */
export const onFirstDay = (time: SqlExpression): SqlExpression => call('toDateTime64', time, lit(6), UTC);
export const clockOf = (datetime: SqlExpression): SqlExpression => call('toTime64', datetime, lit(6));
/** The same of any day: before 1970 ClickHouse gives negative times. */
export const clockOfAnyDay = (datetime: SqlExpression): SqlExpression =>
  call(
    'addMicroseconds',
    call('toTime64', lit('00:00:00'), lit(6)),
    call('positiveModulo', call('toUnixTimestamp64Micro', datetime), call('toInt64', lit(PART_MICROS['DAY'] ?? 1n))),
  );

/** True if the argument `at` is surely no time before 1970 that has a fraction of a second. */
export function isSurelyWhole(c: LowerCall, at: number): boolean {
  const known = c.constant(at);
  if (typeof known === 'bigint') return known >= 0n || known % 1_000_000n === 0n;
  const [least = Number.NEGATIVE_INFINITY] = c.range(at) ?? [];
  return least >= 0;
}

/** ClickHouse truncates towards 1970, so that a fraction before 1970 would end up in the next minute, hour or day: such times are cut to their second first. */
export const wholeSecond = (value: SqlExpression, c: LowerCall, at = 0): SqlExpression =>
  isSurelyWhole(c, at) ? value : call('toStartOfSecond', value);
