// Stamps of a table's rows of a period: one changes whenever the rows could.
import { digest } from '../../cache/json-memory.ts';
import type { LastRun } from '../../cache/kept-buckets.ts';
import type { Part, Period, TableState } from '../../sources/version.ts';
import type { BucketedTranslation } from '../../sql/translation.ts';

export type BucketTable = BucketedTranslation['table'];

export const ALL_TIME: Period = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/** Returns the stamp of the rows of a period. */
export function stampOf({ definition, parts }: TableState, period: Period): string {
  const contents = parts.flatMap((part) => (meets(part, period) ? [part.content] : []));
  return digest(JSON.stringify([definition, ...contents.sort()])).slice(0, 32);
}

const meets = ({ times }: Part, { start, end }: Period): boolean => times === undefined || (times.start < end && times.end > start);

/** Returns whether a run with this window would give the rows of the last: their data are the same, and none lie where the window has moved. */
export function isSame({ stamp, window: before }: LastRun, state: TableState, window: LastRun['window']): boolean {
  if (window === undefined) return before === undefined && stampOf(state, ALL_TIME) === stamp;
  if (before === undefined || before.unit !== window.unit) return false;
  const together = { start: Math.min(before.start, window.start), end: Math.max(before.end, window.end) };
  if (stampOf(state, together) !== stamp) return false;
  const moved = [
    { start: together.start, end: Math.max(before.start, window.start) },
    { start: Math.min(before.end, window.end), end: together.end },
  ];
  return !moved.some((period) => period.start < period.end && state.parts.some((part) => meets(part, period)));
}

/** How many rows are in parts that lie within the period as a whole. */
export const rowsWithin = ({ parts }: TableState, { start, end }: Period): number =>
  parts.reduce((sum, { times, rows }) => (times !== undefined && times.start >= start && times.end <= end ? sum + rows : sum), 0);
