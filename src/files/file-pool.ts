// A folder of small files with a bounded size that several processes share: whole files or none, the oldest out first.
import { randomBytes } from 'node:crypto';
import fs, { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from './make-folder.ts';
import {
  BLOCK_BYTES,
  diskBytes,
  folderOf,
  measure,
  namesIn,
  type PoolPlace,
  pathOf,
  removeEmpty,
  statOf,
  survey,
  temporaryFor,
  wholeBlocks,
} from './pool-layout.ts';
import { someAtOnce } from './some-at-once.ts';
import { addUse, forget, openUseTable, totalUse } from './use-table.ts';

const readFile = promisify(fs.readFile);

export interface FilePool {
  /** The text of a file; undefined when there is none, or when it cannot be read. */
  read(name: string): Promise<string | undefined>;
  /** The first `bytes` bytes of files, as far as they are there. Nothing else goes on meanwhile: that is fast, and for commands only. */
  readStarts(names: readonly string[], bytes: number): Promise<readonly FileStart[]>;
  /** Replaces a file as a whole. If the pool is too big then, a sweep begins behind it, which drops the oldest files. */
  write(name: string, text: string | Buffer): Promise<void>;
  /** How many of the files were there. */
  remove(names: readonly string[]): Promise<number>;
  /** The names that begin with `prefix`, folder by folder. */
  names(prefix?: string): AsyncIterable<readonly string[]>;
  /** How many files there are, and what they take of the disk. */
  measure(): Promise<{ readonly files: number; readonly bytes: number }>;
}

interface FileStart {
  readonly name: string;
  readonly text: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

/** Names are hexadecimal digits, at random: so many files are in each folder. */
interface FilePoolOptions extends PoolPlace {
  /** Of the disk, which gives room in blocks. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** Hears of each failure other than a missing file; the pool goes on without the file. */
  readonly onTrouble: (cause: NodeJS.ErrnoException) => void;
}

export function openFilePool(options: FilePoolOptions): FilePool {
  const { maxBytes, now, onTrouble } = options;
  const table = openUseTable(options);
  let sweeping = false;
  let sweepWanted = false;
  let sweepWantedMs = 0;

  const attempt = async <T>(action: () => Promise<T>, mayBeMissing = true): Promise<T | undefined> => {
    try {
      return await action();
    } catch (cause) {
      const problem = cause as NodeJS.ErrnoException; // only file-system calls are attempted
      if (problem.code !== 'ENOENT' || !mayBeMissing) onTrouble(problem);
      return undefined;
    }
  };

  /** What the pool uses then; undefined while that is not known for all of it. */
  const account = async (name: string, bytes: number, mayBegin?: 'may begin'): Promise<number | undefined> =>
    totalUse(await table.change((use) => addUse(use, folderOf(name), bytes), mayBegin));

  /** Readers see the old file or the new one, never a part: the text is complete before it gets its name. */
  const replace = async (path: string, text: string | Buffer): Promise<void> => {
    const temporary = temporaryFor(path, randomBytes(6).toString('hex'));
    try {
      const file = await openNew(temporary);
      try {
        await file.writeFile(text);
        await file.utimes(now() / 1000, now() / 1000);
      } finally {
        await file.close();
      }
      await fs.promises.rename(temporary, path);
    } catch (cause) {
      await fs.promises.rm(temporary, { force: true });
      throw cause;
    }
  };

  /** One at a time for all processes; whoever comes second need not wait. */
  const startSweep = async (): Promise<void> => {
    sweepWantedMs = performance.now();
    sweepWanted = true;
    if (sweeping) return;
    sweeping = true;
    const { sweep } = await import('./sweep.ts');
    // A write during the last look of a sweep would else be one that nobody makes room for.
    while (sweepWanted) {
      sweepWanted = false;
      await attempt(() => sweep({ place: options, maxBytes, table, wantedMs: () => sweepWantedMs }));
    }
    sweeping = false;
  };

  const folders = async (): Promise<readonly string[]> => {
    const found = await attempt(() => survey(options));
    if (found !== undefined && found.changed.length > 0) await attempt(() => table.change((use) => forget(use, found.changed)));
    return found?.folders ?? [];
  };

  const removeIn = async (names: readonly string[]): Promise<number> => {
    let [removed, bytes] = [0, 0];
    const removeOne = async (name: string): Promise<void> => {
      const path = pathOf(options, name);
      const stat = await statOf(path);
      await fs.promises.unlink(path);
      removed++;
      bytes += stat === undefined ? 0 : diskBytes(stat);
    };
    await someAtOnce(names, (name) => attempt(() => removeOne(name)));
    const [first] = names;
    if (first === undefined || removed === 0) return removed;
    if (await removeEmpty(dirname(pathOf(options, first)))) bytes += BLOCK_BYTES;
    await attempt(() => account(first, -bytes));
    return removed;
  };

  return {
    // Without node:fs/promises, which would be half of the time that this takes in a process of its own.
    read: (name) => attempt(() => readFile(pathOf(options, name), 'utf8')),
    readStarts: async (names, bytes) => {
      const buffer = Buffer.alloc(bytes);
      const found: FileStart[] = [];
      for (const name of names) await attempt(async () => void found.push(startOf(options, name, buffer)));
      return found;
    },
    async write(name, text) {
      const bytes = wholeBlocks(Buffer.byteLength(text));
      if (bytes > maxBytes) return;
      await attempt(async () => {
        const path = pathOf(options, name);
        const before = await statOf(path);
        const added = before === undefined ? bytes : bytes - diskBytes(before);
        // Before the file is there: what a crash leaves is counted then, and found by a sweep.
        const total = await account(name, added, 'may begin');
        try {
          await replace(path, text);
        } catch (cause) {
          await account(name, -added).catch(() => undefined); // what is wrong is told by what could not be written
          throw cause;
        }
        if (total === undefined || total > maxBytes) void startSweep();
      }, false);
    },
    async remove(names) {
      let removed = 0;
      for (const part of new Set(names.map(folderOf))) removed += await removeIn(names.filter((name) => folderOf(name) === part));
      return removed;
    },
    async *names(prefix = '') {
      for (const part of await folders()) {
        if (!part.startsWith(prefix.slice(0, 2))) continue;
        const names = ((await attempt(() => namesIn(options, part))) ?? []).filter((name) => name.startsWith(prefix));
        if (names.length > 0) yield names;
      }
    },
    async measure() {
      let [files, bytes] = [0, 0];
      const measureOne = async (part: string): Promise<void> => {
        const found = await measure(options, part);
        files += found.files.length;
        bytes += found.bytes;
      };
      await someAtOnce(await folders(), (part) => attempt(() => measureOne(part)));
      return { files, bytes };
    },
  };
}

function startOf(place: PoolPlace, name: string, buffer: Buffer): FileStart {
  const fd = openSync(pathOf(place, name), 'r');
  try {
    const bytesRead = readSync(fd, buffer, 0, buffer.length, 0);
    return { name, text: buffer.toString('utf8', 0, bytesRead), size: fstatSync(fd).size };
  } finally {
    closeSync(fd);
  }
}

/** Results may be confidential: files and folder are the user's own. A sweep may remove the empty folder at this moment. */
async function openNew(path: string): Promise<fs.promises.FileHandle> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await fs.promises.open(path, 'wx', 0o600);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 3) throw cause; // fs.open throws system errors only
      makeFolder(dirname(path), 0o700);
    }
  }
}
