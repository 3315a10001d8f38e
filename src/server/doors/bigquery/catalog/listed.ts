// The datasets, tables and routines that a caller of the door sees.
import { isQueriesDataset } from '../../../../queries/saved-listing.ts';
import type { ListedRoutine } from '../../../../sources/information-schema/views.ts';
import type { Caller } from '../../../keys/authentication.ts';
import { isShown, pinsOf, savedQueriesOf, tablesFor } from '../../../routes/caller-names.ts';
import type { RouteParts } from '../../../routes/route.ts';

export type CatalogServer = Pick<RouteParts, 'withSources' | 'table'>;

export async function routinesFor(server: CatalogServer, caller: Caller, dataset: string): Promise<readonly ListedRoutine[]> {
  return isQueriesDataset(dataset) ? (await savedQueriesOf(server.table, caller)).routines : [];
}

/** Returns the names of the datasets in which there is anything to see. */
export async function datasetsFor(server: CatalogServer, caller: Caller, projectId: string): Promise<readonly string[]> {
  const tables = (await tablesFor(server, caller, { project: projectId, namesOnly: true })).filter(isShown).map(({ dataset }) => dataset);
  const { routines } = await savedQueriesOf(server.table, caller);
  const databases = pinsOf(caller).length > 0 ? [] : await server.withSources(async (sources) => (await sources.listDatabases?.()) ?? []);
  return [...new Set([...databases, ...tables, ...routines.map(({ dataset }) => dataset)])].sort();
}

/** Names of tables are exact where several differ in their case alone. */
export const named = <T>(all: readonly T[], name: string, nameOf: (one: T) => string): T | undefined =>
  all.find((one) => nameOf(one) === name) ?? all.find((one) => nameOf(one).toLowerCase() === name.toLowerCase());
