// How the window of a run is divided: whole buckets whose kept rows are still true, and what is read.

import { canonical } from '../../base/instant.ts';
import type { Row } from '../../base/result.ts';
import type { Kept, KeptBucket } from '../../cache/kept-buckets.ts';
import type { ArgumentValues } from '../../queries/parameters.ts';
import type { Period, TableState } from '../../sources/version.ts';
import { RANGE_PARAMETERS } from '../../sql/translation.ts';
import { longestStretch, startOf, wholeBuckets } from './periods.ts';
import { rowsWithin, stampOf } from './stamp.ts';
import type { Window } from './window.ts';

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
