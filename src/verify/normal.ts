// One form for a value, however it was written: what two rows are compared in.

import { readTimestamp } from '../base/instant.ts';
import type { ResultColumn } from '../base/result.ts';
import { exactJsonIn } from '../engine/lossless-json.ts';

type Type = ResultColumn['type'];

/** A decimal that was a JSON number elsewhere may have lost digits there. */
interface Decimal {
  readonly decimal: string;
  readonly rounded: boolean;
}
interface NormalFields {
  readonly [field: string]: Normal;
}
/** Integers and instants (microseconds) are bigints, floats numbers; what does not fit the type stays as it is, and so is different. */
export type Normal = null | boolean | bigint | number | string | Decimal | readonly Normal[] | NormalFields;

/** A row, and its place among the others. */
export interface NormalRow {
  readonly at: number;
  readonly values: readonly Normal[];
}

const isDecimal = (value: Normal): value is Decimal => isFields(value) && typeof value['decimal'] === 'string' && 'rounded' in value;
const isFields = (value: unknown): value is NormalFields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `value` as a column of `type` holds it. Text stands for a value of any type: so CSV writes them, and BigQuery's JSON integers. */
export function normal(type: Type, value: unknown): Normal {
  // BigQuery gives an empty array for NULL.
  if (type.kind === 'ARRAY') return array(type.element, value ?? []);
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case 'INT64':
      return integer(value);
    case 'FLOAT64':
      return float(value);
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return decimal(value);
    case 'BOOL':
      return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : plain(value);
    case 'TIMESTAMP':
    case 'DATETIME':
      return instant(value);
    case 'TIME':
      return typeof value === 'string'
        ? value.replace(/\.(\d*?)0*$/, (_, digits: string) => (digits === '' ? '' : `.${digits}`))
        : plain(value);
    case 'JSON':
      return plain(typeof value === 'string' ? (exactJsonIn(value) ?? value) : value);
    case 'RECORD':
    case 'DYNAMIC':
      return record(typeof value === 'string' && /^[[{]/.test(value) ? (exactJsonIn(value) ?? value) : value);
    case 'STRUCT':
      return struct(type.fields, value);
    default:
      return plain(value);
  }
}

function integer(value: unknown): Normal {
  if (typeof value === 'bigint') return value;
  const text = String(value).trim();
  return (typeof value === 'number' || typeof value === 'string') && /^[+-]?\d+(\.0*)?$/.test(text)
    ? BigInt(text.replace(/^\+|\.0*$/g, ''))
    : plain(value);
}

const SPECIAL: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, infinity: Number.POSITIVE_INFINITY };

function float(value: unknown): Normal {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return plain(value);
  const text = value.trim();
  const special = SPECIAL[text.toLowerCase().replace(/^[+-]/, '')];
  if (special !== undefined) return text.startsWith('-') ? -special : special;
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : value;
}

function decimal(value: unknown): Normal {
  const rounded = typeof value === 'number' && !Number.isSafeInteger(value);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return plain(value);
  const text = allDigits(String(value).trim());
  return text === undefined ? plain(value) : { decimal: text, rounded };
}

/** `1.50e1` as `15`. */
function allDigits(text: string): string | undefined {
  const [match, sign = '', whole = '', fraction = '', power = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? [];
  if (match === undefined || whole + fraction === '') return undefined;
  const digits = whole + fraction;
  const point = whole.length + Number(power);
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 0);
  const integerPart = padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0';
  const fractionPart = padded.slice(at).replace(/0+$/, '');
  const absolute = fractionPart === '' ? integerPart : `${integerPart}.${fractionPart}`;
  return sign === '-' && absolute !== '0' ? `-${absolute}` : absolute;
}

/**
 * Microseconds: of ISO text, of BigQuery's `2026-01-15 12:00:00.5 UTC`, of an epoch time in any unit; a float such as `1.768E9`, which the
 * BigQuery API gives, counts seconds.
 */
