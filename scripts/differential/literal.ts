// Values as they are written: in BigQuery's SQL, and in ClickHouse's for the tables.
import type { Value } from '../../src/base/result.ts';
import { type Type, typeName } from '../../src/sql/base/types.ts';

const CONTROLS: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function quoted(text: string): string {
  const escaped = (c: string): string => CONTROLS[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be escaped
  return `'${text.replace(/[\\'\x00-\x1f\x7f]/g, escaped)}'`;
}

const quotedBytes = (base64: string): string => {
  const text = [...Buffer.from(base64, 'base64')].map((byte) =>
    byte >= 32 && byte < 127 && byte !== 39 && byte !== 92 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `b'${text.join('')}'`;
};

/** A value as BigQuery's SQL writes it. */
export function literal(type: Type, value: Value): string {
  if (value === null) return `CAST(NULL AS ${typeName(type)})`;
  switch (type.kind) {
    case 'FLOAT64':
      return floatLiteral(Number(value));
    case 'BOOL':
      return value === true ? 'TRUE' : 'FALSE';
    case 'STRING':
      return quoted(String(value));
    case 'BYTES':
      return quotedBytes(String(value));
    case 'JSON':
      return `JSON ${quoted(String(value))}`;
    case 'TIMESTAMP':
    case 'DATETIME':
    case 'DATE':
    case 'TIME':
      return `${type.kind} '${String(value).replace('T', ' ').replace('Z', '')}'`;
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return `${type.kind} '${String(value)}'`;
    case 'INTERVAL':
      return `CAST('${String(value)}' AS INTERVAL)`;
    case 'ARRAY': {
      const items = value as readonly Value[];
      const written = items.map((item) => (item === null ? 'NULL' : literal(type.element, item)));
      const plain = type.element.kind !== 'STRUCT' && items.some((item) => item !== null);
      return `${plain ? '' : typeName(type)}[${written.join(', ')}]`;
    }
    case 'STRUCT': {
      const fields = value as readonly Value[];
      return `${typeName(type)}(${type.fields.map((f, at) => literal(f.type, fields[at] ?? null)).join(', ')})`;
    }
    default:
      return String(value);
  }
}

function floatLiteral(value: number): string {
  if (Number.isNaN(value)) return "CAST('nan' AS FLOAT64)";
  if (!Number.isFinite(value)) return `CAST('${value > 0 ? 'inf' : '-inf'}' AS FLOAT64)`;
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text.replace(/^(-?\d+)e/, '$1.0e') : `${text}.0`;
}

/** Text in ClickHouse: by its bytes, which need no escapes. */
const bytesOf = (text: string): string => (text === '' ? "''" : `unhex('${Buffer.from(text).toString('hex')}')`);

/** A value as ClickHouse's SQL writes it, for a column of the type `engineType`. */
export function engineLiteral(type: Type, value: Value, engineType: string): string {
  return `CAST(${bareLiteral(type, value)}, ${quoted(engineType)})`;
}

function bareLiteral(type: Type, value: Value): string {
  if (value === null) return 'NULL';
  switch (type.kind) {
    case 'INT64':
      return `toInt64('${String(value)}')`;
    case 'FLOAT64':
      return Object.is(value, -0) ? '-toFloat64(0)' : `toFloat64('${String(value).replace('Infinity', 'inf').replace('NaN', 'nan')}')`;
    case 'BOOL':
      return String(value);
    case 'DATE':
      return `toDate32('${String(value)}')`;
    case 'TIMESTAMP':
      return `toDateTime64('${String(value).replace('T', ' ').replace('Z', '')}', 6, 'UTC')`;
    case 'NUMERIC':
      return `toDecimal128('${String(value)}', 9)`;
    case 'BIGNUMERIC':
      return `toDecimal256('${String(value)}', 38)`;
    case 'ARRAY':
      return `[${(value as readonly Value[]).map((item) => bareLiteral(type.element, item)).join(', ')}]`;
    case 'STRUCT':
      return `tuple(${type.fields.map((field, at) => bareLiteral(field.type, (value as readonly Value[])[at] ?? null)).join(', ')})`;
    default:
      return bytesOf(String(value));
  }
}
