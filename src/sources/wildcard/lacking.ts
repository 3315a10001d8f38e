// Columns of wildcard tables that some of the tables do not have.

import { quoteString } from '../../clickhouse/quote.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { SourceDefinition } from '../definition.ts';
import type { Place } from '../place.ts';

/**
 * Columns that some of the tables do not have are NULL in these only where they can be: else they would be 0 or an empty text. Arrays are empty there, as
 * BigQuery's are.
 */
export async function withLacking(
  columns: readonly TableColumn[],
  { database, table: prefix }: Pick<SourceDefinition, 'database' | 'table'>,
  ask: Place['ask'],
): Promise<readonly TableColumn[]> {
  const inTables = `database = ${databaseText(database)} AND startsWith(table, ${quoteString(prefix)})`;
  const counted = await ask(`SELECT name, count() FROM system.columns WHERE ${inTables} GROUP BY name`);
  const [[total] = []] = await ask(`SELECT count() FROM system.tables WHERE ${inTables.replace('startsWith(table', 'startsWith(name')}`);
  const held = new Map(counted.map(([name, count]) => [String(name), Number(count)]));
  return columns.map((column) =>
    (held.get(column.name) ?? 0) < Number(total) &&
    !/^(?:LowCardinality\(Nullable|Nullable|Array|Map|Nested|Dynamic|Variant|JSON)\b/.test(column.type)
      ? { ...column, unread: `some of the tables ${prefix}* lack this column, and it could not be NULL there: make it Nullable` }
      : column,
  );
}

export const databaseText = (database: string | undefined): string =>
  database === undefined ? 'currentDatabase()' : quoteString(database);
