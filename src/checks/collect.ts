// Finds the checks that a command is about: in files of checks, and in the headers of saved queries.
import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { boardsFolder, readBoards } from '../queries/boards/boards.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import type { CheckDefinition } from '../queries/check-definition.ts';
import { findSavedQuery } from '../queries/find-query.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import { type Check, errorAt, shortPath } from './check.ts';
import { readCheckFile } from './check-file.ts';

export interface CheckSources {
  readonly catalog: QueryCatalog;
  /** Folder that the command runs in. */
  readonly cwd: string;
  /** Folder of the project file, where the folder `checks` is. */
  readonly projectFolder: string;
}

interface Found {
  readonly checks: readonly Check[];
  /** The problems of those that cannot run. */
  readonly errors: readonly QuernError[];
}

const isCheckFile = (name: string): boolean => /\.ya?ml$/i.test(name);

/**
 * The checks in what `references` name: YAML files, and saved queries; without any, those of all saved queries and of the project's folder
 * `checks`, with what is wrong with its boards. Throws QuernError `usage` when there are none.
 */
export async function collectChecks(references: readonly string[], sources: CheckSources): Promise<Found> {
  const found =
    references.length === 0
      ? [...(await everyQuery(sources)), ...projectFiles(sources).map((path) => fromFile(path, sources)), boardErrors(sources)]
      : references.map((reference) =>
          isCheckFile(reference) ? fromFile(resolve(sources.cwd, reference), sources) : fromQuery(reference, sources),
        );
  const errors = found.flatMap((one) => one.errors);
  const checks = found.flatMap((one) => one.checks);
  if (checks.length + errors.length > 0) return { checks, errors };
  throw new QuernError('usage', 'there are no checks', {
    hint: 'add `checks:` to the header of a saved query, or create checks/NAME.yaml next to quern.yaml',
  });
}

async function everyQuery({ catalog }: CheckSources): Promise<readonly Found[]> {
  const { queries, broken } = await catalog.list();
  return [{ checks: queries.flatMap(ownChecks), errors: broken.map(({ error }) => error) }];
}

/** Boards have no checks of rows, but what they name must be there. */
function boardErrors({ catalog, cwd, projectFolder }: CheckSources): Found {
  const folder = boardsFolder(projectFolder);
  const { broken } = readBoards(folder, catalog, (file) => shortPath(join(folder, file), cwd));
  return { checks: [], errors: broken.map(({ error }) => error) };
}

/** The files of the project's folder `checks`, in the order of their names. */
function projectFiles({ projectFolder }: CheckSources): readonly string[] {
  const folder = join(projectFolder, 'checks');
  try {
    return readdirSync(folder)
      .filter(isCheckFile)
      .sort()
      .map((name) => join(folder, name));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')) return [];
    throw new QuernError('config', `the check folder ${folder} cannot be read`, { hint: 'check its permissions', cause });
  }
}

function fromQuery(reference: string, { catalog }: CheckSources): Found {
  return collecting(() => {
    const query = findSavedQuery(reference, catalog);
    const checks = ownChecks(query);
    if (checks.length > 0) return checks;
    throw new QuernError('usage', `${query.name} has no checks`, { hint: 'add `checks:` to its header' });
  });
}

function fromFile(path: string, { catalog, cwd }: CheckSources): Found {
  let definitions: readonly CheckDefinition[] = [];
  const read = collecting(() => {
    definitions = readCheckFile(path, shortPath(path, cwd));
    return [];
  });
  const found = definitions.map((definition) =>
    collecting(() => {
      const { reference, place } = definition.query ?? { reference: '', place: definition.place };
      try {
        const query = findSavedQuery(besideFile(reference, path), catalog);
        return [{ query, arguments: definition.params, assertions: definition.assertions, place }];
      } catch (error) {
        throw error instanceof QuernError ? errorAt(error, place) : error;
      }
    }),
  );
  return { checks: found.flatMap(({ checks }) => checks), errors: [read, ...found].flatMap(({ errors }) => errors) };
}

function collecting(read: () => readonly Check[]): Found {
  try {
    return { checks: read(), errors: [] };
  } catch (error) {
    if (error instanceof QuernError) return { checks: [], errors: [error] };
    throw error;
  }
}

export const ownChecks = (query: SavedQuery): readonly Check[] =>
  (query.checks ?? []).map(({ params, assertions, place }) => ({ query, arguments: params, assertions, place }));

/** Paths in a file are from the folder of the file. */
function besideFile(reference: string, file: string): string {
  return reference.endsWith('.sql') || reference.includes('/') ? resolve(dirname(file), reference) : reference;
}
