// What names mean in the SQL that a caller sends over all tables, and which tables and saved queries they see.
import { type CallerNames, lacksPin } from '../../queries/caller-names.ts';
import { isQueriesDataset, type ListedQuery, savedListing } from '../../queries/saved-listing.ts';
import type { ListedTable, WantedTables } from '../../sources/information-schema/list-tables.ts';
import type { SavedListing } from '../../sources/information-schema/schema-source.ts';
import { preparedIfAny } from '../answers/endpoints.ts';
import { ANYBODY, type Caller } from '../keys/authentication.ts';
import { pinnedArguments } from '../keys/pinned-arguments.ts';
import { coveredEndpoints, covers } from './covered.ts';
import type { RouteParts } from './route.ts';

interface NamingRequest {
  readonly caller: Caller;
  /** The project of names that have none; absent: as in saved queries. */
  readonly projectId?: string | undefined;
  readonly defaultDataset?: { readonly projectId: string; readonly datasetId: string } | undefined;
}

/** Returns what names mean in the text of a request. `key` is the same where they mean the same. */
export function namesFor(
  { table }: Pick<RouteParts, 'table'>,
  { caller, projectId, defaultDataset }: NamingRequest,
): CallerNames & { readonly key: string } {
  const dataset = defaultDataset && `${defaultDataset.projectId}.${defaultDataset.datasetId}`;
  return {
    key: JSON.stringify([projectId, dataset, caller === ANYBODY ? [] : [caller.scopes, pinsOf(caller)]]),
    project: projectId,
    defaultDataset: dataset,
    covers: (name) => covers(caller, name),
    pinned: pinsOf(caller),
    saved: () => savedQueriesOf(table, caller),
  };
}

/** Returns the tables of a dataset, or of all; a caller whose key sets parameters sees saved queries alone. */
export async function tablesFor(
  server: Pick<RouteParts, 'withSources' | 'table'>,
  caller: Caller,
  wanted: WantedTables,
): Promise<readonly ListedTable[]> {
  const { dataset } = wanted;
  const [stored, saved] = await Promise.all([
    pinsOf(caller).length > 0
      ? []
      : server.withSources(async (sources) => (await sources.listTables?.({ everything: true, sizes: true, ...wanted })) ?? []),
    dataset === undefined || isQueriesDataset(dataset) ? (await savedQueriesOf(server.table, caller)).tables : [],
  ]);
  return [...stored, ...saved];
}

/** Lists for people leave the others out. */
export const isShown = ({ isHidden }: ListedTable): boolean => isHidden !== true;

/** Returns the saved queries that the caller's key covers, without the parameters that it sets. */
export async function savedQueriesOf(table: RouteParts['table'], caller: Caller): Promise<SavedListing> {
  const pins = pinsOf(caller);
  const listed = await Promise.all(
    coveredEndpoints(table(), caller).map(async (endpoint): Promise<readonly ListedQuery[]> => {
      const prepared = await preparedIfAny(endpoint);
      if (prepared?.columns === undefined || pins.some((pin) => lacksPin(prepared.parameters, pin))) return [];
      const parameters = prepared.parameters.filter((parameter) => pins.every((pin) => lacksPin([parameter], pin)));
      return [{ query: endpoint.query, parameters, columns: prepared.columns }];
    }),
  );
  return savedListing(listed.flat());
}

/**
 * Returns the caller's arguments with those that the key sets, where the text reads what has them; it can read nothing else. Throws QuernError `parameter` for
 * another value of one.
 */
export function withPins(
  caller: Caller,
  query: Parameters<typeof pinnedArguments>[1],
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (caller === ANYBODY) return given;
  const pins = Object.fromEntries(Object.entries(caller.pins).filter(([pin]) => !lacksPin(query.parameters, pin)));
  return pinnedArguments({ ...caller, pins }, query, given);
}

export const pinsOf = (caller: Caller): readonly string[] => (caller === ANYBODY ? [] : Object.keys(caller.pins));
