// How the files of a pool lie on the disk: in folders named after the first two digits of their names, so that no folder is too large to be
// looked through in one go.
import fs, { type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface PooledFile {
  readonly name: string;
  /** What it takes of the disk. */
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface PoolPlace {
  readonly folder: string;
  /** Ending of the pool's files, e.g. `.entry`; names are given without it. Other files in the folder are never touched. */
  readonly suffix: string;
}

/** Most disks give room in blocks of so many bytes. */
export const BLOCK_BYTES = 4096;
/** What was written for so long was given up. */
const ABANDONED_MS = 3_600_000;
const TEMPORARY = /^\..*\.tmp$/;
const FOLDER = /^[0-9a-f]{2}$/;
const FLAT = /^[0-9a-f]{2}./;
/** With these, older versions of quern kept account of a pool. */
const OLD_LEDGER = '.ledger';

export const folderOf = (name: string): string => name.slice(0, 2);

export const pathOf = ({ folder, suffix }: PoolPlace, name: string): string => join(folder, folderOf(name), name + suffix);

/** The name of a file while it is written. */
export const temporaryFor = (path: string, unique: string): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}.${unique}.tmp`);

/** What a file takes of the disk. Where the disk does not tell, as for what it keeps beside the file's name, it is what most would take. */
export const diskBytes = ({ blocks, size }: Pick<Stats, 'blocks' | 'size'>): number => (blocks > 0 ? blocks * 512 : wholeBlocks(size));

export const wholeBlocks = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

interface Survey {
  /** Those that are there, in order. */
  readonly folders: readonly string[];
  /** Those into which files were moved. */
  readonly changed: readonly string[];
  /** True when older versions of quern have left more than `most` files. */
  readonly more: boolean;
}

/** Looks at the pool's own folder, and moves at most `most` files that older versions of quern left in it to where they belong now. */
export async function survey(place: PoolPlace, most = Number.POSITIVE_INFINITY): Promise<Survey> {
  const folders = new Set<string>();
  const changed = new Set<string>();
  let left = most;
  for await (const { name } of await fs.promises.opendir(place.folder)) {
    if (FOLDER.test(name)) folders.add(name);
    else if (name === OLD_LEDGER) await removeFile(join(place.folder, name));
    else if (TEMPORARY.test(name)) await bytesOfTemporary(join(place.folder, name));
    else if (FLAT.test(name) && name.endsWith(place.suffix)) {
      if (left === 0) return { folders: inOrder(folders, changed), changed: inOrder(changed), more: true };
      left--;
      await moveIntoFolder(place, name, !changed.has(folderOf(name)));
      changed.add(folderOf(name));
    }
  }
  return { folders: inOrder(folders, changed), changed: inOrder(changed), more: false };
}

const inOrder = (...sets: readonly ReadonlySet<string>[]): readonly string[] => [...new Set(sets.flatMap((set) => [...set]))].sort();

/** A file that is there already is the newer one: older versions of quern do not write there. */
async function moveIntoFolder({ folder }: PoolPlace, fileName: string, isFirst: boolean): Promise<void> {
  const from = join(folder, fileName);
  const target = join(folder, folderOf(fileName));
  if (isFirst) await fs.promises.mkdir(target, { mode: 0o700 }).catch(unless('EEXIST'));
  // Where a disk has no links, the file goes: it can be made again.
  await fs.promises.link(from, join(target, fileName)).catch(unless('EEXIST', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'ENOENT'));
  await removeFile(from);
}

/** The names of the pool's files in one of its folders. */
export async function namesIn({ folder, suffix }: PoolPlace, part: string): Promise<readonly string[]> {
  const fileNames = (await fs.promises.readdir(join(folder, part)).catch(unless('ENOENT', 'ENOTDIR'))) ?? [];
  return fileNames.filter((name) => name.startsWith(part) && name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
}

interface Measured {
  readonly files: readonly PooledFile[];
  /** All that the pool has there, with the folder itself. */
  readonly bytes: number;
}

/** One look after the other, so that what else the process does with files need not wait. A folder without anything in it is removed. */
export async function measure(place: PoolPlace, part: string): Promise<Measured> {
  const path = join(place.folder, part);
  const files: PooledFile[] = [];
  const fileNames = (await fs.promises.readdir(path).catch(unless('ENOENT', 'ENOTDIR'))) ?? [];
  if (fileNames.length === 0) {
    await removeEmpty(path);
    return { files, bytes: 0 };
  }
  const own = await statOf(path);
  let bytes = own === undefined ? 0 : diskBytes(own);
  for (const fileName of fileNames) {
    if (TEMPORARY.test(fileName)) bytes += await bytesOfTemporary(join(path, fileName));
    if (!fileName.startsWith(part) || !fileName.endsWith(place.suffix)) continue;
    const stat = await statOf(join(path, fileName));
    if (!stat?.isFile()) continue;
    files.push({ name: fileName.slice(0, -place.suffix.length), bytes: diskBytes(stat), modifiedMs: stat.mtimeMs });
    bytes += diskBytes(stat);
  }
  return { files, bytes };
}

/** In one call, where fs.rm makes several. */
export async function removeFile(path: string): Promise<void> {
  await fs.promises.unlink(path).catch(unless('ENOENT'));
}

/** True when the folder is gone; one that holds anything stays. */
export async function removeEmpty(path: string): Promise<boolean> {
  return fs.promises.rmdir(path).then(
    () => true,
    () => false,
  );
}

/** Undefined when there is no such file. */
export async function statOf(path: string): Promise<Stats | undefined> {
  return (await fs.promises.lstat(path).catch(unless('ENOENT', 'ENOTDIR'))) ?? undefined;
}

/** Removes what was never finished. */
async function bytesOfTemporary(path: string): Promise<number> {
  const stat = await statOf(path);
  if (stat === undefined) return 0;
  // Measured by the system's clock, which set the time of a file that was never finished.
  if (Date.now() - stat.ctimeMs <= ABANDONED_MS) return diskBytes(stat);
  await removeFile(path);
  return 0;
}

/** Takes some failures as they are. */
const unless =
  (...codes: readonly string[]) =>
  (cause: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(cause.code ?? '')) throw cause;
  };
