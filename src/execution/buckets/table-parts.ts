// The state of a table of a server, from its parts: a merge gives other parts, and another stamp, although the rows are the same.
import { sqlPieces } from '../../clickhouse/lexer.ts';
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import type { Period, TableState } from '../../sources/version.ts';
import type { ReadTable } from '../../sql/translation.ts';

/** The server that answers, of those that may stand behind an address. */
export const SERVER = "concat(hostName(), ' ', toString(tcpPort()), ' ', toString(serverUUID()))";

/** A table whose parts alone say what a SELECT gives. */
const ENGINES = new Set(['MergeTree', 'ReplicatedMergeTree', 'SharedMergeTree']);

/** Settings with which rows come from elsewhere than the parts of this server. */
const SETTINGS = ['apply_mutations_on_fly', 'enable_parallel_replicas'];

/** Expressions over system.tables: what a state needs to know of a table, and of what reads it. */
const DEFINITION = ['engine', 'partition_key', 'create_table_query', 'version()'];

/**
 * The same over system.parts: name and hashes, partition, first and last second, rows. The hashes are those that replicas compare: compression may differ
 * between them. https://clickhouse.com/docs/operations/system-tables/parts
 */
const PART = [
  "concat(name, ' ', hash_of_uncompressed_files, uncompressed_hash_of_compressed_files)",
  'partition_id',
  'toUnixTimestamp(min_time)',
  'toUnixTimestamp(max_time)',
  'rows',
];

const ACTIVE = 'active AND rows > 0';

/** The condition on a table of the system that one of its rows is about this table. */
const about = ({ database, name }: Pick<ReadTable, 'database' | 'name'>, nameColumn: string): string =>
  `database = ${database === undefined ? 'currentDatabase()' : quoteString(database)} AND ${nameColumn} = ${quoteString(name)}`;

const SETTINGS_ON = `[${SETTINGS.map((setting) => `toBool(getSettingOrDefault('${setting}', 0))`).join(', ')}]`;

/** How many columns the row of stateQuery has. */
export const STATE_WIDTH = 4;

/** Asks for the state of a table: one row. */
export const stateQuery = (table: ReadTable): string => `SELECT
  (SELECT (${DEFINITION.join(', ')}) FROM system.tables WHERE ${about(table, 'name')}) AS definition,
  (SELECT groupArray((${PART.join(', ')})) FROM system.parts WHERE ${ACTIVE} AND ${about(table, 'table')}) AS parts,
  ${SETTINGS_ON} AS settings,
  ${SERVER} AS server`;

/** How the engine reads a table: with what else than its parts decides about rows. */
export const readingQuery = ({ database, name, times = [] }: ReadTable & { readonly times?: readonly string[] }): string => {
  const table = [database, name].flatMap((part) => (part === undefined ? [] : [quoteIdentifier(part)])).join('.');
  const [time] = times;
  return `EXPLAIN actions = 1, description = 0 SELECT ${time === undefined ? '1' : quoteIdentifier(time)} FROM ${table}`;
};

/** Returns whether the plan of a query has a row policy. */
export const hasRowPolicy = (plan: readonly (readonly unknown[])[]): boolean => plan.some(([line]) => /row level/i.test(String(line)));

/** Returns whether lines of the answer to readingQuery have a row policy, or another filter that the query does not have. */
export const isFiltered = (rows: readonly (readonly unknown[])[]): boolean =>
  rows.some(([line]) => /^\W*(?:row level|prewhere|filter)/i.test(String(line)));

export interface ServerState extends TableState {
  /** See SERVER. */
  readonly server: string;
}

/** A row of PART. */
type PartRow = readonly [string, string, ...(number | string)[]];

/** The state that the row says, or why there is none to rely on. */
export function readState(row: readonly unknown[], times: readonly string[]): ServerState | string {
  // The shape is that of stateQuery.
  const [definition, parts, settings, server] = row as unknown as [
    readonly string[] | null,
    readonly PartRow[] | null,
    readonly (boolean | number)[],
    string,
  ];
  const [engine = '', partitionKey = '', created = '', version] = definition ?? [];
  // With other engines, merges change what a SELECT sees, or the rows are elsewhere.
  if (!ENGINES.has(engine)) return `its table is ${engine === '' ? 'not shown to this login' : `of the engine ${engine}`}`;
  if (sqlPieces(created).includes('ALIAS')) return 'its table has ALIAS columns';
  const used = SETTINGS.filter((_, i) => Boolean(settings[i]));
  if (used.length > 0) return `the setting ${used.join(' and ')} is on`;
  const [column, other] = keyColumns(partitionKey);
  const byTime = column !== undefined && other === undefined && times.includes(column);
  return {
    definition: JSON.stringify([engine, created, version]),
    parts: (parts ?? []).map(([content, partition, first, last, rows]) => ({
      content,
      times: byTime ? timesOf(partition, Number(first), Number(last)) : undefined,
      rows: Number(rows),
    })),
    server,
  };
}

/** The names in an expression that are not those of its functions. */
function keyColumns(expression: string): readonly string[] {
  const pieces = sqlPieces(expression).filter((piece) => piece.trim() !== '');
  const names = pieces.flatMap((piece, i) => {
    if (/^`/.test(piece)) return [piece.slice(1, -1)];
    return /^[A-Za-z_]/.test(piece) && pieces[i + 1] !== '(' ? [piece] : [];
  });
  return [...new Set(names)];
}

/**
 * The seconds are of 32 bits, and times beyond 2106 come out as others: the year with which the name of the partition begins shows these.
 */
function timesOf(partition: string, first: number, last: number): Period | undefined {
  if (!/^\d{6}(?:\d{2})?$/.test(partition) || first <= 0 || last < first) return undefined;
  const year = Number(partition.slice(0, 4));
  if ([first, last].some((second) => Math.abs(new Date(second * 1000).getUTCFullYear() - year) > 1)) return undefined;
  return { start: first * 1e6, end: (last + 1) * 1e6 };
}
