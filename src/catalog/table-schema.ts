// `schema:` of a source: types of columns that ClickHouse cannot tell, in the forms that BigQuery's tools write and read.
// https://cloud.google.com/bigquery/docs/schemas#specifying_a_json_schema_file
import { nearest } from '../errors.ts';
import { closed, type JsonSchema } from '../json-schema.ts';
import { arrayOf, SCALAR_TYPES, structOf, type Type } from '../sql/types.ts';

/** A column or a field of one, by its name. */
export interface DeclaredColumn {
  readonly name: string;
  readonly type: Type;
}

/** Names that `bq show --schema` and older tools have for types. */
const ALIASES: Readonly<Record<string, string>> = {
  INTEGER: 'INT64',
  FLOAT: 'FLOAT64',
  BOOLEAN: 'BOOL',
  DECIMAL: 'NUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
};
const RECORDS: readonly string[] = ['RECORD', 'STRUCT'];
const NAMED: Readonly<Record<string, Type>> = SCALAR_TYPES;
const TYPES: readonly string[] = [...Object.keys(SCALAR_TYPES), ...RECORDS];
const FIELDS: readonly string[] = ['name', 'type', 'mode', 'fields'];
const MODES = ['NULLABLE', 'REQUIRED', 'REPEATED'] as const;
/** What BigQuery's schemas say beside that, and what changes no row. */
const IGNORED: readonly string[] = [
  'description',
  'precision',
  'scale',
  'maxLength',
  'collation',
  'policyTags',
  'defaultValueExpression',
  'roundingMode',
];

type Path = readonly string[];
type ReportAt = (path: Path, message: string, hint?: string) => undefined;

/** `[{ name, type, mode, fields }]`, such a list under `fields`, a list of `name:TYPE`, or these with commas between them. */
export function readSchema(raw: unknown, path: Path, report: ReportAt): readonly DeclaredColumn[] {
  if (isMapping(raw) && 'fields' in raw) return readSchema(raw['fields'], [...path, 'fields'], report);
  const items = typeof raw === 'string' ? raw.split(',').map((item) => item.trim()) : raw;
  if (!Array.isArray(items)) {
    report(path, 'must be a list of columns', 'write [{ name: payload, type: JSON }], or payload:JSON');
    return [];
  }
  const columns = items.flatMap((item: unknown, i) => readColumn(item, [...path, String(i)], report) ?? []);
  for (const [i, { name }] of columns.entries()) {
    if (columns.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) < i) report(path, `has ${name} twice`);
  }
  return columns;
}

function readColumn(raw: unknown, path: Path, report: ReportAt): DeclaredColumn | undefined {
  if (typeof raw === 'string') {
    const [, name, type = ''] = /^\s*([^:\s]+)\s*:\s*(\w+)\s*$/.exec(raw) ?? [];
    if (name === undefined) return report(path, `${JSON.stringify(raw)} is not name:TYPE`);
    return declared(name, type, undefined, undefined, path, report);
  }
  if (!isMapping(raw)) return report(path, 'must be a column: { name, type, mode, fields }');
  for (const key of Object.keys(raw)) {
    if ([...FIELDS, ...IGNORED].includes(key)) continue;
    const near = nearest(key, FIELDS);
    report(
      [...path, key],
      'is not a field of a column',
      near === undefined ? `the fields are ${FIELDS.join(', ')}` : `did you mean ${near}?`,
    );
  }
  const { name, type, mode, fields } = raw;
  if (typeof name !== 'string' || name === '') return report(path, 'has no name');
  if (typeof type !== 'string') return report(path, `has no type for ${name}`);
  return declared(name, type, mode, fields, path, report);
}

function declared(name: string, written: string, mode: unknown, fields: unknown, path: Path, report: ReportAt): DeclaredColumn | undefined {
  const upper = written.toUpperCase();
  const known = NAMED[ALIASES[upper] ?? upper];
  const record = RECORDS.includes(upper)
    ? structOf(fields === undefined ? [] : readSchema(fields, [...path, 'fields'], report))
    : undefined;
  const type = record ?? known;
  if (type === undefined) {
    const near = nearest(upper, TYPES);
    const hint = near === undefined ? `the types are ${TYPES.join(', ')}` : `did you mean ${near}?`;
    return report(path, `${written}, the type of ${name}, is not a type`, hint);
  }
  if (record === undefined && fields !== undefined) report([...path, 'fields'], 'are for the type RECORD');
  const [allowed] = mode === undefined ? ['NULLABLE'] : MODES.filter((each) => typeof mode === 'string' && each === mode.toUpperCase());
  if (allowed === undefined) return report([...path, 'mode'], `${JSON.stringify(mode)} is not one of: ${MODES.join(', ')}`);
  return { name, type: allowed === 'REPEATED' ? arrayOf(type) : type };
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const short: JsonSchema = {
  type: 'string',
  pattern: '^[^:\\s]+\\s*:\\s*\\w+(\\s*,\\s*[^:\\s]+\\s*:\\s*\\w+)*$',
  examples: ['payload:JSON'],
};
const column = closed(
  {
    name: { type: 'string' },
    type: { enum: [...TYPES, ...Object.keys(ALIASES)] },
    mode: { enum: MODES },
    fields: { type: 'array', description: 'for a RECORD: its fields, written in the same way as columns' },
    ...Object.fromEntries(IGNORED.map((name) => [name, {}])),
  },
  ['name', 'type'],
);
const columns: JsonSchema = { type: 'array', items: { anyOf: [short, column] } };
export const TABLE_SCHEMA: JsonSchema = {
  anyOf: [columns, short, closed({ fields: columns }, ['fields'])],
  description: "column types that ClickHouse's types do not tell, in the form that `bq show --schema` prints",
};
