// The translator's options for a saved query: its parameters' types, the sources, and the saved queries that it reads as tables.
import type { Sources } from '../sources/kind.ts';
import type { TranslateOptions } from '../sql/translation.ts';
import type { CallerNames } from './caller-names.ts';
import type { QueryCatalog } from './catalog.ts';
import { type Expansion, expandSavedQueries, readsOf } from './expand.ts';
import { optionsOver } from './options-over.ts';
import type { SavedQuery } from './saved-query.ts';

/** Throws as expandSavedQueries does. */
export async function translateOptions(
  query: SavedQuery,
  catalog: QueryCatalog,
  sources: Sources,
  names?: CallerNames,
): Promise<Expansion & { readonly options: TranslateOptions }> {
  const expansion = await expandSavedQueries(query, catalog, sources, names);
  const options = optionsOver(expansion.parameters, readsOf(expansion), catalog.functions());
  return { ...expansion, options };
}
