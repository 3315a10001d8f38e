// A table of which only its columns are known, as BigQuery has them.

import { quoteIdentifier } from '../clickhouse/quote.ts';
import type { Type } from '../sql/base/types.ts';
import type { Source } from '../sql/source.ts';
import { tablePath } from './bigquery-name.ts';
import type { Sources } from './kind.ts';
import { storedType } from './loaded/stored-type.ts';
import { bareDefinition } from './source-definition.ts';
import { sourceFromTable } from './table/table-source.ts';
import type { DeclaredColumn } from './table-schema.ts';

interface TableName {
  readonly name: string;
  readonly database?: string | undefined;
  /** One that ends in `*` is a wildcard. */
  readonly table: string;
}

/** Returns the table as a source, whose columns hold values of these types as tables of the store do. */
export function declaredSource({ name, database, table }: TableName, columns: readonly DeclaredColumn[]): Source {
  const isWildcard = table.endsWith('*');
  const definition = bareDefinition(name, {
    ...(database === undefined ? {} : { database }),
    table: isWildcard ? table.slice(0, -1) : table,
    ...(isWildcard ? { wildcard: true as const } : {}),
    kind: 'table',
    schema: columns,
  });
  return sourceFromTable(
    definition,
    columns.map((column) => ({ name: column.name, type: plainType(column.type) })),
  );
}

/** Records are never NULL as a whole, as in tables that somebody has made by hand. */
function plainType(type: Type): string {
  if (type.kind === 'ARRAY') return `Array(${plainType(type.element)})`;
  if (type.kind === 'STRUCT')
    return `Tuple(${type.fields.map((field) => `${quoteIdentifier(field.name ?? '')} ${plainType(field.type)}`).join(', ')})`;
  return storedType(type) ?? 'Nullable(String)';
}

export interface DeclaredTable {
  readonly name: string;
  readonly columns: readonly DeclaredColumn[];
}

/** Returns the sources, and these tables, which go first; the query may write a project before their names. */
export function withDeclaredTables(sources: Sources, tables: readonly DeclaredTable[]): Sources {
  const declared = new Map(tables.map(({ name, columns }) => [name.toLowerCase(), columns]));
  const find = (name: string): Source | undefined => {
    const { dataset, table = name } = tablePath(name) ?? {};
    const columns = declared.get(name.toLowerCase()) ?? declared.get(`${dataset}.${table}`.toLowerCase());
    return columns && declaredSource({ name, database: dataset, table }, columns);
  };
  return {
    ...sources,
    async resolve(wanted) {
      const names = [...wanted];
      const found = await sources.resolve(names.filter((name) => find(name) === undefined));
      return { ...found, names: [...tables.map(({ name }) => name), ...found.names], find: (name) => find(name) ?? found.find(name) };
    },
  };
}
