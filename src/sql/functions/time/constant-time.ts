// Dates and times that functions make of constants: their values are known now, so that neither the functions nor their checks are written.
import { daysOf, FIRST_DAY, FIRST_MICROSECOND, LAST_DAY, LAST_MICROSECOND, PART_MICROS } from '../../base/civil.ts';
import { type IntervalValue, isTooLong } from '../../base/interval.ts';
import type { Expr, FunctionCall, Literal, LiteralValue } from '../../logical/nodes.ts';
import { ALL_PARTS, DATE_PARTS, firstWeekday, TIME_PARTS } from './date-part.ts';

type Kind = 'DATE' | 'DATETIME' | 'TIME' | 'TIMESTAMP';

/** A constant date in days since 1970, or time in microseconds. */
interface Time {
  readonly kind: Kind;
  readonly at: bigint;
}

const DAY = PART_MICROS['DAY'] ?? 1n;

const floorDiv = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;
const dayOf = ({ kind, at }: Time): number => Number(kind === 'DATE' ? at : floorDiv(at, DAY));
const microsOf = ({ kind, at }: Time): bigint => (kind === 'DATE' ? at * DAY : at);

/** The year, the month from 0 on, and the day of the month. */
function civil(day: number): readonly [year: number, month: number, day: number] {
  const date = new Date(day * 86_400_000);
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
}

const isDay = (day: number): boolean => day >= FIRST_DAY && day <= LAST_DAY;
const isInstant = (micros: bigint): boolean => micros >= FIRST_MICROSECOND && micros <= LAST_MICROSECOND;

/** Counts the parts of the calendar up to a day; undefined for other parts. */
function partNumber(part: string, day: number): number | undefined {
  const [year, month] = civil(day);
  switch (part) {
    case 'DAY':
      return day;
    case 'MONTH':
      return year * 12 + month;
    case 'QUARTER':
      return year * 4 + Math.floor(month / 3);
    case 'YEAR':
      return year;
    default:
      return part.includes('WEEK') ? Math.floor((day + 4 - firstWeekday(part)) / 7) : undefined;
  }
}

/** The first day of the part of the calendar with that number. */
function partStart(part: string, count: number): number | undefined {
  if (part === 'DAY') return count;
  if (part.includes('WEEK')) return count * 7 - 4 + firstWeekday(part);
  const months = { MONTH: 1, QUARTER: 3, YEAR: 12 }[part];
  if (months === undefined) return undefined;
  return daysOf(Math.floor((count * months) / 12), ((count * months) % 12) + 1, 1);
}

function difference(end: Time, start: Time, part: string): bigint | undefined {
  const micros = PART_MICROS[part];
  if (start.kind !== end.kind) return undefined;
  if (end.kind === 'TIMESTAMP') return micros === undefined || part === 'WEEK' ? undefined : (end.at - start.at) / micros;
  const allowed = { DATE: DATE_PARTS, TIME: TIME_PARTS, DATETIME: ALL_PARTS }[end.kind];
  if (!allowed.includes(part)) return undefined;
  if (TIME_PARTS.includes(part) && micros !== undefined) return floorDiv(end.at, micros) - floorDiv(start.at, micros);
  const [last, first] = [end, start].map((time) => partNumber(part, dayOf(time)));
  return last === undefined || first === undefined ? undefined : BigInt(last - first);
}

function truncated(time: Time, part: string): bigint | undefined {
  const micros = PART_MICROS[part];
  if (time.kind !== 'DATE' && TIME_PARTS.includes(part) && micros !== undefined) return floorDiv(time.at, micros) * micros;
  const count = time.kind === 'TIME' || !DATE_PARTS.includes(part) ? undefined : partNumber(part, dayOf(time));
  const start = count === undefined ? undefined : partStart(part, count);
  if (start === undefined || !isDay(start)) return undefined;
  return time.kind === 'DATE' ? BigInt(start) : BigInt(start) * DAY;
}

/** A day of the month that the new month lacks is its last one. */
function afterMonths(day: number, months: bigint): number | undefined {
  const [year, month, date] = civil(day);
  const count = year * 12 + month + Number(months);
  const [newYear, newMonth] = [Math.floor(count / 12), count % 12];
  for (let last = date; last > 0; last--) {
    const made = daysOf(newYear, newMonth + 1, last);
    if (made !== undefined) return made;
  }
  return undefined;
}

function shifted(time: Time, { months, days, micros }: IntervalValue, sign: 1n | -1n): bigint | undefined {
  if (time.kind === 'TIME') return months !== 0n || days !== 0n ? undefined : (((time.at + sign * micros) % DAY) + DAY) % DAY;
  if (time.kind === 'DATE' ? micros !== 0n : time.kind === 'TIMESTAMP' && months !== 0n) return undefined;
  const day = months === 0n ? dayOf(time) : afterMonths(dayOf(time), sign * months);
  if (day === undefined) return undefined;
  const moved = BigInt(day) + sign * days;
  if (time.kind === 'DATE') return isDay(Number(moved)) ? moved : undefined;
  const at = moved * DAY + (time.at - BigInt(dayOf(time)) * DAY) + sign * micros;
  return isInstant(at) ? at : undefined;
}

function lastDay(time: Time, part: string): bigint | undefined {
  const count = DATE_PARTS.includes(part) && part !== 'DAY' ? partNumber(part, dayOf(time)) : undefined;
  const next = count === undefined ? undefined : partStart(part, count + 1);
  return next === undefined || !isDay(next - 1) ? undefined : BigInt(next - 1);
}

