// `schema:` of a source: types of columns that ClickHouse cannot tell, in the forms that BigQuery's tools write and read.
// https://cloud.google.com/bigquery/docs/schemas#specifying_a_json_schema_file
import { nearest } from '../base/errors.ts';
import { closed, type JsonSchema } from '../base/json-schema.ts';
import { readTypeText, scalarNamed, splitOutside } from '../sql/base/type-text.ts';
import { arrayOf, SCALAR_TYPES, STRING, structOf, TYPE_ALIASES, type Type } from '../sql/base/types.ts';

/** A column or a field of one, by its name. */
export interface DeclaredColumn {
  readonly name: string;
  readonly type: Type;
}

/** Hears of a column that is declared to be of a type whose values are read as texts. */
type OnText = (column: string, type: string) => void;

interface Reading {
  readonly report: ReportAt;
  readonly onText: OnText;
}

/** Types that BigQuery has and quern has not: as texts their values are what BigQuery exports them as. */
const AS_TEXT: readonly string[] = ['GEOGRAPHY', 'RANGE'];
const RECORDS: readonly string[] = ['RECORD', 'STRUCT'];
const TYPES: readonly string[] = [...Object.keys(SCALAR_TYPES), ...AS_TEXT, ...RECORDS];
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
export function readSchema(raw: unknown, path: Path, report: ReportAt, onText: OnText = () => undefined): readonly DeclaredColumn[] {
  return readColumns(raw, path, { report, onText });
}

function readColumns(raw: unknown, path: Path, reading: Reading): readonly DeclaredColumn[] {
  if (isMapping(raw) && 'fields' in raw) return readColumns(raw['fields'], [...path, 'fields'], reading);
  const items = typeof raw === 'string' ? splitOutside(raw) : raw;
  if (!Array.isArray(items)) {
    reading.report(path, 'must be a list of columns', 'write [{ name: payload, type: JSON }], or payload:JSON');
    return [];
  }
  const columns = items.flatMap((item: unknown, i) => readColumn(item, [...path, String(i)], reading) ?? []);
  for (const [i, { name }] of columns.entries()) {
    if (columns.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) < i) reading.report(path, `has ${name} twice`);
  }
  return columns;
}

function readColumn(raw: unknown, path: Path, reading: Reading): DeclaredColumn | undefined {
  const { report } = reading;
  if (typeof raw === 'string') {
    const [, name, type = ''] = /^\s*([^:\s]+)\s*:\s*(\S.*?)\s*$/s.exec(raw) ?? [];
    if (name === undefined) return report(path, `${JSON.stringify(raw.trim())} is not name:TYPE`);
    return declared({ name, type }, path, reading);
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
  return declared({ name, type, mode, fields }, path, reading);
}

interface Written {
  readonly name: string;
  readonly type: string;
  readonly mode?: unknown;
  readonly fields?: unknown;
}

function declared({ name, type: written, mode, fields }: Written, path: Path, reading: Reading): DeclaredColumn | undefined {
  const { report } = reading;
  const isRecord = RECORDS.includes(written.toUpperCase());
  if (!isRecord && fields !== undefined) report([...path, 'fields'], 'are for the type RECORD');
  const type = isRecord
    ? structOf(fields === undefined ? [] : readColumns(fields, [...path, 'fields'], reading))
    : readTypeText(written, (each) => orText(name, each, reading));
  if (type === undefined) return noType(name, written, path, report);
  const [allowed] = mode === undefined ? ['NULLABLE'] : MODES.filter((each) => typeof mode === 'string' && each === mode.toUpperCase());
  if (allowed === undefined) return report([...path, 'mode'], `${JSON.stringify(mode)} is not one of: ${MODES.join(', ')}`);
  return { name, type: allowed === 'REPEATED' ? arrayOf(type) : type };
}

function orText(column: string, name: string, { onText }: Reading): Type | undefined {
  const [, outer = ''] = /^(\w+)(?:<.*>)?$/s.exec(name.toUpperCase()) ?? [];
  if (!AS_TEXT.includes(outer)) return scalarNamed(name);
  onText(column, name.toUpperCase());
  return STRING;
}

function noType(name: string, written: string, path: Path, report: ReportAt): undefined {
  const near = nearest(written.toUpperCase(), TYPES);
  const nested = /[<(]/.test(written) ? 'write nested types as in SQL: ARRAY<STRUCT<sku STRING, qty INT64>>' : undefined;
  const hint = near === undefined ? `the types are ${TYPES.join(', ')}` : `did you mean ${near}?`;
  return report(path, `${written}, the type of ${name}, is not a type`, nested ?? hint);
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const short: JsonSchema = {
  type: 'string',
  pattern: '^\\s*[^:\\s]+\\s*:\\s*\\w',
  examples: ['payload:JSON', 'items:ARRAY<STRUCT<sku STRING, qty INT64>>'],
};
const column = closed(
  {
    name: { type: 'string' },
    type: { type: 'string', examples: [...TYPES, ...Object.keys(TYPE_ALIASES)] },
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
