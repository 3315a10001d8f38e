// How a saved query is given to the translator: its parameters' types, the sources, and the saved queries that it reads as tables.
import type { SourceCatalog } from '../sql/source.ts';
import type { TranslateOptions } from '../sql/translation.ts';
import type { QueryCatalog } from './catalog.ts';
import { type Expansion, expandSavedQueries } from './expand.ts';
import { parameterType } from './parameter-value.ts';
import type { SavedQuery } from './saved-query.ts';

/** Throws as expandSavedQueries does. */
export function translateOptions(
  query: SavedQuery,
  catalog: QueryCatalog,
  sources: SourceCatalog,
): Expansion & { readonly options: TranslateOptions } {
  const { parameters, uses, named } = expandSavedQueries(query, catalog, sources);
  const options: TranslateOptions = {
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterType(parameter)])),
    sources,
    savedQuery: (table) => uses.get(table)?.source.text,
    instant: 'parameter',
    bytes: 'text',
    nullElements: 'fail',
  };
  return { parameters, uses, named, options };
}
