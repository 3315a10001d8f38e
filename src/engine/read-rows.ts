// Reads ClickHouse's JSONCompactEachRowWithNamesAndTypes: a line of names, a line of types, then one array per row.
import { setImmediate } from 'node:timers/promises';
import type { EngineColumn } from './engine.ts';
import { type Json, parseJson } from './lossless-json.ts';

export const ROWS_FORMAT = 'JSONCompactEachRowWithNamesAndTypes';

export interface CompactRows {
  readonly columns: readonly EngineColumn[];
  readonly rows: readonly (readonly Json[])[];
}

const LINE_END = 10;
/** After so many bytes others have their turn: a few milliseconds of parsing. */
const BREATHE_BYTES = 1 << 20;

/**
 * Reads line by line, so that a large result never becomes one string, and lets others have their turn meanwhile. Bytes that are not
 * UTF-8 read as U+FFFD.
 */
export async function readRows(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<CompactRows> {
  const lines: Json[][] = [];
  let begun: Buffer[] = []; // of a line that goes on in the next chunk
  let sinceBreath = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      const line = begun.length === 0 ? bytes.subarray(start, end) : Buffer.concat([...begun, bytes.subarray(start, end)]);
      begun = [];
      start = end + 1;
      if (line.length > 0) lines.push(parseLine(line));
      sinceBreath += line.length;
      if (sinceBreath < BREATHE_BYTES) continue;
      sinceBreath = 0;
      await setImmediate();
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
  }
  if (begun.length > 0) lines.push(parseLine(Buffer.concat(begun)));
  return rowsOf(lines);
}

/** The same of bytes that are few. */
export function readCompactRows(bytes: Uint8Array): CompactRows {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Json[][] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(LINE_END, start);
    const stop = end === -1 ? text.length : end;
    if (stop > start) lines.push(parseLine(text.subarray(start, stop)));
    start = stop + 1;
  }
  return rowsOf(lines);
}

const parseLine = (line: Buffer): Json[] => parseJson(line.toString()) as Json[]; // each line of this format is an array

function rowsOf([names = [], types = [], ...rows]: readonly Json[][]): CompactRows {
  return { columns: names.map((name, at) => ({ name: String(name), type: String(types[at]) })), rows };
}
