// Dates and times as the texts of results (src/base/result.ts), from and to microseconds.

const two = (value: bigint | number, width = 2): string => String(value).padStart(width, '0');

export function clockText(hours: bigint, minutes: bigint, seconds: bigint, micros: bigint): string {
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${micros === 0n ? '' : `.${two(micros, 6)}`}`;
}

const DAY = 86_400_000_000n;

export function dateText(micros: bigint): string {
  const date = new Date(Number(micros / 1000n));
  return `${two(date.getUTCFullYear(), 4)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

/** `YYYY-MM-DDTHH:MM:SS[.ffffff]`. */
export function instantText(micros: bigint): string {
  const time = ((micros % DAY) + DAY) % DAY;
  const seconds = time / 1_000_000n;
  return `${dateText(micros - time)}T${clockText(seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n, time % 1_000_000n)}`;
}

/** Microseconds since 1970 of a date, or of a date and time, without a zone. */
export function microsOf(text: string): bigint {
  const [, year, month, day, hours = 0, minutes = 0, seconds = 0, fraction = ''] =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?Z?$/.exec(text) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hours), Number(minutes), Number(seconds));
  return BigInt(date.getTime()) * 1000n + BigInt(fraction.padEnd(6, '0'));
}
