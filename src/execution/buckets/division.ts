// How the window of a run is divided: whole buckets whose kept rows are still true, and what is read.

import { canonical } from '../../base/instant.ts';
import type { Row } from '../../base/result.ts';
import type { Kept, KeptBucket } from '../../cache/kept-buckets.ts';
import type { ArgumentValues } from '../../queries/parameters.ts';
import type { Period, TableState } from '../../sources/version.ts';
import { type BucketedTranslation, RANGE_PARAMETERS } from '../../sql/translation.ts';
import { rowsWithin, stampOf } from './stamp.ts';

/** More would cost more than they save. */
const MOST_BUCKETS = 5000;

export interface Division {
  /** The stretch that need not be read; it is one, so that at most two are left. */
  readonly skipped: Period | undefined;
  /** Rows of the table that are in parts within it as a whole. */
  readonly rowsSpared: number;
  readonly fromCache: readonly Row[];
  /** Buckets whose rows the cache has. */
  readonly kept: number;
  /** Whole buckets that are read. */
  readonly toKeep: readonly Period[];
  /** By the start of each whole bucket. */
  readonly stamps: ReadonlyMap<number, string>;
  /** The window without what is skipped, as arguments. */
  readonly ranges: ArgumentValues;
}

/** A query without buckets is read as a whole. */
export const UNDIVIDED: Division = {
  skipped: undefined,
  rowsSpared: 0,
  fromCache: [],
  kept: 0,
  toKeep: [],
  stamps: new Map(),
  ranges: {},
};

/** Returns the division of the window, for which the `known` buckets may be used, or why it cannot be divided. */
export function divide(window: Window, state: TableState, known: Pick<Kept, 'buckets'>, instant: string): Division | string {
  // The bucket of this moment still grows, and is not worth keeping.
  const end = Math.min(window.end, startOf(Date.parse(`${instant.replace(' ', 'T')}Z`) * 1000, window.unit) ?? 0);
  const whole = wholeBuckets({ start: window.start, end }, window.unit, MOST_BUCKETS);
  if (whole === undefined || whole.length === 0) return `its window has ${whole === undefined ? 'too many buckets' : 'no whole bucket'}`;
  const stamps = new Map(whole.map((period) => [period.start, stampOf(state, period)]));
  const valid = new Map(
    known.buckets.flatMap((bucket) => (stamps.get(bucket.start) === bucket.stamp ? [[bucket.start, bucket.rows]] : [])),
  );
  const skipped = longestStretch(whole, ({ start }) => valid.has(start));
  const isSkipped = ({ start }: Period): boolean => skipped !== undefined && start >= skipped.start && start < skipped.end;
  const toKeep = whole.filter((period) => !isSkipped(period));
  return {
    skipped,
    rowsSpared: skipped === undefined ? 0 : rowsWithin(state, skipped),
    fromCache: whole.filter(isSkipped).flatMap(({ start }) => valid.get(start) ?? []),
    kept: whole.length - toKeep.length,
    toKeep,
    stamps,
    ranges: ranges(window, skipped),
  };
}

function ranges(window: Window, skipped: Period | undefined): ArgumentValues {
  const { from, to, skips, skipFrom, skipTo } = RANGE_PARAMETERS;
  const text = (micros: number): string => canonical(BigInt(micros)) ?? '';
  return {
    [from]: text(window.start),
    [to]: text(window.end),
    [skips]: skipped !== undefined,
    [skipFrom]: text(skipped?.start ?? window.start),
    [skipTo]: text(skipped?.end ?? window.start),
  };
}

/** The buckets that were read, with their rows, where their data were the same before the run and after it. `columns`: where a row has their start, and how many it has. */
export function bucketsRead(
  rows: readonly Row[],
  { toKeep, stamps }: Division,
  after: TableState,
  columns: { readonly start: number; readonly width: number },
): readonly KeptBucket[] {
  const byStart = new Map<number, Row[]>();
  for (const given of rows) {
    const row = given.length === columns.width ? given : given.slice(0, columns.width);
    const start = Number(row[columns.start]);
    const others = byStart.get(start);
    if (others === undefined) byStart.set(start, [row]);
    else others.push(row);
  }
  return toKeep.flatMap((period) => {
    const stamp = stampOf(after, period);
    return stamps.get(period.start) === stamp ? [{ start: period.start, stamp, rows: byStart.get(period.start) ?? [] }] : [];
  });
}

/** In the order of time, and no more than MOST_BUCKETS. */
export function latestOf(buckets: readonly KeptBucket[]): readonly KeptBucket[] {
  // The later of two of the same time is the newer.
  const latest = [...new Map(buckets.map((bucket) => [bucket.start, bucket])).values()].sort((a, b) => a.start - b.start);
  return latest.slice(-MOST_BUCKETS);
}

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
function startOf(time: number, unit: string): number | undefined {
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
function wholeBuckets({ start: from, end: to }: Period, unit: string, most: number): readonly Period[] | undefined {
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
function longestStretch(periods: readonly Period[], holds: (period: Period) => boolean): Period | undefined {
  let longest: Period | undefined;
  let current: Period | undefined;
  for (const period of periods) {
    const start = current?.end === period.start ? current.start : period.start;
    current = holds(period) ? { start, end: period.end } : undefined;
    if (current !== undefined && (longest === undefined || current.end - current.start > longest.end - longest.start)) longest = current;
  }
  return longest;
}

export interface Window extends Period {
  readonly unit: string;
}

/** Times beyond are as good as none: see startOf. */
const LAST = 8e15;

/** Reads the window from the row that its query gives; undefined where no rows pass, or no buckets are meant. Without an end, the window ends with all time. */
export function readWindow(row: readonly unknown[], sides: BucketedTranslation['bounds']): Window | undefined {
  const [unit, ...bounds] = row;
  if (typeof unit !== 'string') return undefined;
  let start = -LAST;
  let end = LAST;
  for (const [i, side] of sides.entries()) {
    const [holds, value] = bounds.slice(2 * i);
    if (holds !== true && Number(holds) !== 1) continue;
    const micros = value === null || value === undefined ? Number.NaN : Number(value);
    if (!(Math.abs(micros) < LAST)) return undefined;
    if (side === 'from') start = Math.max(start, micros);
    else end = Math.min(end, micros);
  }
  return start > -LAST && start < end ? { unit, start, end } : undefined;
}
