// Sources of quern.yaml whose table is one that was loaded: its types are those of the load.
import type { TableColumn } from '../../sql/layouts/index.ts';
import { type SourceDefinition, withDeclared } from '../source-definition.ts';
import { TABLES_DATABASE, tableNamed } from '../table-names.ts';
import { wildcardShape } from '../wildcard/stored-wildcard.ts';
import type { StoredTable } from './stored-table.ts';

/** A definition with the database, the name and the types of its table, and the columns of that. */
export interface DefinedTable {
  readonly definition: SourceDefinition;
  readonly columns: readonly TableColumn[];
}

/** undefined where the definition names no table that was loaded. Throws what `wildcardShape` throws. */
export function storedDefinition(definition: SourceDefinition, tables: Readonly<Record<string, StoredTable>>): DefinedTable | undefined {
  if (definition.files !== undefined) return undefined;
  const name = writtenName(definition);
  if (definition.wildcard === true) {
    const found = wildcardShape(`${name}*`, Object.values(tables));
    if (found === undefined) return undefined;
    const { database, table, schema } = found.definition;
    return { definition: withDeclared({ ...definition, database, table }, schema), columns: found.columns };
  }
  const table = tableNamed({ tables }, name);
  return (
    table && {
      definition: withDeclared({ ...definition, database: TABLES_DATABASE, table: table.name }, table.columns),
      columns: table.columns.map(({ name: column, stored }) => ({ name: column, type: stored })),
    }
  );
}

/** As it was written: the name of a table that was loaded may hold a dot. */
export const writtenName = ({ database, table }: Pick<SourceDefinition, 'database' | 'table'>): string =>
  database === undefined ? table : `${database}.${table}`;
