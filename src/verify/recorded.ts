// Rows recorded elsewhere: BigQuery's exports and answers, Logflare's answers, NDJSON, CSV.

import { QuernError } from '../base/errors.ts';
import { exactJsonIn, type Json, parseJson } from '../engine/lossless-json.ts';

export type RecordedRow = Readonly<Record<string, Json>>;

export interface Recorded {
  /** Every name that some row has, in the order of their first appearance. */
  readonly columns: readonly string[];
  readonly rows: readonly RecordedRow[];
  /** Values are text, and NULL and '' may look the same: the rows come from CSV. */
  readonly text: boolean;
}

/** Reads by what the text is, not by the name of its file. Throws `usage` when it holds no rows of any known form. */
export function readRecorded(text: string, name: string): Recorded {
  const bare = text.replace(/^\ufeff/, '');
  try {
    if (!/^\s*[[{]/.test(bare)) return fromCsv(bare);
    return fromRows(jsonRows(bare, name));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new QuernError('usage', `${name} cannot be read: ${cause.message}`, { hint: FORMS, cause });
  }
}

const FORMS = 'use a JSON array of rows, one row per line, {"result": [rows]}, a reply of the BigQuery API, or CSV with a header line';

function fromCsv(text: string): Recorded {
  const [names, ...all] = parseCsv(text);
  if (names === undefined) return { columns: [], rows: [], text: true };
  const columns = names.map((name) => name ?? '');
  const twice = columns.find((name, i) => columns.indexOf(name) !== i);
  if (twice !== undefined) throw new SyntaxError(`two of its columns are named ${JSON.stringify(twice)}`);
  // A line without anything is a row of one NULL, or nothing.
  const records = columns.length === 1 ? all : all.filter((record) => record.length > 1 || record[0] !== null);
  const rows = records.map((record, i) => {
    if (record.length !== columns.length) throw new SyntaxError(`row ${i + 1} has ${record.length} values for ${columns.length} columns`);
    return Object.fromEntries(columns.map((column, at) => [column, record[at] ?? null]));
  });
  return { columns, rows, text: true };
}

function fromRows(rows: readonly RecordedRow[]): Recorded {
  return { columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows, text: false };
}

function jsonRows(text: string, name: string): readonly RecordedRow[] {
  const whole = exactJsonIn(text);
  if (whole === undefined) {
    const lines = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line, number: i + 1 }]));
    return lines.map(({ line, number }) => row(parseLine(line, number), `line ${number}`));
  }
  if (Array.isArray(whole)) return whole.map((one, i) => row(one, `element ${i + 1}`));
  if (!isObject(whole)) throw new SyntaxError('it contains no rows');
  const { result, error, schema, rows } = whole;
  if (Array.isArray(result) && Object.keys(whole).every((key) => key === 'result' || key === 'meta'))
    return result.map((one, i) => row(one, `row ${i + 1}`));
  if (error !== undefined && result === undefined && Object.keys(whole).length === 1)
    throw new QuernError('usage', `${name} contains an error, not rows: ${JSON.stringify(error)}`, { hint: 'record the rows again' });
  if (isObject(schema) && Array.isArray(schema['fields'])) return apiRows(schema['fields'], Array.isArray(rows) ? rows : []);
  return [whole];
}

function parseLine(line: string, number: number): Json {
  try {
    return parseJson(line);
  } catch (error) {
    throw new SyntaxError(`line ${number} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type JsonObject = { [key: string]: Json };
const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

function row(value: Json, place: string): RecordedRow {
  if (isObject(value)) return value;
  throw new SyntaxError(`${place} is not an object`);
}

/** Rows of the BigQuery API: `{"f": [{"v": value}]}`, to be read with the schema. https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query */
function apiRows(fields: readonly Json[], rows: readonly Json[]): readonly RecordedRow[] {
  return rows.map((one, i) => apiRecord(fields, one, `row ${i + 1}`));
}

function apiRecord(fields: readonly Json[], value: Json, place: string): JsonObject {
  const cells = isObject(value) ? value['f'] : undefined;
  if (!Array.isArray(cells) || cells.length !== fields.length) throw new SyntaxError(`${place} does not have the fields of its schema`);
  return Object.fromEntries(
    fields.map((field, i): [string, Json] => {
      if (!isObject(field) || typeof field['name'] !== 'string') throw new SyntaxError('its schema has a field without a name');
      return [field['name'], apiValue(field, cells[i] ?? null, place)];
    }),
  );
}

function apiValue(field: JsonObject, cell: Json, place: string): Json {
  const value = isObject(cell) ? (cell['v'] ?? null) : null;
  const one = (each: Json): Json => {
    const isRecord = Array.isArray(field['fields']) && each !== null;
    return isRecord && Array.isArray(field['fields']) ? apiRecord(field['fields'], each, place) : each;
  };
  if (field['mode'] === 'REPEATED')
    return Array.isArray(value) ? value.map((each) => one(isObject(each) ? (each['v'] ?? null) : null)) : [];
  return one(value);
}

/** A record's fields; null for one that is empty and not quoted. */
type CsvRecord = readonly (string | null)[];

/** Throws SyntaxError for a quote that does not end, and for text behind one. */
function parseCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let record: (string | null)[] = [];
  const field = /"((?:[^"]|"")*)"|([^",\r\n][^,\r\n]*)|/y;
  for (let at = 0; at < text.length; ) {
    field.lastIndex = at;
    const [whole = '', quoted, plain] = field.exec(text) ?? [];
    at += whole.length;
    record.push(quoted?.replaceAll('""', '"') ?? plain ?? null);
    const line = records.length + 1;
    if (text[at] === '"') throw new SyntaxError(`record ${line} has a quote that is not closed`);
    if (at < text.length && !/[,\r\n]/.test(text[at] ?? '')) throw new SyntaxError(`record ${line} has text after a closing quote`);
    if (text[at] === ',') {
      at++;
      if (at === text.length) record.push(null);
      continue;
    }
    records.push(record);
    record = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  if (record.length > 0) records.push(record);
  return records;
}
