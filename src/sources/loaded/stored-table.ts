// A table of the user's own in the embedded store: what is remembered of it, and the source that it is.

import { type Type, typeName } from '../../sql/base/types.ts';
import { type TableColumn, tableColumn } from '../../sql/layouts/index.ts';
import type { Source } from '../../sql/source.ts';
import { bareDefinition } from '../source-definition.ts';
import { sourceFromTable } from '../table/table-source.ts';
import { TABLES_DATABASE } from '../table-names.ts';
import type { DeclaredColumn } from '../table-schema.ts';

export interface StoredColumn {
  readonly name: string;
  /** What it is to queries, which `stored` alone does not say: a DATETIME is held as a TIMESTAMP is. */
  readonly type: Type;
  /** ClickHouse type text. */
  readonly stored: string;
}

export interface TablePartition {
  readonly column: string;
  /** How much of a time makes a partition; without it each value does. */
  readonly by?: 'hour' | 'day' | 'month' | 'year';
}

export interface TableShape {
  /** As it was written first; names compare without regard to case. */
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** Columns of the key. */
  readonly orderBy: readonly string[];
  readonly partitionBy?: TablePartition;
}

export interface StoredTable extends TableShape {
  /** Of the ClickHouse table that holds the rows. */
  readonly uuid: string;
  readonly rows: number;
}

export function storedTableSource({ name, columns }: Pick<TableShape, 'name' | 'columns'>): Source {
  const definition = bareDefinition(name, { database: TABLES_DATABASE, table: name, kind: 'table', schema: columns });
  return sourceFromTable(
    definition,
    columns.map((column) => ({ name: column.name, type: column.stored })),
  );
}

/** The type that queries give a column which is stored so, or which is declared to be something else; or why it has none. */
export function typeOfStored(column: TableColumn, declared?: Type): { readonly type: Type } | { readonly unread: string } {
  return tableColumn(column, declared);
}

/** The columns of a table in words: `id INT64, created TIMESTAMP`. */
export const columnsText = (columns: readonly DeclaredColumn[]): string =>
  columns.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ');
