// Loads files into a table of the user's own: all of them or nothing, what cannot be read kept out and told.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { throwIfAborted } from '../../engine/cancellation.ts';
import { QuernError } from '../../errors.ts';
import { formatCount } from '../../quantity.ts';
import { DELIMITERS } from '../../sources/files/describe-text.ts';
import { isUndecodable } from '../../sources/files/file-trouble.ts';
import { type FileFormat, FORMATS, TEXT_FORMATS } from '../../sources/files/formats.ts';
import type { StoredTable, TableShape } from '../../sources/loaded/stored-table.ts';
import { findLogSource } from '../../sources/log/log-sources.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { type BadLines, collectBadLines } from '../bad-lines.ts';
import { readCells } from '../csv.ts';
import { beginLoad, commitLoad, gather, type OnStep, recover, rowsOf } from '../journal.ts';
import { explain, type LoadTarget } from '../load.ts';
import { type LoadRecord, type Manifest, nextLoad, tableNamed, withTable } from '../manifest.ts';
import { type Place, stagingOf, tablePlace } from '../place.ts';
import { type FoundFile, firstShape, fitColumns, gatherWidened } from './columns.ts';
import { type Contents, type EngineFile, openEngineFile } from './engine-file.ts';
import { explained, inferColumns, isJson } from './infer.ts';
import type { TextForm } from './insert-settings.ts';
import { insertRecords, insertWhole, isOfData, Misfit, NO_FIT, readsWhole, type TextInsert, TooNarrow } from './insert-text.ts';
import { checkTableName, createOwnTableSql, type ShapeWishes, widened } from './shape.ts';
import type { GivenNames } from './text-head.ts';
import { formsIn } from './usual-times.ts';

export interface TableLoadOptions extends ShapeWishes {
  /** Found by the name and the first bytes when absent. */
  readonly format?: FileFormat | undefined;
  /** Types of columns; those that it does not name are what the files show. */
  readonly schema?: readonly DeclaredColumn[] | undefined;
  /** What the table holds gives way. */
  readonly replace?: boolean;
  /** Loads a content that was loaded before. */
  readonly again?: boolean;
  /** Fields of JSON objects that the table does not have are left out. */
  readonly ignoreUnknown?: boolean;
  /** Between the cells of CSV. */
  readonly delimiter?: string | undefined;
  /** False: no line of CSV and TSV names the columns. Their names are those of the table or of the schema, or are made of their types. */
  readonly header?: boolean | undefined;
  /** Lines of CSV and TSV in front of the rows; the last one is the header, where there is one. */
  readonly skipLeadingRows?: number | undefined;
  /** With more bad lines in all files together nothing is loaded; default 0. */
  readonly mostBadLines?: number;
  /** How many bad lines of each file to report with their text; default 20. */
  readonly keptBadLines?: number;
  readonly signal?: AbortSignal;
  /** Hears each step towards the commit, after it has been done. */
  readonly onStep?: OnStep;
}

interface LoadedFile {
  readonly name: string;
  readonly format: FileFormat;
  readonly rows: number;
  readonly badLines: BadLines;
  /** STRUCTs that may be NULL in the file, and were loaded as STRUCTs of NULLs. */
  readonly structsOfNulls: readonly string[];
}

export interface TableLoadReport {
  readonly table: StoredTable;
  /** By which it is taken back; undefined where there was nothing to load. */
  readonly load: number | undefined;
  /** The load has made the table. */
  readonly made: boolean;
  readonly files: readonly LoadedFile[];
  readonly rows: number;
  readonly elapsedMs: number;
}

