// Brings the metadata of an event into the form the JSON column holds: plain objects, declared fields of their types.

import { type Json, MAX_DEPTH } from '../engine/lossless-json.ts';
import { isLeaf, type LeafField, type RecordFields } from '../sources/log/log-sources.ts';
import { Invalid } from './bad-lines.ts';

type Fields = { [key: string]: Json };

interface PreparedMetadata {
  readonly fields: Fields;
  /** Dotted paths of the records the event has, dots inside keys as %2E. */
  readonly records: readonly string[];
  /** False when `fields` cannot give the event's own metadata back: then its JSON text is stored too. */
  readonly faithful: boolean;
  /** True when some record has several elements. */
  readonly several: boolean;
}

/**
 * Takes `metadata` over (it is changed in place). A record may be an object or an array of one object, both read the same. NULL and absent
 * metadata are an empty record. Throws Invalid naming the field that does not fit its declared type.
 */
export function prepareMetadata(metadata: Json | undefined, declared: RecordFields): PreparedMetadata {
  const walk: Walk = { records: [], faithful: true, several: false };
  const top = topRecord(metadata, walk);
  visitRecord(top, declared, '', 0, walk);
  return { fields: top, records: walk.records, faithful: walk.faithful, several: walk.several };
}

interface Walk {
  readonly records: string[];
  faithful: boolean;
  several: boolean;
}

function topRecord(metadata: Json | undefined, walk: Walk): Fields {
  if (metadata === undefined || metadata === null) return {};
  if (isRecord(metadata)) return metadata;
  if (!Array.isArray(metadata) || !metadata.every(isRecord)) throw new Invalid('metadata is not a record');
  if (metadata.length > 1) {
    walk.faithful = false;
    walk.several = true;
    return {}; // such events are read from their text
  }
  return metadata[0] ?? {};
}

/** True when the record has a value somewhere that is not NULL. */
function visitRecord(record: Fields, declared: RecordFields | undefined, prefix: string, depth: number, walk: Walk): boolean {
  if (depth > MAX_DEPTH) throw new Invalid(`metadata nests deeper than ${MAX_DEPTH} levels`);
  let holdsValue = false;
  for (const key of Object.keys(record)) {
    const escaped = key.includes('.') ? key.replaceAll('.', '%2E') : key;
    if (key.includes('%2')) walk.faithful = false;
    const path = prefix === '' ? escaped : `${prefix}.${escaped}`;
    const field = declared !== undefined && escaped === key && Object.hasOwn(declared, key) ? declared[key] : undefined;
    let value = record[key] ?? null;
    if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) {
      if (value.length === 1) {
        value = value[0] ?? null;
        record[key] = value;
      } else {
        if (field !== undefined && isLeaf(field)) throw invalid(path, 'several records', field);
        walk.several = true;
        walk.faithful = false;
        walk.records.push(path);
        holdsValue = true;
        continue;
      }
    }
    if (value === null) continue;
    if (isRecord(value)) {
      if (field !== undefined && isLeaf(field)) throw invalid(path, 'a record', field);
      walk.records.push(path);
      if (visitRecord(value, field, path, depth + 1, walk)) holdsValue = true;
      else walk.faithful = false; // the column would forget that the record exists
      continue;
    }
    if (field === undefined) record[key] = freeValue(value, walk);
    else if (isLeaf(field)) record[key] = declaredValue(value, field, path);
    else if (Array.isArray(value) && value.length === 0) delete record[key];
    else throw new Invalid(`metadata.${path} is ${describe(value)} where a record is declared`);
    holdsValue = true;
  }
  return holdsValue;
}

const INTEGER_RANGE = { least: -(2n ** 63n), most: 2n ** 64n - 1n };

/** What the JSON column can hold on a path without declared type; what it cannot is stored as near as possible. */
function freeValue(value: Json, walk: Walk): Json {
  if (typeof value === 'bigint' && (value < INTEGER_RANGE.least || value > INTEGER_RANGE.most)) {
    walk.faithful = false;
    return String(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Invalid('metadata contains a number beyond the range of FLOAT64');
  if (typeof value === 'string' && LONE_SURROGATE.test(value)) {
    walk.faithful = false;
    return value.replace(LONE_SURROGATES, '\ufffd');
  }
  if (!Array.isArray(value)) return value;
  // The column gives the elements of an array one type, so a boolean among numbers, say, would come back as a number.
  const kinds = new Set(value.filter((item) => item !== null).map((item) => typeof item));
  if (kinds.size > 1 || kinds.has('object')) walk.faithful = false;
  return value.map((item) => (item === null || isRecord(item) ? item : freeValue(item, walk)));
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Half a surrogate pair cannot be UTF-8. */
export function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(LONE_SURROGATES, '\ufffd') : text;
}

function declaredValue(value: Json, field: LeafField, path: string): Json {
  const converted = convert(value, field.type.kind);
  if (converted === undefined) throw invalid(path, describe(value), field);
  return converted;
}

function convert(value: Json, type: LeafField['type']['kind']): Json | undefined {
  if (typeof value === 'object') return undefined;
  switch (type) {
    case 'STRING':
      return typeof value === 'string' ? wellFormed(value) : String(value);
    case 'BOOL':
      if (value === 'true' || value === 'false') return value === 'true';
      return typeof value === 'boolean' ? value : undefined;
    case 'INT64': {
      if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
      if (typeof value === 'boolean' || (typeof value === 'string' && !/^[+-]?\d{1,20}$/.test(value))) return undefined;
      const exact = BigInt(typeof value === 'string' ? value.replace('+', '') : value);
      if (BigInt.asIntN(64, exact) !== exact) return undefined;
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
    }
    default: {
      const number =
        typeof value === 'boolean' || (typeof value === 'string' && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value))
          ? Number.NaN
          : Number(value);
      return Number.isFinite(number) ? number : undefined;
    }
  }
}

const NOUNS: Readonly<Record<string, string>> = { STRING: 'text', INT64: 'an integer', FLOAT64: 'a number', BOOL: 'a boolean' };

function invalid(path: string, found: string, field: LeafField): Invalid {
  return new Invalid(`metadata.${path} is ${found}, not ${NOUNS[field.type.kind] ?? field.type.kind}`);
}

function describe(value: Json): string {
  if (Array.isArray(value)) return 'an array';
  if (isRecord(value)) return 'a record';
  return typeof value === 'string' ? JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value) : String(value);
}

export function isRecord(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
