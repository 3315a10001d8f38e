// JSON Schema of `sources:` in quern.yaml.
import { closed, type JsonSchema } from '../json-schema.ts';
import { FIELD_TYPES, LAYOUT_SETTINGS, LAYOUTS, SOURCE_KINDS, type SourceField } from './definition.ts';
import { FORMATS } from './files/formats.ts';
import { TABLE_SCHEMA } from './table-schema.ts';

const texts: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };

const fields: Readonly<Record<SourceField, JsonSchema>> = {
  table: {
    type: 'string',
    description: 'the table: database.table; with * at its end all tables that begin so',
    examples: ['logs.edge', 'shop.events_*'],
  },
  file: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'the files: paths relative to this file, patterns with * and **, a list of those, or an address: https://, s3://, gs://',
    examples: ['data/orders/*.parquet'],
  },
  format: { enum: Object.keys(FORMATS), description: "of the files, where their names don't say it" },
  delimiter: { type: 'string', minLength: 1, maxLength: 1, description: 'of CSV and TSV: what divides values, where it is not found' },
  header: { type: 'boolean', description: 'of CSV and TSV: whether the first line holds names' },
  skip_leading_rows: {
    type: 'integer',
    minimum: 0,
    description: 'of CSV and TSV: lines in front of the rows; the last of them may hold the names',
  },
  hive_partitions: { type: 'boolean', description: 'folders key=value are columns' },
  kind: {
    enum: SOURCE_KINDS,
    description:
      'logs: JSON, Map and Tuple columns are records of log events; table: columns have the types that BigQuery would give them; by default what its name and its columns say',
  },
  cluster: { type: 'string', description: 'the table is read on every shard of this cluster' },
  layout: { enum: LAYOUTS, description: "how the records of metadata are held, where the column's type does not say it" },
  records: { enum: ['one', 'several'], description: 'whether a record holds one element or may hold several' },
  columns: { ...texts, description: "columns of the source, and the table's columns or entries of maps that they are: Attributes['key']" },
  aliases: { type: 'array', items: { type: 'string' }, description: 'other names of the source in FROM' },
  same_as: { ...texts, description: 'columns that always equal a field: project: metadata.project_ref' },
  fields: {
    type: 'object',
    additionalProperties: { enum: Object.keys(FIELD_TYPES) },
    description: "types of metadata's fields, by dotted path",
  },
  schema: TABLE_SCHEMA,
  rows: { ...texts, description: 'only the rows whose column holds this text belong to the source' },
  suffix: {
    type: 'string',
    description: 'what _TABLE_SUFFIX is where one table or files stand for a wildcard: a column, or a GoogleSQL expression of columns',
    examples: ['day', "FORMAT_DATE('%Y%m%d', DATE(timestamp))"],
  },
  partition: {
    type: 'string',
    description: 'the time of which _PARTITIONTIME and _PARTITIONDATE are the day: a column, or an expression',
    examples: ['created'],
  },
};

const ofLayouts = LAYOUT_SETTINGS.map(({ layout, setting, description }): [string, JsonSchema] => [
  setting,
  { type: 'string', description: `with layout: ${layout}, ${description}` },
]);

export const SOURCES_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'which tables stand for the sources that queries name',
  additionalProperties: {
    ...closed({ ...fields, ...Object.fromEntries(ofLayouts) }, []),
    oneOf: [{ required: ['table'] }, { required: ['file'] }],
  },
};
