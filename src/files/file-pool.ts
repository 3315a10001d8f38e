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

export class FilePool {
  readonly #options: FilePoolOptions;
  readonly #table: ReturnType<typeof openUseTable>;
  #sweeping = false;
  #sweepWanted = false;
  #sweepWantedMs = 0;

  constructor(options: FilePoolOptions) {
    this.#options = options;
    this.#table = openUseTable(options);
  }

  /** Returns the text of a file; undefined when there is none, or when it cannot be read. */
  read(name: string): Promise<string | undefined> {
    // Without node:fs/promises, which would be half of the time that this takes in a process of its own.
    return this.#attempt(() => readFile(pathOf(this.#options, name), 'utf8'));
  }

  /** The same as bytes. */
  readBytes(name: string): Promise<Buffer | undefined> {
    return this.#attempt(() => readFile(pathOf(this.#options, name)));
  }

  /** Returns the first `bytes` bytes of files, as far as they are there. Nothing else goes on meanwhile: that is fast, and for commands only. */
  async readStarts(names: readonly string[], bytes: number): Promise<readonly FileStart[]> {
    const buffer = Buffer.alloc(bytes);
    const found: FileStart[] = [];
    for (const name of names) await this.#attempt(async () => void found.push(startOf(this.#options, name, buffer)));
    return found;
  }

  /** Replaces a file as a whole. If the pool is too big then, a sweep begins behind it, which drops the oldest files. */
  async write(name: string, text: string | Buffer): Promise<void> {
    const { maxBytes } = this.#options;
    const bytes = wholeBlocks(Buffer.byteLength(text));
    if (bytes > maxBytes) return;
    await this.#attempt(async () => {
      const path = pathOf(this.#options, name);
      const before = await statOf(path);
      const added = before === undefined ? bytes : bytes - diskBytes(before);
      // Before the file is there: what a crash leaves is counted then, and found by a sweep.
      const total = await this.#account(name, added, 'may begin');
      try {
        await this.#replace(path, text);
      } catch (cause) {
        await this.#account(name, -added).catch(() => undefined); // the first failure is the one to report
        throw cause;
      }
      if (total === undefined || total > maxBytes) void this.#startSweep();
    }, false);
  }

  /** Returns how many of the files were there. */
  async remove(names: readonly string[]): Promise<number> {
    let removed = 0;
    for (const part of new Set(names.map(folderOf))) removed += await this.#removeIn(names.filter((name) => folderOf(name) === part));
    return removed;
  }

  /** Gives the names that begin with `prefix`, folder by folder. */
  async *names(prefix = ''): AsyncIterable<readonly string[]> {
    for (const part of await this.#folders()) {
      if (!part.startsWith(prefix.slice(0, 2))) continue;
      const names = ((await this.#attempt(() => namesIn(this.#options, part))) ?? []).filter((name) => name.startsWith(prefix));
      if (names.length > 0) yield names;
    }
  }

  /** Returns how many files there are, and what they take of the disk. */
  async measure(): Promise<{ readonly files: number; readonly bytes: number }> {
    let [files, bytes] = [0, 0];
    const measureOne = async (part: string): Promise<void> => {
      const found = await measure(this.#options, part);
      files += found.files.length;
      bytes += found.bytes;
    };
    await someAtOnce(await this.#folders(), (part) => this.#attempt(() => measureOne(part)));
    return { files, bytes };
  }

  async #attempt<T>(action: () => Promise<T>, mayBeMissing = true): Promise<T | undefined> {
    try {
      return await action();
    } catch (cause) {
      const problem = cause as NodeJS.ErrnoException; // only file-system calls are attempted
      if (problem.code !== 'ENOENT' || !mayBeMissing) this.#options.onTrouble(problem);
      return undefined;
    }
  }

  /** Returns what the pool uses then; undefined while that is not known for all of it. */
  async #account(name: string, bytes: number, mayBegin?: 'may begin'): Promise<number | undefined> {
    return totalUse(await this.#table.change((use) => addUse(use, folderOf(name), bytes), mayBegin));
  }

  /** Readers see the old file or the new one, never a part: the text is complete before it gets its name. */
  async #replace(path: string, text: string | Buffer): Promise<void> {
    const { now } = this.#options;
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
  }

  /** One at a time for all processes; whoever comes second need not wait. */
  async #startSweep(): Promise<void> {
    this.#sweepWantedMs = performance.now();
    this.#sweepWanted = true;
    if (this.#sweeping) return;
    this.#sweeping = true;
    const { maxBytes } = this.#options;
    const { sweep } = await import('./sweep.ts');
    // Nobody else would make room for a write during the last look of a sweep.
    while (this.#sweepWanted) {
      this.#sweepWanted = false;
      await this.#attempt(() => sweep({ place: this.#options, maxBytes, table: this.#table, wantedMs: () => this.#sweepWantedMs }));
    }
    this.#sweeping = false;
  }

  async #folders(): Promise<readonly string[]> {
    const found = await this.#attempt(() => survey(this.#options));
    if (found !== undefined && found.changed.length > 0) await this.#attempt(() => this.#table.change((use) => forget(use, found.changed)));
    return found?.folders ?? [];
  }

  async #removeIn(names: readonly string[]): Promise<number> {
    let [removed, bytes] = [0, 0];
    const removeOne = async (name: string): Promise<void> => {
      const path = pathOf(this.#options, name);
      const stat = await statOf(path);
      await fs.promises.unlink(path);
      removed++;
      bytes += stat === undefined ? 0 : diskBytes(stat);
    };
    await someAtOnce(names, (name) => this.#attempt(() => removeOne(name)));
    const [first] = names;
    if (first === undefined || removed === 0) return removed;
    if (await removeEmpty(dirname(pathOf(this.#options, first)))) bytes += BLOCK_BYTES;
    await this.#attempt(() => this.#account(first, -bytes));
    return removed;
  }
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
