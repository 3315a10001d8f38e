// Asks the engine what is in files: their columns, and what each holds.

import { QuernError } from '../../base/errors.ts';
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import { readType as readStoredType } from '../../clickhouse/type.ts';
import { markedEncoding } from '../../files/encoding.ts';
import type { Type } from '../../sql/base/types.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import { typeOfStored } from '../loaded/stored-table.ts';
import type { DeclaredColumn } from '../table-schema.ts';
import type { FilesDefinition } from './definition.ts';
import { describeText } from './describe-text.ts';
import { declaredBy, describeTyped, type TypedFiles } from './describe-typed.ts';
import type { Ask, Described, FilesDescription } from './description.ts';
import { DESCRIBING, type EngineFiles, fileFunction, type LookedAt, localFiles, settingsText } from './engine-files.ts';
import { engineText, isUndecodable } from './file-trouble.ts';
import { FORMATS, isCompressed, JSON_FORMATS, TEXT_FORMATS } from './formats.ts';
import { isPattern } from './glob.ts';
import { partitionsOf } from './hive.ts';
import type { ListedFile } from './list-files.ts';
import { readType, viewOfNested } from './nested-text.ts';
import { takesOption } from './options.ts';
import { type RemoteFiles, remoteFile } from './remote.ts';
import { checkColumns, checkLines, mayHaveLongLines } from './sensible.ts';
import { formsAmong, SAMPLE_ROWS, storedScalar, textClass, typeOfClasses } from './text-class.ts';

/**
 * `schema` is what the project says of columns, `records` names those that hold the records of log events. Throws what `ask` throws, and QuernError `config` where
 * nothing can be found out.
 */
export async function describeFiles(
  definition: FilesDefinition,
  schema: readonly DeclaredColumn[],
  files: readonly ListedFile[] | RemoteFiles,
  records: readonly string[],
  ask: Ask,
): Promise<FilesDescription> {
  const { format } = definition;
  const looked = 'kind' in files ? await atAddress(files, definition, ask) : onDisk(files);
  await checkFirstLines(format, files, looked, ask);
  if (takesOption(format, 'encoding')) await checkMark(looked, definition.byUser === true, ask);
  const describeColumns = () => {
    if (TEXT_FORMATS.includes(format)) return describeText(definition, schema, looked, ask);
    if (JSON_FORMATS.includes(format)) return describeJson(definition, schema, looked, records, ask);
    return describeTyped(format, schema, typedFiles(looked), ask);
  };
  const known = withoutRows(definition, schema, files) ?? (await describeColumns());
  const partitions = definition.hivePartitions ? partitionsOf(looked.names) : [];
  for (const { name } of partitions) {
    const column = known.columns.find((one) => sameName(one.name, name));
    if (column !== undefined)
      throw new QuernError('config', `the files have a column ${column.name}, and their folders are named ${name}=…`, {
        hint: 'leave out hive_partitions to read the column of the files, or rename the folders',
      });
  }
  return {
    ...known,
    texts: takesOption(format, 'encoding') ? textsOf(known, schema) : bytesAmong(format, known, schema),
    declared: known.declared.filter(({ name }) => !records.includes(name)),
    partitions,
  };
}

/** The columns of text files without a single byte, where a schema says them; undefined for others. */
function withoutRows(
  { format }: FilesDefinition,
  schema: readonly DeclaredColumn[],
  files: readonly ListedFile[] | RemoteFiles,
): Described | undefined {
  const isText = TEXT_FORMATS.includes(format) || JSON_FORMATS.includes(format);
  if (!isText || 'kind' in files || schema.length === 0 || !schema.every(isPlain) || files.some(({ bytes }) => bytes > 0)) return undefined;
  return {
    format: TEXT_FORMATS.includes(format) ? 'CSV' : FORMATS[format].engine,
    settings: DESCRIBING,
    columns: schema.map(({ name, type }) => ({ name, type: storedFor(type, TEXT), ...(type.kind === 'BYTES' ? { written: true } : {}) })),
    declared: [],
  };
}

