// Reads the timestamps that log events carry: ISO 8601, or seconds, milliseconds, microseconds, nanoseconds since 1970.
import type { Json } from '../engine/lossless-json.ts';

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;
const EPOCH = /^(-?\d+)(?:\.(\d+))?$/;

/** What the store's partitions by day can hold. */
const FIRST = '1970-01-01';
const LAST = '2149-06-06';

/**
 * The instant as ClickHouse's text in UTC, `2026-01-02 03:04:05.678901`; undefined when it cannot be read or lies outside 1970 to 2149.
 * A text without offset is UTC. Numbers count by their size: below 10^11 seconds, below 10^14 milliseconds, below 10^17 microseconds, else
 * nanoseconds. Digits beyond microseconds are cut off.
 */
export function readTimestamp(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const text = String(value).trim();
  const iso = ISO.exec(text);
  const read = iso === null ? readEpoch(text) : readIso(iso);
  return read !== undefined && read >= FIRST && read < LAST ? read : undefined;
}

/** ClickHouse's text as ISO 8601 with a Z. */
export function toIso(text: string): string {
  return `${text.replace(' ', 'T')}Z`;
}

function readIso(match: RegExpExecArray): string | undefined {
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const [y, m, d, h] = [Number(year), Number(month), Number(day), Number(hour)];
  if (m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m) || h > 23 || minute > '59' || second > '59') return undefined;
  const offsetMinutes = readOffset(zone);
  if (offsetMinutes === undefined) return undefined;
  // Most logs are in UTC already; going through Date would cost more than the rest of reading a timestamp.
  if (offsetMinutes === 0) return `${year}-${month}-${day} ${hour}:${minute}:${second}.${sixDigits(fraction)}`;
  const instant = Date.UTC(y, m - 1, d, h, Number(minute) - offsetMinutes, Number(second));
  return `${secondsText(instant)}.${sixDigits(fraction)}`;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

function readOffset(zone: string): number | undefined {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (match === null) return 0;
  const [hours, minutes] = [Number(match[2]), Number(match[3] ?? 0)];
  if (hours > 14 || minutes > 59) return undefined;
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

function readEpoch(text: string): string | undefined {
  const match = EPOCH.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  const size = whole.replace('-', '').replace(/^0+/, '').length;
  // Digits after the unit that make microseconds: 6 for seconds, 3 for milliseconds; nanoseconds have 3 too many.
  const digits = 6 - 3 * [11, 14].filter((most) => size > most).length;
  const scaled = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const micros = size > 17 ? scaled / 1000n : scaled;
  if (micros < 0n || micros > 8_640_000_000_000_000_000n) return undefined;
  return `${secondsText(Number(micros / 1_000_000n) * 1000)}.${String(micros % 1_000_000n).padStart(6, '0')}`;
}

function secondsText(instantMs: number): string {
  return Number.isNaN(instantMs) ? '' : new Date(instantMs).toISOString().slice(0, 19).replace('T', ' ');
}

function sixDigits(fraction: string): string {
  return fraction.slice(0, 6).padEnd(6, '0');
}
