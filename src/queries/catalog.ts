// Finds saved queries in folders, by name and by UUID, reading no more files than it must.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { nearest, QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import { didYouMeanFile } from '../files/near-file.ts';
import { readFunctions } from './functions.ts';
import { idOf } from './header/own-id.ts';
import { isUuid } from './header/text.ts';
import type { SavedQuery } from './saved-query.ts';

/** A saved query that has been found but not parsed. */
export interface QueryFile {
  readonly name: string;
  readonly source: SourceText;
  /** The UUID it was looked up by: the header must confirm it, see confirmId. */
  readonly wantedId?: string;
}

export interface CatalogListing {
  /** By name. */
  readonly queries: readonly SavedQuery[];
  /** One error for each file that cannot be used. */
  readonly broken: readonly { readonly name: string; readonly error: QuernError }[];
}

export interface QueryCatalog {
  /**
   * The file of a query by name, UUID, or path (anything with a `/` or ending in `.sql`). Other files may be broken.
   * Throws QuernError `unknown-query` when there is none, `config` when several files have that name or UUID or it cannot be read.
   */
  find(reference: string): QueryFile;
  /** The file of a query by its name in FROM, which may stand in the dataset `queries`, or undefined. Throws as find does. */
  named(name: string): QueryFile | undefined;
  /** The files of functions, which every query may call. */
  functions(): readonly SourceText[];
  /** Every query of the folders, parsed. */
  list(): Promise<CatalogListing>;
}

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Returns the name of a saved query in the dataset `queries`, where the names of tables have no dots. */
export const tableIdOf = (queryName: string): string => queryName.replaceAll('.', '_');

/** Returns what stands behind the dataset in a name such as `my-proj.queries.revenue`. */
const nameInDataset = (name: string): string | undefined => /^(?:.+?\.)?queries\.(.+)$/i.exec(name)?.[1];

const onlyOne = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined);

export const isQueryName = (text: string): boolean => NAME.test(text) && !text.endsWith('.sql');

/**
 * A catalog of the `.sql` files in `folders`, and of the functions in `functionFolders`; a folder may be named twice. Paths are from `cwd`, by default the folder of the process; who asks
 * for a file of `cwd` by its name is told its path.
 */
export function openCatalog(folders: readonly string[], cwd?: string, functionFolders: readonly string[] = []): QueryCatalog {
  const fileOf = (name: string): QueryFile | undefined => {
    if (!NAME.test(name)) return undefined;
    const found = distinct(folders).flatMap((folder) => {
      const path = join(folder, `${name}.sql`);
      const text = readText(path);
      return text === undefined ? [] : [{ name, source: { name: path, text } }];
    });
    const [first, second] = found;
    if (first !== undefined && second !== undefined) throw sameName(name, first.source.name, second.source.name);
    return first;
  };

  const named = (name: string): QueryFile | undefined => {
    const file = fileOf(name);
    const own = file === undefined ? nameInDataset(name) : undefined;
    if (own === undefined) return file;
    const other = (): string | undefined => onlyOne(filesOf(folders).flatMap((one) => (tableIdOf(one.name) === own ? [one.name] : [])));
    return fileOf(own) ?? fileOf(other() ?? '');
  };

  const identified = (id: string): QueryFile => {
    const files = filesOf(folders).flatMap((file) => {
      const found = readFile(file);
      return found instanceof QuernError || idOf(found.source, found.name) !== id ? [] : [found];
    });
    const [first, second] = files;
    if (first === undefined)
      throw new QuernError('unknown-query', `there is no saved query with the id ${id}`, { hint: 'list them with `quern list`' });
    if (second !== undefined) throw sameId(id, first.source.name, second.source.name);
    return { ...first, wantedId: id };
  };

  return {
    named,
    functions: () => readFunctions(functionFolders),
    find(reference) {
      if (isUuid(reference)) return identified(reference.toLowerCase());
      if (isPath(reference)) return fileAt(cwd === undefined ? reference : located(reference, cwd), didYouMeanFile(reference, cwd ?? ''));
      return fileOf(reference) ?? unknown(reference, folders, cwd);
    },
    async list() {
      const { parseSavedQuery } = await import('./header/header.ts');
      const queries: SavedQuery[] = [];
      const broken: { readonly name: string; readonly error: QuernError }[] = [];
      for (const file of filesOf(folders)) {
        const { name } = file;
        try {
          const found = readFile(file);
          if (found instanceof QuernError) throw found;
          const { source } = found;
          const query = requireHeader(parseSavedQuery(source, name));
          queries.push(query);
          const twin = queries.find((other) => other !== query && (other.name === name || other.id === query.id));
          if (twin === undefined) continue;
          broken.push({
            name,
            error: twin.name === name ? sameName(name, twin.source.name, source.name) : sameId(query.id, twin.source.name, source.name),
          });
        } catch (error) {
          if (!(error instanceof QuernError)) throw error;
          broken.push({ name, error });
        }
      }
      return { queries: queries.sort((a, b) => (a.name < b.name ? -1 : 1)), broken };
    },
  };
}

