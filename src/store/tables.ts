// The tables of the store: one per log source, the well-known metadata fields as typed paths of a JSON column.
import { STORE_DATABASE } from '../sources/log-catalog.ts';
import { type LogSource, typedPaths } from '../sources/log-sources.ts';

/** Where a load is gathered before it becomes visible. */
export function stagingTable(source: LogSource): string {
  return `${source.name}__staging`;
}

export function qualified(table: string): string {
  return `${STORE_DATABASE}.${table}`;
}

/** Columns in the order in which rows are inserted. */
export function tableColumns(source: LogSource): readonly string[] {
  return ['id', 'timestamp', 'project', 'event_message', ...source.columns, 'metadata', 'metadata_records', 'metadata_text'];
}

/**
 * An n-gram text index and not `ngrambf_v1`, which is refused on a Nullable path; it serves `match()` and LIKE on the bare path.
 * Days are partitions, so that a time window prunes even without a project.
 */
export function createTableSql(source: LogSource, table: string): string {
  const paths = Object.entries(typedPaths(source.metadata)).map(([path, type]) => `${path.split('.').map(quoteName).join('.')} ${type}`);
  const index =
    source.searchedPath === undefined ? [] : [`INDEX searched metadata.${source.searchedPath} TYPE text(tokenizer = ngrams(4))`];
  const columns = [
    'id String',
    "timestamp DateTime64(6, 'UTC')",
    'project LowCardinality(String)',
    'event_message String',
    ...source.columns.map((name) => `${quoteName(name)} Nullable(String)`),
    `metadata JSON(${paths.join(', ')})`,
    'metadata_records Array(LowCardinality(String))',
    'metadata_text String',
    ...index,
  ];
  return `CREATE TABLE IF NOT EXISTS ${qualified(table)} (${columns.join(', ')}) ENGINE = MergeTree PARTITION BY toDate(timestamp) ORDER BY (project, timestamp)`;
}

/** Settings under which rows are inserted. */
export const INSERT_SETTINGS = {
  date_time_input_format: 'basic',
  input_format_try_infer_dates: 0, // text that looks like a date stays text
  input_format_try_infer_datetimes: 0,
  input_format_json_infer_array_of_dynamic_from_array_of_different_types: 1,
  json_type_escape_dots_in_keys: 1,
  type_json_skip_duplicated_paths: 1,
  max_partitions_per_insert_block: 0, // a small file may cover years
  parts_to_throw_insert: 0,
  parts_to_delay_insert: 0,
} as const;

function quoteName(name: string): string {
  return `\`${name}\``;
}
