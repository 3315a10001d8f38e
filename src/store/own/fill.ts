// Fills a staging table with the rows of files: each is read as a query reads it, and record by record where something is wrong in it.

import { QuernError } from '../../base/errors.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import { bytesInText, isUndecodable } from '../../sources/files/file-trouble.ts';
import { type FileFormat, FORMATS } from '../../sources/files/formats.ts';
import type { FileOptions } from '../../sources/files/options.ts';
import { isOfData } from '../../sources/files/unreadable-records.ts';
import type { StoredTable, TableShape } from '../../sources/loaded/stored-table.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { type BadLines, collectBadLines } from '../bad-lines.ts';
import { beginLoad, type OnStep, rowsOf } from '../journal.ts';
import type { LoadTarget } from '../load.ts';
import { type Place, stagingOf } from '../place.ts';
import { firstShape, fitColumns } from './columns.ts';
import { calledAs, describeFile, type FoundFile, isCsv, isJson, type LeftOut } from './described-file.ts';
import type { Contents, EngineFile } from './engine-file.ts';
import { type FileInsert, insertFile, isOfUtf8, needsRecords } from './insert-file.ts';
import { insertRecords } from './insert-records.ts';
import { createOwnTableSql, type ShapeWishes } from './shape.ts';
import { explained } from './trouble.ts';

export interface TableLoadOptions extends ShapeWishes, FileOptions {
  /** Found by the name and the first bytes when absent. */
  readonly format?: FileFormat | undefined;
  /** Types of columns; those that it does not name are what the files show. */
  readonly schema?: readonly DeclaredColumn[] | undefined;
  /** What the table holds gives way. */
  readonly replace?: boolean;
  /** Loads a content that was loaded before. */
  readonly again?: boolean;
  /** Fields of JSON objects that the table does not have are left out, and columns that no table can have. */
  readonly ignoreUnknown?: boolean;
  /** With more bad lines in all files together nothing is loaded; default 0. */
  readonly mostBadLines?: number;
  /** How many bad lines of each file to report with their text; default 20. */
  readonly keptBadLines?: number;
  readonly signal?: AbortSignal;
  /** Hears each step towards the commit, after it has been done. */
  readonly onStep?: OnStep;
}

export interface LoadedFile {
  readonly name: string;
  readonly format: FileFormat;
  readonly rows: number;
  readonly badLines: BadLines;
  /** STRUCTs that may be NULL in the file, and were loaded as STRUCTs of NULLs. */
  readonly structsOfNulls: readonly string[];
  /** Columns that queries cannot read, which the table does not have. */
  readonly leftOut: readonly LeftOut[];
}

interface Filling {
  readonly target: LoadTarget;
  readonly place: Place;
  /** The table that the rows are added to; undefined where it is made. */
  readonly table: StoredTable | undefined;
  readonly contents: ReadonlyMap<EngineFile, Promise<Contents>>;
  /** Takes what must be a file. */
  readonly folder: string;
  readonly options: TableLoadOptions;
  /** Number of the load. */
  readonly load: number;
}

interface Filled {
  readonly shape: TableShape;
  readonly loaded: readonly LoadedFile[];
}

/** Throws QuernError `load` where a file cannot be read, and `usage` for flags that it does not take. */
export async function fill(filling: Filling): Promise<Filled> {
  const { contents, options } = filling;
  for (const file of contents.keys()) checkFlags(file, options);
  const columns = await columnsOf(filling);
  const byRecord = new Set([...contents.keys()].filter(({ hasBadBytes }) => hasBadBytes));
  for (;;) {
    const outcome = await stage(filling, columns, byRecord);
    if (!('path' in outcome)) return { shape: columns.shape, loaded: outcome };
    byRecord.add(outcome);
  }
}

interface Columns {
  readonly shape: TableShape;
  readonly files: readonly FoundFile[];
}

