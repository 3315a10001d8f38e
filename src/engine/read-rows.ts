// Reads ClickHouse's JSONCompactEachRowWithNamesAndTypes: a line of names, a line of types, then one array per row.
import type { EngineColumn } from './engine.ts';
import { type Json, parseJson } from './lossless-json.ts';

export const ROWS_FORMAT = 'JSONCompactEachRowWithNamesAndTypes';

export interface CompactRows {
  readonly columns: readonly EngineColumn[];
  readonly rows: readonly (readonly Json[])[];
}

/** Reads line by line, so that a large result never becomes one string. Bytes that are not UTF-8 read as U+FFFD. */
export function readCompactRows(bytes: Uint8Array): CompactRows {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Json[][] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(10, start);
    const stop = end === -1 ? text.length : end;
    if (stop > start) lines.push(parseJson(text.toString('utf8', start, stop)) as Json[]); // each line of this format is an array
    start = stop + 1;
  }
  const [names = [], types = [], ...rows] = lines;
  return { columns: names.map((name, at) => ({ name: String(name), type: String(types[at]) })), rows };
}
