// A folder of small files with a bounded size that several processes share: whole files or none, the oldest out first.
import { randomBytes } from 'node:crypto';
import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

interface PooledFile {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface FilePool {
  /** The text of a file; undefined when there is none, or when it cannot be read. */
  read(name: string): Promise<string | undefined>;
  /** The first `bytes` bytes of a file as text. */
  readStart(name: string, bytes: number): Promise<string | undefined>;
  /** Replaces a file as a whole, then drops the oldest ones if the pool is too big. */
  write(name: string, text: string): Promise<void>;
  /** True when the file was there. */
  remove(name: string): Promise<boolean>;
  /** The oldest first. */
  files(): Promise<readonly PooledFile[]>;
}

interface FilePoolOptions {
  readonly folder: string;
  /** Ending of the pool's files, e.g. `.entry`; names are given without it. Other files in the folder are never touched. */
  readonly suffix: string;
  readonly maxBytes: number;
  readonly now: () => number;
  /** Hears of each failure other than a missing file; the pool goes on without the file. */
  readonly onTrouble: (cause: NodeJS.ErrnoException) => void;
}

/** A sweep makes some room, so that the next write need not sweep again. */
const SWEEP_TO = 0.9;
/** What was written since the last sweep is noted in this file, so that a write need not measure the folder. */
const LEDGER = '.ledger';
const LEDGER_LINES = 1000;
const ABANDONED_MS = 3_600_000;
const TEMPORARY = /^\..*\.tmp$/;

export function openFilePool({ folder, suffix, maxBytes, now, onTrouble }: FilePoolOptions): FilePool {
  const pathOf = (name: string) => join(folder, name + suffix);

  const ledger = join(folder, LEDGER);

  const attempt = async <T>(action: () => Promise<T>, mayBeMissing = true): Promise<T | undefined> => {
    try {
      return await action();
    } catch (cause) {
      const problem = cause as NodeJS.ErrnoException; // only file-system calls are attempted
      if (problem.code !== 'ENOENT' || !mayBeMissing) onTrouble(problem);
      return undefined;
    }
  };

  /** Readers see the old file or the new one, never a part: the text is complete before it gets its name. */
  const replace = async (fileName: string, text: string): Promise<void> => {
    const temporary = join(folder, `.${fileName}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
    try {
      const file = await openNew(temporary, folder);
      try {
        await file.writeFile(text);
        await file.utimes(now() / 1000, now() / 1000);
      } finally {
        await file.close();
      }
      await fs.rename(temporary, join(folder, fileName));
    } catch (cause) {
      await fs.rm(temporary, { force: true });
      throw cause;
    }
  };

  const files = async (): Promise<PooledFile[]> => {
    const names = (await attempt(() => fs.readdir(folder))) ?? [];
    const found = await Promise.all(
      names.map(async (fileName): Promise<PooledFile | undefined> => {
        if (fileName.startsWith('.') || !fileName.endsWith(suffix)) return undefined;
        const name = fileName.slice(0, -suffix.length);
        const stat = await attempt(() => fs.stat(pathOf(name)));
        return stat?.isFile() ? { name, bytes: stat.size, modifiedMs: stat.mtimeMs } : undefined;
      }),
    );
    return found.filter((file) => file !== undefined).sort((a, b) => a.modifiedMs - b.modifiedMs || (a.name < b.name ? -1 : 1));
  };

  const remove = async (name: string): Promise<boolean> => (await attempt(() => fs.unlink(pathOf(name)).then(() => true))) ?? false;

  const removeAbandoned = async (): Promise<void> => {
    for (const fileName of await fs.readdir(folder)) {
      if (!TEMPORARY.test(fileName)) continue;
      const path = join(folder, fileName);
      const stat = await attempt(() => fs.stat(path));
      // Measured by the system's clock, which set the time of a file that was never finished.
      if (stat !== undefined && Date.now() - stat.ctimeMs > ABANDONED_MS) await attempt(() => fs.unlink(path));
    }
  };

  const sweep = async (): Promise<void> => {
    const found = await files();
    let total = found.reduce((sum, file) => sum + file.bytes, 0);
    if (total > maxBytes) {
      for (const file of found) {
        if (total <= maxBytes * SWEEP_TO) break;
        await remove(file.name);
        total -= file.bytes;
      }
    }
    await removeAbandoned();
    await replace(LEDGER, `total ${total}\n`);
  };

  /** Adds to the ledger; other processes append to it too, and a lost line only delays the next sweep. */
  const account = async (bytes: number): Promise<void> => {
    await fs.appendFile(ledger, `${bytes}\n`, { mode: 0o600 });
    const [first = '', ...written] = (await fs.readFile(ledger, 'utf8')).split('\n');
    const total = written.reduce((sum, line) => sum + Number(line), Number(first.replace('total ', '')));
    if (!first.startsWith('total ') || written.length > LEDGER_LINES || !(total <= maxBytes)) await sweep();
  };

  return {
    read: (name) => attempt(() => fs.readFile(pathOf(name), 'utf8')),
    readStart: (name, bytes) =>
      attempt(async () => {
        const file = await fs.open(pathOf(name));
        try {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
          return buffer.toString('utf8', 0, bytesRead);
        } finally {
          await file.close();
        }
      }),
    async write(name, text) {
      const bytes = Buffer.byteLength(text);
      if (bytes > maxBytes) return;
      await attempt(async () => {
        await replace(name + suffix, text);
        await account(bytes);
      }, false);
    },
    remove,
    files,
  };
}

/** Results may be confidential: files and folder are the user's own. */
async function openNew(path: string, folder: string): Promise<fs.FileHandle> {
  const open = () => fs.open(path, 'wx', 0o600);
  return open().catch(async (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    makeFolder(folder, 0o700);
    return open();
  });
}
