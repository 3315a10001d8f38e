// Inserts a file whose columns are read as queries read them: its rows are those of a query over it.

import { QuernError } from '../../base/errors.ts';
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import type { FilesDescription } from '../../sources/files/description.ts';
import { settingsText } from '../../sources/files/engine-files.ts';
import { quoted, selectFrom } from '../../sources/loaded/stored-select.ts';
import type { StoredColumn } from '../../sources/loaded/stored-table.ts';
import { holds } from '../../sources/table-schema.ts';
import { type FoundFile, isCsv, isJson } from './described-file.ts';
import { isWide } from './shape.ts';

/** What was found in the file has the names of the table's columns. */
export interface FileInsert extends Omit<FoundFile, 'leftOut'> {
  readonly engine: EmbeddedEngine;
  /** Of the table. */
  readonly columns: readonly StoredColumn[];
  /** Fields of JSON objects that the table does not have are left out. */
  readonly ignoreUnknown: boolean;
  /** The texts are known to be UTF-8, or somebody else looks. */
  readonly isUtf8: boolean;
  /** The table to insert into, as SQL. */
  readonly into: string;
  /** Number of the load. */
  readonly load: number;
  /** Takes what must be a file. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

/** Columns of the file that the table has, with the types of the table's. */
export const columnsThere = ({ found, columns }: Pick<FileInsert, 'found' | 'columns'>) =>
  columns.flatMap((column) => {
    const there = found.find(({ name }) => name === column.name);
    return there === undefined ? [] : [{ column, fileName: there.fileName ?? there.name }];
  });

/** Where nothing is wrong with the file. Throws what the engine says where something is. */
export async function insertFile(insert: FileInsert): Promise<void> {
  await insertFrom(insert, insert.file.path, insert.description, isCsv(insert.file) ? CSV_SETTINGS : {});
}

/** Whether a file of JSON has fields that the table does not have, which are to be reported. */
export const needsRecords = ({ file, found, columns, ignoreUnknown }: FileInsert): boolean =>
  isJson(file) && !ignoreUnknown && found.some(({ name }) => columns.every((one) => one.name !== name));

/** The settings of every insert into a table of the user's own. */
const INSERT_SETTINGS = {
  max_partitions_per_insert_block: 0, // a small file may cover years
  parts_to_throw_insert: 0,
  parts_to_delay_insert: 0,
} as const;

/** Copies for threads that parse take longer than the second thread saves. */
const CSV_SETTINGS = { input_format_parallel_parsing: 0 } as const;

/** Inserts the file at `path`, which is described so. */
export async function insertFrom(
  insert: FileInsert,
  path: string,
  description: FilesDescription,
  settings: Readonly<Record<string, number>>,
): Promise<void> {
  const { engine, file, into, load, signal, isUtf8, ignoreUnknown } = insert;
  const there = columnsThere(insert);
  const schema = there.map(({ column: { type }, fileName }) => ({ name: fileName, type }));
  const names = schema.map(({ name }) => quoted(name));
  const select = selectFrom({ paths: [path] }, description, schema, names);
  const values = there.map(({ column }, i) => {
    if (isWide(column)) return `toString(r.v${i})`;
    // Of a dictionary each text is looked at once.
    return column.stored.startsWith('LowCardinality') ? `CAST(r.v${i} AS ${column.stored})` : `r.v${i}`;
  });
  const texts = isUtf8 ? [] : there.flatMap(({ column }, i) => utf8Check(column, values[i] ?? ''));
  // Without OR, which would look at the rows of each column only where those before it are right.
  const number =
    texts.length === 0 ? String(load) : `${load} + throwIf(${texts.reduce((a, b) => `bitAnd(${a}, ${b})`)} = 0, ${quoteString(NOT_UTF8)})`;
  const targets = [...there.map(({ column }) => quoteIdentifier(column.name)), '_quern_load'].join(', ');
  await engine.command(
    `INSERT INTO ${into} (${targets}) SELECT ${[...values, number].join(', ')} FROM (${select.sql}) AS r ` +
      `SETTINGS ${settingsText({ ...select.settings, ...INSERT_SETTINGS, ...(isJson(file) && !ignoreUnknown ? ALL_KNOWN : {}), ...settings })}`,
    signal,
  );
}

const ALL_KNOWN = { input_format_skip_unknown_fields: 0, input_format_json_ignore_unknown_keys_in_named_tuple: 0 } as const;

/** ClickHouse SQL, 1 where the texts in a value are UTF-8. */
function utf8Check({ type }: StoredColumn, value: string): readonly string[] {
  if (type.kind === 'STRING') return [`ifNull(isValidUTF8(${value}), 1)`];
  return holds(type, 'STRING') ? [`isValidUTF8(ifNull(toString(${value}), ''))`] : [];
}

const NOT_UTF8 = 'quern: not UTF-8';

/** Whether an insert has failed at a text that is not UTF-8. */
export const isOfUtf8 = (cause: unknown): boolean =>
  cause instanceof QuernError && `${cause.message} ${String(cause.cause)}`.includes(NOT_UTF8);
