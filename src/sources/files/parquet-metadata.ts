// What ParquetMetadata says of columns beyond their types: which hold intervals, and which STRUCTs may be NULL.
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { Ask } from './description.ts';

// INTERVAL is months, days and milliseconds in twelve bytes, which ClickHouse hands out as these bytes.
// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#interval
const BYTES = 'FixedString(12)';

/** Why a column of intervals cannot be read. */
export const HOLDS_INTERVALS = "it holds values of Parquet's type INTERVAL, which is not supported";

/**
 * Names of columns that hold intervals, at any depth. `metadata` is the function that reads the files as ParquetMetadata; the engine is asked only where a
 * column could be one.
 */
export async function intervalColumns(columns: readonly TableColumn[], metadata: string, ask: Ask): Promise<ReadonlySet<string>> {
  const bytes = columns.filter(({ type }) => type.includes(BYTES));
  if (bytes.length === 0) return new Set();
  const rows = await ask(`SELECT DISTINCT c.path FROM ${metadata} ARRAY JOIN columns AS c WHERE c.logical_type = 'Interval'`);
  const paths = rows.map(([path]) => String(path));
  const holds = ({ name }: TableColumn): boolean => paths.some((path) => path === name || path.startsWith(`${name}.`));
  return new Set(bytes.filter(holds).map(({ name }) => name));
}

/**
 * The STRUCTs that may be NULL, which the engine reads as STRUCTs whose fields are all NULL, as paths, such as `address` and `address.place`. `metadata`: the table function that reads the files as
 * ParquetMetadata.
 */
export async function structsOfNulls(metadata: string, ask: Ask): Promise<readonly string[]> {
  const levels = await ask(
    `SELECT c.path, max(c.max_definition_level) FROM ${metadata} ARRAY JOIN columns AS c ` +
      "WHERE position(c.path, '.') > 0 AND c.max_repetition_level = 0 GROUP BY 1",
  );
  if (levels.length === 0) return [];
  const nulls = await ask(
    `SELECT c.path FROM ${metadata} ARRAY JOIN row_groups AS g ARRAY JOIN g.columns AS c ` +
      'WHERE ifNull(c.statistics.null_count, 1) > 0 GROUP BY 1',
  );
  const withNulls = new Set(nulls.map(([path]) => String(path)));
  // Where one field is never NULL, neither is what it is in.
  const never = new Set<string>();
  const structs = new Set<string>();
  for (const [path, level] of levels) {
    const parts = String(path).split('.');
    const around = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'));
    for (const struct of around) (Number(level) > 0 && withNulls.has(String(path)) ? structs : never).add(struct);
  }
  return [...structs].filter((struct) => !never.has(struct));
}
