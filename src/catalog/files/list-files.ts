// The files that the patterns of a source stand for.
import { type Dirent, realpathSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { QuernError } from '../../errors.ts';
import { ANY_NAME, isPattern, readPattern, type Segment } from './glob.ts';
import { isOutside } from './outside.ts';

/** A file as it lies there now. */
export interface ListedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

export interface FilesPlace {
  /** Where keys of object stores are. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths are relative to it: where quern.yaml is. */
  readonly folder: string;
  /** Called with a file or a folder outside of `folder`, or what a link there leads to. Rejects with QuernError `config` where the project may not read it. */
  readonly permit: (path: string) => Promise<void>;
}

/** More are hardly meant, and each is looked at whenever the source is read. */
const MOST_FILES = 50_000;

/**
 * By path, each once. `source` is how messages begin: `sources.orders`. Throws QuernError `config` where a pattern has no file, where a file has a name that the engine takes for a
 * pattern, and what `permit` throws.
 */
export async function listFiles(
  source: string,
  patterns: readonly string[],
  { folder, permit }: FilesPlace,
): Promise<readonly ListedFile[]> {
  const found = new Map<string, ListedFile>();
  const root = realPath(folder);
  for (const pattern of patterns) {
    const start = resolve(folder, patternRoot(pattern));
    // What a pattern names outside of the project is not even looked at before it may be.
    if (isOutside(root, realPath(start)) && isOutside(root, join(root, relative(folder, start)))) await permit(start);
    const paths = await matches(pattern, folder);
    for (const path of paths) {
      const real = realPath(path);
      if (isOutside(root, real)) await permit(real === path ? path : `${path}, a link to ${real}`);
      if (UNREADABLE.test(path))
        throw new QuernError('config', `${source}: the engine would read part of the file name ${path} as a pattern`, {
          hint: 'rename the file: its path must not contain * ? { } [ ] or ::',
        });
      const { size, mtimeMs } = await stat(path);
      found.set(path, { path, bytes: size, modifiedMs: mtimeMs });
    }
    if (paths.length === 0) throw noFile(source, pattern, folder);
    if (found.size > MOST_FILES)
      throw new QuernError('config', `${source}: ${pattern} matches more than ${MOST_FILES} files`, { hint: 'narrow the pattern' });
  }
  const comma = found.size > 1 ? [...found.keys()].find((path) => path.includes(',')) : undefined;
  if (comma !== undefined)
    throw new QuernError('config', `${source}: the engine would read the file name ${comma} as several files`, {
      hint: 'rename it: in a source of several files, no name may contain a comma',
    });
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const UNREADABLE = /[*?{}[\]\n]|::/;

function noFile(source: string, pattern: string, folder: string): QuernError {
  const full = resolve(folder, pattern);
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory() === true)
    return new QuernError('config', `${source}: ${full} is a folder`, {
      hint: `name the files in it with a pattern: ${pattern.replace(/\/+$/, '')}/*.csv`,
    });
  return isPattern(pattern)
    ? new QuernError('config', `${source}: no file matches ${pattern} in ${folder}`, {
        hint: 'relative paths start there; ** matches any folders',
      })
    : new QuernError('config', `${source}: there is no file ${full}`, { hint: `relative paths start in ${folder}` });
}

/** What stands before the first segment with a pattern in it. */
function patternRoot(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex(isPattern);
  return first < 0 ? pattern : parts.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

async function matches(pattern: string, folder: string): Promise<readonly string[]> {
  if (!isPattern(pattern)) {
    const path = resolve(folder, pattern);
    return (await isFile(path)) ? [path] : [];
  }
  const start = pattern.startsWith('/') ? '/' : folder;
  const all = await Promise.all(readPattern(pattern).map((segments) => walk(start, segments)));
  return [...new Set(all.flat())];
}

async function walk(folder: string, [first, ...rest]: readonly Segment[]): Promise<readonly string[]> {
  if (first === undefined) return [];
  if (first.kind === 'name') {
    const path = join(folder, first.name);
    if (rest.length > 0) return walk(path, rest);
    return (await isFile(path)) ? [path] : [];
  }
  const entries = await entriesOf(folder);
  if (first.kind === 'folders') {
    const after = rest.length === 0 ? [ANY_NAME] : rest;
    // Links are not followed here: they may lead back.
    const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const deeper = await Promise.all(below.map(({ name }) => walk(join(folder, name), [first, ...after])));
    return [...(await walk(folder, after)), ...deeper.flat()];
  }
  const named = entries.filter(({ name }) => first.names.test(name));
  const found = await Promise.all(
    named.map(async (entry) => {
      const path = join(folder, entry.name);
      if (rest.length > 0) return entry.isDirectory() || entry.isSymbolicLink() ? walk(path, rest) : [];
      return entry.isFile() || (entry.isSymbolicLink() && (await isFile(path))) ? [path] : [];
    }),
  );
  return found.flat();
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return []; // no folder, or one that may not be read: it has no files for us
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
