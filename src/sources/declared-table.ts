// A table of which only its columns are known, as BigQuery has them.

import { quoteIdentifier } from '../clickhouse/quote.ts';
import type { Type } from '../sql/base/types.ts';
import type { Source } from '../sql/source.ts';
import { tablePath } from './bigquery-name.ts';
import { storedType } from './loaded/stored-type.ts';
import { bareDefinition, writtenTable } from './source-definition.ts';
import { sourceFromTable } from './table/table-source.ts';
import type { DeclaredColumn } from './table-schema.ts';

/** Returns the table of a server that the name means, as a source whose columns hold values of these types as tables of the store do. */
export function declaredSource(name: string, columns: readonly DeclaredColumn[]): Source {
  const { dataset, table = name } = tablePath(name) ?? {};
  return sourceFromTable(
    bareDefinition(name, { ...writtenTable(dataset, table), kind: 'table', schema: columns }),
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
