// Inserts a CSV file in which something is wrong: rows that cannot be read are kept out and reported, the others are inserted as ever.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { throwIfAborted } from '../../engine/cancellation.ts';
import { settingsText } from '../../sources/files/engine-files.ts';
import { quoted, selectFrom } from '../../sources/loaded/stored-select.ts';
import type { BadLineCollector } from '../bad-lines.ts';
import { enginePath } from '../engine-path.ts';
import { type CsvRecord, readCsvRecords } from './csv-records.ts';
import { columnsThere, type FileInsert, insertFrom } from './insert-file.ts';
import { linesOf } from './read-records.ts';
import type { ValueType } from './stored-type.ts';
import { explained, isOfData } from './trouble.ts';

type AddBad = BadLineCollector['add'];

const BLOCK_CHARACTERS = 24 * 1024 * 1024;

/** Throws QuernError `load` for a file that cannot be unpacked. */
export async function insertRecords(insert: FileInsert, bad: AddBad): Promise<void> {
  const { description, file, engine, signal } = insert;
  const header = description.format === 'CSVWithNames';
  const { format_csv_delimiter: delimiter = ',', input_format_csv_skip_first_lines: skip = 0 } = description.settings;
  const form = { delimiter: String(delimiter), skip: Number(skip), header, cells: description.columns.length };
  let block: CsvRecord[] = [];
  let characters = 0;
  try {
    for await (const records of readCsvRecords(linesOf(file, engine), form, bad)) {
      throwIfAborted(signal);
      for (const record of records) {
        block.push(record);
        characters += record.text.length;
      }
      if (characters < BLOCK_CHARACTERS) continue;
      await insertBlock(insert, block, bad);
      [block, characters] = [[], 0];
    }
    await insertBlock(insert, block, bad);
  } catch (cause) {
    throw explained(file, cause);
  }
}

async function insertBlock(insert: FileInsert, block: readonly CsvRecord[], bad: AddBad): Promise<void> {
  if (block.length === 0) return;
  const wrong = await withFile(insert, block, (path) => wrongValues(insert, path));
  for (const [row, reason] of wrong) bad(block[row]?.line ?? 0, reason, block[row]?.text ?? '');
  await insertGood(insert, wrong.size === 0 ? block : block.filter((_, row) => !wrong.has(row)), bad);
}

/** In one block of the engine's, so that all of them are in or none. Where something is still wrong, it is narrowed down to its record. */
const AT_ONCE = {
  min_insert_block_size_rows: 1e9,
  min_insert_block_size_bytes: 0,
  max_insert_threads: 1,
  input_format_parallel_parsing: 0,
};

async function insertGood(insert: FileInsert, block: readonly CsvRecord[], bad: AddBad): Promise<void> {
  const [first] = block;
  if (first === undefined) return;
  try {
    await withFile(insert, block, (path) => insertFrom({ ...insert, isUtf8: true }, path, blockOf(insert), AT_ONCE));
  } catch (cause) {
    if (!isOfData(cause)) throw cause;
    if (block.length === 1) bad(first.line, 'the engine cannot read it', first.text);
    else {
      const half = block.length >> 1;
      await insertGood(insert, block.slice(0, half), bad);
      await insertGood(insert, block.slice(half), bad);
    }
  }
}

/** How a file of records is read that has nothing above them. */
function blockOf({ description }: FileInsert): FileInsert['description'] {
  const settings = { ...description.settings, input_format_csv_skip_first_lines: 0, input_format_csv_skip_trailing_empty_lines: 0 };
  return { ...description, format: 'CSV', settings };
}

let blocks = 0;

async function withFile<T>({ folder }: FileInsert, block: readonly CsvRecord[], use: (path: string) => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `records-${++blocks}`);
  writeFileSync(file, block.map(({ text }) => `${text}\n`).join(''));
  const { path, release } = enginePath(file);
  try {
    return await use(path);
  } finally {
    release();
    rmSync(file, { force: true });
  }
}

