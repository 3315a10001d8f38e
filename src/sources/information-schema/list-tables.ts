// The tables that queries can read, as INFORMATION_SCHEMA and catalogs list them: sources of the project, own tables, and tables of a server's databases.

import { QuernError } from '../../base/errors.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import type { Type } from '../../sql/base/types.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { Source, SourceCatalog } from '../../sql/source.ts';
import { placeOfSource } from '../bigquery-name.ts';
import { findLogSource } from '../log/log-sources.ts';
import { mappedName, OF_THE_ENGINE, ruledName } from '../names.ts';
import type { Place } from '../place.ts';
import { bareDefinition } from '../source-definition.ts';
import { sourceOrError } from '../source-problem.ts';
import { sourceFromTable } from '../table/table-source.ts';
import { databaseText } from '../wildcard/lacking.ts';

export interface ListedColumn {
  readonly name: string;
  readonly type: Type;
  readonly isNullable: boolean;
}

export interface ListedTable {
  /** Absent where its name says none. */
  readonly project?: string | undefined;
  readonly dataset: string;
  readonly table: string;
  readonly columns: readonly ListedColumn[];
  /** The GoogleSQL of a view. */
  readonly query?: string | undefined;
  readonly description?: string | undefined;
  /** Absent of what is no table of the engine, and where nobody has asked for it. */
  readonly size?: TableSize | undefined;
  /** Lists for people leave it out, where sizes are known: a wildcard, or a log source that has no rows. */
  readonly isHidden?: true | undefined;
}

interface TableSize {
  readonly rows: number | undefined;
  readonly bytes: number | undefined;
  /** When it was made or its definition changed last, in seconds since 1970. */
  readonly changed: number;
}

/** Tables of a dataset, or all. */
export interface WantedTables {
  readonly project?: string | undefined;
  readonly dataset?: string | undefined;
  /** Without a dataset, also the tables of a server's databases that nothing names. */
  readonly everything?: boolean | undefined;
  /** Of tables that nothing names, only this one is wanted. */
  readonly table?: string | undefined;
  /** Tables that nothing names may be without their columns. */
  readonly namesOnly?: boolean | undefined;
  /** The engine is asked for rows and bytes. */
  readonly sizes?: boolean | undefined;
}

type FoundTable = Omit<ListedTable, 'columns' | 'size' | 'isHidden'> & { readonly source: Source };

