// The tables that SQL over all tables can read, for the console.
import { isMainDataset } from '../../queries/saved-listing.ts';
import type { ListedTable, WantedTables } from '../../sources/information-schema/list-tables.ts';
import type { ConsoleTable, ConsoleTables } from '../console/contract.ts';
import { json } from '../http/reply.ts';
import { barredFromSqlPage, type Caller } from '../keys/authentication.ts';
import { isShown, tablesFor } from './caller-names.ts';
import type { Route, RouteParts } from './route.ts';

export const consoleTables: Route = {
  method: 'GET',
  path: '/api/console/tables',
  access: 'key',
  open:
    (server) =>
    async ({ caller }) =>
      barredFromSqlPage(caller) ?? json({ tables: await listedTables(server, caller) } satisfies ConsoleTables),
};

/** Returns the tables that the caller can read: those of the project, then those of databases, then saved queries. */
export async function listedTables(
  server: Pick<RouteParts, 'withSources' | 'table'>,
  caller: Caller,
  wanted: WantedTables = {},
): Promise<readonly ConsoleTable[]> {
  const { typeTexts } = await import('../../suggest/suggest.ts'); // it loads the translator
  const tables = (await tablesFor(server, caller, wanted)).filter(isShown).sort((a, b) => rank(a) - rank(b));
  return tables.map((table) => ({
    name: nameOf(table),
    description: table.description === '' ? undefined : table.description,
    ...(table.query === undefined ? {} : { isQuery: true as const }),
    rows: table.size?.rows,
    bytes: table.size?.bytes,
    columns: typeTexts(table.columns),
  }));
}

const rank = ({ dataset, query }: ListedTable): number => {
  if (query !== undefined) return 2;
  return isMainDataset(dataset) ? 0 : 1;
};

/** Returns the name as FROM has it; tables of the project have none before a dot. */
const nameOf = ({ project, dataset, table }: ListedTable): string =>
  [project, isMainDataset(dataset) ? undefined : dataset, table].filter((part) => part !== undefined).join('.');