/**
 * Rows that surely cannot be read, by their positions, and why: those with a text that is no value of its column's type. It need not find all of them, and finds
 * nothing where it cannot tell.
 */
async function wrongValues(insert: FileInsert, path: string): Promise<ReadonlyMap<number, string>> {
  const block = blockOf(insert);
  const columns = block.columns.map(({ name }) => ({ name, type: 'Nullable(String)' }));
  const texts = { ...block, columns, declared: [], forms: {} };
  const there = columnsThere(insert).flatMap(({ column, fileName }) => {
    const at = columns.findIndex(({ name }) => name === fileName);
    const stored = block.columns[at]?.type ?? '';
    const check = stored === 'Nullable(String)' ? checkOfText(column.type) : checkOfValue(stored);
    return check === undefined ? [] : [{ name: column.name, type: column.type, column: fileName, check }];
  });
  if (there.length === 0) return new Map();
  const casts = there.map(({ column, check }) => ('googleSql' in check ? check.googleSql(`nullif(${quoted(column)}, '')`) : 'null'));
  const names = there.map(({ column }) => quoted(column));
  const select = selectFrom({ paths: [path] }, texts, [], [...names, ...casts]);
  const isWrong = there.map(({ check }, i) =>
    'engine' in check ? check.engine(`r.v${i}`) : `(r.v${i + there.length} IS NULL AND nullIf(r.v${i}, '') IS NOT NULL)`,
  );
  const which = `multiIf(${isWrong.map((wrong, i) => `${wrong}, ${i}`).join(', ')}, -1)`;
  const text = `substringUTF8([${there.map((_, i) => `ifNull(r.v${i}, '')`).join(', ')}][column + 1], 1, 60)`;
  const rows = await insert.engine
    .rows(
      `SELECT row, column, ${text} FROM (SELECT rowNumberInAllBlocks() AS row, ${which} AS column, * FROM (${select.sql}) AS r) AS r ` +
        `WHERE column >= 0 SETTINGS ${settingsText({ ...select.settings, ...INSERT_ORDER })}`,
    )
    .catch((cause: unknown) => {
      if (isOfData(cause)) return [];
      throw cause;
    });
  return new Map(
    rows.map(([row, at, shown]) => {
      const { name = '', type } = there[Number(at)] ?? {};
      return [Number(row), `${name}: ${JSON.stringify(shown)} is not ${type?.kind ?? ''}`];
    }),
  );
}

/** The rows in the order of the file. */
const INSERT_ORDER = { max_threads: 1, input_format_parallel_parsing: 0 };

type Check = { readonly googleSql: (text: string) => string } | { readonly engine: (text: string) => string };

/** Of a column that the engine itself reads as values. */
function checkOfValue(stored: string): Check {
  const bare = stored.replace(/^Nullable\((.*)\)$/, '$1');
  const held = (text: string): string => {
    const value = `accurateCastOrNull(trimBoth(${text}), '${bare}')`;
    return bare === 'Int128' ? `accurateCastOrNull(${value}, 'Int64')` : value;
  };
  return { engine: (text) => `(${text} IS NOT NULL AND ${held(text)} IS NULL)` };
}

/** Of a column of texts that are to be values; undefined where every text is one, or where only the engine knows. */
function checkOfText({ kind }: ValueType): Check | undefined {
  switch (kind) {
    case 'JSON':
      return { engine: (text) => `(ifNull(${text}, '') != '' AND NOT isValidJSON(ifNull(${text}, '')))` };
    case 'DATE':
    case 'TIME':
    case 'DATETIME':
    case 'TIMESTAMP':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return { googleSql: (text) => `safe_cast(${text} as ${kind})` };
    case 'BYTES':
      return { googleSql: (text) => `safe.from_base64(${text})` };
    default:
      return undefined;
  }
}