/** See Store.loadTable. */
export async function loadTable(
  target: LoadTarget,
  name: string,
  inputs: readonly (string | Readable)[],
  options: TableLoadOptions,
): Promise<TableLoadReport> {
  const startedAt = performance.now();
  if (findLogSource(name) === undefined) checkTableName(name);
  const folder = join(target.dir, 'tmp');
  const files: EngineFile[] = [];
  let current: string | undefined;
  try {
    for (const input of inputs) {
      current = typeof input === 'string' ? input : '<stdin>';
      files.push(await openEngineFile(input, options.format, folder, target.engine, options.signal));
    }
    const report = await loadFiles(target, name, files, folder, options);
    return { ...report, elapsedMs: performance.now() - startedAt };
  } catch (error) {
    const finished = await recover(target.dir, target.engine).catch(() => false);
    if (finished) target.reread();
    throw explain(error, current ?? name, target.dir, !finished && options.signal?.aborted === true);
  } finally {
    for (const file of files) file.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Loading {
  readonly target: LoadTarget;
  readonly place: Place;
  readonly folder: string;
  readonly options: TableLoadOptions;
  readonly contents: ReadonlyMap<EngineFile, Promise<Contents>>;
  readonly load: number;
  /** Whether the types are those of the first rows. */
  readonly guessed: boolean;
}

async function loadFiles(
  target: LoadTarget,
  name: string,
  opened: readonly EngineFile[],
  folder: string,
  options: TableLoadOptions,
): Promise<Omit<TableLoadReport, 'elapsedMs'>> {
  const manifest = target.manifest();
  const existing = tableNamed(manifest, name);
  const replace = existing !== undefined && options.replace === true;
  const place = tablePlace(existing?.name ?? name);
  const contents = new Map(opened.map((file) => [file, file.contents(options.signal)]));
  for (const read of contents.values()) read.catch(() => undefined); // heard below
  const appended = existing === undefined || replace ? undefined : existing;
  const find = async (whole: boolean, given: GivenNames | undefined): Promise<readonly FoundFile[]> => {
    const files: FoundFile[] = [];
    let names = given;
    for (const file of opened) {
      const form = textForm(file, options);
      const found = await inferColumns(file, { engine: target.engine, form, names, whole, folder });
      names ??= { names: found.map(({ name: column }) => column), of: file.name };
      files.push({ file, form, found });
    }
    return files;
  };

  const loading: Omit<Loading, 'guessed'> = { target, place, folder, options, contents, load: nextLoad(manifest) };
  if (appended !== undefined) checkAppend(appended, options);
  const names = givenNames(appended, options);
  let files = await find(false, names);
  let shape: TableShape = appended ?? (await firstShape(place.table, files, target.engine, options));
  /** Whether the types are those of the first rows. */
  let guessed = appended === undefined;
  const byRecord = new Set<EngineFile>();
  const notUtf8 = new Set<EngineFile>();
  let loaded: readonly LoadedFile[] | undefined;
  while (loaded === undefined) {
    try {
      loaded = await stage({ ...loading, guessed }, shape, files, byRecord, notUtf8);
    } catch (cause) {
      if (cause instanceof NotUtf8) notUtf8.add(cause.file);
      else if (cause instanceof TooNarrow) shape = widened(shape, cause.columns);
      else if (!(cause instanceof NotWhole)) throw cause;
      else if (guessed && cause.isOfLines && !byRecord.has(cause.file)) byRecord.add(cause.file);
      else if (guessed) {
        guessed = false;
        byRecord.clear();
        files = await find(true, names ?? { names: shape.columns.map(({ name: column }) => column), of: shape.name });
        shape = await firstShape(place.table, files, target.engine, options, shape);
      } else byRecord.add(cause.file);
    }
  }
  options.onStep?.('filled');
  const sha256 = (await Promise.all(contents.values())).map((read) => read.sha256);
  if (options.again !== true) refuseRepeated(manifest, place.table, opened, sha256, replace);
  throwIfAborted(options.signal);

  const rows = loaded.reduce((sum, file) => sum + file.rows, 0);
  const made = existing === undefined;
  const before = appended?.rows ?? 0;
  const badLines = loaded.reduce((sum, file) => sum + file.badLines.count, 0);
  const isNothing = rows === 0 && !replace && (appended !== undefined || badLines > 0);
  if (isNothing || badLines > (options.mostBadLines ?? 0)) {
    await recover(target.dir, target.engine);
    const table = appended ?? { ...shape, uuid: '', rows: 0 };
    return { table, load: undefined, made: false, files: loaded.map((file) => ({ ...file, rows: 0 })), rows: 0 };
  }
  if (appended !== undefined) {
    if (shape === appended) await gather(target.engine, place);
    else await gatherWidened(target.engine, place, appended, shape);
  }
  const onStep = options.onStep ?? (() => undefined);
  onStep('gathered');
  const id = randomUUID();
  const loadedAt = new Date().toISOString();
  const records = loaded.map(
    (file, i): LoadRecord => ({
      id,
      number: loading.load,
      source: place.table,
      ...(replace ? { replaced: true } : {}),
      file: file.name,
      format: file.format,
      sha256: sha256[i] ?? '',
      rows: file.rows,
      badLines: file.badLines.count,
      loadedAt,
    }),
  );
  const { name: shown, columns, orderBy, partitionBy } = shape;
  const facts = { name: shown, columns, orderBy, ...(partitionBy === undefined ? {} : { partitionBy }) };
  const tableFor = (uuid: string): StoredTable => ({ ...facts, uuid, rows: before + rows });
  await commitLoad(target, place, (uuid) => withTable(manifest, tableFor(uuid), records, replace), onStep);
  target.reread();
  return { table: tableFor(''), load: loading.load, made, files: loaded, rows };
}

/** Throws QuernError `usage` for a file that has no such lines. */
function textForm(file: EngineFile, { delimiter, header = true, skipLeadingRows }: TableLoadOptions): TextForm {
  const flag = !header ? '--no-header' : skipLeadingRows !== undefined ? '--skip-leading-rows' : delimiter && '--delimiter';
  if (flag !== undefined && !TEXT_FORMATS.includes(file.format)) {
    throw new QuernError('usage', `${flag} only applies to CSV and TSV, and ${file.name} is ${FORMATS[file.format].label}`, {
      hint: 'leave out the flag, or add --format csv',
    });
  }
  const named = header && skipLeadingRows !== 0;
  const skip = skipLeadingRows ?? (named ? 1 : 0);
  return {
    delimiter: delimiter ?? (file.format === 'tsv' ? '\t' : delimiterOf(file, named ? skip - 1 : skip)),
    skip,
    header: named,
    surely: skipLeadingRows !== undefined,
  };
}

/** As a query over the file finds it: what divides the values of its first line, lines above not counted. */
function delimiterOf({ head }: EngineFile, above: number): string {
  const line = head.split('\n', above + 1)[above]?.replace(/\r$/, '') ?? '';
  const divides = (delimiter: string): boolean => {
    try {
      return readCells(line, delimiter).length > 1;
    } catch {
      return false; // told where the line is read
    }
  };
  return DELIMITERS.find(divides) ?? ',';
}

/** For the columns of files without a header. */
function givenNames(table: StoredTable | undefined, { schema }: TableLoadOptions): GivenNames | undefined {
  const columns = table?.columns ?? schema;
  return columns === undefined ? undefined : { names: columns.map(({ name }) => name), of: table?.name ?? '--schema' };
}

/** Thrown where the engine cannot read a file alone. */
class NotWhole extends Error {
  readonly file: EngineFile;
  /** Lines of JSON are at fault that are no objects, or so it seems: other columns would not help. */
  readonly isOfLines: boolean;
  constructor(file: EngineFile, cause: unknown) {
    super(`${file.name} has a value that does not fit`, { cause });
    this.file = file;
    this.isOfLines = isJson(file) && cause instanceof QuernError && !`${cause.message} ${String(cause.cause)}`.includes(NO_FIT);
  }
}

/** Thrown where texts that nobody has looked at are not all UTF-8. */
class NotUtf8 extends Error {
  readonly file: EngineFile;
  constructor(file: EngineFile) {
    super(`${file.name} is not UTF-8`);
    this.file = file;
  }
}

/**
 * Fills an empty staging table, of the files in `byRecord` record by record. Throws NotWhole where another must be read so, and NotUtf8 where texts of another
 * than those in `notUtf8` must be looked at.
 */
async function stage(
  { target, place, folder, options, contents, load, guessed }: Loading,
  shape: TableShape,
  files: readonly FoundFile[],
  byRecord: ReadonlySet<EngineFile>,
  notUtf8: ReadonlySet<EngineFile>,
): Promise<readonly LoadedFile[]> {
  const { engine } = target;
  const { signal } = options;
  const into = stagingOf(place);
  const { columns } = shape;
  await beginLoad(target, place, createOwnTableSql(shape, into), options.onStep ?? (() => undefined));
  const loaded: LoadedFile[] = [];
  let before = 0;
  for (const { file, found, form } of files) {
    throwIfAborted(signal);
    let structs: readonly string[] = [];
    const bad = collectBadLines(options.keptBadLines ?? 20);
    const there = fitColumns(file, found, shape);
    if (isJson(file) || TEXT_FORMATS.includes(file.format)) {
      const header = there.map(({ name }) => name);
      const ignoreUnknown = options.ignoreUnknown === true;
      // Looking at the file once, as it is read for its hash, takes less than looking at each value.
      const known = { utf8: file.mayBeUtf8 && !notUtf8.has(file), forms: formsIn(file.head) };
      const text: TextInsert = { engine, file, columns, header, form, known, guessed, ignoreUnknown, into, load, folder, signal };
      if (byRecord.has(file) || !readsWhole(text) || (!isJson(file) && (await file.mayEndQuoted()))) {
        await insertRecords(text, bad).catch((cause: unknown) => {
          throw cause instanceof Misfit ? new NotWhole(file, cause) : cause;
        });
      } else {
        await insertWhole(text).catch((cause: unknown) => notWhole(file, cause));
        if (known.utf8 && (await contents.get(file))?.utf8 !== true) throw new NotUtf8(file);
      }
    } else {
      const { insertTyped } = await import('./insert-typed.ts');
      await insertTyped({ engine, file, columns, found: there, into, load, signal });
      structs = there.flatMap(({ structsOfNulls = [] }) => structsOfNulls);
    }
    const rows = (await rowsOf(engine, place, place.staging)) ?? 0;
    const { count, first } = bad.report;
    const badLines = { count, first: [...first].sort((a, b) => a.line - b.line) };
    loaded.push({ name: file.name, format: file.format, rows: rows - before, badLines, structsOfNulls: structs });
    before = rows;
  }
  return loaded;
}

function notWhole(file: EngineFile, cause: unknown): never {
  if (isUndecodable(cause)) throw explained(file, cause);
  throw isOfData(cause) ? new NotWhole(file, cause) : cause;
}

function checkAppend(table: StoredTable, { schema, orderBy, partitionBy }: TableLoadOptions): void {
  const hint = 'leave out the flag, or recreate the table with --replace';
  if (orderBy !== undefined || partitionBy !== undefined)
    throw new QuernError(
      'usage',
      `the table ${table.name} already exists, with its own ${orderBy === undefined ? 'partitions' : 'order'}`,
      { hint },
    );
  for (const { name, type } of schema ?? []) {
    const column = table.columns.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (column === undefined) throw new QuernError('usage', `the table ${table.name} already exists, and has no column ${name}`, { hint });
    if (JSON.stringify(column.type) !== JSON.stringify(type))
      throw new QuernError('usage', `the table ${table.name} already exists, and its column ${name} has another type`, { hint });
  }
}

function refuseRepeated(
  manifest: Manifest,
  table: string,
  files: readonly EngineFile[],
  hashes: readonly string[],
  replace: boolean,
): void {
  for (const [i, sha256] of hashes.entries()) {
    const name = files[i]?.name ?? '';
    const twin = hashes.indexOf(sha256);
    if (twin < i)
      throw new QuernError('load', `${name} has the same content as ${files[twin]?.name ?? ''}`, {
        hint: 'nothing was loaded; use --again to load both',
      });
    const earlier = replace ? undefined : manifest.loads.find((load) => load.source === table && load.sha256 === sha256);
    if (earlier === undefined) continue;
    const as = earlier.file === name ? '' : ` as ${earlier.file}`;
    throw new QuernError(
      'load',
      `${name} was loaded into ${table} before${as}, at ${earlier.loadedAt} (${formatCount(earlier.rows, 'row')})`,
      {
        hint: 'nothing was loaded; use --again to load it a second time, or --replace to recreate the table from it',
      },
    );
  }
}
