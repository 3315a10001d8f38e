// The files of a source as the engine reads them: where they lie, or copies where it cannot read them: of bzip2, of text that is not UTF-8, and of texts in columns of JSON.

import { QuernError } from '../../base/errors.ts';
import { digest } from '../../cache/json-memory.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import { namedCompression } from '../../files/compression.ts';
import type { Encoding } from '../../files/encoding.ts';
import type { Ask } from './description.ts';
import { CHECK_PERMISSIONS } from './file-trouble.ts';
import type { JsonTexts } from './json-texts.ts';
import type { FilesPlace, ListedFile } from './list-files.ts';

export interface FileView {
  /** In the order of the files. */
  readonly files: readonly ListedFile[];
  /** How many bytes of each path queries do not see. */
  readonly prefix: number;
  /** How people know a path; undefined for one that is not of this view. */
  shown(path: string): string | undefined;
  /** To be awaited before the engine reads them, and what it gives to be called when it has. Throws QuernError `data` for a file that cannot be read. */
  provide(): Promise<() => Promise<void>>;
  /** For files that nobody has looked at yet. Throws QuernError `data` for one that is cut off where the engine would not see it. */
  checkWhole(): Promise<void>;
}

interface Options {
  readonly place: FilesPlace;
  /** Of their text, where it is not UTF-8. */
  readonly encoding: Encoding | undefined;
  readonly jsonTexts: JsonTexts | undefined;
  /** Of the engine that reads them. */
  readonly ask: Ask;
  /** Nothing outside of the place's folder may be read. */
  readonly confined: boolean;
  /** The cache's folder. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborts when making copies takes too long, or the user has had enough. */
  readonly deadline?: (() => AbortSignal | undefined) | undefined;
}

/** How people know a path: from the project's folder, where it is in there. */
export const shownIn =
  (folder: string) =>
  (path: string): string =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

const NOTHING_TO_END = async (): Promise<void> => undefined;

/** `label` is how messages begin. Throws QuernError `config` for files that cannot be read together. */
export async function viewOf(label: string, listed: readonly ListedFile[], options: Options): Promise<FileView> {
  const root = `${options.place.folder}/`;
  const inside = listed.every(({ path }) => path.startsWith(root));
  const shown = shownIn(options.place.folder);
  const as = ({ path }: ListedFile): string => `/${inside ? shown(path) : path.slice(1)}`;
  const isCopied =
    options.encoding !== undefined || options.jsonTexts !== undefined || listed.some(({ path }) => namedCompression(path) === 'bz2');
  if (!isCopied && !options.confined)
    return {
      files: listed,
      prefix: inside ? Buffer.byteLength(root) : 0,
      shown: () => undefined,
      provide: async () => NOTHING_TO_END,
      checkWhole: () => checkFramed(listed, shown),
    };
  const unreadable = UNREADABLE.exec(options.folder)?.[0];
  if (unreadable !== undefined)
    throw new QuernError(
      'config',
      `${label}: ${shown(listed[0]?.path ?? '')} cannot be read: the path of the cache, ${options.folder}, contains ${unreadable}`,
      { hint: 'set cache_dir to another folder' },
    );
  const explained = await tellerOf(shown, options);
  const named = (files: readonly ListedFile[]): Pick<FileView, 'files' | 'shown'> => {
    const names = new Map(files.map(({ path }, i) => [path, shown(listed[i]?.path ?? '')]));
    return { files, shown: (path) => names.get(path) };
  };
  if (!isCopied) {
    const { openPins } = await import('./pinned-files.ts');
    const pins = openPins(options.folder, options.place);
    return {
      ...named(listed.map((file) => ({ ...file, path: pins.pathOf(as(file)) }))),
      prefix: pins.prefix + (inside ? 1 : 0),
      checkWhole: () => checkFramed(listed, shown),
      provide: () =>
        pins.provide(listed.map((file) => ({ file, as: as(file) }))).catch((cause: unknown) => Promise.reject(explained(cause))),
    };
  }
  const [{ openMadeFiles }, { copyRecipe }, { pinned }, { copyFile }] = await Promise.all([
    import('../../cache/made-files.ts'),
    import('./copy-recipe.ts'),
    import('./pinned-files.ts'),
    import('node:fs/promises'),
  ]);
  const { encoding, jsonTexts, ask, confined } = options;
  const how = [confined ? 'copied' : 'linked', encoding ?? [], jsonTexts === undefined ? [] : digest(JSON.stringify(jsonTexts))];
  const made = openMadeFiles(options.folder, options.now, how.flat().join(' '));
  /** Of a file that may not be another one by now, what is copied is the one that was looked at. */
  const recipeOf = (file: ListedFile, signal: AbortSignal | undefined) => {
    const recipe = copyRecipe(namedCompression(file.path), { encoding, jsonTexts, mayLink: !confined, ask, signal });
    if (!confined) return recipe;
    return async (_: string, to: string): Promise<void> => {
      const pin = await pinned(file, options.place);
      await (recipe ?? copyFile)(pin.path, to).finally(() => pin.close());
    };
  };
  return {
    ...named(listed.map((file) => ({ ...file, path: made.pathOf(file, as(file)), unpacked: true }))),
    prefix: made.prefix + (inside ? 1 : 0),
    checkWhole: async () => undefined, // whoever makes the copies has checked them
    async provide() {
      const signal = options.deadline?.();
      let isNew = false;
      for (const file of listed) {
        const wasMade = await made.provide(file, as(file), recipeOf(file, signal)).catch((cause: unknown) => {
          throwIfAborted(signal);
          throw explained(cause, file);
        });
        isNew ||= wasMade;
      }
      if (isNew) await made.sweep(listed);
      return NOTHING_TO_END;
    },
  };
}