const isPlain = ({ type }: DeclaredColumn): boolean => !['ARRAY', 'STRUCT', 'RECORD'].includes(type.kind);

/** Columns with texts that queries see as they are, or as JSON. Others are read by casts, which refuse what is not UTF-8. */
function textsOf({ columns, declared }: Described, schema: readonly DeclaredColumn[]): readonly string[] {
  const said = [...schema, ...declared];
  return columns.flatMap(({ name, type }) => {
    const kind = said.find((one) => sameName(one.name, name))?.type.kind ?? 'STRING';
    const isCast = type === TEXT && kind !== 'STRING' && kind !== 'JSON';
    return isCast || !type.includes('String') ? [] : [name];
  });
}

/** Columns of files with types that may hold other bytes than those of texts: Parquet alone says which are texts. */
function bytesAmong(format: FilesDefinition['format'], { columns }: Described, schema: readonly DeclaredColumn[]): readonly string[] {
  const stored = format === 'parquet' ? 'FixedString' : 'String';
  const isText = ({ name }: TableColumn): boolean => schema.every((one) => !sameName(one.name, name) || one.type.kind === 'STRING');
  return columns.filter((column) => column.type.includes(stored) && column.unread === undefined && isText(column)).map(({ name }) => name);
}

/** Of the first files: the columns of CSV are found in the first one alone. */
async function checkFirstLines(
  format: FilesDefinition['format'],
  files: readonly ListedFile[] | RemoteFiles,
  { first, names }: LookedAt,
  ask: Ask,
): Promise<void> {
  if (format !== 'ndjson' && !TEXT_FORMATS.includes(format)) return;
  const line = [{ name: 'line', type: 'String' }];
  if ('kind' in files) {
    const [name = ''] = names;
    if (isCompressed(name)) await checkLines('config', name, fileFunction(first, LINES_FORMAT, line), ask);
    return;
  }
  for (const file of files.slice(0, TEXT_FORMATS.includes(format) ? 1 : MOST_CHECKED)) {
    if (mayHaveLongLines(file.bytes, isCompressed(file.path)))
      await checkLines('config', file.path, fileFunction(localFiles([file]), LINES_FORMAT, line), ask);
  }
}

/** Throws QuernError `config` for text that begins with the byte order mark of UTF-16. Of several files the first is looked at. */
async function checkMark({ first, names: [name = ''] }: LookedAt, byUser: boolean, ask: Ask): Promise<void> {
  const line = fileFunction(first, LINES_FORMAT, [{ name: 'line', type: 'String' }]);
  const [[head = ''] = []] = await ask(`SELECT hex(substring(line, 1, 2)) FROM ${line} LIMIT 1 SETTINGS ${settingsText(DESCRIBING)}`);
  const marked = markedEncoding(Buffer.from(String(head), 'hex'));
  if (marked !== undefined)
    throw new QuernError('config', `${name} is ${marked}, not UTF-8`, {
      hint: `name its encoding: ${byUser ? '--encoding' : 'encoding:'} UTF-16`,
    });
}

/** A question for each of many files would take as long as all the others. */
const MOST_CHECKED = 16;

const LINES_FORMAT = 'LineAsString';

function onDisk(files: readonly ListedFile[]): LookedAt {
  // A file of no bytes has no rows; formats with a frame are not read from one.
  const filled = files.filter(({ bytes }) => bytes > 0);
  const read = filled.length === 0 ? files : filled;
  return { all: localFiles(read), first: localFiles(read.slice(0, 1)), several: read.length > 1, names: files.map(({ path }) => path) };
}