/** Returns the tables in the order of their names. `known`: what every name stands for that needs no rule. */
export async function listTables(
  wanted: WantedTables,
  known: SourceCatalog,
  place: Pick<Place, 'ask' | 'closed' | 'loaded' | 'memory' | 'sections' | 'server'>,
): Promise<readonly ListedTable[]> {
  const found = new Map<string, FoundTable>();
  const add = (tables: readonly FoundTable[]): void => {
    for (const one of tables) {
      const key = `${one.dataset}.${one.table}`.toLowerCase();
      if (!found.has(key)) found.set(key, one);
    }
  };
  add(namedTables(wanted, known));
  const database = wanted.dataset === undefined ? undefined : ruledDatabase(wanted, place);
  if (database?.prefix !== undefined) add(ruledTables(wanted, known, database.prefix));
  if (database?.name !== undefined) add(await tablesIn([database.name], wanted, place));
  const databases = wanted.dataset === undefined && wanted.everything === true ? await listDatabases(place) : [];
  if (databases.length > 0) add(await tablesIn(databases, wanted, place));
  const tables = [...found.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const sizes = wanted.sizes === true ? await sizesOf(tables, place) : undefined;
  const declared = new Set(Object.keys(Object(place.sections.sources?.value)));
  return tables.map(({ source, ...table }) => {
    // Of a cluster, one server knows its own part alone.
    const size = source.cluster === undefined ? sizes?.get(placeKey(source)) : undefined;
    const isFilled = declared.has(source.name) || (size?.rows !== undefined && size.rows > 0);
    const isEmptyLog = !isFilled && findLogSource(source.name) !== undefined;
    const isHidden = sizes !== undefined && (source.wildcard === true || table.table.endsWith('*') || isEmptyLog);
    return { ...table, columns: columnsOf(source), size, ...(isHidden ? { isHidden } : {}) };
  });
}

/** True of a dataset that may have tables, though none can be read: a database of the server, or one that a rule leads to. */
export async function isDataset(wanted: WantedTables, place: Pick<Place, 'ask' | 'closed' | 'memory' | 'server'>): Promise<boolean> {
  const { name, prefix } = ruledDatabase(wanted, place);
  return prefix !== undefined || (name !== undefined && (await listDatabases(place)).includes(name));
}

/** Returns the databases of a server, with tables or without. */
export async function listDatabases({ ask, server }: Pick<Place, 'ask' | 'server'>): Promise<readonly string[]> {
  if (server === undefined) return [];
  const rows = await ask('SELECT name FROM system.databases ORDER BY name');
  return rows.map(([name]) => String(name)).filter((name) => !OF_THE_ENGINE.test(name));
}

const sortKey = ({ dataset, table }: FoundTable): string => `${dataset}\n${table}`;

/** Returns what the catalog knows by name. Of tables that only their projects tell apart, that of the wanted project comes first. */
function namedTables({ project, dataset, everything }: WantedTables, known: SourceCatalog): readonly FoundTable[] {
  const all = known.names.flatMap((name): readonly FoundTable[] => {
    const at = placeOfSource(name);
    const isInside = dataset === undefined || at.dataset.toLowerCase() === dataset.toLowerCase();
    const source = isInside ? readable(known, name) : undefined;
    // Other names of a source would be datasets of their own: those of log sources are.
    const isAlias = everything === true && source?.name.toLowerCase() !== name.toLowerCase();
    return source === undefined || isAlias ? [] : [{ ...at, source }];
  });
  const rank = (one: FoundTable): number => {
    if (one.project === undefined) return 1;
    return one.project === project ? 0 : 2;
  };
  return all.sort((a, b) => rank(a) - rank(b));
}

/** Returns the database in which the tables of the dataset are, and how names of sources begin that a rule leads the dataset to. */
function ruledDatabase(
  { project, dataset = '' }: WantedTables,
  { closed, memory, server }: Pick<Place, 'closed' | 'memory' | 'server'>,
): { readonly name?: string | undefined; readonly prefix?: string } {
  const probe = 'x';
  const asked = [...(project === undefined ? [] : [project]), dataset, probe].join('.');
  const ruled = ruledName(asked, memory.rules)?.name;
  if (ruled === undefined) return server === undefined || OF_THE_ENGINE.test(dataset) ? {} : { name: dataset };
  if (!ruled.endsWith(probe)) return {};
  const prefix = ruled.slice(0, -probe.length).toLowerCase();
  // What was loaded has been named; no table of the engine's is reached without a database.
  if (!ruled.includes('.') && closed.includes('')) return { prefix };
  const target = mappedName(asked, memory.rules, closed);
  return target?.table === probe ? { prefix, name: target.database } : { prefix };
}

const ruledTables = ({ project, dataset = '' }: WantedTables, known: SourceCatalog, prefix: string): readonly FoundTable[] =>
  known.names.flatMap((name) => {
    const rest = name.slice(prefix.length);
    const source = name.toLowerCase().startsWith(prefix) && !rest.includes('.') ? readable(known, name) : undefined;
    return source === undefined ? [] : [{ project, dataset, table: rest, source }];
  });

/** The most columns that are listed of databases that nothing names. */
const MOST_COLUMNS = 50_000;

/** Returns the tables of databases of the engine. */
async function tablesIn(
  databases: readonly string[],
  { project, dataset, table: only, namesOnly = false }: WantedTables,
  { ask, memory }: Pick<Place, 'ask' | 'memory'>,
): Promise<readonly FoundTable[]> {
  const where = `database IN (${databases.map(quoteString).join(', ')})`;
  const filter = only === undefined ? where : `${where} AND table = ${quoteString(only)}`;
  const sql = namesOnly
    ? `SELECT database, name FROM system.tables WHERE ${where} ORDER BY database, name`
    : `SELECT database, table, name, type FROM system.columns WHERE ${filter} ORDER BY database, table, position LIMIT ${MOST_COLUMNS + 1}`;
  const found = async () => {
    const rows = await ask(sql);
    return rows.length === 0 ? undefined : rows;
  };
  const rows = (await (namesOnly ? found() : memory.recall(`columns of ${filter}`, found))) ?? [];
  if (!namesOnly && rows.length > MOST_COLUMNS)
    throw new QuernError('unknown-source', `there are more than ${MOST_COLUMNS} columns to list`, {
      hint: 'name a dataset: `dataset.INFORMATION_SCHEMA.COLUMNS`',
    });
  const tables = new Map<string, { readonly database: string; readonly table: string; readonly columns: TableColumn[] }>();
  for (const [inDatabase, inTable, name, type] of rows) {
    const [database, table] = [String(inDatabase), String(inTable)];
    const key = placeKey({ database, table });
    const one = tables.get(key) ?? { database, table, columns: [] };
    tables.set(key, one);
    if (name !== undefined) one.columns.push({ name: String(name), type: String(type) });
  }
  return [...tables.values()].map(({ database, table, columns }) => ({
    project,
    dataset: dataset ?? database,
    table,
    source: sourceFromTable(bareDefinition(table, { database, table, kind: 'table' }), columns),
  }));
}

const columnsOf = (source: Source): readonly ListedColumn[] =>
  source.columns
    .filter((column) => column.pseudo === undefined)
    .map((column) => ({ name: column.name, type: column.type, isNullable: isNullable(column) }));

const isNullable = ({ type, read }: Source['columns'][number]): boolean =>
  type.kind !== 'ARRAY' && (read.layout !== 'column' || /Nullable|Dynamic|Variant/.test(read.clickhouseType));

const placeKey = ({ database = '', table }: Pick<Source, 'database' | 'table'>): string => JSON.stringify([database, table]);

async function sizesOf(
  tables: readonly FoundTable[],
  { ask, loaded }: Pick<Place, 'ask' | 'loaded'>,
): Promise<ReadonlyMap<string, TableSize>> {
  // A store in which nothing is need not be opened, nor made.
  if (loaded !== undefined && Object.keys({ ...loaded.sources, ...loaded.tables }).length === 0) return new Map();
  const stored = tables.filter(({ source }) => source.wildcard !== true && source.read === undefined && source.cluster === undefined);
  const databases = [...new Set(stored.map(({ source }) => source.database))];
  if (databases.length === 0) return new Map();
  const rows = await ask(
    `SELECT if(database = currentDatabase(), '', database), database, name, toString(total_rows), toString(total_bytes), toUnixTimestamp(metadata_modification_time) FROM system.tables WHERE database IN (${databases.map(databaseText).join(', ')})`,
  );
  const count = (value: unknown): number | undefined => (value === null || value === '' ? undefined : Number(value));
  return new Map(
    rows.flatMap(([own, database, table, counted, bytes, changed]) => {
      const size = { rows: count(counted), bytes: count(bytes), changed: Number(changed) };
      return [own, database].map((one) => [placeKey({ database: String(one), table: String(table) }), size] as const);
    }),
  );
}

/** What the name stands for; undefined for a source that cannot be read, which has no columns to show. */
function readable(catalog: SourceCatalog, name: string): Source | undefined {
  const source = sourceOrError(catalog, name);
  if (source === undefined || source instanceof QuernError) return undefined;
  return source.absent !== undefined || source.query !== undefined ? undefined : source;
}
