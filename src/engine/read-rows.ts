// Reads ClickHouse's JSONCompactEachRowWithNamesAndTypes: a line of names, a line of types, then one array per row; and its
// JSONCompactEachRowWithProgress, which says in between how much has been read.
import { setImmediate } from 'node:timers/promises';
import type { EngineColumn } from './engine.ts';
import { type Json, parseJson } from './lossless-json.ts';

export const ROWS_FORMAT = 'JSONCompactEachRowWithNamesAndTypes';

export interface CompactRows {
  readonly columns: readonly EngineColumn[];
  readonly rows: readonly (readonly Json[])[];
}

/** The same rows as `{"row": […]}`, after `{"meta": […]}`, with `{"progress": {…}}` now and then, and at the end. */
export const PROGRESS_FORMAT = 'JSONCompactEachRowWithProgress';

const LINE_END = 10;
/** Other work gets a turn after this many bytes, which take a few milliseconds to parse. */
const YIELD_BYTES = 1 << 20;

/**
/**
 * Reads line by line, so that a large result never becomes one string, and yields to the event loop meanwhile. Bytes that are not
 */
export async function readRows(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<CompactRows> {
  const lines: Json[][] = [];
  await eachLine(chunks, (line) => void lines.push(parseLine(line)));
  return rowsOf(lines);
}

/** How much the query has read from tables so far. */
interface Progress {
  readonly rowsRead: number;
  readonly bytesRead: number;
}

interface RowsWithProgress extends CompactRows {
  /** Absent where the engine has not reported any. */
  readonly progress?: Progress;
}

/** Reads PROGRESS_FORMAT as readRows does the other format. `count` gets the bytes of each row, and may throw. */
export async function readRowsWithProgress(chunks: Iterable<Uint8Array>, count: (row: Uint8Array) => void): Promise<RowsWithProgress> {
  const rows: Json[][] = [];
  const others = await eachRow(chunks, (row) => {
    count(row);
    rows.push(parseLine(row));
  });
  return { ...others, rows };
}

/** Reads PROGRESS_FORMAT, and calls `take` with the bytes of each row, an array of JSON, and waits for what it gives back. */
export async function eachRow(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  take: (row: Buffer) => void | Promise<void>,
): Promise<Omit<RowsWithProgress, 'rows'>> {
  let columns: readonly EngineColumn[] = [];
  let progress: Progress | undefined;
  await eachLine(chunks, (line) => {
    if (line[ROW_MARK] === ROW_LETTER) return take(line.subarray(ROW_START.length, -1));
    const { meta, progress: reported } = JSON.parse(line.toString()) as NamedLine; // as ClickHouse writes this format
    if (meta !== undefined) columns = meta.map(({ name, type }) => ({ name, type }));
    if (reported !== undefined) progress = { rowsRead: Number(reported.read_rows), bytesRead: Number(reported.read_bytes) };
    return undefined;
  });
  return { columns, progress };
}

const ROW_START = '{"row":';
/** Where lines of rows differ from all others. */
const ROW_MARK = 5;
const ROW_LETTER = ROW_START.charCodeAt(ROW_MARK);

interface NamedLine {
  readonly meta?: readonly EngineColumn[];
  readonly progress?: { readonly read_rows?: string; readonly read_bytes?: string };
}

/** Calls `take` with the bytes of each line, and waits for what it gives back; other work gets turns in between. */
export async function eachLine(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  take: (line: Buffer) => void | Promise<void>,
): Promise<void> {
  let begun: Buffer[] = []; // the pieces of a line that continues in the next chunk
  let sinceYield = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      const line = begun.length === 0 ? bytes.subarray(start, end) : Buffer.concat([...begun, bytes.subarray(start, end)]);
      begun = [];
      start = end + 1;
      const taken = line.length > 0 ? take(line) : undefined;
      if (taken !== undefined) await taken;
      sinceYield += line.length;
      if (sinceYield < YIELD_BYTES) continue;
      sinceYield = 0;
      await setImmediate();
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
  }
  if (begun.length > 0) await take(Buffer.concat(begun));
}

/** Yields the lines of a text that is too large to be kept in memory. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield rest.toString();
}

/** Reads the format of readRows from a few bytes, synchronously. */
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
