// How much of the disk the folders of a pool use, as numbers in one file: neither a write nor the beginning of a sweep has to measure the pool.
// Processes that write at once change numbers of their own, as a rule; what is lost on the way is found by the sweep, which measures.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { BLOCK_BYTES, type PoolPlace, survey, temporaryFor } from './pool-layout.ts';

/** The numbers as they are, to be changed in place. */
export interface Use {
  /** In units of 512 bytes by the number of the folder; UNKNOWN where nobody has measured yet. */
  readonly units: Int32Array;
  /** Where the next sweep begins. */
  cursor: number;
}

export interface UseTable {
  /** Changes the numbers, and gives all of them. Rejects with ENOENT when there is no table, unless one may be begun. */
  change(alter: (use: Use) => void, mayBegin?: 'may begin'): Promise<Use>;
}

export const UNKNOWN = -1;
export const UNIT_BYTES = 512;
export const FOLDERS = 256;
/** Says which kind of file this is. */
const MAGIC = 0x71_75_73_01;
const FIELDS = 2 + FOLDERS;

export function openUseTable(place: PoolPlace): UseTable {
  const path = join(place.folder, '.use');
  let last: Promise<unknown> = Promise.resolve();

  const changeNow = async (alter: (use: Use) => void, mayBegin: boolean): Promise<Use> => {
    const file = await fs.promises.open(path, 'r+').catch(async (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT' || !mayBegin) throw cause;
      await begin(place, path);
      return fs.promises.open(path, 'r+');
    });
    try {
      const fields = new Int32Array(FIELDS);
      const { bytesRead } = await file.read(new Uint8Array(fields.buffer), 0, fields.byteLength, 0);
      const whole = bytesRead === fields.byteLength && fields[0] === MAGIC;
      const before = whole ? fields.slice() : new Int32Array(FIELDS);
      if (!whole) fields.fill(UNKNOWN);
      const use: Use = { units: fields.subarray(2), cursor: Math.max(0, fields[1] ?? 0) };
      alter(use);
      [fields[0], fields[1]] = [MAGIC, use.cursor];
      // Only what has changed: another process may be changing other numbers.
      for (let at = 0; at < FIELDS; at++) if (fields[at] !== before[at]) await file.write(new Uint8Array(fields.buffer), at * 4, 4, at * 4);
      return use;
    } finally {
      await file.close();
    }
  };

  return {
    change(alter, mayBegin) {
      const turn = last.then(() => changeNow(alter, mayBegin !== undefined));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** Makes a table, and the pool's folder where it is missing. It knows nothing of what is there already. */
async function begin(place: PoolPlace, path: string): Promise<void> {
  makeFolder(place.folder, 0o700);
  const { folders, more } = await survey(place, 0);
  const fields = new Int32Array(FIELDS).fill(more ? UNKNOWN : 0);
  for (const folder of folders) fields[2 + numberOf(folder)] = UNKNOWN;
  [fields[0], fields[1]] = [MAGIC, 0];
  const temporary = temporaryFor(path, randomBytes(6).toString('hex'));
  try {
    await fs.promises.writeFile(temporary, new Uint8Array(fields.buffer), { flag: 'wx', mode: 0o600 });
    // Another process may have begun, and counted, meanwhile: its table stays. Some disks have no links.
    await fs.promises
      .link(temporary, path)
      .catch((cause: NodeJS.ErrnoException) => (cause.code === 'EEXIST' ? undefined : fs.promises.rename(temporary, path)));
  } finally {
    await fs.promises.rm(temporary, { force: true });
  }
}

export const numberOf = (folder: string): number => Number.parseInt(folder, 16);

/** Adds to what a folder uses, which is never less than nothing. What is not known stays so. */
export function addUse({ units }: Use, folder: string, bytes: number): void {
  const at = numberOf(folder);
  const before = units[at] ?? UNKNOWN;
  if (before === UNKNOWN) return;
  const withFolder = before === 0 && bytes > 0 ? bytes + BLOCK_BYTES : bytes;
  units[at] = Math.max(0, Math.min(before + Math.ceil(withFolder / UNIT_BYTES), 0x7fffffff));
}

/** In bytes; undefined while a folder has not been measured. */
export function totalUse({ units }: Use): number | undefined {
  return units.includes(UNKNOWN) ? undefined : units.reduce((sum, one) => sum + one, 0) * UNIT_BYTES;
}

/** Folders into which files were moved have to be measured again. */
export function forget({ units }: Use, folders: readonly string[]): void {
  for (const folder of folders) units[numberOf(folder)] = UNKNOWN;
}
