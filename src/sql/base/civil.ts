// Civil time: dates and clock times as numbers, and the texts GoogleSQL accepts for them as literals.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#date_literals

const MICROS_PER_SECOND = 1_000_000n;
const MICROS_PER_DAY = 86_400n * MICROS_PER_SECOND;
const MS_PER_DAY = 86_400_000;

/** Microseconds of the parts that always last equally long. */
export const PART_MICROS: Readonly<Record<string, bigint>> = {
  WEEK: 604_800_000_000n,
  DAY: 86_400_000_000n,
  HOUR: 3_600_000_000n,
  MINUTE: 60_000_000n,
  SECOND: 1_000_000n,
  MILLISECOND: 1000n,
  MICROSECOND: 1n,
};

const DATE_PATTERN = /^(\d{4,5})-(\d{1,2})-(\d{1,2})/;
const TIME_PATTERN = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,6}))?/;
const OFFSET_PATTERN = /^([+-])(\d{1,2})(?::?([0-5]?\d))?$/;

/** Returns the days from 1970-01-01 to a proleptic Gregorian date, or undefined when there is no such day. */
export function daysOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1 || year > 9999)
    return undefined;
  return Math.round(date.getTime() / MS_PER_DAY);
}

/** Reads `2026-1-2` as days since 1970; undefined when the text is not a date. */
export function parseDate(text: string): number | undefined {
  const match = DATE_PATTERN.exec(text);
  if (match === null || match[0].length !== text.length) return undefined;
  return daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** Reads `12:34:56.789` as microseconds since midnight. */
export function parseTime(text: string): bigint | undefined {
  const match = TIME_PATTERN.exec(text);
  if (match === null || match[0].length !== text.length) return undefined;
  const micros = clockMicros(match);
  return micros === undefined ? undefined : micros % MICROS_PER_DAY;
}

/** Reads `2026-01-02`, `2026-01-02 03:04:05.678` and `2026-01-02T03:04:05` as microseconds since 1970 on the wall clock. */
export function parseDatetime(text: string): bigint | undefined {
  const split = splitDatetime(text);
  return split === undefined || split.rest !== '' ? undefined : split.micros;
}

/** A timestamp's wall clock and its zone as written: '' none, `Z`, `+05:30`, or a zone name. */
interface ZonedText {
  readonly micros: bigint;
  readonly zone: string;
}

/** Reads `2026-01-02 03:04:05+00`, `… America/New_York`, `…Z`, also without a zone. A space stands only before a zone's name, and only a time of day has a zone. */
export function parseTimestamp(text: string): ZonedText | undefined {
  const split = splitDatetime(text);
  if (split === undefined) return undefined;
  const { rest } = split;
  // Only a TIMESTAMP keeps the fraction of a leap second.
  const leap = /:60\.(\d+)/.exec(text)?.[1] ?? '';
  const micros = split.micros + BigInt(leap.padEnd(6, '0'));
  if (rest === '') return { micros, zone: '' };
  // Without a time BigQuery takes an offset where the time would be.
  if (!split.timed) return /^[ tT]/.test(rest) ? shifted(micros, rest.slice(1)) : undefined;
  if (/^[zZ]$/.test(rest)) return { micros, zone: 'Z' };
  if (!rest.startsWith(' ')) return shifted(micros, rest);
  const zone = rest.slice(1);
  if (zone === 'UTC' || zone === 'GMT') return { micros, zone: 'Z' };
  if (/^UTC[+-]/.test(zone)) return shifted(micros, zone.slice(3));
  return /^[A-Za-z][A-Za-z0-9_+\-/]+$/.test(zone) ? { micros, zone } : undefined;
}

function shifted(clock: bigint, offset: string): ZonedText | undefined {
  const east = offsetMicros(offset);
  if (east === undefined) return undefined;
  const micros = clock - east;
  return micros < FIRST_MICROSECOND || micros > LAST_MICROSECOND ? undefined : { micros, zone: 'Z' };
}

/** Reads `+05:30`, `-8` and `+0530` as microseconds east of UTC. */
export function offsetMicros(text: string): bigint | undefined {
  const match = OFFSET_PATTERN.exec(text);
  if (match === null) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  if (minutes > 14 * 60) return undefined;
  return BigInt(minutes) * 60n * MICROS_PER_SECOND * (match[1] === '-' ? -1n : 1n);
}

function splitDatetime(text: string): { micros: bigint; rest: string; timed: boolean } | undefined {
  const date = DATE_PATTERN.exec(text);
  if (date === null) return undefined;
  const days = daysOf(Number(date[1]), Number(date[2]), Number(date[3]));
  if (days === undefined) return undefined;
  const afterDate = text.slice(date[0].length);
  const time = /^[ tT]/.test(afterDate) ? TIME_PATTERN.exec(afterDate.slice(1)) : null;
  if (time === null) return { micros: BigInt(days) * MICROS_PER_DAY, rest: afterDate, timed: false };
  const clock = clockMicros(time);
  if (clock === undefined) return undefined;
  return { micros: BigInt(days) * MICROS_PER_DAY + clock, rest: afterDate.slice(1 + time[0].length), timed: true };
}

function clockMicros(match: RegExpExecArray): bigint | undefined {
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  // A leap second is the next minute's first; BigQuery then drops the fraction.
  const fraction = second === 60 ? 0n : BigInt((match[4] ?? '').padEnd(6, '0'));
  return BigInt(hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND + fraction;
}

const pad = (value: number | bigint, width: number): string => String(value).padStart(width, '0');

/** Writes days since 1970 as `2026-01-02`. */
export function dateText(days: number): string {
  const date = new Date(days * MS_PER_DAY);
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
}

/** Writes microseconds since midnight as `12:34:56.789000`. */
export function timeText(micros: bigint): string {
  const seconds = Number(micros / MICROS_PER_SECOND);
  return `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}.${pad(micros % MICROS_PER_SECOND, 6)}`;
}

/** Writes microseconds since 1970 as `2026-01-02 12:34:56.789000`. */
export function datetimeText(micros: bigint): string {
  const clock = ((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY;
  return `${dateText(Number((micros - clock) / MICROS_PER_DAY))} ${timeText(clock)}`;
}

/** First and last day of BigQuery. */
export const FIRST_DAY = daysOf(1, 1, 1) ?? 0;
export const LAST_DAY = daysOf(9999, 12, 31) ?? 0;
export const FIRST_MICROSECOND = BigInt(FIRST_DAY) * MICROS_PER_DAY;
export const LAST_MICROSECOND = BigInt(LAST_DAY + 1) * MICROS_PER_DAY - 1n;

/** True on the first or the last day, which may lie outside of BigQuery's years in another zone. */
export const isOnLastDay = (micros: bigint): boolean =>
  micros < FIRST_MICROSECOND + MICROS_PER_DAY || micros > LAST_MICROSECOND - MICROS_PER_DAY;
/** True of days that every ClickHouse holds; since 26.7 it holds all of BigQuery's. https://github.com/ClickHouse/ClickHouse/pull/107907 */
export const isStoredEverywhere = (day: number): boolean => day >= FIRST_STORED_DAY && day <= LAST_STORED_DAY;
const FIRST_STORED_DAY = daysOf(1900, 1, 1) ?? 0;
const LAST_STORED_DAY = daysOf(2299, 12, 31) ?? 0;
