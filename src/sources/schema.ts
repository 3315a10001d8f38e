// JSON Schema of `sources:` in quern.yaml.
import { closed, type JsonSchema } from '../json-schema.ts';
import { FIELD_TYPES, LAYOUT_SETTINGS, LAYOUTS, SOURCE_KINDS, type SourceField } from './definition.ts';
import { FORMATS } from './files/formats.ts';
import { FILE_OPTION_NAMES, FILE_OPTIONS, type FileOptionName, optionHelp } from './files/options.ts';
import { TABLE_SCHEMA } from './table-schema.ts';

const texts: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };

const optionSchemas = Object.fromEntries(
  FILE_OPTION_NAMES.map((name): [string, JsonSchema] => [name, { ...FILE_OPTIONS[name].schema, description: optionHelp(name) }]),
) as Readonly<Record<FileOptionName, JsonSchema>>;

const fields: Readonly<Record<SourceField, JsonSchema>> = {
  table: {
    type: 'string',
    description: 'the table: database.table; with * at the end, all tables whose names start with it',
    examples: ['logs.edge', 'shop.events_*'],
  },
  file: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'the files: paths relative to this file, patterns with * and **, a list of these, or an address: https://, s3://, gs://',
    examples: ['data/orders/*.parquet'],
  },
  format: { enum: Object.keys(FORMATS), description: 'the format of the files, if their names do not tell' },
  ...optionSchemas,
  hive_partitions: { type: 'boolean', description: 'whether folders named key=value become columns' },
  kind: {
    enum: SOURCE_KINDS,
    description:
      'logs: JSON, Map and Tuple columns are records of log events; table: columns have the types that BigQuery would give them; by default detected from its name and columns',
  },
  cluster: { type: 'string', description: 'read the table on every shard of this cluster' },
  layout: { enum: LAYOUTS, description: "how the records of metadata are stored, if the column's type does not tell" },
  records: { enum: ['one', 'several'], description: 'whether a record has one element or may have several' },
  columns: { ...texts, description: "columns of the source, and the table's columns or map entries that hold them: Attributes['key']" },
  aliases: { type: 'array', items: { type: 'string' }, description: 'other names for the source in FROM' },
  same_as: { ...texts, description: 'columns that always equal a field: project: metadata.project_ref' },
  fields: {
    type: 'object',
    additionalProperties: { enum: Object.keys(FIELD_TYPES) },
    description: 'types of the fields of metadata, by dotted path',
  },
  schema: TABLE_SCHEMA,
  rows: { ...texts, description: 'only rows with this text in the column belong to the source' },
  suffix: {
    type: 'string',
    description: 'the value of _TABLE_SUFFIX when one table or files serve a wildcard: a column, or a GoogleSQL expression over columns',
    examples: ['day', "FORMAT_DATE('%Y%m%d', DATE(timestamp))"],
  },
  partition: {
    type: 'string',
    description: 'the time whose day is _PARTITIONTIME and _PARTITIONDATE: a column, or an expression',
    examples: ['created'],
  },
};

const ofLayouts = LAYOUT_SETTINGS.map(({ layout, setting, description }): [string, JsonSchema] => [
  setting,
  { type: 'string', description: `with layout: ${layout}, ${description}` },
]);

export const SOURCES_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'which tables or files the sources in queries refer to',
  additionalProperties: {
    ...closed({ ...fields, ...Object.fromEntries(ofLayouts) }, []),
    oneOf: [{ required: ['table'] }, { required: ['file'] }],
  },
};
