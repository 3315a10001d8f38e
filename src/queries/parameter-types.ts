// The types of parameters, a row for each: what it is in GoogleSQL, how its values are read from text and JSON, and the schema of these.

import { ALL_YEARS, DATE_FORMS, readDate, readDatetime, readTime, readTimestamp, TIMESTAMP_FORMS } from '../base/instant.ts';
import type { JsonSchema } from '../base/json-schema.ts';
import type { BoundValue } from '../engine/engine.ts';
import { decimalText } from '../sql/base/decimal-text.ts';
import { isTooLong, parseInterval } from '../sql/base/interval.ts';
import { canonicalJson, hasWideInteger } from '../sql/base/json-canonical.ts';
import { arrayOf, SCALAR_TYPES, type StoredScalarName, structOf, type Type, typeName } from '../sql/base/types.ts';
import type { ParameterType, ScalarParameterName } from './saved-query.ts';

interface ParameterTypeRow {
  readonly sql: StoredScalarName;
  /** Completes "… is not ". */
  readonly expected: string;
  readonly schema: JsonSchema;
  /** The kind of value that YAML must have for it; text, unlike on the command line, is no number: `007` is 7, and no string. */
  readonly yaml: 'string' | 'number' | 'boolean' | 'digits' | 'any';
  /** Returns the value to bind; undefined when `raw` (text, or a JSON value) is not such a value. */
  read(raw: unknown): BoundValue | undefined;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const SPECIAL_FLOATS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
};

const DIGITS: JsonSchema = { anyOf: [{ type: 'string', pattern: '^[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?$' }, { type: 'number' }] };

export const PARAMETER_TYPES: Readonly<Record<ScalarParameterName, ParameterTypeRow>> = {
  string: {
    sql: 'STRING',
    expected: 'text',
    schema: { type: 'string' },
    yaml: 'string',
    read: (raw) => (isScalar(raw) ? String(raw) : undefined),
  },
  integer: {
    sql: 'INT64',
    expected: 'a 64-bit integer',
    schema: { type: 'integer', format: 'int64' },
    yaml: 'number',
    read: (raw) => (isNumberOrText(raw) ? readInteger(String(raw).trim()) : undefined),
  },
  float: {
    sql: 'FLOAT64',
    expected: 'a number',
    schema: { type: 'number' },
    yaml: 'number',
    read: (raw) => (isNumberOrText(raw) ? readFloat(String(raw).trim()) : undefined),
  },
  boolean: {
    sql: 'BOOL',
    expected: 'true or false',
    schema: { type: 'boolean' },
    yaml: 'boolean',
    read: (raw) => (isScalar(raw) ? readBoolean(String(raw).trim()) : undefined),
  },
  timestamp: {
    sql: 'TIMESTAMP',
    expected: TIMESTAMP_FORMS,
    schema: { type: 'string', format: 'date-time' },
    yaml: 'string',
    read: (raw) => (isNumberOrText(raw) ? readTimestamp(String(raw), ALL_YEARS) : undefined),
  },
  date: {
    sql: 'DATE',
    expected: DATE_FORMS,
    schema: { type: 'string', format: 'date' },
    yaml: 'string',
    read: (raw) => (typeof raw === 'string' ? readDate(raw, ALL_YEARS) : undefined),
  },
  datetime: {
    sql: 'DATETIME',
    expected: 'a date and time without a zone, such as 2026-01-02T03:04:05',
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([ Tt]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?)?$' },
    yaml: 'string',
    read: (raw) => (typeof raw === 'string' ? readDatetime(raw) : undefined),
  },
  time: {
    sql: 'TIME',
    expected: 'a time of day such as 13:45:00',
    schema: { type: 'string', pattern: '^\\d{1,2}:\\d{2}(:\\d{2}(\\.\\d+)?)?$' },
    yaml: 'string',
    read: (raw) => (typeof raw === 'string' ? readTime(raw) : undefined),
  },
  numeric: {
    sql: 'NUMERIC',
    expected: 'a number of up to 29 digits before the point and 9 behind it',
    schema: DIGITS,
    yaml: 'digits',
    read: (raw) => readDecimal(raw, 'NUMERIC'),
  },
  bignumeric: {
    sql: 'BIGNUMERIC',
    expected: 'a number up to 5.78e38 with at most 38 digits behind the point',
    schema: DIGITS,
    yaml: 'digits',
    read: (raw) => readDecimal(raw, 'BIGNUMERIC'),
  },
  bytes: {
    sql: 'BYTES',
    expected: 'bytes in base64, such as aGVsbG8=',
    schema: { type: 'string', contentEncoding: 'base64' },
    yaml: 'string',
    read: readBytes,
  },
  json: {
    sql: 'JSON',
    expected: 'JSON such as {"a": 1}, whose numbers INT64 or FLOAT64 hold',
    schema: { description: 'JSON as text, or an object or a list' },
    yaml: 'any',
    read(raw) {
      const text = typeof raw === 'string' ? raw : jsonText(raw);
      return text === undefined ? undefined : readJson(text);
    },
  },
  interval: {
    sql: 'INTERVAL',
    expected: 'an interval such as 1-2 3 4:5:6.789 or P1Y2M3DT4H5M6S',
    schema: { type: 'string', pattern: '^(P|[+-]?\\d)' },
    yaml: 'string',
    read: (raw) => (typeof raw === 'string' ? readInterval(raw.trim()) : undefined),
  },
};

