// Inserts a file of JSON: the engine reads it alone and at full speed, and where that meets what is wrong, it is read again in blocks of lines, which are
// halved down to the lines at fault, so that bad ones are kept out and reported.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { QuernError } from '../../errors.ts';
import { settingsText } from '../../sources/files/engine-files.ts';
import type { StoredColumn } from '../../sources/loaded/stored-table.ts';
import type { BadLineCollector } from '../bad-lines.ts';
import { enginePath } from '../engine-path.ts';
import { readLines } from '../lines.ts';
import type { EngineFile } from './engine-file.ts';
import { anyOf, type KnownTexts, readText, type TextReading, textType } from './from-text.ts';
import { INSERT_SETTINGS } from './insert-settings.ts';
import { problemOf } from './json-record.ts';
import { jsonRecords, LINE_FIELD, linesOf, type RecordReading, readRecords, type TextRecord } from './read-records.ts';
import { isWide } from './shape.ts';
import { holds, type ValueType } from './stored-type.ts';
import { explained, isOfData } from './trouble.ts';

export interface TextInsert {
  readonly engine: EmbeddedEngine;
  readonly file: EngineFile;
  /** Columns of the table. */
  readonly columns: readonly StoredColumn[];
  /** What need not be looked for when the whole file is read at once. */
  readonly known: KnownTexts;
  /** The columns are what the first rows show: what does not fit them may be right. */
  readonly guessed: boolean;
  readonly ignoreUnknown: boolean;
  /** The table to insert into, as SQL. */
  readonly into: string;
  /** Number of the load. */
  readonly load: number;
  /** Takes what must be a file. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

/** Thrown where columns meet years that only wide ones can hold; their names. */
export class TooNarrow extends Error {
  readonly columns: ReadonlySet<string>;
  constructor(columns: readonly string[]) {
    super(`${columns.join(', ')} must allow any year`);
    this.columns = new Set(columns);
  }
}

/** What the engine says where a value is not of its column's type. */
export const NO_FIT = 'a value does not fit';

/** Thrown where a record does not fit columns that were guessed. */
export class Misfit extends Error {}

interface Reading {
  readonly column: StoredColumn;
  /** ClickHouse SQL of the text, of type `textType`. */
  readonly text: string;
  readonly value: string;
  readonly bad: string | undefined;
  readonly tooNarrow: string | undefined;
}

/** Columns of the table that the file has, and how they are read. */
function readings({ columns }: TextInsert, known?: KnownTexts): readonly Reading[] {
  return columns.map((column) => {
    // What an object holds under the key `x` must not be taken for the argument of a lambda.
    const text = `r.${quoteIdentifier(column.name)}`;
    return { column, text, ...kept(column, readText(column.type, text, known)) };
  });
}

function kept(column: StoredColumn, { value, bad, wide }: TextReading): Pick<Reading, 'value' | 'bad' | 'tooNarrow'> {
  if (wide === undefined) return { value, bad, tooNarrow: undefined };
  if (!isWide(column)) return { value, bad, tooNarrow: wide.only };
  return { value: wide.value, bad: `(${bad ?? 'false'} AND NOT ${wide.only})`, tooNarrow: undefined };
}

/** Where nothing is wrong with the file. Throws what the engine says where something is. */
export const insertWhole = (insert: TextInsert): Promise<void> => insertFrom(insert, insert.file.from, textSettings(insert));

async function insertFrom(
  insert: TextInsert,
  from: EngineFile['from'],
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const { engine, into, load, signal } = insert;
  const read = readings(insert, insert.known);
  const bad = anyOf(read.map((each) => each.bad));
  const number = bad === undefined ? String(load) : `${load} + throwIf(${bad}, ${quoteString(NO_FIT)})`;
  const structure = structureOf(read.map(({ column }) => column));
  await engine.command(
    `INSERT INTO ${into} (${targets(read)}) SELECT ${[...read.map(({ value }) => value), number].join(', ')} ` +
      `FROM ${from('JSONEachRow', structure)} AS r SETTINGS ${settingsText(settings)}`,
    signal,
  );
}

/** Whether `insertWhole` reads all that the columns hold: what is to be JSON it cannot tell from a text. */
export const readsWhole = ({ columns }: TextInsert): boolean => !columns.some(({ type }) => holds(type, 'JSON'));

const targets = (read: readonly Reading[]): string => [...read.map(({ column }) => quoteIdentifier(column.name)), '_quern_load'].join(', ');

const structureOf = (columns: readonly StoredColumn[]): string =>
  columns.map(({ name, type }) => `${quoteIdentifier(name)} ${textType(type)}`).join(', ');

const textSettings = ({ ignoreUnknown }: TextInsert): Readonly<Record<string, string | number>> => ({
  ...INSERT_SETTINGS,
  ...JSON_SETTINGS,
  ...(ignoreUnknown ? IGNORED : {}),
});

const JSON_SETTINGS = {
  input_format_json_read_numbers_as_strings: 1,
  input_format_json_read_bools_as_strings: 1,
  input_format_skip_unknown_fields: 0,
  input_format_json_ignore_unknown_keys_in_named_tuple: 0,
  input_format_json_ignore_unnecessary_fields: 0,
} as const;
const IGNORED = { input_format_skip_unknown_fields: 1, input_format_json_ignore_unknown_keys_in_named_tuple: 1 } as const;

const BLOCK_CHARACTERS = 24 * 1024 * 1024;

const readingOf = ({ columns, ignoreUnknown }: TextInsert): RecordReading => ({ columns, ignoreUnknown });

/** So that what is wrong is found. Throws TooNarrow before any row of such a block is in, and Misfit. */
export async function insertObjects(insert: TextInsert, bad: BadLineCollector): Promise<void> {
  const { engine, file, signal } = insert;
  let block: TextRecord[] = [];
  let characters = 0;
  try {
    if (readsWhole(insert)) {
      await insertLines(insert, bad);
      return;
    }
    for await (const records of readRecords(linesOf(file, engine), readingOf(insert), bad.add)) {
      throwIfAborted(signal);
      for (const record of records) {
        block.push(record);
        characters += record.json.length;
      }
      if (characters < BLOCK_CHARACTERS) continue;
      await insertBlock(insert, block, bad);
      [block, characters] = [[], 0];
    }
  } catch (cause) {
    if (cause instanceof TooNarrow || cause instanceof Misfit) throw cause;
    throw explained(file, cause);
  }
  await insertBlock(insert, block, bad);
}

const MOST_LINES = 1 << 17;
/** So many are looked at one by one, and twice as many each time that this was needed: statements take time, too. */
const FEW_LINES = 1 << 9;

type GoodLine = Pick<TextRecord, 'line' | 'text'>;

/** Lines of JSON, some while others are being read. */
async function insertLines(insert: TextInsert, bad: BadLineCollector): Promise<void> {
  let block: GoodLine[] = [];
  let characters = 0;
  let few = FEW_LINES;
  const insertSome = async (lines: readonly GoodLine[]): Promise<void> => {
    if (lines.length === 0) return;
    if (lines.length <= few) {
      few = Math.min(few * 2, MOST_LINES);
      await insertFew(insert, lines, bad);
    } else if (await insertsAtOnce(insert, lines)) few = Math.max(few / 2, FEW_LINES);
    else {
      const half = lines.length >> 1;
      await insertSome(lines.slice(0, half));
      await insertSome(lines.slice(half));
    }
  };
  let inserting: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await inserting;
    inserting = insertSome(block);
    inserting.catch(() => undefined); // heard by the next flush
    [block, characters] = [[], 0];
  };
  try {
    for await (const lines of readLines(linesOf(insert.file, insert.engine))) {
      throwIfAborted(insert.signal);
      for (const line of lines) {
        if ('problem' in line) bad.add(line.number, line.problem, line.text);
        else {
          block.push({ line: line.number, text: line.text });
          characters += line.text.length;
        }
      }
      if (characters >= BLOCK_CHARACTERS || block.length >= MOST_LINES) await flush();
    }
    await flush();
  } finally {
    await inserting;
  }
}

