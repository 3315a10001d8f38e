// Inserts a file of texts in which something is wrong: records that cannot be read are kept out and reported, the others are inserted as ever.
import { join } from 'node:path';
import { throwIfAborted } from '../../engine/cancellation.ts';
import type { AddBad, TextRecord } from '../../sources/files/csv-records.ts';
import { formOf, readRecords } from '../../sources/files/records.ts';
import { asRecords, isOfData, unreadableRecords } from '../../sources/files/unreadable-records.ts';
import { wrongValues } from '../../sources/files/wrong-values.ts';
import { linesOf, withEngineFile } from '../input.ts';
import { isJson } from './described-file.ts';
import { columnsThere, type FileInsert, insertFrom, needsRecords } from './insert-file.ts';
import { type JsonFields, jsonRecords } from './read-records.ts';
import { explained } from './trouble.ts';

const BLOCK_CHARACTERS = 24 * 1024 * 1024;

/** Throws QuernError `load` for a file that cannot be unpacked. */
export async function insertRecords(insert: FileInsert, bad: AddBad): Promise<void> {
  const { file, engine, signal } = insert;
  let block: TextRecord[] = [];
  let characters = 0;
  try {
    for await (const records of readRecords(linesOf(file, engine), formOf(file.format, insert.description), bad)) {
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

async function insertBlock(insert: FileInsert, block: readonly TextRecord[], bad: AddBad): Promise<void> {
  if (block.length === 0 || (!needsRecords(insert) && (await insertsAtOnce(insert, block)))) return;
  const records = isJson(insert.file) ? jsonRecords(block, jsonFields(insert), bad) : block;
  const there = columnsThere(insert).map(({ column: { name, type }, fileName }) => ({ name, type, fileName }));
  const read = { description: asRecords(insert.description), isJson: isJson(insert.file) };
  const wrong = await withFile(insert, records, (path) =>
    wrongValues({ ...read, files: { paths: [path] } }, there, (sql) => insert.engine.rows(sql)),
  );
  for (const [row, { why, schema }] of wrong) bad(records[row]?.line ?? 0, why, records[row]?.text ?? '', schema);
  const others = wrong.size === 0 ? records : records.filter((_, row) => !wrong.has(row));
  for await (const { record, why } of unreadableRecords(others, (some) => insertAtOnce(insert, some))) bad(record.line, why, record.text);
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

const insertAtOnce = (insert: FileInsert, block: readonly TextRecord[]): Promise<void> =>
  withFile(insert, block, (path) => insertFrom({ ...insert, isUtf8: true }, path, asRecords(insert.description), AT_ONCE));

/** Whether it was so inserted, and no record of it could not be read. */
const insertsAtOnce = (insert: FileInsert, block: readonly TextRecord[]): Promise<boolean> =>
  insertAtOnce(insert, block).then(
    () => true,
    (cause: unknown) => {
      if (isOfData(cause)) return false;
      throw cause;
    },
  );

let blocks = 0;

const withFile = <T>({ folder }: FileInsert, block: readonly TextRecord[], use: (path: string) => Promise<T>): Promise<T> =>
  withEngineFile(join(folder, `records-${++blocks}`), block.map(({ text, written = text }) => `${written}\n`).join(''), use);
