// `schema:` of a source: types of columns that ClickHouse cannot tell, in the forms that BigQuery's tools write and read.
// https://cloud.google.com/bigquery/docs/schemas#specifying_a_json_schema_file
import { didYouMean } from '../base/errors.ts';
import { closed, type JsonSchema } from '../base/json-schema.ts';
import { isMapping, refuseOthers, type ValueAt } from '../fields/value-at.ts';
import { readTypeText, scalarNamed, splitOutside } from '../sql/base/type-text.ts';
import { arrayOf, SCALAR_TYPES, STRING, structOf, TYPE_ALIASES, type Type } from '../sql/base/types.ts';

/** A column or a field of one, by its name. */
export interface DeclaredColumn {
  readonly name: string;
  readonly type: Type;
}

/** Whether the type is or has `kind`, at any depth. */
export function holds(type: Type, kind: Type['kind']): boolean {
  if (type.kind === kind) return true;
  if (type.kind === 'ARRAY') return holds(type.element, kind);
  return type.kind === 'STRUCT' && type.fields.some((field) => holds(field.type, kind));
}

/** Hears of a column that is declared to be of a type whose values are read as texts. */
type OnText = (column: string, type: string) => void;

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

/** `[{ name, type, mode, fields }]`, such a list under `fields`, a list of `name:TYPE`, or these with commas between them. */
export function readSchema(value: ValueAt, onText: OnText = () => undefined): readonly DeclaredColumn[] {
  if (value.has('fields')) return readSchema(value.at('fields'), onText);
  const items = typeof value.value === 'string' ? value.split(splitOutside(value.value)) : value.items;
  if (!Array.isArray(value.value) && typeof value.value !== 'string')
    return value.problem('must be a list of columns', 'write [{ name: payload, type: JSON }], or payload:JSON') ?? [];
  const columns = items.flatMap((item) => readColumn(item, onText) ?? []);
  for (const [i, { name }] of columns.entries()) {
    if (columns.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) < i) value.problem(`has ${name} twice`);
  }
  return columns;
}

function readColumn(column: ValueAt, onText: OnText): DeclaredColumn | undefined {
  const raw = column.value;
  if (typeof raw === 'string') {
    const [, name, type = ''] = /^\s*([^:\s]+)\s*:\s*(\S.*?)\s*$/s.exec(raw) ?? [];
    if (name === undefined) return column.problem(`${JSON.stringify(raw.trim())} is not name:TYPE`);
    return declared({ name, type }, column, onText);
  }
  if (!isMapping(raw)) return column.problem('must be a column: { name, type, mode, fields }');
  refuseOthers(column, 'a field of a column', FIELDS, { ignored: IGNORED });
  const { name, type, mode } = raw;
  if (typeof name !== 'string' || name === '') return column.problem('has no name');
  if (typeof type !== 'string') return column.problem(`has no type for ${name}`);
  return declared({ name, type, mode }, column, onText);
}

interface Written {
  readonly name: string;
  readonly type: string;
  readonly mode?: unknown;
}

function declared({ name, type: written, mode }: Written, column: ValueAt, onText: OnText): DeclaredColumn | undefined {
  const fields = column.at('fields');
  const isRecord = RECORDS.includes(written.toUpperCase());
  if (!isRecord && column.has('fields')) fields.problem('are for the type RECORD');
  const type = isRecord
    ? structOf(column.has('fields') ? readSchema(fields, onText) : [])
    : readTypeText(written, (each) => orText(name, each, onText));
  if (type === undefined) return noType(name, written, column);
  const [allowed] = mode === undefined ? ['NULLABLE'] : MODES.filter((each) => typeof mode === 'string' && each === mode.toUpperCase());
  if (allowed === undefined) return column.at('mode').problem(`${JSON.stringify(mode)} is not one of: ${MODES.join(', ')}`);
  return { name, type: allowed === 'REPEATED' ? arrayOf(type) : type };
}

function orText(column: string, name: string, onText: OnText): Type | undefined {
  const [, outer = ''] = /^(\w+)(?:<.*>)?$/s.exec(name.toUpperCase()) ?? [];
  if (!AS_TEXT.includes(outer)) return scalarNamed(name);
  onText(column, name.toUpperCase());
  return STRING;
}

function noType(name: string, written: string, column: ValueAt): undefined {
  const nested = /[<(]/.test(written) ? 'write nested types as in SQL: ARRAY<STRUCT<sku STRING, qty INT64>>' : undefined;
  const hint = didYouMean(written.toUpperCase(), TYPES) ?? `the types are ${TYPES.join(', ')}`;
  return column.problem(`${written}, the type of ${name}, is not a type`, nested ?? hint);
}

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