async function insertFew(insert: TextInsert, lines: readonly GoodLine[], bad: BadLineCollector): Promise<void> {
  if (!insert.guessed)
    return insertBlock(
      insert,
      jsonRecords(
        readingOf(insert),
        bad.add,
        lines.map(({ line, text }) => ({ number: line, text })),
      ),
      bad,
    );
  const objects = lines.filter(({ line, text }) => {
    const problem = problemOf(text);
    if (problem !== undefined) bad.add(line, problem, text);
    return problem === undefined;
  });
  if (objects.length > 0 && !(await insertsAtOnce(insert, objects)))
    throw new Misfit('a record does not fit the columns of the first rows');
}

/** In one block of the engine's, so that all of them are in or none: false where something is wrong with one. */
async function insertsAtOnce(insert: TextInsert, lines: readonly GoodLine[]): Promise<boolean> {
  const { folder, known } = insert;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `lines-${++blocks}`);
  writeFileSync(path, lines.map(({ text }) => `${text}\n`).join(''));
  const readable = enginePath(path);
  const from = (as: string, structure = 'auto'): string => `file(${[readable.path, as, structure].map(quoteString).join(', ')})`;
  try {
    const settings = {
      ...textSettings(insert),
      min_insert_block_size_rows: 1e9,
      min_insert_block_size_bytes: 0,
      max_insert_threads: 1,
    };
    await insertFrom({ ...insert, known: { ...known, utf8: false } }, from, settings);
    return true;
  } catch (cause) {
    if (isOfData(cause)) return false;
    throw cause;
  } finally {
    readable.release();
    rmSync(path, { force: true });
  }
}

