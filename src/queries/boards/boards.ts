// The boards of a project: the YAML files in its folder `boards`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import type { ValueAt } from '../../fields/value-at.ts';
import type { QueryCatalog } from '../catalog.ts';
import { findSavedQuery } from '../find-query.ts';
import { readArguments } from '../parameters.ts';
import { type Board, type Panel, readBoardFile } from './board-file.ts';

export interface Boards {
  /** By name. */
  readonly boards: readonly Board[];
  readonly broken: readonly { readonly name: string; readonly error: QuernError }[];
}

const ENDING = /\.ya?ml$/i;

/** The folder of a project's boards. */
export const boardsFolder = (projectFolder: string): string => join(projectFolder, 'boards');

/** Reads the boards of a folder, which need not be there. `shown` is how errors call a file. */
export function readBoards(folder: string, catalog: Pick<QueryCatalog, 'find'>, shown: (file: string) => string = (file) => file): Boards {
  const boards: Board[] = [];
  const broken: Boards['broken'][number][] = [];
  for (const file of filesIn(folder)) {
    const name = file.replace(ENDING, '');
    try {
      const source = { name: shown(file), text: readFileSync(join(folder, file), 'utf8') };
      boards.push(readBoardFile(source, name, (panel, at) => checkedPanel(panel, at, catalog)));
    } catch (error) {
      broken.push({ name, error: asProblem(error, shown(file)) });
    }
  }
  return { boards, broken };
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => ENDING.test(name))
      .sort();
  } catch {
    return []; // a project need not have boards
  }
}

const asProblem = (error: unknown, file: string): QuernError =>
  error instanceof QuernError ? error : new QuernError('config', `${file} cannot be read`, { hint: 'check its permissions', cause: error });

/** Returns the panel with the name of its query, whatever the file calls it. */
function checkedPanel(panel: Panel, at: ValueAt, catalog: Pick<QueryCatalog, 'find'>): Panel | undefined {
  try {
    const query = findSavedQuery(panel.query, catalog);
    // What is not given may come from the range of time.
    const taken = query.parameters.map((parameter) => ({ ...parameter, required: false }));
    try {
      readArguments(taken, panel.params, query.name);
    } catch (error) {
      return problemOf(error, at.at('params'));
    }
    return { ...panel, query: query.name };
  } catch (error) {
    return problemOf(error, at.at('query'));
  }
}

function problemOf(error: unknown, at: ValueAt): undefined {
  if (!(error instanceof QuernError)) throw error;
  const { hint, problems = [] } = error.details;
  const texts = problems.map(({ name, message }) => `${name} ${message}`);
  return at.problem(texts.length === 0 ? error.message : `do not fit: ${texts.join('; ')}`, hint);
}
