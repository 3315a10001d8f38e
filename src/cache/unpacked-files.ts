// Files of bzip2, unpacked for the engine, which is built without it. They stay while they are used: 15 MB take a second.
import type { Stats } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeAbandonedTemporaries, temporaryBeside } from '../files/temporary.ts';
import { digest } from './json-memory.ts';
import { createSingleFlight } from './single-flight.ts';

/** A file as it was when it was listed. */
interface PackedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

interface UnpackedFiles {
  /** How many bytes stand before `as` in what `pathOf` gives. */
  readonly prefix: number;
  /** Where the file is for the engine once it is unpacked, with `as` at the end. */
  pathOf(file: PackedFile, as: string): string;
  /**
   * Unpacks the file, or where `unpack` is not given makes a link to it, unless that was done already. Throws what `unpack` and the file system throw, and
   * ChangedError for a file that is no longer as it was listed. True when there was something to do: then it is time to `sweep`.
   */
  provide(file: PackedFile, as: string, unpack?: (from: string, to: string) => Promise<void>): Promise<boolean>;
  /** Removes what nobody has used for long, and earlier states of `files`. What cannot be removed is left to the next one. */
  sweep(files: readonly PackedFile[]): Promise<void>;
}

export class ChangedError extends Error {}

const DAY_MS = 24 * 3600e3;
/** What was not used for so long is not going to be. */
const UNUSED_MS = 7 * DAY_MS;
/** A file has changed, but a query that began before may still read it as it was. */
const OUTDATED_MS = 3600e3;

const PATH_DIGITS = 32;
const STATE_DIGITS = 16;

const folderIn = (cache: string): string => join(cache, 'unpacked');

const flights = createSingleFlight<boolean>();

/** `cache` is the cache's folder. Files that are not packed are there as links, or as copies: what a link leads to may change. */
export function openUnpackedFiles(cache: string, now: () => number, others: 'linked' | 'copied'): UnpackedFiles {
  const folder = folderIn(cache);
  const ofPath = ({ path }: PackedFile): string => join(folder, digest(path).slice(0, PATH_DIGITS));
  const ofState = (file: PackedFile): string =>
    join(ofPath(file), digest(`${file.bytes} ${file.modifiedMs} ${others}`).slice(0, STATE_DIGITS));
  const pathOf = (file: PackedFile, as: string): string => `${ofState(file)}${as}`;
  const used = (path: string): Promise<void> => utimes(path, new Date(now()), new Date(now()));

  const make = async (file: PackedFile, target: string, unpack: ((from: string, to: string) => Promise<void>) | undefined) => {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const made = temporaryBeside(target);
    removeAbandonedTemporaries(target);
    try {
      await rm(made, { force: true }); // of a process that died and had the same number
      await (unpack === undefined ? symlink(file.path, made) : unpack(file.path, made));
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
    provide: (file, as, unpack) =>
      flights.share(pathOf(file, as), async () => {
        const target = pathOf(file, as);
        const isNew = (await statOf(target)) === undefined;
        if (isNew) await make(file, target, unpack);
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

/** Removes all of them; `onTrouble` hears why some cannot be removed. */
export const removeUnpackedFiles = (cache: string, onTrouble: (cause: NodeJS.ErrnoException) => void): Promise<void> =>
  rm(folderIn(cache), { recursive: true, force: true }).catch(onTrouble);

const foldersIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).map((name) => join(folder, name));

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
