// Queries in a folder and those below it: `.sql` files, with or without a header of ours, and exports of queries in JSON.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { headerSpan, idInHeader } from '../queries/header/text.ts';
import type { Endpoint, Unreadable } from './endpoint.ts';
import { isManifest, type Model, modelsByPath } from './exports/manifest.ts';
import { holdsQueries, readExport } from './exports/read-export.ts';
import { filesBelow } from './walk.ts';

/** A saved query already, which is taken as it is. */
interface Headed {
  readonly kind: 'headed';
  readonly name: string;
  readonly text: string;
  readonly folders: readonly string[];
  readonly id?: string | undefined;
}

export type Found = Endpoint | Headed | Unreadable;

/** A longer file is no query. */
const MAX_BYTES = 64 * 2 ** 20;
const COMPILED = join('target', 'compiled');

/**
 * Returns the files in the folder and those below it, by path; of a project of dbt, those that dbt has compiled. `except`, a folder in it, is left
 * alone. Throws `usage` when the folder cannot be read, or holds no query.
 */
export function readFolder(given: string, except?: string): readonly Found[] {
  const folder = compiledFolder(given);
  const files = filesBelow(folder, except).filter((path) => /\.(sql|json|jsonl|ndjson)$/i.test(path));
  const models = modelsAround(folder);
  const found = files.flatMap((path): readonly Found[] => {
    const text = readText(join(folder, path), given);
    if (typeof text !== 'string') return [{ kind: 'unreadable', name: path, reason: text.reason }];
    if (/\.(jsonl|ndjson)$/i.test(path) && !holdsQueries(text)) return [];
    if (!/\.sql$/i.test(path)) return readExport(text, path);
    return [readSql(text, path, models.get(join(folder, path)))];
  });
  if (found.length === 0)
    throw new QuernError('usage', `${folder} contains no queries`, { hint: 'name a folder with .sql files, or JSON exports of queries' });
  return found;
}

function readSql(text: string, path: string, model: Model | undefined): Found {
  const name = basename(path).replace(/\.sql$/i, '');
  const folders = dirname(path)
    .split(sep)
    .filter((part) => part !== '.');
  if (text.trim() === '') return { kind: 'unreadable', name: path, reason: 'it is empty' };
  if (headerSpan(text) === undefined) {
    const { relation, description } = model ?? {};
    return {
      kind: 'endpoint',
      name,
      sql: text,
      language: 'bq_sql',
      folders,
      sources: {},
      notes: [],
      relation,
      description,
    };
  }
  return { kind: 'headed', name, text, folders, id: idInHeader(text) };
}

/** The folder itself, or what dbt made of it. Throws `usage` for a project of dbt that was not compiled. */
function compiledFolder(folder: string): string {
  if (!existsSync(join(folder, 'dbt_project.yml'))) return folder;
  if (existsSync(join(folder, COMPILED))) return join(folder, COMPILED);
  throw new QuernError('usage', `${folder} is a dbt project that has not been compiled: it has no ${COMPILED}`, {
    hint: 'run `dbt compile` there first: until then, the SQL of its models is Jinja',
  });
}

/** Reads from dbt's manifest what it says about the files in and below a folder of its target. */
function modelsAround(folder: string): ReadonlyMap<string, Model> {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    if (basename(at) !== 'compiled') continue;
    const text = readText(join(dirname(at), 'manifest.json'), dirname(at));
    if (typeof text !== 'string') return new Map();
    try {
      const manifest: unknown = JSON.parse(text);
      if (!isManifest(manifest)) return new Map();
      return new Map([...modelsByPath(manifest)].map(([path, model]) => [join(at, ...path.split(/[/\\]/)), model]));
    } catch (error) {
      if (error instanceof SyntaxError) return new Map();
      throw error;
    }
  }
  return new Map();
}

/** A link in a folder that came from elsewhere must not show what is outside of it: `within` is as far as links may lead. */
function readText(path: string, within: string): string | { readonly reason: string } {
  try {
    const target = realpathSync(path);
    const way = relative(realpathSync(within), target);
    if (way.split(sep)[0] === '..' || isAbsolute(way)) return { reason: 'it is a link out of the folder' };
    const about = statSync(target);
    if (!about.isFile()) return { reason: 'it is not a file' };
    if (about.size > MAX_BYTES) return { reason: `it is longer than ${MAX_BYTES / 2 ** 20} MiB` };
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(target));
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'it is not UTF-8 text' };
    return { reason: `it cannot be read (${(error as NodeJS.ErrnoException).code})` }; // the file system throws these
  }
}