export const SCALAR_PARAMETER_NAMES = Object.keys(PARAMETER_TYPES) as readonly ScalarParameterName[]; // Object.keys only knows strings

/** The GoogleSQL type that `@name` has in the SQL. */
export function parameterType({ type, array, fields = [] }: ParameterType): Type {
  const one =
    type === 'struct'
      ? structOf(fields.map((field) => ({ name: field.name, type: parameterType(field) })))
      : SCALAR_TYPES[PARAMETER_TYPES[type].sql];
  return array ? arrayOf(one) : one;
}

/** As a header writes it: `array of integer`, `STRUCT<a INT64>`. */
export function parameterTypeText(declared: ParameterType): string {
  if (declared.type === 'struct') return typeName(parameterType(declared));
  return declared.array ? `array of ${declared.type}` : declared.type;
}

const isNumberOrText = (raw: unknown): raw is string | number | bigint =>
  typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint';
const isScalar = (raw: unknown): raw is string | number | bigint | boolean => isNumberOrText(raw) || typeof raw === 'boolean';

function readInteger(text: string): number | bigint | undefined {
  if (!/^[+-]?\d{1,19}(\.0+)?$/.test(text)) return undefined;
  const exact = BigInt(text.replace(/^\+|\.0+$/g, ''));
  if (exact < MIN_INT64 || exact > MAX_INT64) return undefined;
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

function readFloat(text: string): number | undefined {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const special = SPECIAL_FLOATS[text.toLowerCase().replace(/^[+-]/, '')];
  return special !== undefined && text.startsWith('-') ? -special : special;
}

function readBoolean(text: string): boolean | undefined {
  if (/^(true|yes|on|1)$/i.test(text)) return true;
  return /^(false|no|off|0)$/i.test(text) ? false : undefined;
}

/** More digits than that a number of JavaScript may not hold. */
const MOST_DIGITS = 15;

/** Whatever would be rounded is refused, also a number of JavaScript whose digits may be lost already. */
function readDecimal(raw: unknown, kind: 'NUMERIC' | 'BIGNUMERIC'): BoundValue | undefined {
  if (!isNumberOrText(raw)) return undefined;
  const text = String(raw).trim();
  if (typeof raw === 'number' && text.replace(/e.*|\D|^0\.0*/g, '').length > MOST_DIGITS) return undefined;
  const digits = decimalText(text, kind);
  if (digits === undefined) return undefined;
  return isExact(text, kind === 'NUMERIC' ? 9 : 38) ? { digits } : undefined;
}

function isExact(text: string, places: number): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const zeros = /0*$/.exec(whole + fraction)?.[0].length ?? 0;
  return zeros === (whole + fraction).length || fraction.length - zeros - Number(exponent) <= places;
}

/** Base64 in either alphabet, or bytes as JavaScript and its JSON have them. */
function readBytes(raw: unknown): BoundValue | undefined {
  if (raw instanceof Uint8Array) return { bytes: Buffer.from(raw).toString('latin1') };
  if (typeof raw === 'object' && raw !== null && 'type' in raw && raw.type === 'Buffer' && 'data' in raw && Array.isArray(raw.data)) {
    const isByte = (one: unknown): one is number => Number.isInteger(one) && Number(one) >= 0 && Number(one) <= 255;
    return raw.data.every(isByte) ? { bytes: Buffer.from(raw.data).toString('latin1') } : undefined;
  }
  if (typeof raw !== 'string') return undefined;
  const text = raw.trim().replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const padding = raw.trim().length - text.length;
  if (!/^[A-Za-z0-9+/]*$/.test(text) || text.length % 4 === 1) return undefined;
  if (padding !== 0 && (text.length + padding) % 4 !== 0) return undefined;
  return { bytes: Buffer.from(text, 'base64').toString('latin1') };
}

function readInterval(text: string): BoundValue | undefined {
  const value = parseInterval(text);
  // Digits beyond microseconds would be lost.
  if (value === undefined || isTooLong(value) || /\.\d{6}0*[1-9]/.test(text)) return undefined;
  return { tuple: [value.months, value.days, value.micros] };
}

/** Undefined for what has no JSON. */
function jsonText(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return joined(value.map(jsonText), '[', ']');
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
      const text = jsonText(field);
      return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
    });
    return joined(fields, '{', '}');
  }
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : (JSON.stringify(value) as string | undefined); // undefined for functions
}

const joined = (parts: readonly (string | undefined)[], open: string, close: string): string | undefined =>
  parts.includes(undefined) ? undefined : `${open}${parts.join(',')}${close}`;

/** Marks numbers of many digits that are kept as they are. */
const MARK = '\\u0001';
const PARTS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

/** The text as PARSE_JSON makes it; undefined for what is no JSON, and where a number would lose digits. */
function readJson(text: string): string | undefined {
  if (text.includes(MARK) || hasWideInteger(text)) return undefined;
  const marked = text.replace(PARTS, (part) => (isLongNumber(part) ? `"${MARK}${part}"` : part));
  return canonicalJson(marked)?.replace(/"\\u0001(-?[\d.]+)"/g, '$1');
}

const isLongNumber = (text: string): boolean =>
  /^-?[1-9]\d{14,}$/.test(text) || (/^-?\d+\.\d{5,}$/.test(text) && text.length > 15 && String(Number(text)) === text);
