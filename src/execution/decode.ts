// Turns an engine's JSON values into result values, by the GoogleSQL type of each column.

import type { ResultColumn, Row, Value } from '../base/result.ts';
import type { EngineResult } from '../engine/engine.ts';
import { type Json, parseJson, printJson } from '../engine/lossless-json.ts';
import type { Type } from '../sql/base/types.ts';

/** Rows of `result` as Values; columns are matched by position. */
export function decodeRows(columns: readonly ResultColumn[], result: EngineResult): Row[] {
  return result.rows.map((row) => columns.map((column, at) => decodeValue(column.type, row[at] as Json | undefined)));
}

/** One value as the engine printed it, as the Value of a column of `type`. */
export function decodeValue(type: Type, value: Json | undefined): Value {
  if (type.kind === 'ARRAY' && type.element.kind === 'RECORD') return decodeRecords(value ?? null);
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case 'BOOL':
      return typeof value === 'boolean' ? value : value === 'true' || Number(value) === 1;
    case 'INT64':
      return toInteger(value);
    case 'FLOAT64':
      return toFloat(value);
    case 'DATETIME':
      return dateTimeText(toText(value));
    case 'TIMESTAMP':
      return `${dateTimeText(toText(value))}Z`;
    case 'TIME':
      return microseconds(toText(value));
    case 'ARRAY':
      return Array.isArray(value) ? value.map((item) => decodeValue(type.element, item)) : [];
    case 'STRUCT': {
      const fields = typeof value === 'object' ? Object.values(value) : [value];
      return type.fields.map((field, at) => decodeValue(field.type, fields[at]));
    }
    case 'RECORD':
      return decodeRecord(value);
    default:
      return toText(value);
  }
}

function toInteger(value: Json): number | bigint {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const exact = BigInt(toText(value));
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

const SPECIAL_FLOATS: Readonly<Record<string, number>> = { nan: Number.NaN, '-nan': Number.NaN, inf: Infinity, '-inf': -Infinity };

function toFloat(value: Json): number {
  return typeof value === 'string' ? (SPECIAL_FLOATS[value] ?? Number(value)) : Number(value);
}

function toText(value: Json): string {
  return typeof value === 'string' ? value : printJson(value);
}

function dateTimeText(text: string): string {
  return microseconds(text.replace(' ', 'T'));
}

/** No fraction when it is zero, else exactly six digits. */
function microseconds(text: string): string {
  const dot = text.indexOf('.');
  if (dot === -1) return text;
  const digits = text.slice(dot + 1, dot + 7).padEnd(6, '0');
  return digits === '000000' ? text.slice(0, dot) : `${text.slice(0, dot)}.${digits}`;
}

type Fields = { readonly [field: string]: Value };

/** An `ARRAY<RECORD>` column: JSON text (or its parsed value) of one record or of an array of them. NULL and '' are no record. */
export function decodeRecords(value: Json): readonly Value[] {
  const parsed = typeof value === 'string' ? parseText(value) : value;
  if (Array.isArray(parsed)) return parsed.filter(isObject).map((item) => decodeFields(item) ?? {});
  if (!isObject(parsed)) return [];
  const fields = decodeFields(parsed);
  return fields === undefined || Object.keys(fields).length === 0 ? [] : [fields];
}

/** A single record, as UNNEST gives it. */
export function decodeRecord(value: Json): Value {
  const parsed = typeof value === 'string' ? parseText(value) : value;
  const first = Array.isArray(parsed) ? (parsed[0] ?? null) : parsed;
  return isObject(first) ? (decodeFields(first) ?? null) : null;
}

function parseText(text: string): Json {
  return text === '' ? null : parseJson(text);
}

/** undefined for a record with fields that are all NULL: a JSON column prints the declared paths of an absent record so. */
function decodeFields(record: { [key: string]: Json }): Fields | undefined {
  const entries = Object.entries(record);
  const kept: [string, Value][] = [];
  for (const [key, value] of entries) {
    const decoded = decodeField(value);
    if (decoded !== undefined) kept.push([key, decoded]);
  }
  // Object.fromEntries defines `__proto__` as an ordinary key, which assignment would not.
  return entries.length > 0 && kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function decodeField(value: Json): Value | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value))
    return value.map((item) => {
      if (isObject(item)) return decodeFields(item) ?? {};
      return Array.isArray(item) ? (decodeField(item) ?? null) : item;
    });
  if (!isObject(value)) return value;
  const fields = decodeFields(value);
  return fields === undefined ? undefined : [fields];
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
