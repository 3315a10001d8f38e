// Inserts a file of texts in which something is wrong: records that cannot be read are kept out and reported, the others are inserted as ever.
import { join } from 'node:path';
import type { QuernError } from '../../base/errors.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import { rejectionText } from '../../engine/failure-words.ts';
import { type AddBad, type CsvForm, readCsvRecords, type TextRecord } from '../../sources/files/csv-records.ts';
import { engineText } from '../../sources/files/file-trouble.ts';
import { readObjects } from '../../sources/files/json-objects.ts';
import { wrongValues } from '../../sources/files/wrong-values.ts';
import { linesOf, withEngineFile } from '../input.ts';
import { isCsv, isJson } from './described-file.ts';
import { columnsThere, type FileInsert, insertFrom, needsRecords } from './insert-file.ts';
import { type JsonFields, jsonRecords, readTextLines } from './read-records.ts';
import { explained, isOfData } from './trouble.ts';

const BLOCK_CHARACTERS = 24 * 1024 * 1024;

/** Throws QuernError `load` for a file that cannot be unpacked. */
export async function insertRecords(insert: FileInsert, bad: AddBad): Promise<void> {
  const { file, engine, signal } = insert;
  let block: TextRecord[] = [];
  let characters = 0;
  try {
    const lines = linesOf(file, engine);
    const read = file.format === 'json' ? readObjects : undefined;
    for await (const records of isJson(file) ? readTextLines(lines, bad, read) : readCsvRecords(lines, csvForm(insert), bad)) {
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

function csvForm({ description }: FileInsert): CsvForm {
  const { format_csv_delimiter: delimiter = ',', input_format_csv_skip_first_lines: skip = 0 } = description.settings;
  const header = description.format === 'CSVWithNames';
  return { delimiter: String(delimiter), skip: Number(skip), header, cells: description.columns.length };
}

async function insertBlock(insert: FileInsert, block: readonly TextRecord[], bad: AddBad): Promise<void> {
  if (block.length === 0 || (!needsRecords(insert) && (await insertsAtOnce(insert, block)) === undefined)) return;
  const records = isJson(insert.file) ? jsonRecords(block, jsonFields(insert), bad) : block;
  const there = columnsThere(insert).map(({ column: { name, type }, fileName }) => ({ name, type, fileName }));
  const read = { description: blockOf(insert), isJson: isJson(insert.file) };
  const wrong = await withFile(insert, records, (path) =>
    wrongValues({ ...read, files: { paths: [path] } }, there, (sql) => insert.engine.rows(sql)),
  );
  for (const [row, reason] of wrong) bad(records[row]?.line ?? 0, reason, records[row]?.text ?? '');
  await insertGood(insert, wrong.size === 0 ? records : records.filter((_, row) => !wrong.has(row)), bad);
}

/** What objects may have: the columns of the table, by their names in the file. */
function jsonFields(insert: FileInsert): JsonFields {
  const { columns, ignoreUnknown } = insert;
  const there = columnsThere(insert);
  const others = columns.filter((column) => !there.some((one) => one.column === column));
  return { columns: [...there.map(({ column: { type }, fileName }) => ({ name: fileName, type })), ...others], ignoreUnknown };
}

/** In one block of the engine's, so that all of them are in or none. Where something is still wrong, it is narrowed down to its record. */
const AT_ONCE = {
  min_insert_block_size_rows: 1e9,
  min_insert_block_size_bytes: 0,
  max_insert_threads: 1,
  input_format_parallel_parsing: 0,
};

/** What the engine has said where something is wrong with one of the records. */
async function insertsAtOnce(insert: FileInsert, block: readonly TextRecord[]): Promise<QuernError | undefined> {
  try {
    await withFile(insert, block, (path) => insertFrom({ ...insert, isUtf8: true }, path, blockOf(insert), AT_ONCE));
    return undefined;
  } catch (cause) {
    if (!isOfData(cause)) throw cause;
    return cause;
  }
}

async function insertGood(insert: FileInsert, block: readonly TextRecord[], bad: AddBad): Promise<void> {
  const [first] = block;
  if (first === undefined) return;
  const failure = await insertsAtOnce(insert, block);
  if (failure === undefined) return;
  if (block.length > 1) {
    const half = block.length >> 1;
    await insertGood(insert, block.slice(0, half), bad);
    await insertGood(insert, block.slice(half), bad);
    return;
  }
  const column = /while reading the value of key (.+?)\)/.exec(engineText(failure))?.[1];
  const { rejected } = failure.details;
  const unknown = rejected === undefined ? 'the engine cannot read it' : rejectionText(rejected);
  bad(first.line, column === undefined ? unknown : `${column}: a value in it does not fit its type`, first.text);
}

/** How a file of records is read that has nothing above them. */
function blockOf({ description, file }: FileInsert): FileInsert['description'] {
  const settings = { ...description.settings, input_format_csv_skip_first_lines: 0, input_format_csv_skip_trailing_empty_lines: 0 };
  return { ...description, settings, ...(isCsv(file) ? { format: 'CSV' } : {}) };
}

let blocks = 0;

const withFile = <T>({ folder }: FileInsert, block: readonly TextRecord[], use: (path: string) => Promise<T>): Promise<T> =>
  withEngineFile(join(folder, `records-${++blocks}`), block.map(({ text, written = text }) => `${written}\n`).join(''), use);