function instant(value: unknown): Normal {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return plain(value);
  const text = String(value).trim();
  const scientific = /e/i.test(text) && /^[-+\d.eE]+$/.test(text) ? allDigits(text) : undefined;
  const read = readTimestamp(scientific ?? text.replace(/ ?UTC$/i, 'Z'));
  if (read === undefined) return /^-?\d{1,8}$/.test(text) ? BigInt(text) : plain(value);
  const [seconds = '', micros = ''] = read.split('.');
  return BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1000n + BigInt(micros);
}

function array(element: Type, value: unknown): Normal {
  const list = typeof value === 'string' ? exactJsonIn(value) : value;
  return Array.isArray(list) ? list.map((one) => normal(element, one)) : plain(value);
}

function struct(fields: readonly { readonly name: string | null; readonly type: Type }[], value: unknown): Normal {
  const given = typeof value === 'string' ? exactJsonIn(value) : value;
  if (Array.isArray(given)) return Object.fromEntries(fields.map((field, i) => [fieldName(field.name, i), normal(field.type, given[i])]));
  if (!isFields(given)) return plain(value);
  const byName = new Map(Object.entries(given).map(([name, one]) => [name.toLowerCase(), one]));
  const known = fields.map((field, i): [string, Normal] => {
    const name = fieldName(field.name, i);
    const found = byName.get(name);
    byName.delete(name);
    return [name, normal(field.type, found)];
  });
  return Object.fromEntries([...known, ...[...byName].map(([name, one]): [string, Normal] => [name, plain(one)])]);
}

const fieldName = (name: string | null, i: number): string => (name ?? `_field_${i + 1}`).toLowerCase();

/** A record is an object or an array of one, and a field that is NULL may as well be absent. */
function record(value: unknown): Normal {
  if (Array.isArray(value)) return value.length === 1 && isFields(value[0]) ? record(value[0]) : value.map(record);
  if (!isFields(value)) return plain(value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, Normal][] => (one === null ? [] : [[name, record(one)]])),
  );
}

/** JSON as it is. */
function plain(value: unknown): Normal {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(plain);
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  return value as boolean | bigint | number | string; // JSON has nothing else
}

/** The largest difference that two numbers, or two instants (in microseconds), may have. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

/** Floats are sums in another order. */
const FLOATS: Tolerance = { relative: 1e-9, absolute: 0 };
/** Estimates of BigQuery's APPROX_ functions. */
export const ESTIMATES: Tolerance = { relative: 0.02, absolute: 0 };

/** Integers, decimals and instants are the same to the digit unless `given` says otherwise; floats within FLOATS. */
export function equal(a: Normal, b: Normal, given?: Tolerance): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (isDecimal(a) && isDecimal(b)) {
    if (a.decimal === b.decimal) return true;
    const tolerance = given ?? (a.rounded || b.rounded ? { relative: 1e-15, absolute: 0 } : undefined);
    return tolerance !== undefined && near(Number(a.decimal), Number(b.decimal), tolerance);
  }
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one: Normal, i) => equal(one, b[i] ?? null, given));
  if (isFields(a))
    return isFields(b) && [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => equal(field(a, key), field(b, key), given));
  if (typeof a === 'bigint' && typeof b === 'bigint') return given !== undefined && nearIntegers(a, b, given);
  if (isNumber(a) && isNumber(b)) return near(Number(a), Number(b), given ?? FLOATS);
  return false;
}

const field = (fields: { readonly [name: string]: Normal }, name: string): Normal =>
  Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
const isNumber = (value: Normal): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** The difference first: instants have more digits than a double. */
function nearIntegers(a: bigint, b: bigint, { relative, absolute }: Tolerance): boolean {
  const distance = Number(a > b ? a - b : b - a);
  return distance <= Math.max(absolute, relative * Math.max(Math.abs(Number(a)), Math.abs(Number(b))));
}

function near(a: number, b: number, { relative, absolute }: Tolerance): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a === b;
  return Math.abs(a - b) <= Math.max(absolute, relative * Math.max(Math.abs(a), Math.abs(b)));
}
