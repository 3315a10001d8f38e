// Rows on their way through: counted, or printed one by one where the engine cannot print them itself.

import { stat, truncate } from 'node:fs/promises';
import type { LineFormat } from '../../base/formats.ts';
import type { ResultColumn, Row } from '../../base/result.ts';
import type { StreamEnd } from '../../engine/engine.ts';
import { parseJson } from '../../engine/lossless-json.ts';
import { linesOf } from '../../engine/read-rows.ts';
import { decodeRows } from '../decode.ts';

/** Prints rows one by one. */
export interface LinePrinter {
  readonly head: string;
  /** The columns' names as JSON strings, where every row repeats them. */
  readonly keys: readonly string[];
  readonly line: (row: Row) => string;
  /** Of csv: whether texts that a spreadsheet would compute are marked as texts. */
  readonly formulas?: 'keep' | 'escape' | undefined;
}

interface Printing {
  readonly columns: readonly ResultColumn[];
  readonly positions: readonly number[];
  readonly printer: LinePrinter;
  readonly onEnd: (end: StreamEnd) => void;
}

const LINE_END = 10;
const QUOTE = 34;
const PIECE_LENGTH = 64 * 1024;

/** Decodes rows, lines of JSONCompactEachRow, as they come and prints them; never more of them at once than the engine gives in one part. */
export async function* printed(
  chunks: AsyncIterable<Uint8Array>,
  { columns, positions, printer, onEnd }: Printing,
): AsyncIterable<Uint8Array> {
  let text = printer.head;
  let rows = 0;
  for await (const row of decoded(chunks, columns)) {
    text += printer.line(positions.map((at) => row[at] ?? null));
    rows++;
    if (text.length < PIECE_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
  onEnd({ rows });
}

/** The rows of lines of JSONCompactEachRow, one by one. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, columns: readonly ResultColumn[]): AsyncIterable<Row> {
  for await (const line of linesOf(chunks)) {
    const values = parseJson(line) as unknown[]; // each line of this format is an array
    const [row = []] = decodeRows(columns, { rows: [values], columns: [], statistics: { elapsedMs: 0 } });
    yield row;
  }
}

/** The head comes once the first bytes do: a query that fails at once has printed nothing. */
export async function* headed(head: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let due = head !== '';
  for await (const chunk of chunks) {
    if (due) yield Buffer.from(head);
    due = false;
    yield chunk;
  }
  if (due) yield Buffer.from(head);
}

/** The same bytes; their rows are counted, without the head. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  format: LineFormat,
  onEnd: (end: StreamEnd) => void,
): AsyncIterable<Uint8Array> {
  let rows = 0;
  let quoted = false;
  for await (const chunk of chunks) {
    if (format === 'csv') {
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i];
        if (byte === QUOTE) quoted = !quoted;
        else if (byte === LINE_END && !quoted) rows++;
      }
    } else {
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) rows++;
    }
    yield chunk;
  }
  onEnd({ rows });
}

export async function removeMark(file: string, mark: string): Promise<void> {
  const { size } = await stat(file);
  await truncate(file, size - Buffer.byteLength(mark));
}