/** Says what went wrong with a file, by the name that people know it by. */
async function tellerOf(shown: (path: string) => string, { folder }: Options) {
  const [{ ChangedError }, { reasonOf }, { UndecodableError }, { fileTrouble }] = await Promise.all([
    import('../../cache/made-files.ts'),
    import('../../files/reason.ts'),
    import('../../files/encoding.ts'),
    import('./file-trouble.ts'),
  ]);
  return (cause: unknown, file?: ListedFile): QuernError => {
    if (cause instanceof QuernError) return (file && fileTrouble(cause, shown, { address: file.path })) ?? cause;
    if (cause instanceof UndecodableError)
      return new QuernError('data', `${shown(file?.path ?? '')}:${cause.line}: ${cause.message}`, {
        hint: 'check the encoding that is given, or fix that line of the file',
        cause,
      });
    const { code, path: failed = '', message } = cause as NodeJS.ErrnoException;
    const name = shown(file?.path ?? failed);
    if (cause instanceof ChangedError)
      return new QuernError('data', `${name} was changed while it was read`, { hint: 'run the query again', cause, ofSource: true });
    if (code === undefined) return damaged(name, message, cause);
    if (code === 'EMFILE' || code === 'ENFILE')
      return new QuernError('config', `${name} cannot be read: too many files are open`, {
        hint: 'narrow the pattern, or raise the limit of open files',
        cause,
      });
    if (failed === (file?.path ?? failed) && !failed.startsWith(folder))
      return new QuernError('data', `${name} cannot be read: ${READING[code] ?? message}`, {
        ...(code === 'EACCES' ? { hint: CHECK_PERMISSIONS } : {}),
        cause,
        ofSource: true,
      });
    const why = reasonOf(cause as NodeJS.ErrnoException);
    return new QuernError('data', `${name} cannot be copied into the cache, ${folder}: ${why}`, {
      hint: 'make room there, or set cache_dir to another folder',
      cause,
    });
  };
}

const damaged = (name: string, why: string, cause: unknown): QuernError =>
  new QuernError('data', `${name} cannot be read: ${why}`, { hint: 'check that the file is complete', cause });

/** Throws QuernError `data` for a file of frames that is cut off: the engine reads them to the end of the file, wherever that is. What the system says of others the engine will say, too. */
async function checkFramed(files: readonly ListedFile[], shown: (path: string) => string): Promise<void> {
  for (const { path } of files) {
    const compression = namedCompression(path);
    if (compression !== 'zstd' && compression !== 'lz4') continue;
    const { checkFrames } = await import('../../files/frames.ts');
    await checkFrames(path, compression).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === undefined) throw damaged(shown(path), cause.message, cause);
    });
  }
}

const READING: Readonly<Record<string, string>> = { EACCES: 'permission denied', ENOENT: 'it is no longer there' };

/** What the engine would read as a pattern, or as the end of a name. */
const UNREADABLE = /[*?{}[\]\n,]|::/;
