// A table of which only its columns are known, as BigQuery has them.

import { quoteIdentifier } from '../clickhouse/quote.ts';
import type { Type } from '../sql/base/types.ts';
import type { Source } from '../sql/source.ts';
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
