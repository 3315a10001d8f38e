// The files of a source as the engine reads them: where they lie, except that files of bzip2, which it cannot read, are unpacked first.
import { isBzip2, isCompressed } from '../catalog/files/formats.ts';
import type { FilesPlace, ListedFile } from '../catalog/files/list-files.ts';
import { QuernError } from '../errors.ts';

export interface FileView {
  /** In the order of the files. */
  readonly files: readonly ListedFile[];
  /** How many bytes of each path queries do not see. */
  readonly prefix: number;
  /** How people know a path; undefined for one that is not of this view. */
  shown(path: string): string | undefined;
  /** To be awaited before the engine reads them. Throws QuernError `data` for a file that cannot be unpacked. */
  provide(): Promise<void>;
}

interface Options {
  readonly place: FilesPlace;
  /** The cache's folder. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How people know a path: from the project's folder, where it is in there. */
export const shownIn =
  (folder: string) =>
  (path: string): string =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

/** `label` is how messages begin. Throws QuernError `config` for files that cannot be read together. */
export async function viewOf(label: string, listed: readonly ListedFile[], options: Options): Promise<FileView> {
  const root = `${options.place.folder}/`;
  const inside = listed.every(({ path }) => path.startsWith(root));
  const shown = shownIn(options.place.folder);
  const packed = listed.find(({ path }) => isBzip2(path));
  if (packed === undefined)
    return { files: listed, prefix: inside ? Buffer.byteLength(root) : 0, shown: () => undefined, provide: async () => undefined };
  const other = listed.find(({ path }) => isCompressed(path) && !isBzip2(path));
  if (other !== undefined)
    throw new QuernError('config', `${label}: ${shown(other.path)} is compressed in another way than ${shown(packed.path)}`, {
      hint: 'files with bzip2 can be read together with files that are not compressed: name the others in a source of their own',
    });
  const unreadable = UNREADABLE.exec(options.folder)?.[0];
  if (unreadable !== undefined)
    throw new QuernError(
      'config',
      `${label}: ${shown(packed.path)} cannot be unpacked: the path of the cache, ${options.folder}, contains ${unreadable}`,
      {
        hint: 'set cache_dir to another folder',
      },
    );
  const [{ openUnpackedFiles, ChangedError }, { reasonOf }, { unpackBzip2 }] = await Promise.all([
    import('../cache/unpacked-files.ts'),
    import('../files/reason.ts'),
    import('../files/compression.ts'),
  ]);
  const unpacked = openUnpackedFiles(options.folder, options.now);
  const as = ({ path }: ListedFile): string => `/${inside ? shown(path) : path.slice(1)}`;
  const files = listed.map((file) => ({ ...file, path: unpacked.pathOf(file, as(file)) }));
  const names = new Map(files.map(({ path }, i) => [path, shown(listed[i]?.path ?? '')]));
  const told = (cause: unknown, { path }: ListedFile): QuernError => {
    if (cause instanceof ChangedError)
      return new QuernError('data', `${shown(path)} was changed while it was read`, { hint: 'run the query again', cause });
    const { code, path: failed, message } = cause as NodeJS.ErrnoException;
    if (code === undefined)
      return new QuernError('data', `${shown(path)} cannot be read: ${message}`, { hint: 'check that the file is complete', cause });
    if (failed === path) return new QuernError('data', `${shown(path)} cannot be read: ${READING[code] ?? message}`, { cause });
    const why = reasonOf(cause as NodeJS.ErrnoException);
    return new QuernError('data', `${shown(path)} cannot be unpacked in the cache, ${options.folder}: ${why}`, {
      hint: 'make room there, or set cache_dir to another folder',
      cause,
    });
  };
  return {
    files,
    prefix: unpacked.prefix + (inside ? 1 : 0),
    shown: (path) => names.get(path),
    async provide() {
      let isNew = false;
      for (const file of listed) {
        const unpack = isBzip2(file.path) ? unpackBzip2 : undefined;
        const made = await unpacked.provide(file, as(file), unpack).catch((cause: unknown) => {
          throw told(cause, file);
        });
        isNew ||= made;
      }
      if (isNew) await unpacked.sweep(listed);
    },
  };
}

const READING: Readonly<Record<string, string>> = { EACCES: 'permission denied', ENOENT: 'it is no longer there' };

/** What the engine would read as a pattern, or as the end of a name. */
const UNREADABLE = /[*?{}[\]\n,]|::/;
