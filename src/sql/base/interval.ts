// Texts that GoogleSQL reads as intervals: `1-2 3 4:5:6.7`, the shorter forms of it, and ISO 8601 durations.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#interval_type

/** Months, days and microseconds, which GoogleSQL keeps apart. */
export interface IntervalValue {
  readonly months: bigint;
  readonly days: bigint;
  readonly micros: bigint;
}

export const FIELDS: readonly string[] = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'];

/** The fields from `first` to `last`, positions in FIELDS, or undefined when the text does not have just these. */
export function parseRange(text: string, first: number, last: number): IntervalValue | undefined {
  const patterns: string[] = [];
  const has = (field: number): boolean => first <= field && field <= last;
  if (has(0) || has(1)) patterns.push(has(0) && has(1) ? '([+-]?)(\\d+)-(\\d+)' : '([+-]?)(\\d+)');
  if (has(2)) patterns.push('([+-]?)(\\d+)');
  const clock = [3, 4, 5].filter(has).map((f) => (f === 5 ? '(\\d+(?:\\.\\d{0,9})?)' : '(\\d+)'));
  if (clock.length > 0) patterns.push(`([+-]?)${clock.join(':')}`);
  const match = new RegExp(`^${patterns.join(' ')}$`).exec(text);
  if (match === null) return undefined;
  const groups = match.slice(1);
  const sign = (): bigint => (groups.shift() === '-' ? -1n : 1n);
  const number = (): bigint => BigInt(groups.shift() ?? '0');
  let [months, days, micros] = [0n, 0n, 0n];
  if (has(0) || has(1)) {
    const s = sign();
    months = s * ((has(0) ? number() * 12n : 0n) + (has(1) ? number() : 0n));
  }
  if (has(2)) days = sign() * number();
  if (clock.length > 0) {
    const s = sign();
    micros =
      s *
      ((has(3) ? number() * 3_600_000_000n : 0n) +
        (has(4) ? number() * 60_000_000n : 0n) +
        (has(5) ? secondsMicros(groups.shift() ?? '0') : 0n));
  }
  return { months, days, micros };
}

function secondsMicros(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

/** `P1Y2M3W4DT5H6M7.8S`; any number may have a sign, only seconds decimals. */
const DURATION =
  /^P(?:([+-]?\d+)Y)?(?:([+-]?\d+)M)?(?:([+-]?\d+)W)?(?:([+-]?\d+)D)?(?:T(?:([+-]?\d+)H)?(?:([+-]?\d+)M)?(?:([+-]?)(\d+(?:\.\d{0,9})?)S)?)?$/;

/** CAST(text AS INTERVAL): the fields are told by the form of the text. */
export function parseInterval(text: string): IntervalValue | undefined {
  const duration = DURATION.exec(text);
  if (duration !== null && /\d/.test(text)) {
    const field = (group: number): bigint => BigInt(duration[group] ?? 0);
    const seconds = secondsMicros(duration[8] ?? '0') * (duration[7] === '-' ? -1n : 1n);
    return {
      months: field(1) * 12n + field(2),
      days: field(3) * 7n + field(4),
      micros: field(5) * 3_600_000_000n + field(6) * 60_000_000n + seconds,
    };
  }
  // Which fields a text has shows in its dashes and colons.
  for (const [first, last] of [
    [0, 1],
    [0, 2],
    [0, 5],
    [2, 5],
    [3, 5],
  ] as const) {
    const value = parseRange(text, first, last);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The largest interval of BigQuery, by field. */
export const LONGEST: readonly bigint[] = [120_000n, 3_660_000n, 3_660_000n * 86_400_000_000n];

export const isTooLong = ({ months, days, micros }: IntervalValue): boolean =>
  [months, days, micros].some((amount, field) => (amount < 0n ? -amount : amount) > (LONGEST[field] ?? 0n));
