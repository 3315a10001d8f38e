// Wildcard tables over those of the user's own in the embedded store: `events_*` is all tables whose names begin so.

import { QuernError } from '../../base/errors.ts';
import { bareType, readType } from '../../clickhouse/type.ts';
import { typeName } from '../../sql/base/types.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { Source } from '../../sql/source.ts';
import type { StoredColumn, StoredTable } from '../loaded/stored-table.ts';
import { bareDefinition } from '../source-definition.ts';
import { sourceFromTable } from '../table/table-source.ts';
import { TABLES_DATABASE } from '../table-names.ts';
import type { DeclaredColumn } from '../table-schema.ts';

/** `tables` are those that the wildcard stands for. Throws QuernError `unknown-source` where their names differ in their letters' case. */
export function storedWildcard(name: string, tables: readonly StoredTable[]): Source {
  const found = wildcardShape(name, tables);
  if (found === undefined) throw new RangeError(`${name} stands for tables`);
  return sourceFromTable(bareDefinition(name, { wildcard: true, kind: 'table', ...found.definition }), found.columns);
}

interface WildcardShape {
  readonly definition: { readonly database: string; readonly table: string; readonly schema: readonly DeclaredColumn[] };
  readonly columns: readonly TableColumn[];
}

/** What the tables have in common. */
export function wildcardShape(name: string, tables: readonly StoredTable[]): WildcardShape | undefined {
  const among = tablesOf(name, tables);
  const [first] = among;
  if (first === undefined) return undefined;
  const length = name.length - 1;
  const prefix = first.name.slice(0, length);
  const other = among.find((table) => !table.name.startsWith(prefix));
  if (other !== undefined)
    throw new QuernError('unknown-source', `${name}: the names of ${first.name} and ${other.name} do not start with the same letters`, {
      hint: 'upper and lower case differ: load one of them under another name, or UNION ALL the tables',
    });
  const columns = among.flatMap(({ columns: of, name: table }) => of.map((column) => ({ table, column })));
  const names = [...new Set(columns.map(({ column }) => column.name.toLowerCase()))];
  const found = names.map((known) => merged(columns.filter(({ column }) => column.name.toLowerCase() === known)));
  return {
    definition: { database: TABLES_DATABASE, table: prefix, schema: found.filter(({ unread }) => unread === undefined) },
    columns: found.map(({ name: column, stored, unread }) => ({ name: column, type: stored, ...(unread === undefined ? {} : { unread }) })),
  };
}

/** The tables that a wildcard stands for, by name. */
export function tablesOf(name: string, tables: readonly StoredTable[]): readonly StoredTable[] {
  if (!/.\*$/.test(name)) return [];
  const prefix = name.slice(0, -1).toLowerCase();
  return tables.filter((table) => table.name.toLowerCase().startsWith(prefix)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface InTable {
  readonly table: string;
  readonly column: StoredColumn;
}

/** Columns of one name as one, or why they are none. One that a table lacks is NULL there, or an empty array. */
function merged(columns: readonly InTable[]): StoredColumn & { readonly unread?: string } {
  const [first] = columns;
  if (first === undefined) throw new RangeError('no columns');
  const differs = (of: (column: StoredColumn) => string, say: string): string | undefined => {
    const other = columns.find(({ column }) => of(column) !== of(first.column));
    return other && `it is ${say}${of(first.column)} in ${first.table} and ${say}${of(other.column)} in ${other.table}`;
  };
  const unread =
    differs(({ name }) => name, 'called ') ??
    differs(({ type }) => typeName(type), '') ??
    differs(({ stored }) => bareType(readType(stored)).text, 'stored as ');
  const { column } = columns.find(({ column: { stored } }) => !stored.startsWith('LowCardinality')) ?? first;
  return { ...column, ...(unread === undefined ? {} : { unread }) };
}
