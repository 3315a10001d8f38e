// Buckets of time: where they begin and end. Times are microseconds since 1970 in UTC, as numbers: exact until the year 2255.
import type { Period } from '../../sources/version.ts';

const SECOND = 1e6;
const DAY = 86_400 * SECOND;

/** Units of one length, from a Thursday on (1970-01-01), or for weeks from the first of their days after it. */
const LENGTHS: Readonly<Record<string, { readonly micros: number; readonly offset: number }>> = {
  SECOND: { micros: SECOND, offset: 0 },
  MINUTE: { micros: 60 * SECOND, offset: 0 },
  HOUR: { micros: 3600 * SECOND, offset: 0 },
  DAY: { micros: DAY, offset: 0 },
  WEEK: { micros: 7 * DAY, offset: 3 * DAY },
  'WEEK(MONDAY)': { micros: 7 * DAY, offset: 4 * DAY },
  ISOWEEK: { micros: 7 * DAY, offset: 4 * DAY },
};

const MONTHS: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/** When the bucket of a time begins; undefined for a unit that is not known here. */
export function startOf(time: number, unit: string): number | undefined {
  const length = LENGTHS[unit];
  if (length !== undefined) return Math.floor((time - length.offset) / length.micros) * length.micros + length.offset;
  const months = MONTHS[unit];
  if (months === undefined) return undefined;
  const date = new Date(Math.floor(time / 1000));
  return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months) * 1000;
}

/** When the bucket that begins at `start` ends, and the next begins. */
function endOf(start: number, unit: string): number {
  const length = LENGTHS[unit];
  if (length !== undefined) return start + length.micros;
  const date = new Date(start / 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + (MONTHS[unit] ?? 1)) * 1000;
}

/** The whole buckets between two times; undefined where they are more than `most`, or of an unknown unit. */
export function wholeBuckets({ start: from, end: to }: Period, unit: string, most: number): readonly Period[] | undefined {
  const first = startOf(from, unit);
  if (first === undefined) return undefined;
  const buckets: Period[] = [];
  for (let start = first < from ? endOf(first, unit) : first; ; ) {
    const end = endOf(start, unit);
    if (end > to) return buckets;
    if (buckets.length === most) return undefined;
    buckets.push({ start, end });
    start = end;
  }
}

/** The longest stretch of periods next to each other for which `holds`; undefined where it holds for none. */
export function longestStretch(periods: readonly Period[], holds: (period: Period) => boolean): Period | undefined {
  let longest: Period | undefined;
  let current: Period | undefined;
  for (const period of periods) {
    const start = current?.end === period.start ? current.start : period.start;
    current = holds(period) ? { start, end: period.end } : undefined;
    if (current !== undefined && (longest === undefined || current.end - current.start > longest.end - longest.start)) longest = current;
  }
  return longest;
}
