// Loads files into a table of the user's own: all of them or nothing, what cannot be read kept out and told.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { throwIfAborted } from '../../engine/cancellation.ts';
import { QuernError } from '../../errors.ts';
import { formatCount } from '../../quantity.ts';
import { isUndecodable } from '../../sources/files/file-trouble.ts';
import { type FileFormat, FORMATS } from '../../sources/files/formats.ts';
import type { StoredTable, TableShape } from '../../sources/loaded/stored-table.ts';
import { findLogSource } from '../../sources/log/log-sources.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { type BadLines, collectBadLines } from '../bad-lines.ts';
import { beginLoad, commitLoad, gather, type OnStep, recover, rowsOf } from '../journal.ts';
import { explain, type LoadTarget } from '../load.ts';
import { type LoadRecord, type Manifest, nextLoad, tableNamed, withTable } from '../manifest.ts';
import { type Place, stagingOf, tablePlace } from '../place.ts';
import { firstShape, fitColumns, gatherWidened } from './columns.ts';
import { calledAs, describeFile, type FoundFile, isCsv, isJson, type TextFlags } from './described-file.ts';
import { type Contents, type EngineFile, openEngineFile } from './engine-file.ts';
import { insertFile, isOfUtf8 } from './insert-file.ts';
import { insertRecords } from './insert-records.ts';
import { insertObjects, insertWhole, Misfit, NO_FIT, readsWhole, type TextInsert, TooNarrow } from './insert-text.ts';
import { checkTableName, createOwnTableSql, type ShapeWishes, widened } from './shape.ts';
import { explained, isOfData } from './trouble.ts';
import { formsIn } from './usual-times.ts';

export interface TableLoadOptions extends ShapeWishes, TextFlags {
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
  if (appended !== undefined) checkAppend(appended, options);
  for (const file of opened) checkFlags(file, options);
  const describe = (file: EngineFile, schema: readonly DeclaredColumn[], byAllRows: boolean): Promise<FoundFile> =>
    describeFile(file, { engine: target.engine, flags: options, schema, byAllRows, folder });
  const find = async (byAllRows: boolean, guess?: TableShape): Promise<readonly FoundFile[]> => {
    const files: FoundFile[] = [];
    for (const file of opened) {
      const described = await describe(file, appended?.columns ?? options.schema ?? [], byAllRows);
      // Columns that nobody has named are called as those of the first file were.
      const found = calledAs(described.found, guess?.columns ?? files[0]?.found ?? []);
      files.push({ ...described, found });
    }
    return files;
  };
  /** The files as they are read where the types of columns are those of the table. */
  const fitted = (files: readonly FoundFile[], shape: TableShape): Promise<readonly FoundFile[]> =>
    Promise.all(files.map((one) => (isJson(one.file) || isOfTypes(one, shape) ? one : describe(one.file, shape.columns, false))));

