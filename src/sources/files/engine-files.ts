// Files as the engine names them: https://clickhouse.com/docs/engines/table-engines/special/file
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { FilesDescription } from './description.ts';
import type { ListedFile } from './list-files.ts';
import type { RemoteFiles } from './remote.ts';
import { utf8View } from './utf8-view.ts';

/** The engine takes the keys of all files from the folders of one. What folders key=value say is read from the path instead. */
export const FOLDERS_ARE_FOLDERS = { use_hive_partitioning: 0 } as const;

/** While files are described, an object may be NULL. Of Parquet the engine reads no such objects, and says so. */
export const DESCRIBING = {
  ...FOLDERS_ARE_FOLDERS,
  enable_nullable_tuple_type: 1,
  // An address that does not answer is told within seconds, not after the engine's ten tries for each question, or five hundred in an object store.
  http_max_tries: 2,
  s3_retry_attempts: 1,
  // So is one that listens and says nothing: these are milliseconds and seconds for each try.
  s3_request_timeout_ms: 10_000,
  http_receive_timeout: 10,
} as const;

/** One path, or `/folder/{a.csv,sub/b.csv}`. Throws RangeError for no path. */
function enginePaths(paths: readonly string[]): string {
  const [first, ...others] = paths;
  if (first === undefined) throw new RangeError('no files');
  if (others.length === 0) return first;
  const folder = commonFolder([...paths].sort());
  return `${folder}{${paths.map((path) => path.slice(folder.length)).join(',')}}`;
}

/** With a slash at its end. */
function commonFolder(paths: readonly string[]): string {
  // The first and the last of a sorted list differ where any two do.
  const [first = '', last = ''] = [paths[0], paths.at(-1)];
  let same = 0;
  while (same < first.length && first[same] === last[same]) same++;
  return first.slice(0, first.lastIndexOf('/', same - 1) + 1);
}

export const settingsText = (settings: FilesDescription['settings']): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = ${typeof value === 'number' ? value : quoteString(value)}`)
    .join(', ');

const columnsText = (columns: readonly TableColumn[]): string =>
  columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ');

/** What the engine is to read: local files, or those at an address. */
export type EngineFiles = LocalFiles | RemoteFiles;

interface LocalFiles {
  readonly paths: readonly string[];
  /** They are not compressed, whatever their names say. */
  readonly unpacked?: true | undefined;
}

/** Files on this machine for the engine. */
export const localFiles = (files: readonly ListedFile[]): LocalFiles => ({
  paths: files.map(({ path }) => path),
  unpacked: files.some(({ unpacked }) => unpacked) || undefined,
});

/** Its arguments before those that every function has: what names the files. */
const named = (files: EngineFiles): readonly string[] =>
  'paths' in files ? [quoteString(enginePaths(files.paths))] : [...files.args.map(quoteString), ...(files.unsigned ? ['NOSIGN'] : [])];

const isUnpacked = (files: EngineFiles): boolean => 'paths' in files && files.unpacked === true;
const AS_IT_IS = quoteString('none');

/** The same for a server, in a query: without keys, which are the server's own affair. */
export function serverFunction({ kind, args }: RemoteFiles, { columns, format }: FilesDescription) {
  return { name: kind, args: [...args, format, columnsText(columns)] } as const;
}

/** `file('/data/a.csv', 'CSV', 'a String')`, for questions of quern's own: what callers wrote is never near it. */
export function fileFunction(files: EngineFiles, format: string, columns: readonly TableColumn[] = []): string {
  const structure = columns.length === 0 ? [] : [quoteString(columnsText(columns))];
  const compression = isUnpacked(files) ? [...(columns.length === 0 ? ["'auto'"] : []), AS_IT_IS] : [];
  const args = [...named(files), quoteString(format), ...structure, ...compression];
  return `${'paths' in files ? 'file' : files.kind}(${args.join(', ')})`;
}

/** The engine would sign the request once more for wherever a store sends it, and send the session's token along: keys go to the store that is named, and nowhere else. */
const STAYING = 's3_max_redirects = 0';

const isSigned = (files: EngineFiles): boolean => 'kind' in files && files.kind === 's3' && files.unsigned !== true;

/** A question of quern's own about files, for the embedded engine. */
export const aboutFiles = (files: EngineFiles, sql: string): string => (isSigned(files) ? `SET ${STAYING}; ${sql}` : sql);

const ENGINES = { s3: 'S3', url: 'URL' } as const;

/**
 * The table by which the query `sql` reads the files of a source, or a view of it where it names columns of texts, which are checked, or where columns are made of
 * texts. It is there while the query runs, and in its session only.
 */
export function sessionTable(table: string, files: EngineFiles, description: FilesDescription, sql: string): string {
  const { columns, format, settings, view } = description;
  const texts = (description.texts ?? []).filter((name) => sql.includes(quoteIdentifier(name).slice(1, -1)));
  const checked = view === undefined ? table : `${table} as texts`;
  const read = texts.length === 0 ? checked : `${table} as it lies there`;
  // A table of S3 asks as often as was set when it was made, whatever the query says.
  const tries = 'paths' in files ? '' : ', s3_retry_attempts = 3';
  const staying = isSigned(files) ? `, ${STAYING}` : '';
  const engine =
    'paths' in files
      ? `File(${[format, ...named(files), ...(isUnpacked(files) ? [AS_IT_IS] : [])].join(', ')})`
      : `${ENGINES[files.kind]}(${[...named(files), quoteString(format)].join(', ')})`;
  return (
    `SET ${settingsText(FOLDERS_ARE_FOLDERS)}, enable_nullable_tuple_type = 1${tries}${staying}; ` +
    `CREATE TEMPORARY TABLE ${quoteIdentifier(read)} (${columnsText(columns)}) ` +
    `ENGINE = ${engine} SETTINGS ${settingsText({ ...settings, ...FOLDERS_ARE_FOLDERS })}` +
    (read === checked ? '' : `; ${utf8View(checked, read, columns, texts)}`) +
    (view === undefined
      ? ''
      : `; CREATE TEMPORARY VIEW ${quoteIdentifier(table)} AS ${view.sql.replace(view.from, () => quoteIdentifier(checked))}`)
  );
}

/** Files to be described. */
export interface LookedAt {
  readonly all: EngineFiles;
  /** Of which what they all have in common is found. */
  readonly first: EngineFiles;
  readonly several: boolean;
  /** Of all of them, or what stands for these. */
  readonly names: readonly string[];
}
