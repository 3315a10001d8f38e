// The tables of the store: one per log source, the well-known metadata fields as typed paths of a JSON column.

import { quoteIdentifier, quoteString } from '../clickhouse/quote.ts';
import { around } from '../engine/around.ts';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import type { EngineColumn } from '../engine/engine.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { LOG_SOURCES, type LogSource, plainColumns, typedPaths } from '../sources/log/log-sources.ts';

/** Where a load is gathered before it becomes visible. */
export function stagingTable(source: LogSource): string {
  return `${source.name}__staging`;
}

/** In every table: the number of the load that a row came with. */
export const LOAD_COLUMN = '_quern_load';
export const LOAD_COLUMN_TYPE = 'UInt32';

function qualified(table: string): string {
  return `${STORE_DATABASE}.${table}`;
}

/** In the order in which rows are inserted. */
function tableColumns(source: LogSource): readonly EngineColumn[] {
  const paths = Object.entries(typedPaths(source.metadata)).map(
    ([path, type]) => `${path.split('.').map(quoteIdentifier).join('.')} ${type}`,
  );
  return [
    ...plainColumns(source).map(([name, type]) => ({ name, type })),
    { name: 'metadata', type: `JSON(${paths.join(', ')})` },
    { name: 'metadata_records', type: 'Array(LowCardinality(String))' },
    { name: 'metadata_text', type: 'String' },
  ];
}

/** What ALTER TABLE takes to give the columns of an older table their types of today, and to add those that it lacks at their places. */
export function columnChanges(source: LogSource): readonly string[] {
  const columns = tableColumns(source);
  const added = columns.flatMap(({ name, type }, i) =>
    source.columns.includes(name)
      ? [`ADD COLUMN IF NOT EXISTS ${quoteIdentifier(name)} ${type} AFTER ${quoteIdentifier(columns[i - 1]?.name ?? 'id')}`]
      : [],
  );
  const changed = columns.filter(({ name }) => name === 'metadata').map(({ name, type }) => `MODIFY COLUMN ${name} ${type}`);
  return [...added, ...changed];
}

/**
 * An n-gram text index and not `ngrambf_v1`, which is refused on a Nullable path; it serves `match()` and LIKE on the bare path.
 * Days are partitions, so that a time window prunes even without a project.
 */
export function createTableSql(source: LogSource, table: string): string {
  const index =
    source.searchedPath === undefined ? '' : `, INDEX searched metadata.${source.searchedPath} TYPE text(tokenizer = ngrams(4))`;
  return `CREATE TABLE IF NOT EXISTS ${qualified(table)} (${structure(source)}, ${LOAD_COLUMN} ${LOAD_COLUMN_TYPE}${index}) ENGINE = MergeTree PARTITION BY toDate(timestamp) ORDER BY (project, timestamp)`;
}

/** Inserts `file`, rows in JSONCompactEachRow. Reading a file, the engine parses on all cores; data handed over in memory it does not. */
export function insertFileSql(source: LogSource, table: string, file: string, load: number): string {
  const settings = Object.entries(INSERT_SETTINGS).map(
    ([name, value]) => `${name} = ${typeof value === 'string' ? quoteString(value) : value}`,
  );
  const from = `file(${quoteString(file)}, 'JSONCompactEachRow', ${quoteString(structure(source))})`;
  return `INSERT INTO ${qualified(table)} SELECT *, ${load} FROM ${from} SETTINGS ${settings.join(', ')}`;
}

function structure(source: LogSource): string {
  return tableColumns(source)
    .map(({ name, type }) => `${quoteIdentifier(name)} ${type}`)
    .join(', ');
}

const INSERT_SETTINGS = {
  date_time_input_format: 'basic',
  input_format_try_infer_dates: 0, // text that looks like a date stays text
  input_format_try_infer_datetimes: 0,
  input_format_json_infer_array_of_dynamic_from_array_of_different_types: 1,
  json_type_escape_dots_in_keys: 1,
  type_json_skip_duplicated_paths: 1,
  max_partitions_per_insert_block: 0, // a small file may cover years
  parts_to_throw_insert: 0,
  parts_to_delay_insert: 0,
  max_insert_threads: 1,
} as const;

/** The database before a table's name, or as a value that tables are looked up by. */
const NAMED = new RegExp(`\\b${STORE_DATABASE}\`?\\.|'${STORE_DATABASE}'`);

/** The engine, which calls `make` before it runs SQL that may name a log source's table. */
export const withLogTables = (engine: EmbeddedEngine, make: () => Promise<void>): EmbeddedEngine =>
  around(engine, { before: async (sql) => (NAMED.test(sql) ? make() : undefined) });

/** At once: whoever asks first waits for it. */
export const createLogTables = (engine: EmbeddedEngine): Promise<void> =>
  engine.command(LOG_SOURCES.map((source) => createTableSql(source, source.name)).join('; '));
