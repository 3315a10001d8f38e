// Dates and instants as people and programs write them, and as ClickHouse reads them.

/** The forms that readTimestamp accepts, in words. */
export const TIMESTAMP_FORMS = 'a timestamp such as 2026-01-02T03:04:05Z, or seconds, milliseconds or microseconds since 1970';
export const DATE_FORMS = 'a date such as 2026-01-02';

/** ClickHouse's 64-bit times hold these years; it would silently move others to the edge. https://clickhouse.com/docs/sql-reference/data-types/datetime64 */
const HELD_YEARS: Years = [1900, 2299];

/** The years of what stands for the current time: translations rely on steps of some decades from it leading to years that all times of tables hold. */
const NOW_YEARS: Years = [1990, 2241];

/** The forms that readNow accepts, in words. */
export const NOW_FORMS = `${TIMESTAMP_FORMS}, from ${NOW_YEARS.join(' to ')}`;

/** The same as readTimestamp, for what stands for the current time. */
export const readNow = (text: string): string | undefined => readTimestamp(text, NOW_YEARS);

/** The first and the last year that a reader accepts. */
type Years = readonly [first: number, last: number];

/** BigQuery's years. Outside of the usual ones, a value must be bound with care: see execution/far-values.ts. */
export const ALL_YEARS: Years = [1, 9999];

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|UTC|[+-]\d{1,2}(?::?\d{2})?)?$/i;

/**
 * The instant in canonical form, `2026-01-02 03:04:05.678901` in UTC, or undefined for text that is not one. ISO 8601, UTC where no offset
 * is given; or an epoch time whose unit follows from its size: numbers with fewer digits could as well be years or dates. Digits beyond microseconds are cut off.
 */
export function readTimestamp(text: string, years: Years = HELD_YEARS, fewestDigits = 9): string | undefined {
  const trimmed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return fromEpoch(trimmed, years, fewestDigits);
  const match = ISO.exec(trimmed);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = offsetMinutes(zone);
  if (offset === undefined) return undefined;
  const ms = utcDay(Number(year), Number(month), Number(day)).setUTCHours(Number(hour), Number(minute) - offset, Number(second));
  return canonical(BigInt(ms) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0')), years);
}

/** `2026-01-02` if the text is a day of the calendar, else undefined. */
export function readDate(text: string, [first, last]: Years = HELD_YEARS): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim());
  if (match === null || !isDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined;
  const year = Number(match[1]);
  return year < first || year > last ? undefined : match[0];
}

/** The same of a date and time without a zone; digits beyond microseconds must be zeros. */
export function readDatetime(text: string): string | undefined {
  const match = ISO.exec(text.trim());
  return match === null || match[8] !== undefined || hasNanoseconds(match[7]) ? undefined : readTimestamp(text, ALL_YEARS);
}

/** `13:45:00.000000` if the text is a time of day. */
export function readTime(text: string): string | undefined {
  const [, hour, minute = '', second = '00', fraction = ''] = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?$/.exec(text.trim()) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || hasNanoseconds(fraction)) return undefined;
  return `${hour.padStart(2, '0')}:${minute}:${second}.${fraction.slice(0, 6).padEnd(6, '0')}`;
}

const hasNanoseconds = (fraction = ''): boolean => /[1-9]/.test(fraction.slice(6));

/** The instant of a clock in milliseconds, in canonical form. */
export function instantAt(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('T', ' ').replace('Z', '000');
}

/** Units by magnitude: any time since 1973 reads right. */
function fromEpoch(text: string, years: Years, fewestDigits: number): string | undefined {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = whole.replace(/^0+(?=\d)/, '').length;
  if (digits < fewestDigits || digits > 19) return undefined;
  const perUnit = 6 - 3 * [11, 14, 17].filter((most) => digits > most).length;
  const scaled = perUnit < 0 ? whole.slice(0, perUnit) : whole + fraction.slice(0, perUnit).padEnd(perUnit, '0');
  return canonical(text.startsWith('-') ? -BigInt(scaled) : BigInt(scaled), years);
}

export function canonical(microseconds: bigint, [first, last]: Years = HELD_YEARS): string | undefined {
  const second = (microseconds >= 0n ? microseconds : microseconds - 999_999n) / 1_000_000n;
  const date = new Date(Number(second) * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= first && year <= last)) return undefined;
  const fraction = String(microseconds - second * 1_000_000n).padStart(6, '0');
  return `${date.toISOString().slice(0, 19).replace('T', ' ')}.${fraction}`;
}

export function isDay(year: number, month: number, day: number): boolean {
  const date = utcDay(year, month, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month > 0;
}

/** Date.UTC takes the years 0 to 99 for those from 1900 on. */
function utcDay(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

function offsetMinutes(zone: string): number | undefined {
  if (/^(?:Z|UTC)$/i.test(zone)) return 0;
  const [, hourText, minuteText = '0'] = /^.(\d{1,2}?):?(\d{2})?$/.exec(zone) ?? [];
  const [hours, minutes] = [Number(hourText), Number(minuteText)];
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
