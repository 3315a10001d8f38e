// Puts rows in the order of a query, as ClickHouse would: rows from the cache together with rows just read.
import type { ResultColumn, Row, Value } from '../../base/result.ts';
import type { BucketedTranslation } from '../../sql/translation.ts';

type Order = BucketedTranslation['order'];
type Columns = readonly ResultColumn[];

/** A new list; rows that are equal keep their order. */
export const sorted = (rows: readonly Row[], order: Order, columns: Columns): readonly Row[] =>
  order.length === 0 ? rows : [...rows].sort((a, b) => compareRows(a, b, order, columns));

function compareRows(a: Row, b: Row, order: Order, columns: Columns): number {
  for (const { column, descending, nullsFirst } of order) {
    const [left, right] = [a[column] ?? null, b[column] ?? null];
    if (left === null && right === null) continue;
    if (left === null) return nullsFirst ? -1 : 1;
    if (right === null) return nullsFirst ? 1 : -1;
    const compared = columns[column]?.type.kind === 'TIMESTAMP' ? compareTimes(left, right) : compareValues(left, right);
    if (compared !== 0) return descending ? -compared : compared;
  }
  return 0;
}

/** Compares two values of one of the types that have an order here. NaN comes before all other numbers, as in BigQuery. */
function compareValues(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (typeof left === 'number' && typeof right === 'number' && (Number.isNaN(left) || Number.isNaN(right)))
    return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
  return Number((left as number) > (right as number)) - Number((left as number) < (right as number));
}

/** By code points, which is the order of the bytes. */
const compareTexts = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

/** The `Z` at their end would come after the point of a fraction. */
const compareTimes = (left: Value, right: Value): number => compareTexts(String(left).slice(0, -1), String(right).slice(0, -1));
