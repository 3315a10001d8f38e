// A saved query by what the user calls it.
import { confirmId, type QueryCatalog } from './catalog.ts';
import { parseSavedQuery } from './header/header.ts';
import type { SavedQuery } from './saved-query.ts';

/** The query of that name, UUID or path. Throws as the catalog's `find` does, and for a header that is wrong. */
export function findSavedQuery(reference: string, catalog: Pick<QueryCatalog, 'find'>): SavedQuery {
  const file = catalog.find(reference);
  const query = parseSavedQuery(file.source, file.name);
  confirmId(file, query.id);
  return query;
}