async function atAddress(files: RemoteFiles, { patterns }: FilesDefinition, ask: Ask): Promise<LookedAt> {
  if (files.kind === 'url' || !patterns.some(isPattern)) return { all: files, first: files, several: false, names: patterns };
  // In this format a file is one row, and nothing of it is read.
  const rows = await ask(`SELECT DISTINCT _path FROM ${fileFunction(files, 'One')} ORDER BY _path SETTINGS ${settingsText(DESCRIBING)}`);
  const names = rows.map(([path]) => String(path));
  const [first] = names;
  if (first === undefined) throw new QuernError('config', `no file matches ${patterns.join(', ')}`);
  return { all: files, first: remoteFile(files, first), several: names.length > 1, names };
}

/** The files for describeTyped. */
const typedFiles = ({ all, first, several }: LookedAt): TypedFiles => ({
  all: (format) => fileFunction(all, format),
  first: (format) => fileFunction(first, format),
  several,
  label: 'paths' in all ? (all.paths[0] ?? '') : (all.args[0] ?? ''),
});

async function described(ask: Ask, files: EngineFiles, format: string, settings: FilesDescription['settings']) {
  const rows = await ask(`DESCRIBE TABLE ${fileFunction(files, format)} SETTINGS ${settingsText(settings)}`);
  // The engine reads no field without a name, and tells of one only when it is asked again.
  const columns = rows.flatMap(([name, type]): readonly TableColumn[] => (name === '' ? [] : [{ name: String(name), type: String(type) }]));
  checkColumns('config', 'paths' in files ? (files.paths[0] ?? '') : (files.args[0] ?? ''), columns);
  return columns;
}

/** Text that looks like a date is a text, until the values are looked at; what is not declared is not guessed at. */
const AS_WRITTEN = {
  ...DESCRIBING,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  schema_inference_make_columns_nullable: 1,
};

const ALL_ROWS = {
  input_format_max_rows_to_read_for_schema_inference: 1_000_000_000,
  input_format_max_bytes_to_read_for_schema_inference: 1_000_000_000_000,
} as const;

async function describeJson(
  { format: fileFormat }: FilesDefinition,
  schema: readonly DeclaredColumn[],
  files: LookedAt,
  records: readonly string[],
  ask: Ask,
): Promise<Described> {
  const format = FORMATS[fileFormat].engine;
  // What is said need not be found, and records of log events are read as they are written, by their layout.
  const known = [
    ...records.map((name) => ({ name, type: TEXT })),
    ...schema.filter(isPlain).map(({ name, type }) => ({ name, type: storedFor(type, TEXT) })),
  ];
  const { found, mixed } = await describedMixed(format, files, { known, allRows: false }, ask).catch(async (error: unknown) => {
    if (!('paths' in files.all) || !(error instanceof QuernError) || isUndecodable(error)) throw error;
    const { withoutLongDigits } = await import('./long-digits.ts');
    return withoutLongDigits(files, fileFormat, ask, (all) =>
      describedMixed(format, { ...files, all, several: false }, { known, allRows: true }, ask),
    ).catch(() => Promise.reject(error));
  });
  const texts = found.filter(
    ({ name, type }) => type === TEXT && !isSaid(schema, name) && !records.includes(name) && !mixed.includes(name),
  );
  const values = await valuesAmong(texts, files.first, format, ask);
  // What is said may stand in later objects, or in none: it is NULL where it is absent.
  const absent = schema.filter(({ name }) => !found.some((one) => sameName(one.name, name)));
  const columns = [...found, ...absent.map(({ name }) => ({ name, type: TEXT }))].map(({ name, type }): TableColumn => {
    const said = schema.find((one) => sameName(one.name, name));
    const own = said ?? values.find((one) => one.name === name);
    // ClickHouse reads digits beyond INT64 as another number.
    const stored = own === undefined ? type.replaceAll(/\bU?Int64\b/g, 'Int128') : storedFor(readType(own.type), type);
    return { name, type: stored, ...(said?.type.kind === 'BYTES' ? { written: true } : {}) };
  });
  const whole = found.flatMap(({ name, type }) => {
    const declared = isSaid(schema, name) ? undefined : declaredBy(readStoredType(type), { integers: true, local: false });
    return declared === undefined ? [] : [{ name, type: declared }];
  });
  const clocks = values.filter(({ type }) => type.kind === 'TIMESTAMP').map(({ name }) => name);
  const forms = await formsAmong(clocks, fileFunction(files.first, format, texts), settingsText(DESCRIBING), ask);
  return { format, settings: {}, columns, view: viewOfNested(columns, schema), declared: [...whole, ...values], forms };
}

