// Sources with tables of which only the columns are known, as somebody has given them.
import type { Source } from '../sql/source.ts';
import { tablePath } from './bigquery-name.ts';
import { declaredSource } from './declared-table.ts';
import type { Sources } from './kind.ts';
import type { DeclaredColumn } from './table-schema.ts';

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
