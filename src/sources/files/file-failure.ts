// The failure of a query over files, told of the file: of text with the line, as an editor counts lines.
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import { ERRORS } from '../../clickhouse/errors.ts';
import { sqlPieces } from '../../clickhouse/lexer.ts';
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import { namedCompression } from '../../files/compression.ts';
import { NOT_JSON } from '../../sql/layouts/index.ts';
import { quoted, selectFrom } from '../loaded/stored-select.ts';
import { typeOfStored } from '../loaded/stored-table.ts';
import type { DeclaredColumn } from '../table-schema.ts';
import { copyRecipe } from './copy-recipe.ts';
import { NOT_CLOSED } from './csv-records.ts';
import type { FilesDefinition } from './definition.ts';
import { type Ask, type FilesDescription, shownFacts } from './description.ts';
import { DESCRIBING, fileFunction, localFiles, settingsText } from './engine-files.ts';
import { type FailingRow, failingRow, lineNotClosed, lineNotUtf8, lineOf } from './failing-row.ts';
import { bytesInText, engineText, type FileTrouble, fileTrouble, findTrouble } from './file-trouble.ts';
import type { FileView } from './file-view.ts';
import { FORMATS, JSON_FORMATS, TEXT_FORMATS } from './formats.ts';
import type { ListedFile } from './list-files.ts';
import { takesOption } from './options.ts';
import { formOf, type RecordForm } from './records.ts';
import { asRecords, isOfData } from './unreadable-records.ts';
import { NOT_UTF8 } from './utf8-view.ts';
import { wrongValues } from './wrong-values.ts';

/** Files on this machine that a query reads. */
interface FailedFiles {
  readonly definition: FilesDefinition;
  readonly view: FileView;
  /** What is said of columns. */
  readonly schema: readonly DeclaredColumn[];
  /** Undefined where the files could not be described. */
  readonly description: FilesDescription | undefined;
}

/** How rows are read from one of the files. */
interface Reading extends FailedFiles {
  readonly form: RecordForm;
  /** Columns, in GoogleSQL. */
  readonly names: readonly string[];
  /** It is in this file that a row cannot be read. */
  readonly isSure: boolean;
}

interface Context {
  readonly files: readonly FailedFiles[];
  /** How people know a path. */
  readonly shown: (path: string) => string;
  readonly address?: string | undefined;
  readonly addresses?: readonly string[];
  /** The query, where it is one over the files that has failed. */
  readonly sql?: string;
  readonly ask: Ask;
  /** The cache's folder, where files are unpacked. */
  readonly folder: string;
}

/** Undefined for a failure that is not about a file. Never throws. */
export async function fileFailure(error: unknown, context: Context): Promise<QuernError | undefined> {
  const { files, shown, address, addresses = [] } = context;
  if (error instanceof QuernError && engineText(error).includes(NOT_UTF8)) return (await notUtf8(context)) ?? textsOf(addresses);
  const trouble = findTrouble(error, { address, addresses });
  if (trouble === undefined && !isOfColumn(error)) return undefined;
  for (const one of files) {
    const row = await badRow(one, trouble, context);
    if (row !== undefined) return row;
  }
  return fileTrouble(error, shown, { address, addresses });
}

/** Whether a check may have failed with which columns are read: one that stands for nothing in the text of the query, that of JSON, or that of integers, whose place may be that of another column. */
const isOfColumn = (error: unknown): boolean =>
  error instanceof QuernError &&
  error.details.rejected?.parameter === undefined &&
  (error.details.span === undefined || error.message.includes(NOT_JSON) || error.details.engineCode === ERRORS.value.CANNOT_CONVERT_TYPE);

/** The first row that is none, or that cannot be read in a column that the query names; undefined where nobody can say. Never throws. */
async function badRow(one: FailedFiles, trouble: FileTrouble | undefined, context: Context): Promise<QuernError | undefined> {
  const { definition, view, schema, description } = one;
  const { format } = definition;
  // Files are described without a word about which row it is that cannot be read.
  const isOfRow = trouble === undefined ? description !== undefined : trouble.row !== undefined || format === 'ndjson';
  if (!takesOption(format, 'encoding') || !isOfRow) return undefined;
  const named = new Set(sqlPieces(context.sql ?? ''));
  const columns = (description === undefined ? [] : shownFacts(description).columns).flatMap(({ name, type }) => {
    const said = [...schema, ...(description?.declared ?? [])].find((each) => each.name.toLowerCase() === name.toLowerCase());
    const read = typeOfStored({ name, type }, said?.type);
    return named.has(quoteIdentifier(name)) && 'type' in read ? [{ name, fileName: name, type: read.type }] : [];
  });
  const form = givenForm(definition, description);
  const how = { isJson: JSON_FORMATS.includes(format), mostRows: 1 };
  for (const file of view.files.filter(({ path }) => trouble === undefined || trouble.path === path)) {
    const values = description && wrongValues({ files: localFiles([file]), description, ...how }, columns, context.ask);
    const [[row, wrong] = []] = (await values?.catch(() => undefined)) ?? [];
    const find = async (path: string): Promise<FailingRow | undefined> => {
      const line = row === undefined ? undefined : await lineOf(path, form, row);
      if (line !== undefined && wrong !== undefined) return { line, ...wrong };
      return unreadableRow(path, { ...one, form, names: columns.map(({ name }) => quoted(name)), isSure: trouble !== undefined }, context);
    };
    const found = await readPlain(file, find, context).catch(() => undefined);
    if (found === undefined) continue;
    const { line, why, schema: declared } = found;
    const details =
      declared === undefined ? trouble?.details : { hint: `fix that line of the file, or declare its column: \`schema: ${declared}\`` };
    // Not the text of the row: those who may run the query may not be meant to see other columns.
    return new QuernError('data', `${context.shown(file.path)}:${line}: ${why}`, details ?? { hint: 'fix that line of the file' });
  }
  return undefined;
}

