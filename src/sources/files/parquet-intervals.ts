// Parquet's INTERVAL is months, days and milliseconds in twelve bytes, which ClickHouse hands out as these bytes.
// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#interval
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { Ask } from './description.ts';

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
