// Sources of a text that is only translated: the table of a product, and tables whose columns are given beside the text.
import type { Source } from '../sql/source.ts';
import { tablePath } from './bigquery-name.ts';
import { declaredSource } from './declared-table.ts';
import type { Sources } from './kind.ts';
import { presetOf, presetSources } from './presets/preset-sources.ts';
import type { Product } from './presets/products.ts';
import type { DeclaredColumn } from './table-schema.ts';

/** The sources of the product's table, for texts whose names are resolved first. */
export function productSources(product: Product): Sources {
  const sources = presetSources(presetOf(product));
  return { resolve: async () => sources, resolveAll: async () => sources, versionOf: async () => ({ names: [], value: product }) };
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
    return columns && declaredSource(name, columns);
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