/** The first row of the file at `path` that is none, or from which the engine cannot read the columns called `names`. */
async function unreadableRow(path: string, reading: Reading, { ask, folder }: Context): Promise<FailingRow | undefined> {
  const { definition, description, schema, names, form, isSure } = reading;
  const read = async (from: string, described: FilesDescription | undefined): Promise<void> => {
    const files = { paths: [from], unpacked: true } as const;
    if (described === undefined && TEXT_FORMATS.includes(definition.format)) return;
    const { sql, settings } =
      described === undefined
        ? { sql: `SELECT * FROM ${fileFunction(files, FORMATS[definition.format].engine)}`, settings: DESCRIBING }
        : selectFrom(files, described, schema, names.length === 0 ? ['1'] : names);
    await ask(`SELECT count() FROM (${sql}) WHERE NOT ignore(*) SETTINGS ${settingsText(settings)}`);
  };
  const isRead = (): Promise<boolean> =>
    read(path, description).then(
      () => true,
      (cause: unknown) => !isOfData(cause),
    );
  if (!isSure && (await isRead())) return undefined;
  const made = await mkdtemp(join(folder, 'line-'));
  try {
    const few = join(made, 'records');
    return await failingRow(path, form, async (records) => {
      await writeFile(few, records.map(({ text }) => `${text}\n`).join(''));
      await read(few, description && asRecords(description));
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Where the first text is that is not UTF-8; undefined where nobody can say. Never throws. */
export async function notUtf8(context: Context): Promise<QuernError | undefined> {
  for (const { definition, view } of context.files) {
    if (!takesOption(definition.format, 'encoding')) continue;
    for (const file of view.files) {
      const line = await readPlain(file, (path) => lineNotUtf8(createReadStream(path)), context).catch(() => undefined);
      if (line === undefined) continue;
      const hint = definition.byUser
        ? 'fix that line, or name the encoding of the file, such as --encoding ISO-8859-1'
        : 'fix that line, or name the encoding of the file, such as encoding: ISO-8859-1';
      return new QuernError('data', `${context.shown(file.path)}:${line}: not UTF-8`, { hint });
    }
  }
  const typed = context.files.find(
    ({ definition: { format }, description }) => !takesOption(format, 'encoding') && description?.texts?.length,
  );
  const [file] = typed?.view.files ?? [];
  if (file === undefined) return undefined;
  const hint = `declare the column as BYTES in quern.yaml, such as schema: ${typed?.description?.texts?.[0]}:BYTES`;
  return new QuernError('data', bytesInText(context.shown(file.path)), { hint });
}

/** Where a quoted cell of CSV begins that is not closed, which the engine takes for one that ends with the file; undefined where each is. Never throws. */
export async function openQuote(description: FilesDescription | undefined, context: Context): Promise<QuernError | undefined> {
  for (const { definition, view } of context.files) {
    const form = givenForm(definition, description);
    for (const file of view.files) {
      const line = await readPlain(file, (path) => lineNotClosed(createReadStream(path, { highWaterMark: 1 << 18 }), form), context).catch(
        () => undefined,
      );
      if (line !== undefined)
        return new QuernError('config', `${context.shown(file.path)}:${line}: ${NOT_CLOSED}`, { hint: 'fix that line of the file' });
    }
  }
  return undefined;
}

const textsOf = (addresses: readonly string[]): QuernError =>
  new QuernError('data', `${addresses.length === 0 ? 'the files' : addresses.join(' or ')}: a text is not UTF-8`, {
    hint: 'convert the file to UTF-8',
  });

/** What `read` finds in the file once it is unpacked. */
async function readPlain<T>({ path, unpacked }: ListedFile, read: (path: string) => Promise<T>, { ask, folder }: Context): Promise<T> {
  const unpack = unpacked ? undefined : copyRecipe(namedCompression(path), { ask });
  if (unpack === undefined) return read(path);
  const made = await mkdtemp(join(folder, 'line-'));
  try {
    const plain = join(made, 'unpacked');
    await unpack(path, plain);
    return await read(plain);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Files are described by their first lines, of which the header is one. */
function givenForm(
  { format, delimiter, header, skipLeadingRows = 0 }: FilesDefinition,
  description: FilesDescription | undefined,
): RecordForm {
  if (description !== undefined) return formOf(format, description);
  const skip = header === false ? skipLeadingRows : Math.max(skipLeadingRows - 1, 0);
  const usual = format === 'tsv' ? '\t' : ',';
  return { format, delimiter: delimiter ?? usual, skip, header: header === false ? header : undefined, cells: undefined };
}
