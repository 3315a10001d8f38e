// Saved queries as catalogs list them: a view where a query can be read without arguments, a table function where it takes some.
import { QuernError } from '../base/errors.ts';
import { MAIN_DATASET, QUERIES_DATASET } from '../sources/bigquery-name.ts';
import type { SavedListing } from '../sources/information-schema/schema-source.ts';
import type { Sources } from '../sources/kind.ts';
import { translate } from '../sql/index.ts';
import type { TranslatedColumn } from '../sql/translation.ts';
import { type QueryCatalog, tableIdOf } from './catalog.ts';
import { translateOptions } from './expand.ts';
import { sqlStart } from './header/text.ts';
import { parameterType } from './parameter-types.ts';
import type { ParameterDeclaration, SavedQuery } from './saved-query.ts';

/** A saved query and what its translation says. */
export interface ListedQuery {
  readonly query: Pick<SavedQuery, 'name' | 'description' | 'source'>;
  /** Those that a caller may give. */
  readonly parameters: readonly ParameterDeclaration[];
  readonly columns: readonly TranslatedColumn[];
}

export const isQueriesDataset = (dataset: string): boolean => dataset.toLowerCase() === QUERIES_DATASET;

/** True of the dataset of sources whose names have no dot. */
export const isMainDataset = (dataset: string): boolean => dataset === MAIN_DATASET;

export function savedListing(queries: readonly ListedQuery[]): SavedListing {
  const listed = queries.map(({ query: { name, description, source }, parameters, columns }) => ({
    dataset: QUERIES_DATASET,
    name: tableIdOf(name),
    description,
    query: source.text.slice(sqlStart(source.text)).trimEnd(),
    isView: parameters.every((parameter) => !parameter.required || parameter.default !== undefined),
    parameters: parameters.map((parameter) => ({ name: parameter.name, type: parameterType(parameter) })),
    columns: columns.map((column, i) => ({ name: column.name || `f${i}_`, type: column.type, isNullable: column.type.kind !== 'ARRAY' })),
  }));
  return {
    tables: listed.flatMap(({ isView, name, parameters: _, ...one }) => (isView ? [{ ...one, table: name }] : [])),
    routines: listed.flatMap(({ isView: _, ...one }) => (one.parameters.length === 0 ? [] : [one])),
  };
}

/** Returns the saved queries of the catalog that can be read as tables. Each is translated for it. */
export async function listSavedQueries(catalog: QueryCatalog, sources: Sources): Promise<SavedListing> {
  const { queries } = await catalog.list();
  const listed = await Promise.all(
    queries.map(async (query): Promise<readonly ListedQuery[]> => {
      if (query.dialect === 'clickhouse') return [];
      try {
        const { options, parameters } = await translateOptions(query, catalog, sources);
        return [{ query, parameters, columns: translate(query.source.text, options).columns }];
      } catch (error) {
        if (error instanceof QuernError) return []; // it cannot be read as a table either
        throw error;
      }
    }),
  );
  return savedListing(listed.flat());
}
