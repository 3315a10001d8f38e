// The files that the patterns of a source stand for.
import { type Dirent, type Stats, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import type { GivenFile } from '../../cache/made-files.ts';
import { realPath } from '../../files/real-path.ts';
import { isPattern, readPattern, type Segment } from './glob.ts';
import { isOutside } from './outside.ts';

/** A file as it lies there now. */
export interface ListedFile extends GivenFile {
  /** What its name says of compression is no longer so: the copy of a file that the engine could not read. */
  readonly unpacked?: true;
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
    const paths = await matches(source, pattern, folder);
    let gone = 0;
    for (const path of paths) {
      const real = realPath(path);
      if (isOutside(root, real)) await permit(real === path ? path : `${path}, a link to ${real}`);
      if (UNREADABLE.test(path))
        throw new QuernError('config', `${source}: the engine would read part of the file name ${path} as a pattern`, {
          hint: 'rename the file: its path must not contain * ? { } [ ] or ::',
        });
      const stats = await statOf(path);
      if (stats === undefined) gone++;
      else found.set(path, { path, bytes: stats.size, modifiedMs: stats.mtimeMs });
    }
    if (paths.length === gone) throw noFile(source, pattern, folder);
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
  const trouble = isPattern(pattern) ? undefined : troubleWith(full);
  if (trouble !== undefined) return new QuernError('config', `${source}: ${full} cannot be read: ${trouble}`);
  if (isFolder(full))
    return new QuernError('config', `${source}: ${full} is a folder`, {
      hint: `name the files in it with a pattern: ${pattern.replace(/\/+$/, '')}/*.csv`,
    });
  return isPattern(pattern)
    ? new QuernError('config', `${source}: no file matches ${pattern} in ${folder}`, {
        hint: 'relative paths start there; ** matches any folders',
      })
    : new QuernError('config', `${source}: there is no file ${full}`, { hint: `relative paths start in ${folder}` });
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

const TROUBLES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  ELOOP: 'it is a link that leads back to itself',
  ENAMETOOLONG: 'its name is longer than the file system takes',
  ERR_INVALID_ARG_VALUE: 'its name contains the character NUL',
};

/** Why the file system does not even say whether there is a file. */
function troubleWith(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : (TROUBLES[code] ?? message);
  }
}

/** What stands before the first segment with a pattern in it. */
function patternRoot(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex(isPattern);
  return first < 0 ? pattern : parts.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

async function matches(source: string, pattern: string, folder: string): Promise<readonly string[]> {
  if (!isPattern(pattern)) {
    const path = resolve(folder, pattern);
    return (await isFile(path)) ? [path] : [];
  }
  const start = pattern.startsWith('/') ? '/' : folder;
  const known = new Map<string, Promise<readonly Dirent[]>>();
  // Alternatives often have their folders in common.
  const entriesIn = (path: string): Promise<readonly Dirent[]> => {
    const entries = known.get(path) ?? entriesOf(path);
    known.set(path, entries);
    return entries;
  };
  const all = await Promise.all(alternativesOf(source, pattern).map((segments) => walk(start, segments, { walked: new Set(), entriesIn })));
  return [...new Set(all.flat())];
}

function alternativesOf(source: string, pattern: string): ReturnType<typeof readPattern> {
  try {
    return readPattern(pattern);
  } catch (error) {
    throw error instanceof QuernError ? new QuernError(error.code, `${source}: ${pattern}: ${error.message}`, error.details) : error;
  }
}

interface Walk {
  /** Folders with what was left of the pattern there: by several `**` the same way leads to one again and again. */
  readonly walked: Set<string>;
  entriesIn(folder: string): Promise<readonly Dirent[]>;
}

async function walk(folder: string, segments: readonly Segment[], way: Walk): Promise<readonly string[]> {
  const [first, ...rest] = segments;
  const here = `${segments.length} ${folder}`;
  if (first === undefined || way.walked.has(here)) return [];
  way.walked.add(here);
  if (first.kind === 'name') {
    const path = join(folder, first.name);
    if (rest.length > 0) return walk(path, rest, way);
    return (await isFile(path)) ? [path] : [];
  }
  const entries = await way.entriesIn(folder);
  if (first.kind === 'folders') {
    // Links are not followed here: they may lead back.
    const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const deeper = await Promise.all(below.map(({ name }) => walk(join(folder, name), segments, way)));
    return [...(await walk(folder, rest, way)), ...deeper.flat()];
  }
  const named = entries.filter(({ name }) => first.matches(name));
  const found = await Promise.all(
    named.map(async (entry) => {
      const path = join(folder, entry.name);
      if (rest.length > 0) return entry.isDirectory() || entry.isSymbolicLink() ? walk(path, rest, way) : [];
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

const isFile = async (path: string): Promise<boolean> => (await statOf(path))?.isFile() === true;

/** undefined for what is not there, or no longer. */
const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
