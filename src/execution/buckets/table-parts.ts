// The state of a table of a server, told by its parts: a merge gives other parts, and another stamp, although the rows are the same.
import { sqlPieces } from '../../clickhouse/lexer.ts';
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import type { ReadTable } from '../../sql/translation.ts';
import type { Period } from './periods.ts';
import type { TableState } from './stamp.ts';

/** The server that answers, of those that may stand behind an address. */
export const SERVER = "concat(hostName(), ' ', toString(tcpPort()), ' ', toString(serverUUID()))";

/** A table whose parts alone say what a SELECT gives. */
const ENGINES = new Set(['MergeTree', 'ReplicatedMergeTree', 'SharedMergeTree']);

/** With which rows come from elsewhere than the parts of this server. */
const SETTINGS = ['apply_mutations_on_fly', 'enable_parallel_replicas'];

/**
 * Asks for the state of a table: one row. A part knows between which seconds its rows lie where the table is partitioned by that time alone. The hashes are those
 * that replicas compare: compression may differ between them.
 * https://clickhouse.com/docs/operations/system-tables/parts
 */
export function stateQuery({ database, name }: ReadTable): string {
  const of = (nameColumn: string): string =>
    `database = ${database === undefined ? 'currentDatabase()' : quoteString(database)} AND ${nameColumn} = ${quoteString(name)}`;
  return `SELECT
  (SELECT (engine, partition_key, create_table_query) FROM system.tables WHERE ${of('name')}) AS definition,
  (SELECT groupArray((concat(name, ' ', hash_of_uncompressed_files, uncompressed_hash_of_compressed_files), partition_id, toUnixTimestamp(min_time), toUnixTimestamp(max_time), rows))
    FROM system.parts WHERE active AND rows > 0 AND ${of('table')}) AS parts,
  [${SETTINGS.map((setting) => `toBool(getSettingOrDefault('${setting}', 0))`).join(', ')}] AS settings,
  ${SERVER} AS server`;
}

/** How the engine reads a table: with what else than its parts decides about rows. */
export const readingQuery = ({ database, name, times = [] }: ReadTable & { readonly times?: readonly string[] }): string => {
  const table = [database, name].flatMap((part) => (part === undefined ? [] : [quoteIdentifier(part)])).join('.');
  const [time] = times;
  return `EXPLAIN actions = 1, description = 0 SELECT ${time === undefined ? '1' : quoteIdentifier(time)} FROM ${table}`;
};

/** Whether lines of that answer tell of a row policy, or of another filter that the query does not have. */
export const isFiltered = (rows: readonly (readonly unknown[])[]): boolean =>
  rows.some(([line]) => /^\W*(?:row level|prewhere|filter)/i.test(String(line)));

interface ServerState extends TableState {
  /** See SERVER. */
  readonly server: string;
}

/** The state that the row says, or why there is none to rely on. */
export function readState(row: readonly unknown[], times: readonly string[]): ServerState | string {
  // The shape is that of stateQuery.
  const [definition, parts, settings, server] = row as unknown as [
    readonly string[] | null,
    readonly (readonly [string, string, ...(number | string)[]])[] | null,
    readonly (boolean | number)[],
    string,
  ];
  const [engine = '', partitionKey = '', created = ''] = definition ?? [];
  // Of other engines, merges change what a SELECT sees, or the rows are elsewhere.
  if (!ENGINES.has(engine)) return `its table is ${engine === '' ? 'not shown to this login' : `of the engine ${engine}`}`;
  if (sqlPieces(created).includes('ALIAS')) return 'its table has ALIAS columns';
  const used = SETTINGS.filter((_, i) => Boolean(settings[i]));
  if (used.length > 0) return `the setting ${used.join(' and ')} is on`;
  const key = keyColumns(partitionKey);
  const byTime = key.length === 1 && times.includes(key[0] ?? '');
  return {
    definition: JSON.stringify([engine, created]),
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
 * The seconds are of 32 bits, and times beyond 2106 come out as others: these are told by the year with which the name of the partition begins.
 */
function timesOf(partition: string, first: number, last: number): Period | undefined {
  if (!/^\d{6}(?:\d{2})?$/.test(partition) || first <= 0 || last < first) return undefined;
  const year = Number(partition.slice(0, 4));
  if ([first, last].some((second) => Math.abs(new Date(second * 1000).getUTCFullYear() - year) > 1)) return undefined;
  return { start: first * 1e6, end: (last + 1) * 1e6 };
}