/** What the engine cannot read for a reason that nothing else finds is narrowed down to its record. */
async function insertBlock(insert: TextInsert, block: readonly TextRecord[], bad: BadLineCollector): Promise<void> {
  const [first] = block;
  if (first === undefined) return;
  try {
    await insertReadable(insert, block, bad);
  } catch (cause) {
    if (!(cause instanceof QuernError) || cause.code !== 'data') throw cause;
    if (block.length === 1) bad.add(first.line, 'the engine cannot read it', first.text);
    else {
      const half = block.length >> 1;
      await insertBlock(insert, block.slice(0, half), bad);
      await insertBlock(insert, block.slice(half), bad);
    }
  }
}

let blocks = 0;

async function insertReadable(insert: TextInsert, block: readonly TextRecord[], bad: BadLineCollector): Promise<void> {
  const { engine, into, load, folder, signal } = insert;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `records-${++blocks}`);
  writeFileSync(path, block.map(({ json }) => json).join(''));
  const readable = enginePath(path);
  try {
    const read = readings(insert);
    const columns = structureOf(read.map(({ column }) => column));
    const from = `file(${quoteString(readable.path)}, 'JSONEachRow', ${quoteString(`${LINE_FIELD} UInt64, ${columns}`)}) AS r`;
    // Fields that nobody knows have been told, or are to be left out; the number of the line is not read again.
    const settings = `SETTINGS ${settingsText({ ...INSERT_SETTINGS, ...JSON_SETTINGS, ...IGNORED })}`;
    const isBad = anyOf(read.map((each) => each.bad));
    const found = isBad === undefined ? [] : await badRecords(insert, read, block, `${from} WHERE ${isBad}`, settings);
    await engine.command(
      `INSERT INTO ${into} (${targets(read)}) SELECT ${[...read.map(({ value }) => value), String(load)].join(', ')} ` +
        `FROM ${from}${isBad === undefined ? '' : ` WHERE NOT ${isBad}`} ${settings}`,
      signal,
    );
    for (const { line, reason, text } of found) bad.add(line, reason, text);
  } finally {
    readable.release();
    rmSync(path, { force: true });
  }
}

interface BadRecord {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

async function badRecords(
  { engine }: TextInsert,
  read: readonly Reading[],
  block: readonly TextRecord[],
  from: string,
  settings: string,
): Promise<readonly BadRecord[]> {
  const which = read.flatMap((each, i) => (each.bad === undefined ? [] : [`${each.bad}, ${i}`])).join(', ');
  const shown = read
    .flatMap(({ column, bad: isBad, text }) => {
      if (isBad === undefined) return [];
      return [`${isBad}, ${isNested(column.type) ? 'NULL' : `substringUTF8(${text}, 1, 60)`}`];
    })
    .join(', ');
  const narrow = read.map((each) => (each.tooNarrow === undefined ? '0' : `${each.tooNarrow} AND ${each.bad ?? 'false'}`));
  const sql =
    `SELECT r.${LINE_FIELD}, multiIf(${which}, 0), multiIf(${shown}, NULL), [${narrow.join(', ')}] ` +
    `FROM ${from} ORDER BY 1 ${settings}`;
  const rows = await engine.rows(sql);
  const tooNarrow = read.filter((_, i) => rows.some(([, , , flags]) => Boolean(Array.isArray(flags) && Number(flags[i]))));
  if (tooNarrow.length > 0) throw new TooNarrow(tooNarrow.map(({ column }) => column.name));
  const texts = new Map(block.map(({ line, text }) => [line, text]));
  return rows.flatMap(([line, at, value]) => {
    const column = read[Number(at)]?.column;
    return column === undefined ? [] : [{ line: Number(line), reason: reasonOf(column, value), text: texts.get(Number(line)) ?? '' }];
  });
}

const isNested = ({ kind }: ValueType): boolean => kind === 'ARRAY' || kind === 'STRUCT';

function reasonOf({ name, type }: StoredColumn, value: unknown): string {
  if (type.kind === 'STRING') return `${name} is not UTF-8`;
  if (isNested(type) || typeof value !== 'string') return `${name}: a value in it does not fit its type`;
  return `${name}: ${JSON.stringify(value)} is not ${type.kind}`;
}
