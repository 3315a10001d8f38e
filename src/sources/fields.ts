// What quern.yaml may say of a source: one table of how each field is read and what editors know of it.

import { closed, type JsonSchema } from '../base/json-schema.ts';
import { quoteIdentifier } from '../clickhouse/quote.ts';
import { type Field, field, made, mappingOf, orEmpty, schemasOf } from '../fields/field.ts';
import { oneOf as kindOneOf, type ValueKind } from '../fields/kinds.ts';
import { BOOL, FLOAT64, INT64, type ScalarType, STRING } from '../sql/base/types.ts';
import { RECORD_LAYOUTS } from '../sql/layouts/records.ts';
import { FORMATS } from './files/formats.ts';
import { FILE_OPTION_NAMES, FILE_OPTIONS, optionHelp } from './files/options.ts';
import { PRESETS } from './presets/presets.ts';
import type { ColumnReference, SourceKind } from './source-definition.ts';
import { readSchema, TABLE_SCHEMA } from './table-schema.ts';

/** Names of sources, and their aliases. */
export const SOURCE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*\*?$/;

const TEXT: Omit<ValueKind<string>, 'expected'> = {
  schema: { type: 'string' },
  read: (raw) => (typeof raw === 'string' && raw !== '' ? raw : undefined),
};
const text = (expected: string, words: Parameters<typeof field>[1]): Field<string> =>
  field({ ...TEXT, expected }, { ...words, must: true });

const expression = (words: Parameters<typeof field>[1]): Field<string> => text('a column, or an expression over columns', words);

const oneOf = <T extends string>(values: readonly T[], description: string): Field<T> => orEmpty(field(kindOneOf(values), { description }));

const COLUMN = made(text("the name of a column, or of a map's entry: Attributes['key']", {}), (written, value) => {
  const message = `${JSON.stringify(written)} is neither a column nor an entry of a map`;
  return columnReference(written) ?? value.problem(message, "write Attributes['key']");
});
const FIELD_TYPES: Readonly<Record<string, ScalarType>> = { string: STRING, integer: INT64, float: FLOAT64, boolean: BOOL };

const FIELD_TYPE = made(field(kindOneOf(Object.keys(FIELD_TYPES))), (name) => FIELD_TYPES[name]);

const FIELD_PATH = field<readonly string[]>(
  {
    expected: 'a field, such as metadata.project_ref',
    schema: { type: 'string' },
    read(raw) {
      const parts = typeof raw === 'string' ? raw.split('.') : [];
      return parts.length > 1 && parts.every((part) => part !== '') ? parts : undefined;
    },
  },
  { must: true },
);

/** The functions that may spread rows over shards. */
const SHARDING_FUNCTIONS =
  'cityHash64 sipHash64 farmHash64 metroHash64 xxHash32 xxHash64 xxh3 murmurHash2_32 murmurHash2_64 murmurHash3_32 murmurHash3_64 intHash32 intHash64 halfMD5 javaHash toUInt32 toUInt64';

/** A column, or a hash of columns: this text becomes part of the SQL. */
const SHARDING_KEY = field<string>(
  {
    expected: 'a column, or a hash of columns such as cityHash64(project)',
    schema: { type: 'string' },
    read(raw) {
      const [, name, columns] = /^(\w+)(?:\((\w+(?:, *\w+)*)\))?$/.exec(typeof raw === 'string' ? raw.trim() : '') ?? [];
      if (name === undefined || /^\d/.test(name)) return undefined;
      if (columns === undefined) return quoteIdentifier(name);
      return SHARDING_FUNCTIONS.split(' ').includes(name) ? `${name}(${columns.split(/, */).map(quoteIdentifier).join(', ')})` : undefined;
    },
  },
  {
    must: true,
    description:
      'the key by which the rows were spread over the shards of the Distributed table or of the cluster: queries for some of its values read only their shards',
    examples: ['cityHash64(project)'],
  },
);

const isSourceName = (alias: unknown): alias is string => typeof alias === 'string' && SOURCE_NAME.test(alias);

