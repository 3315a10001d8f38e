// Numbering and navigation functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/numbering_functions
import type { Ch } from '../clickhouse/ast.ts';
import { bare, call, lit } from '../clickhouse/build.ts';
import { defineWindow, type Family, type LowerAggregateCall } from './define.ts';

/** ClickHouse's lag and lead fill in the type's default; a Nullable value and NULL as default fill in NULL. */
function shifted(name: string, value: Ch, offset: Ch | undefined, otherwise: Ch | undefined, c: LowerAggregateCall): Ch {
  const nullable = call('toNullable', value);
  return c.aggregate(name, [nullable, offset === undefined ? lit(1) : bare(offset), ...(otherwise === undefined ? [] : [otherwise])]);
}

export const window: Family = {
  ROW_NUMBER: defineWindow(' -> INT64', (_args, c) => c.aggregate('row_number', []), { needsOrder: false }),
  RANK: defineWindow(' -> INT64', (_args, c) => c.aggregate('rank', [])),
  DENSE_RANK: defineWindow(' -> INT64', (_args, c) => c.aggregate('dense_rank', [])),
  PERCENT_RANK: defineWindow(' -> FLOAT64', (_args, c) => c.aggregate('percent_rank', [])),
  CUME_DIST: defineWindow(' -> FLOAT64', (_args, c) => c.aggregate('cume_dist', [])),
  NTILE: defineWindow('buckets INT64 -> INT64', ({ buckets }, c) => c.aggregate('ntile', [bare(buckets)])),
  LAG: defineWindow('value T, [offset INT64], [otherwise T] -> T', ({ value, offset, otherwise }, c) =>
    shifted('lag', value, offset, otherwise, c),
  ),
  LEAD: defineWindow('value T, [offset INT64], [otherwise T] -> T', ({ value, offset, otherwise }, c) =>
    shifted('lead', value, offset, otherwise, c),
  ),
  FIRST_VALUE: defineWindow(
    'value T -> T',
    ({ value }, c) => c.aggregate(c.ignoreNulls ? 'first_value' : 'first_value_respect_nulls', [value]),
    { frame: true, nulls: true },
  ),
  LAST_VALUE: defineWindow(
    'value T -> T',
    ({ value }, c) => c.aggregate(c.ignoreNulls ? 'last_value' : 'last_value_respect_nulls', [value]),
    { frame: true, nulls: true },
  ),
};