  const loading: Omit<Loading, 'guessed'> = { target, place, folder, options, contents, load: nextLoad(manifest) };
  const first = await find(false);
  let shape: TableShape = appended ?? (await firstShape(place.table, first, target.engine, options));
  let files = await fitted(first, shape);
  /** Whether the types are those of the first rows. */
  let guessed = appended === undefined;
  const byRecord = new Set<EngineFile>();
  const notUtf8 = new Set<EngineFile>();
  let loaded: readonly LoadedFile[] | undefined;
  while (loaded === undefined) {
    try {
      loaded = await stage({ ...loading, guessed }, shape, files, byRecord, notUtf8);
    } catch (cause) {
      if (cause instanceof NotUtf8) (isJson(cause.file) ? notUtf8 : byRecord).add(cause.file);
      else if (cause instanceof TooNarrow) shape = widened(shape, cause.columns);
      else if (!(cause instanceof NotWhole)) throw cause;
      else if (guessed && cause.isOfLines && !byRecord.has(cause.file)) byRecord.add(cause.file);
      else if (guessed) {
        guessed = false;
        byRecord.clear();
        const whole = await find(true, shape);
        const guess = shape;
        shape = await firstShape(place.table, whole, target.engine, options, guess);
        files = await fitted(whole, shape);
        if (JSON.stringify(shape) === JSON.stringify(guess)) byRecord.add(cause.file);
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

/** Whether queries give the columns of the file the types that they have in the table. */
const isOfTypes = ({ found }: FoundFile, { columns }: TableShape): boolean =>
  found.every(({ name, type }) => {
    const wanted = columns.find((column) => column.name.toLowerCase() === name.toLowerCase())?.type;
    return wanted === undefined || JSON.stringify(type) === JSON.stringify(wanted);
  });

/** Throws QuernError `usage` for a file that has no such lines. */
function checkFlags(file: EngineFile, { delimiter, header = true, skipLeadingRows }: TextFlags): void {
  const flag = !header ? '--no-header' : skipLeadingRows !== undefined ? '--skip-leading-rows' : delimiter && '--delimiter';
  if (flag === undefined || isCsv(file)) return;
  throw new QuernError('usage', `${flag} only applies to CSV and TSV, and ${file.name} is ${FORMATS[file.format].label}`, {
    hint: 'leave out the flag, or add --format csv',
  });
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
  for (const { file, found, description } of files) {
    throwIfAborted(signal);
    const bad = collectBadLines(options.keptBadLines ?? 20);
    const there = fitColumns(file, found, shape);
    // Looking at the file once, as it is read for its hash, takes less than looking at each value.
    const isUtf8 = file.mayBeUtf8 && !notUtf8.has(file);
    const isByRecord = byRecord.has(file) || (isCsv(file) && (await file.mayEndQuoted()));
    if (isJson(file)) {
      const known = { utf8: isUtf8, forms: formsIn(file.head) };
      const ignoreUnknown = options.ignoreUnknown === true;
      const text: TextInsert = { engine, file, columns, known, guessed, ignoreUnknown, into, load, folder, signal };
      if (isByRecord || !readsWhole(text)) {
        await insertObjects(text, bad).catch((cause: unknown) => {
          throw cause instanceof Misfit ? new NotWhole(file, cause) : cause;
        });
      } else await insertWhole(text).catch((cause: unknown) => notWhole(file, cause));
    } else {
      const insert = { engine, file, description, columns, found: there, isUtf8: isCsv(file) && isUtf8, into, load, folder, signal };
      if (isByRecord) await insertRecords(insert, bad.add);
      else
        await insertFile(insert).catch((cause: unknown) => {
          if (isCsv(file)) throw isOfUtf8(cause) ? new NotUtf8(file) : notWhole(file, cause);
          throw isOfUtf8(cause) ? notText(file, columns, cause) : explained(file, cause);
        });
    }
    const isTyped = !isJson(file) && !isCsv(file);
    if (isUtf8 && !isTyped && !isByRecord && (await contents.get(file))?.utf8 !== true) throw new NotUtf8(file);
    const structs = there.flatMap(({ structsOfNulls = [] }) => structsOfNulls);
    const rows = (await rowsOf(engine, place, place.staging)) ?? 0;
    const { count, first } = bad.report;
    const badLines = { count, first: [...first].sort((a, b) => a.line - b.line) };
    loaded.push({ name: file.name, format: file.format, rows: rows - before, badLines, structsOfNulls: structs });
    before = rows;
  }
  return loaded;
}

const notText = ({ name }: EngineFile, columns: readonly DeclaredColumn[], cause: unknown): QuernError =>
  new QuernError('load', `${name} has bytes that are not UTF-8 in a text column`, {
    hint: `nothing was loaded; declare the column as BYTES, such as --schema ${columns.find(({ type }) => type.kind === 'STRING')?.name ?? 'name'}:BYTES`,
    cause,
  });

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
