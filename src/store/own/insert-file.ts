// Inserts a file whose columns are read as queries read them: its rows are those of a query over it.

import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { QuernError } from '../../errors.ts';
import type { FilesDescription } from '../../sources/files/description.ts';
import { settingsText } from '../../sources/files/engine-files.ts';
import { quoted, selectFrom } from '../../sources/loaded/stored-select.ts';
import type { StoredColumn } from '../../sources/loaded/stored-table.ts';
import type { FoundColumn } from './described-file.ts';
import { isCsv } from './described-file.ts';
import type { EngineFile } from './engine-file.ts';
import { INSERT_SETTINGS } from './insert-settings.ts';
import { isWide } from './shape.ts';

export interface FileInsert {
  readonly engine: EmbeddedEngine;
  readonly file: EngineFile;
  readonly description: FilesDescription;
  /** What the file has, by the names of the table's columns. */
  readonly found: readonly FoundColumn[];
  /** Of the table. */
  readonly columns: readonly StoredColumn[];
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

/** Copies for threads that parse take longer than the second thread saves. */
const CSV_SETTINGS = { input_format_parallel_parsing: 0 } as const;

/** Inserts the file at `path`, which is described so. */
export async function insertFrom(
  insert: FileInsert,
  path: string,
  description: FilesDescription,
  settings: Readonly<Record<string, number>>,
): Promise<void> {
  const { engine, into, load, signal, isUtf8 } = insert;
  const there = columnsThere(insert);
  const schema = there.map(({ column: { type }, fileName }) => ({ name: fileName, type }));
  const select = selectFrom(
    { paths: [path] },
    description,
    schema,
    there.map(({ fileName }) => quoted(fileName)),
  );
  const values = there.map(({ column }, i) => (isWide(column) ? `toString(r.v${i})` : `r.v${i}`));
  const texts = isUtf8 ? [] : there.flatMap(({ column }, i) => (column.type.kind === 'STRING' ? [`ifNull(isValidUTF8(r.v${i}), 1)`] : []));
  // Without OR, which would look at the rows of each column only where those before it are right.
  const number =
    texts.length === 0 ? String(load) : `${load} + throwIf(${texts.reduce((a, b) => `bitAnd(${a}, ${b})`)} = 0, ${quoteString(NOT_UTF8)})`;
  const targets = [...there.map(({ column }) => quoteIdentifier(column.name)), '_quern_load'].join(', ');
  await engine.command(
    `INSERT INTO ${into} (${targets}) SELECT ${[...values, number].join(', ')} FROM (${select.sql}) AS r ` +
      `SETTINGS ${settingsText({ ...select.settings, ...INSERT_SETTINGS, ...settings })}`,
    signal,
  );
}

const NOT_UTF8 = 'quern: not UTF-8';

/** Whether an insert has failed at a text that is not UTF-8. */
export const isOfUtf8 = (cause: unknown): boolean =>
  cause instanceof QuernError && `${cause.message} ${String(cause.cause)}`.includes(NOT_UTF8);
