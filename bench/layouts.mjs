// The layouts of metadata: tables, what the metadata of the generated logs is in them, and the quern.yaml that shows them to quern.
import { isLeaf } from './generated-logs.mjs';

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

/**
 * `table`: what the tables' names end in; undefined for the store's own tables, which quern makes. `type`, `value`: of the column metadata.
 * `sql`: the layout whose hand-written and mechanical SQL is compared with, when it is not its own.
 */
export const LAYOUTS = {
  json: { value: jsonText, records: recordNames },
  'json-untyped': { table: 'json', type: () => 'JSON', value: jsonText },
  nested: { table: 'nested', type: nestedType, value: nestedValue },
  'nested-one': { table: 'nested', type: nestedType, value: nestedValue, mechanical: 'nested', yaml: ['records: one'] },
  map: {
    table: 'map',
    type: () => 'Map(LowCardinality(String), String)',
    value: (fields) => `map(${mapEntries(fields).join(', ')})`,
  },
  text: { table: 'text', type: () => 'String', value: jsonText },
};

export const tableOf = (layout, source) => (layout.table === undefined ? `quern.${source}` : `${DATABASE}.${source}_${layout.table}`);

/** Day and project first, as logs are kept. */
export const createSql = (layout, { name, fields }) =>
  `CREATE TABLE ${tableOf(layout, name)} (id String, timestamp DateTime64(6, 'UTC'), project LowCardinality(String), event_message String, metadata ${layout.type(fields)})
   ENGINE = MergeTree PARTITION BY toDate(timestamp) ORDER BY (project, timestamp)`;

export function insertSql(layout, { name, fields }, rows, from) {
  const own = layout.records === undefined ? [] : [['metadata_records', `[${layout.records(fields).join(', ')}]`]];
  const columns = [
    ['id', `concat('${name}-', toString(number))`],
    ['timestamp', 'ts'],
    ['project', 'project'],
    ['event_message', `concat('GET | ', path)`],
    ['metadata', layout.value(fields)],
    ...own,
  ];
  return `INSERT INTO ${tableOf(layout, name)} (${columns.map(([column]) => column).join(', ')}) SELECT ${columns.map(([, sql]) => sql).join(', ')} FROM ${from(rows)}
   SETTINGS max_insert_threads = 2, input_format_try_infer_dates = 0, input_format_try_infer_datetimes = 0, json_type_escape_dots_in_keys = 1`;
}

/** The project file with which quern reads the layout's tables. */
export function projectFile(layout, sources) {
  if (layout.table === undefined) return '{}\n';
  const lines = sources.flatMap(({ name, fields }) => [
    `  ${name}:`,
    `    table: ${tableOf(layout, name)}`,
    ...(layout.yaml ?? []).map((line) => `    ${line}`),
    ...(fields.project_ref === undefined ? [] : ['    same_as: { project: metadata.project_ref }']),
  ]);
  return `sources:\n${lines.join('\n')}\n`;
}
