// The row of a text file that the engine could not read: the line on which it begins, as an editor counts them, and what is wrong with it.

import { createReadStream } from 'node:fs';
import type { CsvForm, TextRecord } from './csv-records.ts';
import { TEXT_FORMATS } from './formats.ts';
import { problemOf } from './json-members.ts';
import { readLines } from './lines.ts';
import { type RecordForm, readRecords } from './records.ts';
import { unreadableRecords } from './unreadable-records.ts';

interface Row {
  /** On which it begins, counted from 1. */
  readonly line: number;
  readonly text: string;
  /** What is wrong with it by itself, whatever its values are to be. */
  readonly problem?: string;
}

export interface FailingRow extends Pick<Row, 'line'> {
  /** What is wrong with it. */
  readonly why: string;
  /** A column with a type for it with which the row could be read. */
  readonly schema?: string;
}

/** The line on which a row begins that the engine has read, counted from 0. Throws what the file system throws. */
export async function lineOf(path: string, form: RecordForm, row: number): Promise<number | undefined> {
  let at = 0;
  for await (const { line } of rowsOf(path, form)) if (at++ === row) return line;
  return undefined;
}

const BLOCK_CHARACTERS = 24 * 1024 * 1024;

/**
 * The first row that is none, or that `read` cannot read. `path` is a file that is not compressed. Throws what the file system throws, and what
 * `read` throws for another reason.
 */
export async function failingRow(
  path: string,
  form: RecordForm,
  read: (records: readonly TextRecord[]) => Promise<unknown>,
): Promise<FailingRow | undefined> {
  let block: TextRecord[] = [];
  let characters = 0;
  const firstUnreadable = async (): Promise<FailingRow | undefined> => {
    for await (const { record, why } of unreadableRecords(block, read)) return { line: record.line, why };
    [block, characters] = [[], 0];
    return undefined;
  };
  for await (const row of rowsOf(path, form)) {
    const why = row.problem ?? (TEXT_FORMATS.includes(form.format) ? undefined : problemOf(row.text));
    if (why === undefined) block.push(row);
    characters += row.text.length;
    const found = why === undefined && characters < BLOCK_CHARACTERS ? undefined : await firstUnreadable();
    if (found !== undefined) return found;
    if (why !== undefined) return { line: row.line, why };
  }
  return firstUnreadable();
}

/** Yields the rows, and what is none, in their order, without the header. */
async function* rowsOf(path: string, form: RecordForm): AsyncGenerator<Row> {
  const bad: Row[] = [];
  const rows = readRecords(createReadStream(path), form, (line, problem, text) => void bad.push({ line, problem, text }));
  for await (const good of rows) yield* [...good, ...bad.splice(0)].sort((a, b) => a.line - b.line);
  yield* bad;
}

/** The line of the first bytes that are not UTF-8; undefined where all are. Throws what reading the bytes throws. */
export async function lineNotUtf8(bytes: AsyncIterable<Uint8Array>): Promise<number | undefined> {
  for await (const lines of readLines(bytes)) {
    const odd = lines.find((line) => 'problem' in line);
    if (odd !== undefined) return odd.number;
  }
  return undefined;
}

/**
 * The line on which the record begins with a cell that no quote closes; undefined where every one is closed. Nothing is kept of what is read: such a cell may be as large
 * as the file. Throws what reading the bytes throws.
 */
export async function lineNotClosed(
  bytes: AsyncIterable<Uint8Array>,
  { delimiter, skip }: Pick<CsvForm, 'delimiter' | 'skip'>,
): Promise<number | undefined> {
  const DELIMITER = delimiter.charCodeAt(0);
  let [line, first] = [1, 1];
  let place: keyof typeof BEHIND_QUOTE = 'start';
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (byte === LINE_FEED) line++;
      if (line <= skip || (line === 1 && MARK.includes(byte ?? 0))) continue;
      if (byte === QUOTE) place = BEHIND_QUOTE[place];
      else if (place !== 'quoted' && (byte === LINE_FEED || byte === DELIMITER)) {
        place = 'start';
        if (byte === LINE_FEED) first = line;
      } else if (place !== 'quoted') place = 'plain';
    }
  }
  return place === 'quoted' ? first : undefined;
}

const [QUOTE, LINE_FEED] = [0x22, 0x0a];

/** A quote within quotes ends them or is the first of two, and one in a cell without quotes is part of it. */
const BEHIND_QUOTE = { start: 'quoted', plain: 'plain', quoted: 'closed', closed: 'quoted' } as const;

/** The byte order mark of UTF-8. */
const MARK: readonly number[] = [0xef, 0xbb, 0xbf];
