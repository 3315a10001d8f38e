// Counts what runs did not have to read, for the metrics.
import type { KeptRun } from '../../execution/buckets/keeping.ts';

export interface SparedTotals {
  /** Runs that were not needed, because the rows would have been the same. */
  readonly revalidated: number;
  readonly keptBuckets: number;
  readonly askedBuckets: number;
  /** Rows of tables in cached buckets. */
  readonly rows: number;
}

export function createSparedTally() {
  let totals: SparedTotals = { revalidated: 0, keptBuckets: 0, askedBuckets: 0, rows: 0 };
  return {
    add({ revalidated, buckets: { kept, asked, rows } = { kept: 0, asked: 0, rows: 0 } }: Pick<KeptRun, 'revalidated' | 'buckets'>) {
      totals = {
        revalidated: totals.revalidated + Number(revalidated === true),
        keptBuckets: totals.keptBuckets + kept,
        askedBuckets: totals.askedBuckets + asked,
        rows: totals.rows + rows,
      };
    },
    totals: () => totals,
  };
}
