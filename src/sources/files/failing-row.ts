// The row of a text file that the engine could not read: the line on which it begins, as an editor counts them, and what is wrong with it.

import { createReadStream } from 'node:fs';
import { jsonIn } from '../../base/json.ts';
import { Invalid, readCells } from './cells.ts';
import { readCsvRecords } from './csv-records.ts';
import type { FileTrouble } from './file-trouble.ts';
import type { FileFormat } from './formats.ts';
import { problemOf } from './json-members.ts';
import { readObjects } from './json-objects.ts';
import { type Line, readLines } from './lines.ts';

/** How the rows of a file were read. */
export interface RowForm {
  readonly format: FileFormat;
  readonly delimiter: string;
  /** Lines above the rows, and above the header where there is one. */
  readonly skip: number;
  /** The first line below those is no row to the engine. */
  readonly header: boolean;
  /** The columns in the order of the file, where no line of the rows names them; undefined where nobody knows. */
  readonly columns: readonly string[] | undefined;
}

interface Row {
  /** On which it begins, counted from 1. */
  readonly line: number;
  readonly text: string;
  /** What is wrong with it by itself, whatever its values are to be. */
  readonly problem?: string;
}

interface FailingRow extends Row {
  /** What is wrong with it. */
  readonly why: string;
}

/** Undefined where there is no such row. `path` is a file that is not compressed. Throws what the file system throws. */
export async function failingRow(path: string, form: RowForm, trouble: FileTrouble): Promise<FailingRow | undefined> {
  const { row: number = 0 } = trouble;
  const isCells = isOfCells(form);
  let first: Row | undefined;
  /** The row before that of the number, that one, and the one behind it. */
  const around: Row[] = [];
  let seen = isCells && form.header ? -1 : 0;
  for await (const row of rowsOf(path, form)) {
    first ??= row;
    seen++;
    if (seen >= Math.max(number - 1, 1)) around.push(row);
    if (seen > number) break;
  }
  if (first === undefined) return undefined;
  const [wanted, ...others] = number > 1 ? [around[1], around[0], around[2]] : around;
  const judge = (row: Row): string | undefined => (isCells ? cellsTrouble(row, first, form, trouble) : objectTrouble(row, trouble));
  for (const row of [wanted, ...others]) {
    const why = row === undefined ? undefined : judge(row);
    if (row !== undefined && why !== undefined) return { ...row, why };
  }
  return wanted === undefined ? undefined : { ...wanted, why: columnWhy(trouble) };
}

/** The line on which a row begins that the engine has read, counted from 0. Throws what the file system throws. */
export async function lineOf(path: string, form: RowForm, row: number): Promise<number | undefined> {
  let at = isOfCells(form) && form.header ? -1 : 0;
  for await (const { line } of rowsOf(path, form)) if (at++ === row) return line;
  return undefined;
}

const isOfCells = ({ format }: RowForm): boolean => format === 'csv' || format === 'tsv';

/** With the header, where there is one. */
async function* rowsOf(path: string, form: RowForm): AsyncGenerator<Row> {
  if (isOfCells(form)) yield* records(path, form);
  else yield* rowsIn((form.format === 'json' ? readObjects : readLines)(createReadStream(path)));
}

const columnWhy = ({ column, why }: FileTrouble): string => (column === undefined ? why : `${column}: ${why}`);

/** Whether the engine could not read on in this row, behind which an object of JSON may be followed by more on its line. */
const isWhere = ({ text }: Row, { rest }: FileTrouble): boolean => {
  const [beginning = ''] = rest.split(/\r?\n/);
  if (beginning !== '' && text.includes(beginning)) return true;
  return Array.from(beginning, (_, end) => beginning.slice(0, end + 1)).some((part) => part.length > 1 && text.endsWith(part));
};

function cellsTrouble(row: Row, first: Row, { delimiter, header, columns }: RowForm, trouble: FileTrouble): string | undefined {
  const cells = cellsOf(row, delimiter);
  const names = columns ?? cellsOf(first, delimiter);
  if (row.problem !== undefined && cells?.length === names?.length) return row.problem;
  if (cells === undefined || names === undefined) return row.problem;
  if (cells.length !== names.length) {
    const isHeader = header || (columns === undefined && !names.some((name) => /^[+-]?\d/.test(name ?? '')));
    const wanted = isHeader ? `the header has ${names.length}` : `there are ${names.length} columns`;
    return `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but ${wanted}`;
  }
  return isWhere(row, trouble) ? columnWhy(trouble) : undefined;
}

/** Undefined for a record that is not one of cells. */
function cellsOf({ text }: Row, delimiter: string): ReturnType<typeof readCells> | undefined {
  try {
    return readCells(text.replace(/^\ufeff/, ''), delimiter);
  } catch (error) {
    if (error instanceof Invalid) return undefined;
    throw error;
  }
}

function objectTrouble(row: Row, trouble: FileTrouble): string | undefined {
  if (jsonOf(row) === undefined) return 'not JSON';
  return isWhere(row, trouble) ? columnWhy(trouble) : undefined;
}

const jsonOf = ({ text }: Row): unknown => jsonIn(text.replace(/^\ufeff/, ''));

/** The first line of NDJSON that is no object whose members can be read; undefined where each is one. Throws what the file system throws. */
export async function lineOfNoObject(path: string): Promise<FailingRow | undefined> {
  for await (const row of rowsIn(readLines(createReadStream(path)))) {
    const why = problemOf(row.text);
    if (why !== undefined) return { ...row, why };
  }
  return undefined;
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
  { delimiter, skip }: Pick<RowForm, 'delimiter' | 'skip'>,
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

async function* rowsIn(blocks: AsyncIterable<readonly Line[]>): AsyncGenerator<Row> {
  for await (const lines of blocks) for (const { number, text } of lines) yield { line: number, text };
}

/** Of CSV, with the header where there is one. */
async function* records(path: string, { delimiter, skip }: Pick<RowForm, 'delimiter' | 'skip'>): AsyncGenerator<Row> {
  const form = { delimiter, skip, header: false, cells: undefined };
  const bad: Row[] = [];
  const rows = readCsvRecords(createReadStream(path), form, (line, problem, text) => void bad.push({ line, problem, text }));
  for await (const good of rows) yield* [...good, ...bad.splice(0)].sort((a, b) => a.line - b.line);
  yield* bad;
}
