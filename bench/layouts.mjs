// The layouts of metadata: tables, what the metadata of the generated logs is in them, and the quern.yaml that shows them to quern.
import { BENCH_INSTANT, generatedRows, isLeaf, microseconds, partsOf } from './generated-logs.mjs';

/** Database of the tables that stand for a user's own. */
export const DATABASE = 'bench';

/** A leaf's or record's JSON as an expression: concat('{"request":{"method":"', …, '"}}'). */
function jsonText(fields) {
  const parts = jsonParts(fields);
  return `concat(${parts.map((part) => (part.literal === undefined ? part.sql : `'${part.literal}'`)).join(', ')})`;
}

function jsonParts(fields) {
  const parts = Object.entries(fields).flatMap(([name, field], i) => {
    const key = { literal: `${i === 0 ? '' : ','}"${name}":` };
    if (!isLeaf(field)) return [key, ...jsonParts(field)];
    const quotes = field.type.includes('String') ? [{ literal: '"' }] : [];
    return [key, ...quotes, { sql: `toString(${field.sql})` }, ...quotes];
  });
  return [{ literal: '{' }, ...parts, { literal: '}' }];
}

/** Every record an array of one, as BigQuery has it. */
const nestedValue = (fields) =>
  `[tuple(${Object.values(fields)
    .map((field) => (isLeaf(field) ? field.sql : nestedValue(field)))
    .join(', ')})]`;

const nullable = (type) => (type.startsWith('LowCardinality') ? 'LowCardinality(Nullable(String))' : `Nullable(${type})`);
const nestedType = (fields) =>
  `Array(Tuple(${Object.entries(fields)
    .map(([name, field]) => `${name} ${isLeaf(field) ? nullable(field.type) : nestedType(field)}`)
    .join(', ')}))`;

const mapEntries = (fields, prefix = '') =>
  Object.entries(fields).flatMap(([name, field]) =>
    isLeaf(field) ? [`'${prefix}${name}', toString(${field.sql})`] : mapEntries(field, `${prefix}${name}.`),
  );

/** The names that metadata_records of the store's tables has for an event with all of its records. */
const recordNames = (fields, prefix = '') =>
  Object.entries(fields).flatMap(([name, field]) =>
    isLeaf(field) ? [] : [`'${prefix}${name}'`, ...recordNames(field, `${prefix}${name}.`)],
  );

const mapValue = (fields) => `map(${mapEntries(fields).join(', ')})`;
const MAP = 'Map(LowCardinality(String), String)';

/** A table as quern's documentation shows it. */
const PLAIN = {
  columns: (metadata) =>
    `id String, timestamp DateTime64(6, 'UTC'), project LowCardinality(String), event_message String, metadata ${metadata}`,
  order: 'project, timestamp',
  values: (source) => ({ id: `concat('${source}-', toString(number))`, timestamp: 'ts' }),
  copiedId: (part) => `concat(id, '-', '${part}')`,
  metadata: 'metadata',
};

/** A table of Logflare's: nanoseconds, and every source in one table. */
const LOGFLARE = {
  columns: (metadata) => `id UUID, source_name LowCardinality(String), project LowCardinality(String), event_message String,
   resource_attributes ${MAP}, log_attributes ${metadata}, timestamp DateTime64(9)`,
  order: 'project, source_name, toDateTime(timestamp), timestamp',
  values: (source) => ({ id: 'reinterpretAsUUID(sipHash128(number))', timestamp: 'toDateTime64(ts, 9)', source_name: `'${source}'` }),
  copiedId: (part) => `reinterpretAsUUID(sipHash128(id, ${part}))`,
  metadata: 'log_attributes',
};

/**
 * `table`: what the tables' names end in; undefined for the store's own tables, which quern makes. `type`, `value`: of the column metadata.
 * `yaml`: what quern.yaml says of a source beside its table. `mechanical`: the layout with the same mechanical SQL.
 */
export const LAYOUTS = {
  json: { value: jsonText, records: recordNames },
  'json-untyped': { table: 'json', type: () => 'JSON', value: jsonText },
  nested: { table: 'nested', type: nestedType, value: nestedValue },
  'nested-one': { table: 'nested', type: nestedType, value: nestedValue, mechanical: 'nested', yaml: () => ['records: one'] },
  map: { table: 'map', type: () => MAP, value: mapValue },
  logflare: {
    table: 'logflare',
    type: () => MAP,
    value: mapValue,
    shape: LOGFLARE,
    yaml: (source) => [`rows: { source_name: ${source} }`],
  },
  text: { table: 'text', type: () => 'String', value: jsonText },
};

export const tableOf = (layout, source) => (layout.table === undefined ? `quern.${source}` : `${DATABASE}.${source}_${layout.table}`);

/** A partition for each day, as logs are kept. */
export function createSql(layout, { name, fields }) {
  const { columns, order } = layout.shape ?? PLAIN;
  return `CREATE TABLE ${tableOf(layout, name)} (${columns(layout.type(fields))})
   ENGINE = MergeTree PARTITION BY toDate(timestamp) ORDER BY (${order})`;
}

/** The statements that fill a table with `rows` rows. */
export function insertStatements(layout, { name, fields }, rows) {
  const { values, metadata, copiedId } = layout.shape ?? PLAIN;
  const columns = {
    ...values(name),
    project: 'project',
    event_message: `concat('GET | ', path)`,
    [metadata]: layout.value(fields),
    ...(layout.records === undefined ? {} : { metadata_records: `[${layout.records(fields).join(', ')}]` }),
  };
  const table = tableOf(layout, name);
  const names = Object.keys(columns);
  return partsOf(rows).map(({ count, earlierBy }) => {
    const first = earlierBy === 0;
    const values = first
      ? Object.values(columns)
      : names.map((column) => ({ id: copiedId(earlierBy), timestamp: `addMicroseconds(timestamp, -${earlierBy})` })[column] ?? column);
    const newest = `addMicroseconds(toDateTime64('${BENCH_INSTANT}', 6, 'UTC'), -${microseconds(count, rows)})`;
    const from = first ? generatedRows(count, rows) : `(SELECT * FROM ${table} WHERE timestamp > ${newest})`;
    return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from}
   SETTINGS max_insert_threads = 2, input_format_try_infer_dates = 0, input_format_try_infer_datetimes = 0, json_type_escape_dots_in_keys = 1`;
  });
}

/** The project file with which quern reads the layout's tables. */
export function projectFile(layout, sources) {
  if (layout.table === undefined) return '{}\n';
  const lines = sources.flatMap(({ name, fields }) => [
    `  ${name}:`,
    `    table: ${tableOf(layout, name)}`,
    ...(layout.yaml?.(name) ?? []).map((line) => `    ${line}`),
    ...(fields.project_ref === undefined ? [] : ['    same_as: { project: metadata.project_ref }']),
  ]);
  return `sources:\n${lines.join('\n')}\n`;
}
