// The source that a view of INFORMATION_SCHEMA is: the rows of a query without tables.

import { QuernError } from '../../base/errors.ts';
import type { Source, SourceCatalog } from '../../sql/source.ts';
import { QUERIES_DATASET } from '../bigquery-name.ts';
import type { Place } from '../place.ts';
import type { ListedTable, WantedTables } from './list-tables.ts';
import type { ListedRoutine } from './views.ts';

/** The saved queries that a caller may read, as views and table functions. */
export interface SavedListing {
  readonly tables: readonly ListedTable[];
  readonly routines: readonly ListedRoutine[];
}

export interface SchemaOptions {
  /** Returns the saved queries of the dataset `queries`. Absent: they are not known here. */
  readonly saved?: ((wanted: WantedTables) => Promise<SavedListing>) | undefined;
  /** Tables that lists for people leave out are left out, as in the lists that clients of an API get. */
  readonly onlyShown?: boolean | undefined;
  /** There is nothing but saved queries. */
  readonly onlySaved?: boolean | undefined;
}

/** Returns the view that a name asks for, undefined for another name. Throws QuernError for a view that there is not. */
export async function informationSchemaSource(
  name: string,
  place: Place,
  all: () => Promise<SourceCatalog>,
  { saved, onlyShown = false, onlySaved = false }: SchemaOptions,
): Promise<Source | undefined> {
  const [{ informationSchemaOf, informationSchemaQuery }, { isDataset, listDatabases, listTables }] = await Promise.all([
    import('./views.ts'),
    import('./list-tables.ts'),
  ]);
  const asked = informationSchemaOf(name, place.memory.rules);
  if (asked === undefined) return undefined;
  const { view, dataset, everything = false } = asked;
  const wanted = { ...asked, sizes: asked.sizes === true || onlyShown };
  const found = onlySaved ? [] : await listTables(wanted, await all(), place);
  const tables = found.filter(({ isHidden }) => !onlyShown || isHidden !== true);
  const isOfQueries = dataset?.toLowerCase() === QUERIES_DATASET;
  if (isOfQueries && saved === undefined && tables.length === 0)
    throw new QuernError('unknown-source', `${name} lists saved queries, which a saved query cannot read`, {
      hint: "ask for it directly: quern query 'select …'",
    });
  if (dataset !== undefined && !isOfQueries && !onlySaved && found.length === 0 && !(await isDataset(asked, place)))
    throw new QuernError('unknown-source', `there is no dataset ${dataset}`, {
      hint: 'list the datasets: select schema_name from INFORMATION_SCHEMA.SCHEMATA',
    });
  const queries = isOfQueries || everything ? await saved?.(asked) : undefined;
  const databases = view === 'SCHEMATA' && everything && !onlySaved ? await listDatabases(place) : [];
  const listing = { databases, tables: [...tables, ...(queries?.tables ?? [])], routines: queries?.routines ?? [] };
  const query = informationSchemaQuery(view, { project: asked.project, ...listing });
  return { name, table: '', columns: [], query };
}
