// How a saved query is given to the translator: its parameters' types, the sources, and the saved queries that it reads as tables.
import type { SourceCatalog } from '../sql/source.ts';
import type { TranslateOptions } from '../sql/translation.ts';
import type { QueryCatalog } from './catalog.ts';
import { type Expansion, expandSavedQueries } from './expand.ts';
import { optionsOver } from './options-over.ts';
import type { SavedQuery } from './saved-query.ts';

/** Throws as expandSavedQueries does. */
export function translateOptions(
  query: SavedQuery,
  catalog: QueryCatalog,
  sources: SourceCatalog,
): Expansion & { readonly options: TranslateOptions } {
  const { parameters, uses, named } = expandSavedQueries(query, catalog, sources);
  return {
    parameters,
    uses,
    named,
    options: optionsOver(parameters, sources, (table) => uses.get(table)?.source.text, catalog.functions()),
  };
}
