// The schema of rows in BigQuery's words, and values as its API writes them: texts, and nested ones as {"f":[{"v":"1"}]}.
import { columnNames, structFieldNames } from '../../../base/column-names.ts';
import type { ResultColumn } from '../../../base/result.ts';
import { type Json, printJson } from '../../../engine/lossless-json.ts';
import { decodeValue } from '../../../execution/decode.ts';
import type { Type } from '../../../sql/base/types.ts';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly mode: 'NULLABLE' | 'REPEATED';
  readonly fields?: readonly Field[];
}

/** `float`: seconds such as 1.7412E9; `int64`: microseconds; `iso`: 2025-03-05T10:00:00Z. */
export type TimestampForm = 'float' | 'int64' | 'iso';

/** Names of types in schemas, where they are not those of GoogleSQL. */
const NAMES: Readonly<Record<string, string>> = { INT64: 'INTEGER', FLOAT64: 'FLOAT', BOOL: 'BOOLEAN', DYNAMIC: 'STRING', RECORD: 'JSON' };

export const schemaOf = (columns: readonly ResultColumn[]): { readonly fields: readonly Field[] } => {
  const names = columnNames(columns);
  return { fields: columns.map(({ type }, i) => fieldOf(names[i] ?? '', type)) };
};

/** Records of log events, whose fields nobody has declared as a whole, are JSON. */
function fieldOf(name: string, type: Type): Field {
  if (type.kind === 'ARRAY' && type.element.kind !== 'RECORD') return { ...fieldOf(name, type.element), mode: 'REPEATED' };
  if (type.kind === 'STRUCT') {
    const names = structFieldNames(type.fields);
    const fields = type.fields.map((field, i) => fieldOf(names[i] ?? '', field.type));
    return { name, type: 'RECORD', mode: 'NULLABLE', fields };
  }
  return { name, type: type.kind === 'ARRAY' ? 'JSON' : (NAMES[type.kind] ?? type.kind), mode: 'NULLABLE' };
}

type Writer = (value: Json | undefined) => string;

/** Returns the function that writes the engine's value of a column as the JSON of a cell's `v`. */
export function writerOf(type: Type, timestamps: TimestampForm): Writer {
  if (type.kind === 'ARRAY' && type.element.kind !== 'RECORD') return arrayWriter(writerOf(type.element, timestamps));
  if (type.kind === 'STRUCT') return structWriter(type.fields.map((field) => writerOf(field.type, timestamps)));
  const write = scalarWriter(type, timestamps);
  return (value) => (value === null || value === undefined ? 'null' : write(value));
}

/** A NULL array is one without elements. */
const arrayWriter =
  (element: Writer): Writer =>
  (value) =>
    Array.isArray(value) ? `[${value.map((one) => `{"v":${element(one)}}`).join(',')}]` : '[]';

const structWriter =
  (fields: readonly Writer[]): Writer =>
  (value) => {
    if (value === null || value === undefined) return 'null';
    const values: readonly Json[] = typeof value === 'object' ? Object.values(value) : [value];
    return `{"f":[${fields.map((write, i) => `{"v":${write(values[i])}}`).join(',')}]}`;
  };

function scalarWriter(type: Type, timestamps: TimestampForm): (value: Json) => string {
  switch (type.kind) {
    case 'BOOL':
      return (value) => (decodeValue(type, value) === true ? '"true"' : '"false"');
    case 'INT64':
      return (value) => (typeof value === 'number' ? `"${value}"` : `"${String(decodeValue(type, value))}"`);
    case 'FLOAT64':
      return (value) => `"${floatText(typeof value === 'number' ? value : Number(decodeValue(type, value)))}"`;
    case 'TIMESTAMP':
      return (value) => `"${timestampText(String(value), timestamps)}"`;
    case 'STRING':
      return (value) => JSON.stringify(typeof value === 'string' ? value : printJson(value));
    case 'ARRAY':
    case 'RECORD':
      return (value) => JSON.stringify(printJson(decodeValue(type, value) as Json)); // what is decoded of JSON is JSON
    default:
      return (value) => JSON.stringify(decodeValue(type, value));
  }
}

/** Below and from these on, Google writes an exponent. */
const SMALL = 1e-3;
const LARGE = 1e7;

/** Returns the text of a FLOAT64 as the API has it: `4.0`, `1.0E20`, `NaN`, `-Infinity`. */
export function floatText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= SMALL && size < LARGE) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/** `text` is ClickHouse's, such as `2026-01-02 03:04:05.678901`. */
function timestampText(text: string, form: TimestampForm): string {
  const dot = text.indexOf('.');
  const fraction = dot === -1 ? '000000' : text.slice(dot + 1, dot + 7).padEnd(6, '0');
  const whole = dot === -1 ? text : text.slice(0, dot);
  if (form === 'iso') return `${whole.replace(' ', 'T')}${fraction === '000000' ? '' : `.${fraction}`}Z`;
  const seconds = Date.parse(`${whole.replace(' ', 'T')}Z`) / 1000;
  if (form === 'float') return floatText(seconds + Number(fraction) / 1e6);
  if (seconds === 0) return String(Number(fraction));
  return seconds > 0 ? `${seconds}${fraction}` : String(BigInt(seconds) * 1_000_000n + BigInt(fraction));
}