/** What the table is to be, and how each file is read for it. */
async function columnsOf({ target: { engine }, place, table, contents, folder, options }: Filling): Promise<Columns> {
  const describe = (file: EngineFile, schema: readonly DeclaredColumn[]): Promise<FoundFile> =>
    describeFile(file, { engine, flags: options, schema, ignoreUnknown: options.ignoreUnknown === true, folder });
  const found: FoundFile[] = [];
  for (const file of contents.keys()) {
    const described = await describe(file, table?.columns ?? options.schema ?? []);
    // Columns that nobody has named are called as those of the first file.
    found.push({ ...described, found: calledAs(described.found, found[0]?.found ?? []) });
  }
  const shape = table ?? (await firstShape(place.table, found, engine, options));
  const files = found.map((one) => (isOfTypes(one, shape) ? one : describe(one.file, shape.columns)));
  return { shape, files: await Promise.all(files) };
}

/** Whether queries give the columns of the file the types that they have in the table. */
function isOfTypes({ found }: FoundFile, { columns }: TableShape): boolean {
  return found.every(({ name, type }) => {
    const column = columns.find((one) => one.name.toLowerCase() === name.toLowerCase());
    return column === undefined || JSON.stringify(type) === JSON.stringify(column.type);
  });
}

/** Throws QuernError `usage` for a file that has no such lines. */
function checkFlags(file: EngineFile, { delimiter, header, skipLeadingRows, nullText }: FileOptions): void {
  const given = {
    '--header': header === true,
    '--no-header': header === false,
    '--skip-leading-rows': skipLeadingRows !== undefined,
    '--delimiter': delimiter !== undefined,
    '--null-text': nullText !== undefined,
  };
  const [flag] = Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (flag === undefined || isCsv(file)) return;
  throw new QuernError('usage', `${flag} only applies to CSV and TSV, and ${file.name} is ${FORMATS[file.format].label}`, {
    hint: 'leave out the flag, or add --format csv',
  });
}

/** Fills an empty staging table, of the files in `byRecord` record by record. Returns the first other one in which something is wrong, where there is one. */
async function stage(
  { target, place, folder, options, contents, load }: Filling,
  { shape, files }: Columns,
  byRecord: ReadonlySet<EngineFile>,
): Promise<readonly LoadedFile[] | EngineFile> {
  const { engine } = target;
  const { signal, ignoreUnknown = false } = options;
  const { columns } = shape;
  await beginLoad(target, place, createOwnTableSql(shape, stagingOf(place)), options.onStep ?? (() => undefined));
  const loaded: LoadedFile[] = [];
  let before = 0;
  for (const { file, found, description, leftOut } of files) {
    throwIfAborted(signal);
    const bad = collectBadLines(options.keptBadLines ?? 20);
    const there = fitColumns(file, found, shape);
    // Looking at the file once, as it is read for its hash, takes less than looking at each value.
    const isUtf8 = file.mayBeUtf8 && isText(file);
    const into = stagingOf(place);
    const insert = { engine, file, description, columns, found: there, ignoreUnknown, isUtf8, into, load, folder, signal };
    if (byRecord.has(file) || needsRecords(insert) || (isCsv(file) && (await file.mayEndQuoted()))) await insertRecords(insert, bad.add);
    else {
      if (!(await insertsWhole(insert))) return file;
      const seen = isText(file) ? await contents.get(file) : undefined;
      if ((isUtf8 && seen?.utf8 !== true) || (isCsv(file) && seen?.mayEndQuoted)) return file;
    }
    const rows = (await rowsOf(engine, place, place.staging)) ?? 0;
    const badLines = bad.report;
    const structsOfNulls = there.flatMap((column) => column.structsOfNulls ?? []);
    loaded.push({ name: file.name, format: file.format, rows: rows - before, badLines, structsOfNulls, leftOut });
    before = rows;
  }
  return loaded;
}

const isText = (file: EngineFile): boolean => isCsv(file) || isJson(file);

/** False where a record of the file cannot be read. Throws QuernError `load` for a file that cannot be read, or that cannot be read record by record. */
async function insertsWhole(insert: FileInsert): Promise<boolean> {
  const { file, columns } = insert;
  try {
    await insertFile(insert);
    return true;
  } catch (cause) {
    if (isText(file) && isOfData(cause) && !isUndecodable(cause)) return false;
    if (!isOfUtf8(cause)) throw explained(file, cause);
    const text = columns.find(({ type }) => type.kind === 'STRING')?.name ?? 'name';
    throw new QuernError('load', bytesInText(file.name), {
      hint: `nothing was loaded; declare the column as BYTES, such as --schema ${text}:BYTES`,
      cause,
    });
  }
}