const TEXT = 'Nullable(String)';

/**
 * The columns, and which of them have no type of BigQuery's, so that they are texts of JSON: objects in one row and lists or values in another, of which the engine names one
 * column at a time, lists of several types, and lists of lists.
 */
async function describedMixed(
  format: string,
  files: LookedAt,
  { known, allRows }: { readonly known: readonly TableColumn[]; readonly allRows: boolean },
  ask: Ask,
) {
  // All files at once, or columns that the first lacks would be missed.
  const mode = { schema_inference_mode: files.several ? 'union' : 'default' };
  const settings = { ...AS_WRITTEN, ...mode, ...(allRows ? ALL_ROWS : {}) };
  for (const mixed: string[] = []; ; ) {
    const hints = [...known, ...mixed.map((name) => ({ name, type: TEXT }))]
      .map(({ name, type }) => `${quoteIdentifier(name)} ${type}`)
      .join(', ');
    try {
      const found = await described(ask, files.all, format, hints === '' ? settings : { ...settings, schema_inference_hints: hints });
      const others = found.filter((column) => column.type.includes('Dynamic') || 'unread' in typeOfStored(column)).map(({ name }) => name);
      return {
        found: found.map((column) => (others.includes(column.name) ? { ...column, type: TEXT } : column)),
        mixed: [...mixed, ...others],
      };
    } catch (error) {
      const column = /for column '(.+?)' in row \d+ differs from type/.exec(error instanceof QuernError ? engineText(error) : '')?.[1];
      if (column === undefined || mixed.includes(column)) throw error;
      mixed.push(column);
    }
  }
}

/** Columns of text whose values, as far as they were looked at, are all dates, all times, or numbers among which some are written as texts: NaN. */
async function valuesAmong(
  columns: readonly TableColumn[],
  files: EngineFiles,
  format: string,
  ask: Ask,
): Promise<readonly DeclaredColumn[]> {
  if (columns.length === 0) return [];
  const classes = columns.map(({ name }) => `groupUniqArray(${textClass(quoteIdentifier(name))})`).join(', ');
  const sample = `SELECT * FROM ${fileFunction(files, format, columns)} LIMIT ${SAMPLE_ROWS} SETTINGS ${settingsText(DESCRIBING)}`;
  const [row = []] = await ask(`SELECT ${classes} FROM (${sample})`);
  return columns.flatMap(({ name }, i) => {
    const classes = row[i] as readonly string[];
    const type = typeOfClasses(classes);
    return TIMES.includes(type.kind) || (type.kind === 'FLOAT64' && classes.includes('special')) ? [{ name, type }] : [];
  });
}

const TIMES: readonly Type['kind'][] = ['DATE', 'TIME', 'TIMESTAMP'];

/** How a value of JSON is read that is declared to be of `type`, where `found` is what it seemed to be. */
function storedFor(type: Type, found: string): string {
  switch (type.kind) {
    case 'ARRAY':
      return `Array(${storedFor(type.element, found)})`;
    case 'STRUCT':
      return `Nullable(Tuple(${type.fields.map(({ name, type: field }) => `${quoteIdentifier(name ?? '')} ${storedFor(field, TEXT)}`).join(', ')}))`;
    case 'RECORD':
      return found.replaceAll(/\bU?Int64\b/g, 'Int128');
    default:
      return storedScalar(type);
  }
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const isSaid = (schema: readonly DeclaredColumn[], name: string): boolean => schema.some((one) => sameName(one.name, name));