/** Files in folders have a header; only a file given by its path may go without. Throws QuernError `config`. */
export function requireHeader(query: SavedQuery): SavedQuery {
  if (query.id !== '') return query;
  throw new QuernError('config', `${query.source.name} has no header`, {
    hint: 'start it with a header, if only /*--- ---*/; for a folder of SQL from elsewhere, `quern import dir FOLDER` writes them',
  });
}

/** Throws QuernError `unknown-query` when the UUID by which `file` was found is not the query's own. */
export function confirmId(file: QueryFile, id: string): void {
  if (file.wantedId === undefined || file.wantedId === id) return;
  throw new QuernError('unknown-query', `there is no saved query with the id ${file.wantedId}`, { hint: 'list them with `quern list`' });
}

const isPath = (text: string): boolean => text.endsWith('.sql') || text.includes('/');

/** As the process finds the file, and still known for a path. */
function located(reference: string, cwd: string): string {
  if (isAbsolute(reference)) return reference;
  const path = relative('', resolve(cwd, reference));
  return isPath(path) ? path : `./${path}`;
}

function fileAt(path: string, near: string | undefined): QueryFile {
  const text = readText(path);
  if (text !== undefined) return { name: basename(path, '.sql'), source: { name: path, text } };
  throw new QuernError('unknown-query', `there is no file ${path}`, {
    hint: near ?? 'check the path, or list the saved queries with `quern list`',
  });
}

function unknown(reference: string, folders: readonly string[], cwd: string | undefined): never {
  const draft = cwd !== undefined && existsSync(join(cwd, `${reference}.sql`)) ? `./${reference}.sql` : undefined;
  const names = filesOf(folders).map(({ name }) => name);
  const near = draft ?? nearest(reference, names) ?? names.find((name) => name.split('.').includes(reference));
  throw new QuernError('unknown-query', `there is no saved query named ${reference}`, {
    hint: near === undefined ? 'list them with `quern list`' : `did you mean ${near}? \`quern list\` shows them all`,
  });
}

function filesOf(folders: readonly string[]): readonly { readonly name: string; readonly path: string }[] {
  return distinct(folders).flatMap((folder) =>
    namesIn(folder)
      .filter((file) => file.endsWith('.sql') && NAME.test(file.slice(0, -4)))
      .sort()
      .map((file) => ({ name: file.slice(0, -4), path: join(folder, file) })),
  );
}

/** The names of the saved queries in folders, without reading them. */
export const namesOfQueries = (folders: readonly string[]): readonly string[] => filesOf(folders).map(({ name }) => name);

/** The file, or what is wrong with it: one that cannot be read must not hide the others. */
function readFile({ name, path }: { readonly name: string; readonly path: string }): QueryFile | QuernError {
  try {
    return { name, source: { name: path, text: readText(path) ?? '' } };
  } catch (error) {
    if (error instanceof QuernError) return error;
    throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw unreadableFolder(folder, cause);
  }
}

/** The file's text, or undefined when there is no such file. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // readFileSync throws these
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const reason = code === 'EISDIR' ? 'is a folder' : 'cannot be read';
    throw new QuernError('config', `${path} ${reason}`, { hint: 'name a SQL file that you can read', cause });
  }
}

/** The same folder under two paths would make every query a duplicate of itself. */
function distinct(folders: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return folders.filter((folder) => {
    const real = realPath(folder);
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw unreadableFolder(folder, cause);
  }
}

function unreadableFolder(folder: string, cause: unknown): QuernError {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
    return new QuernError('config', `there is no folder ${folder}, where saved queries should be`, {
      hint: 'create it, or fix --queries or the setting `queries`',
      cause,
    });
  return new QuernError('config', `the saved query folder ${folder} cannot be read`, {
    hint: 'check --queries and the setting `queries`',
    cause,
  });
}

function sameName(name: string, first: string, second: string): QuernError {
  return new QuernError('config', `two saved queries have the name ${name}: ${first} and ${second}`, { hint: 'rename one of the files' });
}

function sameId(id: string, first: string, second: string): QuernError {
  return new QuernError('config', `two saved queries have the id ${id}: ${first} and ${second}`, { hint: 'give one of them a new UUID' });
}
