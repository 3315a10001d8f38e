// Dates and instants as people and programs write them, and as ClickHouse reads them.

/** The forms that readTimestamp accepts, in words. */
export const TIMESTAMP_FORMS = 'a timestamp such as 2026-01-02T03:04:05Z, or seconds, milliseconds or microseconds since 1970';
export const DATE_FORMS = 'a date such as 2026-01-02';

/** ClickHouse's 64-bit times hold these years; it would silently move others to the edge. https://clickhouse.com/docs/sql-reference/data-types/datetime64 */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2299;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * The instant in canonical form, `2026-01-02 03:04:05.678901` in UTC, or undefined for text that is not one. ISO 8601, UTC where no offset
 * is given; or an epoch time whose unit follows from its size. Digits beyond microseconds are cut off.
 */
export function readTimestamp(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return fromEpoch(trimmed);
  const match = ISO.exec(trimmed);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = offsetMinutes(zone);
  if (offset === undefined) return undefined;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute) - offset, Number(second));
  return canonical(BigInt(ms) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0')));
}

/** `2026-01-02` if the text is a day of the calendar, else undefined. */
export function readDate(text: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim());
  if (match === null || !isDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined;
  const year = Number(match[1]);
  return year < FIRST_YEAR || year > LAST_YEAR ? undefined : match[0];
}

/** The instant of a clock in milliseconds, in canonical form. */
export function instantAt(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('T', ' ').replace('Z', '000');
}

/** Units by magnitude: any time since 1973 reads right; shorter numbers could as well be years or dates and are refused. */
function fromEpoch(text: string): string | undefined {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = whole.replace(/^0+(?=\d)/, '').length;
  if (digits < 9 || digits > 19) return undefined;
  const perUnit = 6 - 3 * [11, 14, 17].filter((most) => digits > most).length;
  const scaled = perUnit < 0 ? whole.slice(0, perUnit) : whole + fraction.slice(0, perUnit).padEnd(perUnit, '0');
  return canonical(text.startsWith('-') ? -BigInt(scaled) : BigInt(scaled));
}

export function canonical(microseconds: bigint): string | undefined {
  const second = (microseconds >= 0n ? microseconds : microseconds - 999_999n) / 1_000_000n;
  const date = new Date(Number(second) * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return undefined;
  const fraction = String(microseconds - second * 1_000_000n).padStart(6, '0');
  return `${date.toISOString().slice(0, 19).replace('T', ' ')}.${fraction}`;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month > 0;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
