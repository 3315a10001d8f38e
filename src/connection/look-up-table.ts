// Describes the table that a query names and no definition does: that of a rule, or some of a wildcard's.
import type { SourceDefinition } from '../catalog/definition.ts';
import { informationSchemaOf, informationSchemaQuery, readable } from '../catalog/information-schema.ts';
import { definitionOf, type MappedTable, type Mapping } from '../catalog/mapped-tables.ts';
import { checkReach, mappedName, noSuchTable, ruledName } from '../catalog/names.ts';
import { sourceFromTable } from '../catalog/table-source.ts';
import { tableText } from '../catalog/table-text.ts';
import { quoteString } from '../clickhouse/quote.ts';
import { QuernError } from '../errors.ts';
import type { TableColumn } from '../sql/layouts/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';

export interface LookUp {
  readonly mapping: Mapping;
  /** What is known without looking. */
  readonly base: SourceCatalog;
  readonly describe: (table: string) => Promise<readonly TableColumn[]>;
  /** Runs a query of quern's own. */
  readonly ask: (sql: string) => Promise<readonly (readonly unknown[])[]>;
}

/** ClickHouse's numbers for a table or a database that is not there, and for a wildcard without tables. */
const NONE: ReadonlySet<number> = new Set([60, 81]);
const NONE_OF_WILDCARD: ReadonlySet<number> = new Set([36, 60, 81, 636]);

/** Throws QuernError `unknown-source` where there is none, and whatever `describe` throws when the engine is at fault. */
export async function lookUpTable(name: string, { mapping, base, describe, ask }: LookUp): Promise<MappedTable> {
  const asked = informationSchemaOf(name, mapping.rules);
  if (asked !== undefined)
    return { query: informationSchemaQuery(asked, base, await tablesOf(asked.dataset, { mapping, base, describe, ask })) };
  const definition = definitionOf(name, mapping, base);
  checkReach(definition, mapping.closed);
  const where = databaseText(definition.database);
  try {
    const columns = await describe(tableText(definition));
    return { definition, columns: definition.wildcard === true ? await withLacking(columns, definition, ask) : columns };
  } catch (error) {
    const none = definition.wildcard === true ? NONE_OF_WILDCARD : NONE;
    if (!(error instanceof QuernError) || !none.has(error.details.engineCode ?? 0)) throw error;
    const tables = await ask(`SELECT name FROM system.tables WHERE database = ${where} ORDER BY name`);
    throw noSuchTable(
      name,
      definition,
      tables.map(([table]) => String(table)),
    );
  }
}

const databaseText = (database: string | undefined): string => (database === undefined ? 'currentDatabase()' : quoteString(database));

/**
 * Columns that some of the tables do not have are NULL in these only where they can be: else they would be 0 or an empty text. Arrays are empty there, as
 * BigQuery's are.
 */
export async function withLacking(
  columns: readonly TableColumn[],
  { database, table: prefix }: Pick<SourceDefinition, 'database' | 'table'>,
  ask: LookUp['ask'],
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

/** The tables of a dataset that rules open, under the names that queries have for them. */
async function tablesOf(
  dataset: readonly string[],
  { mapping, base, ask }: LookUp,
): Promise<readonly { readonly name: string; readonly source: Source }[]> {
  if (dataset.length === 0) return [];
  const probe = 'x';
  const ruled = ruledName([...dataset, probe].join('.'), mapping.rules)?.name;
  if (ruled === undefined || !ruled.endsWith(probe)) return [];
  const nameOf = (table: string): string => [...dataset, table].join('.');
  const own = ruled.slice(0, -probe.length).toLowerCase();
  const named = base.names.flatMap((name) => {
    const isThere = name.toLowerCase().startsWith(own) && !name.slice(own.length).includes('.');
    const source = isThere ? readable(base, name) : undefined;
    return source === undefined ? [] : [{ name: nameOf(name.slice(own.length)), source }];
  });
  // What was loaded has been named; no table of the engine's is reached without a database.
  if (!ruled.includes('.') && mapping.closed.includes('')) return named;
  const target = mappedName([...dataset, probe].join('.'), mapping.rules, mapping.closed);
  if (target?.table !== probe) return named;
  const rows = await ask(
    `SELECT table, name, type FROM system.columns WHERE database = ${databaseText(target.database)} ORDER BY table, position`,
  );
  const tables = new Map<string, TableColumn[]>();
  for (const [table, name, type] of rows) {
    tables.set(String(table), [...(tables.get(String(table)) ?? []), { name: String(name), type: String(type) }]);
  }
  const described = [...tables].map(([table, columns]) => {
    const name = nameOf(table);
    const definition = { name, aliases: [], ...target, table, columns: {}, fields: {}, sameAs: {}, rows: {}, kind: 'table' as const };
    return { name, source: sourceFromTable(definition, columns) };
  });
  return [...named, ...described];
}