/** Fields of every source. */
export const SOURCE_FIELDS = {
  table: text('the name of a table, such as database.table', {
    description: 'the table: database.table; with * at the end, all tables whose names start with it',
    examples: ['logs.edge', 'shop.events_*'],
  }),
  kind: oneOf<SourceKind>(
    ['logs', 'table'],
    'logs: JSON, Map and Tuple columns are records of log events; table: columns have the types that BigQuery would give them; by default detected from its name and columns',
  ),
  cluster: text('the name of a cluster', { description: 'read the table on every shard of this cluster' }),
  sharding_key: SHARDING_KEY,
  layout: oneOf(
    RECORD_LAYOUTS.map(({ name }) => name),
    "how the records of metadata are stored, if the column's type does not tell",
  ),
  records: oneOf(['one', 'several'], 'whether a record has one element or may have several'),
  columns: mappingOf('source columns to table columns', COLUMN, {
    description: "columns of the source, and the table's columns or map entries that hold them: Attributes['key']",
  }),
  aliases: orEmpty(
    field<readonly string[]>(
      {
        expected: 'a list of names',
        schema: { type: 'array', items: { type: 'string' } },
        read: (raw) => (Array.isArray(raw) && raw.every(isSourceName) ? raw : undefined),
      },
      { description: 'other names for the source in FROM', must: true },
    ),
  ),
  same_as: mappingOf('columns to fields', FIELD_PATH, {
    description: 'columns that always equal a field: project: metadata.project_ref',
  }),
  fields: mappingOf('paths in metadata to types', FIELD_TYPE, {
    description: 'types of the fields of metadata, by dotted path',
  }),
  schema: { schema: TABLE_SCHEMA, read: (value) => readSchema(value) } satisfies Field<ReturnType<typeof readSchema>>,
  rows: mappingOf(
    'table columns to text values',
    field({ ...TEXT, expected: 'text in quotes', read: (raw) => (typeof raw === 'string' ? raw : undefined) }, { must: true }),
    { description: 'only rows with this text in the column belong to the source' },
  ),
  suffix: expression({
    description: 'the value of _TABLE_SUFFIX when one table or files serve a wildcard: a column, or a GoogleSQL expression over columns',
    examples: ['day', "FORMAT_DATE('%Y%m%d', DATE(timestamp))"],
  }),
  partition: expression({
    description: 'the time whose day is _PARTITIONTIME and _PARTITIONDATE: a column, or an expression',
    examples: ['created'],
  }),
} as const;

/** Fields that say something of metadata, the record of a log event. */
export const OF_RECORDS = ['layout', 'records', 'same_as', 'fields'] as const satisfies readonly (keyof typeof SOURCE_FIELDS)[];

/** Settings that belong to a layout, and what they say. */
export const LAYOUT_SETTINGS = RECORD_LAYOUTS.flatMap(({ name, settings = {} }) =>
  Object.entries(settings).map(([setting, description]) => ({ layout: name, setting, description })),
);

/** Fields of sources that are files: readFilesDefinition reads them. */
const FILE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  file: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'the files: paths relative to this file, patterns with * and **, a list of these, or an address: https://, s3://, gs://',
    examples: ['data/orders/*.parquet'],
  },
  format: { enum: Object.keys(FORMATS), description: 'the format of the files, if their names do not tell' },
  ...Object.fromEntries(FILE_OPTION_NAMES.map((name) => [name, { ...FILE_OPTIONS[name].schema, description: optionHelp(name) }])),
  hive_partitions: { type: 'boolean', description: 'whether folders named key=value become columns' },
};
/** Those of them that say nothing without `file`. */
export const FILE_FIELDS = Object.keys(FILE_SCHEMAS);

/** Fields that a layout has of its own. */
export const LAYOUT_FIELDS: Readonly<Record<string, Field<string>>> = Object.fromEntries(
  LAYOUT_SETTINGS.map(({ layout, setting, description }) => [
    setting,
    text('text', { description: `with layout: ${layout}, ${description}` }),
  ]),
);

const { table, ...others } = SOURCE_FIELDS;
const SCHEMAS = { table: table.schema, ...FILE_SCHEMAS, ...schemasOf(others), ...schemasOf(LAYOUT_FIELDS) };
export const SOURCE_FIELD_NAMES: readonly string[] = Object.keys(SCHEMAS);

const source: JsonSchema = { ...closed(SCHEMAS, []), oneOf: [{ required: ['table'] }, { required: ['file'] }] };

/** What the section may say beside its sources: all log sources at once, in one table. */
const PRESET_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  preset: {
    enum: PRESETS.map(({ name }) => name),
    description: 'the log sources as rows of one table, as this product keeps them; `table` names it',
  },
  table: { type: 'string', description: 'with `preset`: the table, as database.table', examples: ['logs.otel'] },
};
export const PRESET_FIELDS = Object.keys(PRESET_SCHEMAS);

export const SOURCES_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'which tables or files the sources in queries refer to',
  properties: Object.fromEntries(Object.entries(PRESET_SCHEMAS).map(([name, schema]) => [name, { anyOf: [schema, source] }])),
  additionalProperties: source,
};

/** `Body`, or `ResourceAttributes['project']`. */
function columnReference(written: string): ColumnReference | undefined {
  const match = /^([^[\]'"]+?)(?:\[\s*(?:'([^']*)'|"([^"]*)")\s*\])?$/.exec(written.trim());
  if (match === null) return undefined;
  const [, column = '', single, double] = match;
  const key = single ?? double;
  return key === undefined ? { column } : { column, key };
}
