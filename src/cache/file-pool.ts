// A folder of small files with a bounded size that several processes share: whole files or none, the oldest out first.
import { randomBytes } from 'node:crypto';
import { promises as fs } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../make-folder.ts';
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
import { addUse, forget, openUseTable, totalUse } from './use-table.ts';

export interface FilePool {
  /** The text of a file; undefined when there is none, or when it cannot be read. */
  read(name: string): Promise<string | undefined>;
  /** The first `bytes` bytes of a file as text, and the size of all of it. */
  readStart(name: string, bytes: number): Promise<{ readonly text: string; readonly size: number } | undefined>;
  /** Replaces a file as a whole. If the pool is too big then, a sweep begins behind it, which drops the oldest files. */
  write(name: string, text: string): Promise<void>;
  /** How many of the files were there. */
  remove(names: readonly string[]): Promise<number>;
  /** The names that begin with `prefix`, folder by folder. */
  names(prefix?: string): AsyncIterable<readonly string[]>;
  /** How many files there are, and what they take of the disk. */
  measure(): Promise<{ readonly files: number; readonly bytes: number }>;
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

  /** Undefined while it is not known for all of the pool. */
  const account = async (name: string, bytes: number): Promise<number | undefined> =>
    totalUse(await table.change((use) => addUse(use, folderOf(name), bytes)));

  /** Readers see the old file or the new one, never a part: the text is complete before it gets its name. */
  const replace = async (path: string, text: string): Promise<void> => {
    const temporary = temporaryFor(path, randomBytes(6).toString('hex'));
    try {
      const file = await openNew(temporary);
      try {
        await file.writeFile(text);
        await file.utimes(now() / 1000, now() / 1000);
      } finally {
        await file.close();
      }
      await fs.rename(temporary, path);
    } catch (cause) {
      await fs.rm(temporary, { force: true });
      throw cause;
    }
  };

  /** One at a time for all processes; whoever comes second need not wait. */
  const startSweep = async (): Promise<void> => {
    sweepWantedMs = performance.now();
    if (sweeping) return;
    sweeping = true;
    await attempt(async () => {
      const { sweep } = await import('./sweep.ts');
      await sweep({ place: options, maxBytes, table, wantedMs: () => sweepWantedMs });
    });
    sweeping = false;
  };

  const folders = async (): Promise<readonly string[]> => {
    const found = await attempt(() => survey(options));
    if (found !== undefined && found.changed.length > 0) await attempt(() => table.change((use) => forget(use, found.changed)));
    return found?.folders ?? [];
  };

  const removeIn = async (names: readonly string[]): Promise<number> => {
    let [removed, bytes] = [0, 0];
    for (const name of names) {
      await attempt(async () => {
        const path = pathOf(options, name);
        const stat = await statOf(path);
        await fs.unlink(path);
        removed++;
        bytes += stat === undefined ? 0 : diskBytes(stat);
      });
    }
    const [first] = names;
    if (first === undefined || removed === 0) return removed;
    if (await removeEmpty(dirname(pathOf(options, first)))) bytes += BLOCK_BYTES;
    await attempt(() => account(first, -bytes));
    return removed;
  };

  return {
    read: (name) => attempt(() => fs.readFile(pathOf(options, name), 'utf8')),
    readStart: (name, bytes) =>
      attempt(async () => {
        const file = await fs.open(pathOf(options, name));
        try {
          const [{ buffer, bytesRead }, { size }] = [await file.read(Buffer.alloc(bytes), 0, bytes, 0), await file.stat()];
          return { text: buffer.toString('utf8', 0, bytesRead), size };
        } finally {
          await file.close();
        }
      }),
    async write(name, text) {
      const bytes = wholeBlocks(Buffer.byteLength(text));
      if (bytes > maxBytes) return;
      await attempt(async () => {
        const path = pathOf(options, name);
        const before = await statOf(path);
        const added = before === undefined ? bytes : bytes - diskBytes(before);
        // Before the file is there: what a crash leaves is counted then, and found by a sweep.
        const total = await account(name, added);
        await replace(path, text);
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
      for (const part of await folders()) {
        const found = await attempt(() => measure(options, part));
        files += found?.files.length ?? 0;
        bytes += found?.bytes ?? 0;
      }
      return { files, bytes };
    },
  };
}

/** Results may be confidential: files and folder are the user's own. A sweep may remove the empty folder at this moment. */
async function openNew(path: string): Promise<fs.FileHandle> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await fs.open(path, 'wx', 0o600);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 3) throw cause; // fs.open throws system errors only
      makeFolder(dirname(path), 0o700);
    }
  }
}
