// Copies of files that are made for the engine where it cannot read them as they are: unpacked, or decoded. They stay while they are used.
import type { Stats } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeAbandonedTemporaries, temporaryBeside } from '../files/temporary.ts';
import { digest } from './json-memory.ts';
import { createSingleFlight } from './single-flight.ts';

/** A file as it was when it was listed. */
export interface GivenFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

interface MadeFiles {
  /** How many bytes stand before `as` in what `pathOf` gives. */
  readonly prefix: number;
  /** Where the copy of the file is once it is made, with `as` at the end. */
  pathOf(file: GivenFile, as: string): string;
  /**
   * Makes the copy of the file, or a link to it where `make` is not given, unless that was done already. Throws what `make` and the file system throw, and
   * ChangedError for a file that is no longer as it was listed. True when there was something to do: then it is time to `sweep`.
   */
  provide(file: GivenFile, as: string, make?: Make): Promise<boolean>;
  /** Removes what nobody has used for long, and earlier states of `files`. What cannot be removed is left to the next one. */
  sweep(files: readonly GivenFile[]): Promise<void>;
}

/** Writes what the engine is to read of the file `from` into the file `to`. */
export type Make = (from: string, to: string) => Promise<void>;

export class ChangedError extends Error {}

const DAY_MS = 24 * 3600e3;
/** A file that was not used for so long is removed. */
const UNUSED_MS = 7 * DAY_MS;
/** A file has changed, but a query that began before may still read it as it was. */
const OUTDATED_MS = 3600e3;

const PATH_DIGITS = 32;
const STATE_DIGITS = 16;

const folderIn = (cache: string): string => join(cache, 'unpacked');

const flights = createSingleFlight<boolean>();

/** `cache` is the cache's folder. `recipe` says how the copies are made: other recipes make other copies of the same files. */
export function openMadeFiles(cache: string, now: () => number, recipe: string): MadeFiles {
  const folder = folderIn(cache);
  const ofPath = ({ path }: GivenFile): string => join(folder, digest(path).slice(0, PATH_DIGITS));
  const ofState = (file: GivenFile): string =>
    join(ofPath(file), digest(`${file.bytes} ${file.modifiedMs} ${recipe}`).slice(0, STATE_DIGITS));
  const pathOf = (file: GivenFile, as: string): string => `${ofState(file)}${as}`;
  const used = (path: string): Promise<void> => utimes(path, new Date(now()), new Date(now()));

  const copy = async (file: GivenFile, target: string, make: Make | undefined) => {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const made = temporaryBeside(target);
    removeAbandonedTemporaries(target);
    try {
      await rm(made, { force: true }); // of a process that died and had the same number
      await (make === undefined ? symlink(file.path, made) : make(file.path, made));
      const { size, mtimeMs } = await stat(file.path);
      if (size !== file.bytes || mtimeMs !== file.modifiedMs) throw new ChangedError();
      await rename(made, target);
    } finally {
      await rm(made, { force: true });
    }
  };

  return {
    prefix: Buffer.byteLength(folder) + 1 + PATH_DIGITS + 1 + STATE_DIGITS,
    pathOf,
    provide: (file, as, make) =>
      flights.share(pathOf(file, as), async () => {
        const target = pathOf(file, as);
        const isNew = (await statOf(target)) === undefined;
        if (isNew) await copy(file, target, make);
        await used(ofState(file));
        return isNew;
      }),
    async sweep(files) {
      const current = new Set(files.map(ofState));
      const changed = new Set(files.map(ofPath));
      for (const path of await foldersIn(folder)) {
        for (const state of await foldersIn(path)) {
          const unusedMs = now() - ((await statOf(state))?.mtimeMs ?? now());
          if (!current.has(state) && unusedMs > (changed.has(path) ? OUTDATED_MS : UNUSED_MS))
            await rm(state, { recursive: true, force: true }).catch(() => undefined);
        }
        await rmdir(path).catch(() => undefined); // only what is empty goes
      }
    },
  };
}

/** Removes all of them; `onTrouble` is called with the reason why some cannot be removed. */
export const removeMadeFiles = (cache: string, onTrouble: (cause: NodeJS.ErrnoException) => void): Promise<void> =>
  rm(folderIn(cache), { recursive: true, force: true }).catch(onTrouble);

const foldersIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).map((name) => join(folder, name));

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
