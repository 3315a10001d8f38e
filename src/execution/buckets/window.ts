// The window of a query in buckets, with the arguments of a run.

import type { Period } from '../../sources/version.ts';
import type { BucketedTranslation } from '../../sql/translation.ts';

export interface Window extends Period {
  readonly unit: string;
}

/** Times beyond are as good as none: see periods.ts. */
const LAST = 8e15;

/** From the row that the window's query gives; undefined where no rows pass, or no buckets are meant. Without an end, the window ends with all time. */
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