function clockOf([hour = -1n, minute = -1n, second = -1n]: readonly bigint[]): bigint | undefined {
  if (hour < 0n || hour > 23n || minute < 0n || minute > 59n || second < 0n || second > 59n) return undefined;
  return (hour * 3600n + minute * 60n + second) * 1_000_000n;
}

const dateOf = ([year, month, day]: readonly bigint[]): number | undefined => daysOf(Number(year), Number(month), Number(day));

/** What `kind` shows of a time, in UTC. */
function converted(kind: Kind, time: Time): bigint | undefined {
  if (time.kind === 'TIME') return kind === 'TIME' ? time.at : undefined;
  if (kind === 'DATE') return BigInt(dayOf(time));
  const micros = microsOf(time);
  if (kind !== 'TIME') return micros;
  return time.kind === 'DATE' ? undefined : micros - BigInt(dayOf(time)) * DAY;
}

/** DATE, DATETIME, TIME and TIMESTAMP of fields, or of one time. */
function made(kind: Kind, times: readonly Time[], fields: readonly bigint[]): bigint | undefined {
  const [first, second, ...more] = times;
  if (fields.length === 0) {
    if (first === undefined || more.length > 0) return undefined;
    if (second === undefined) return converted(kind, first);
    return kind === 'DATETIME' && first.kind === 'DATE' && second.kind === 'TIME' ? microsOf(first) + second.at : undefined;
  }
  if (times.length > 0) return undefined;
  if (kind === 'TIME') return fields.length === 3 ? clockOf(fields) : undefined;
  const day = dateOf(fields);
  if (kind === 'DATE' || day === undefined) return fields.length === 3 && day !== undefined ? BigInt(day) : undefined;
  const clock = fields.length === 6 ? clockOf(fields.slice(3)) : undefined;
  return clock === undefined ? undefined : BigInt(day) * DAY + clock;
}

const UNIX: Readonly<Record<string, bigint>> = {
  UNIX_SECONDS: 1_000_000n,
  UNIX_MILLIS: 1000n,
  UNIX_MICROS: 1n,
  TIMESTAMP_SECONDS: 1_000_000n,
  TIMESTAMP_MILLIS: 1000n,
  TIMESTAMP_MICROS: 1n,
};

/** The constants that a call is made of; undefined where it has another argument, or a NULL. */
interface Constants {
  readonly times: readonly Time[];
  readonly numbers: readonly bigint[];
  readonly interval?: IntervalValue;
  readonly part?: string;
}

const isKind = (kind: string): kind is Kind => kind === 'DATE' || kind === 'DATETIME' || kind === 'TIME' || kind === 'TIMESTAMP';

function constantsOf(args: readonly (Expr | null)[]): Constants | undefined {
  const times: Time[] = [];
  const numbers: bigint[] = [];
  let rest: Pick<Constants, 'interval' | 'part'> = {};
  for (const arg of args) {
    if (arg === null) continue;
    if (arg.kind === 'date_part') rest = { ...rest, part: arg.part };
    else if (arg.kind !== 'literal' || arg.value === null) return undefined;
    else if (typeof arg.value === 'object') rest = { ...rest, interval: arg.value };
    else if (typeof arg.value !== 'bigint') return undefined;
    else if (isKind(arg.type.kind)) times.push({ kind: arg.type.kind, at: arg.value });
    else numbers.push(arg.value);
  }
  return { times, numbers, ...rest };
}

function computed(name: string, { times, numbers, interval, part }: Constants): LiteralValue | undefined {
  const [time, other] = times;
  const unit = UNIX[name];
  if (unit !== undefined) {
    if (time !== undefined) return floorDiv(time.at, unit);
    const at = (numbers[0] ?? 0n) * unit;
    return isInstant(at) ? at : undefined;
  }
  if (name === 'UNIX_DATE') return time?.at;
  if (name === 'DATE_FROM_UNIX_DATE') return isDay(Number(numbers[0])) ? numbers[0] : undefined;
  if (isKind(name)) return made(name, times, numbers);
  if (time === undefined) return undefined;
  if (name === 'LAST_DAY') return lastDay(time, part ?? 'MONTH');
  const [, verb = ''] = /^(?:DATE|DATETIME|TIME|TIMESTAMP)_(ADD|SUB|DIFF|TRUNC)$/.exec(name) ?? [];
  if (interval !== undefined && !isTooLong(interval) && (verb === 'ADD' || verb === 'SUB'))
    return shifted(time, interval, verb === 'ADD' ? 1n : -1n);
  if (part === undefined) return undefined;
  if (verb === 'DIFF') return other === undefined ? undefined : difference(time, other, part);
  return verb === 'TRUNC' && other === undefined ? truncated(time, part) : undefined;
}

/** Returns the value of a call on dates and times whose arguments are all constants; undefined for other calls, and where it fails or is left to the engine. */
export function foldTime({ fn, args, type, span }: FunctionCall): Literal | undefined {
  const constants = TIME_FUNCTIONS.test(fn.name) ? constantsOf(args) : undefined;
  const value = constants && computed(fn.name, constants);
  return value === undefined ? undefined : { kind: 'literal', value, type, span };
}

const TIME_FUNCTIONS = /^(?:DATE|DATETIME|TIME|TIMESTAMP|UNIX|LAST)(?:_|$)/;
