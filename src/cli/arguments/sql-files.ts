// Finds the files of saved queries and functions that a command works on: the named ones, else all of the user's own.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import type { SourceText } from '../../base/source-text.ts';
import { isQueryName, namesOfQueries } from '../../queries/catalog.ts';
import { functionFiles } from '../../queries/functions.ts';
import { readTextFile } from './text-file.ts';

interface Folders {
  readonly queries: readonly string[];
  readonly functions: readonly string[];
}

/**
 * Files, folders, and saved queries as named, and `-` for standard input; without any, the files of the folders. Throws `usage`
 * when one cannot be read, or there is none at all.
 */
export async function readSqlFiles(
  names: readonly string[],
  { queries: folders, functions }: Folders,
  io: Pick<Io, 'cwd' | 'stdin'>,
): Promise<readonly SourceText[]> {
  const paths =
    names.length > 0
      ? names.flatMap((name) => namedIn(folders, name, io.cwd) ?? sqlFilesAt(name, io.cwd))
      : [...folders.flatMap((folder) => sqlFilesIn(folder, io.cwd)), ...functionFiles(functions).map((path) => nearPath(path, io.cwd))];
  if (paths.length === 0)
    throw new QuernError(
      'usage',
      names.length > 0 ? `there is no .sql file in ${names.join(', ')}` : 'there are no saved queries of your own',
      {
        hint:
          names.length > 0
            ? 'name files, or folders with .sql files'
            : 'name files, or a folder with --queries; `quern init` creates a project',
      },
    );
  const files: SourceText[] = [];
  for (const path of [...new Set(paths)]) files.push(await readTextFile(path, io));
  return files;
}

/** Returns the files of a saved query by its name, unless something in the working directory has that name. */
function namedIn(folders: readonly string[], name: string, cwd: string): readonly string[] | undefined {
  if (!isQueryName(name) || existsSync(resolve(cwd, name))) return undefined;
  const files = folders.flatMap((folder) => sqlFilesIn(folder, cwd)).filter((file) => basename(file, '.sql') === name);
  return files.length === 0 ? undefined : files;
}

function sqlFilesAt(name: string, cwd: string): readonly string[] {
  if (name === '-') return [name];
  try {
    return readdirSync(resolve(cwd, name))
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => join(name, file));
  } catch {
    return [name]; // not a folder: reading it as a file reports what is wrong, if anything is
  }
}

function sqlFilesIn(folder: string, cwd: string): readonly string[] {
  return namesOfQueries([folder]).map((name) => nearPath(join(folder, `${name}.sql`), cwd));
}

function nearPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
}
