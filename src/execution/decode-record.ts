// Gives the records of a log event back as BigQuery shows them: every nested record is an array of records.

import type { Value } from '../base/result.ts';
import { type Json, parseJson } from '../engine/lossless-json.ts';

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
