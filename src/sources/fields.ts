// What quern.yaml may say of a source: one table of how each field is read and what editors know of it.
import { closed, type JsonSchema } from '../base/json-schema.ts';
import { BOOL, FLOAT64, INT64, type ScalarType, STRING } from '../sql/base/types.ts';
import { RECORD_LAYOUTS } from '../sql/layouts/records.ts';
import { FORMATS } from './files/formats.ts';
import { FILE_OPTION_NAMES, FILE_OPTIONS, optionHelp } from './files/options.ts';
import type { ColumnReference, SourceKind } from './source-definition.ts';
import { type DeclaredColumn, readSchema, TABLE_SCHEMA } from './table-schema.ts';

export type RawFields = Readonly<Record<string, unknown>>;
export type Path = readonly string[];
/** Notes what is wrong with the value at a path. */
export type Report = (path: Path, message: string, hint?: string) => undefined;

interface Field<T> {
  readonly schema: JsonSchema;
  /** Returns undefined, and reports why, for a value that the field cannot have. */
  read(value: unknown, path: Path, report: Report): T | undefined;
}

/** Names of sources, and their aliases. */
export const SOURCE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*\*?$/;

const text = (what: string, schema: JsonSchema): Field<string> => ({
  schema: { type: 'string', ...schema },
  read: (value, path, report) => (typeof value === 'string' && value !== '' ? value : report(path, `must be ${what}`)),
});

const expression = (schema: JsonSchema): Field<string> => text('a column, or an expression over columns', schema);

const oneOf = <T extends string>(values: readonly T[], description: string): Field<T> => ({
  schema: { enum: values, description },
  read: (value, path, report) =>
    value === null
      ? undefined
      : (values.find((known) => known === value) ?? report(path, `${JSON.stringify(value)} is not one of: ${values.join(', ')}`)),
});

/** A mapping; `each` reads a value of it. */
const entries = <T>(
  what: string,
  schema: JsonSchema,
  each: (value: unknown, path: Path, report: Report) => T | undefined,
): Field<Readonly<Record<string, T>>> => ({
  schema: { type: 'object', additionalProperties: { type: 'string' }, ...schema },
  read(raw, path, report) {
    if (raw === null) return {};
    if (!isMapping(raw)) return report(path, `must be a mapping of ${what}`);
    const known = Object.entries(raw).flatMap(([name, value]): readonly (readonly [string, T])[] => {
      const read = each(value, [...path, name], report);
      return read === undefined ? [] : [[name, read]];
    });
    return Object.fromEntries(known);
  },
});

const COLUMN = text("the name of a column, or of a map's entry: Attributes['key']", {});
const FIELD_TYPES: Readonly<Record<string, ScalarType>> = { string: STRING, integer: INT64, float: FLOAT64, boolean: BOOL };

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
  layout: oneOf(
    RECORD_LAYOUTS.map(({ name }) => name),
    "how the records of metadata are stored, if the column's type does not tell",
  ),
  records: oneOf(['one', 'several'], 'whether a record has one element or may have several'),
  columns: entries(
    'source columns to table columns',
    { description: "columns of the source, and the table's columns or map entries that hold them: Attributes['key']" },
    (value, path, report) => {
      const written = COLUMN.read(value, path, report);
      if (written === undefined) return undefined;
      const message = `${JSON.stringify(written)} is neither a column nor an entry of a map`;
      return columnReference(written) ?? report(path, message, "write Attributes['key']");
    },
  ),
  aliases: {
    schema: { type: 'array', items: { type: 'string' }, description: 'other names for the source in FROM' },
    read(value: unknown, path, report) {
      if (value === null) return [];
      const names = Array.isArray(value)
        ? value.filter((alias): alias is string => typeof alias === 'string' && SOURCE_NAME.test(alias))
        : [];
      return Array.isArray(value) && names.length === value.length ? names : report(path, 'must be a list of names');
    },
  } satisfies Field<readonly string[]>,
  same_as: entries(
    'columns to fields',
    { description: 'columns that always equal a field: project: metadata.project_ref' },
    (value, path, report) => {
      const parts = typeof value === 'string' ? value.split('.') : [];
      return parts.length > 1 && parts.every((part) => part !== '') ? parts : report(path, 'must be a field, such as metadata.project_ref');
    },
  ),
  fields: entries(
    'paths in metadata to types',
    { additionalProperties: { enum: Object.keys(FIELD_TYPES) }, description: 'types of the fields of metadata, by dotted path' },
    (value, path, report) => {
      const type = typeof value === 'string' ? FIELD_TYPES[value] : undefined;
      return type ?? report(path, `${JSON.stringify(value)} is not one of: ${Object.keys(FIELD_TYPES).join(', ')}`);
    },
  ),
  schema: { schema: TABLE_SCHEMA, read: (value: unknown, path, report) => readSchema(value, path, report) } satisfies Field<
    readonly DeclaredColumn[]
  >,
  rows: entries(
    'table columns to text values',
    { description: 'only rows with this text in the column belong to the source' },
    (value, path, report) => (typeof value === 'string' ? value : report(path, 'must be text in quotes')),
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

const { table, ...others } = SOURCE_FIELDS;
const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  table: table.schema,
  ...FILE_SCHEMAS,
  ...Object.fromEntries(Object.entries(others).map(([name, { schema }]) => [name, schema])),
  ...Object.fromEntries(
    LAYOUT_SETTINGS.map(({ layout, setting, description }) => [
      setting,
      { type: 'string', description: `with layout: ${layout}, ${description}` },
    ]),
  ),
};
export const SOURCE_FIELD_NAMES: readonly string[] = Object.keys(SCHEMAS);

export const SOURCES_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'which tables or files the sources in queries refer to',
  additionalProperties: { ...closed(SCHEMAS, []), oneOf: [{ required: ['table'] }, { required: ['file'] }] },
};

export const isMapping = (value: unknown): value is RawFields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `Body`, or `ResourceAttributes['project']`. */
function columnReference(written: string): ColumnReference | undefined {
  const match = /^([^[\]'"]+?)(?:\[\s*(?:'([^']*)'|"([^"]*)")\s*\])?$/.exec(written.trim());
  if (match === null) return undefined;
  const [, column = '', single, double] = match;
  const key = single ?? double;
  return key === undefined ? { column } : { column, key };
}
