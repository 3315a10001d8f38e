// Makes room in a pool of files: a part of it at a time, by one process at a time, while everything else goes on.
import { join } from 'node:path';
import { takeLock } from './lock-file.ts';
import {
  BLOCK_BYTES,
  folderOf,
  measure,
  type PooledFile,
  type PoolPlace,
  pathOf,
  removeEmpty,
  removeFile,
  statOf,
  survey,
} from './pool-layout.ts';
import { addUse, FOLDERS, forget, numberOf, totalUse, UNIT_BYTES, UNKNOWN, type Use, type UseTable } from './use-table.ts';

/** How many files one step looks at. A pool with no more of them is swept as a whole, the very oldest first. */
const STEP_FILES = 2000;
/** Of a larger pool each step may drop this share of the files it sees, the oldest of them: they are a fair sample, since names are random. */
const STEP_SHARE = 1 / 16;
/** A sweep of a whole pool makes some room, so that the next write need not sweep again. */
const SWEEP_TO = 0.9;
/** A process that has nothing else to do stays so long for a sweep after its last write; the next write of any process goes on with it. */
const LINGER_MS = 1000;

interface Sweeping {
  readonly place: PoolPlace;
  readonly maxBytes: number;
  readonly table: UseTable;
  /** When the last write found the pool too big. */
  wantedMs(): number;
}

/** Does nothing while another process sweeps. Throws the system's errors. */
export async function sweep({ place, maxBytes, table, wantedMs }: Sweeping): Promise<void> {
  for (;;) {
    const stepMs = performance.now();
    const giveBack = takeLock(join(place.folder, '.sweep'));
    if (giveBack === undefined) return;
    try {
      if (!(await step(place, maxBytes, table))) return;
    } finally {
      giveBack();
    }
    const nowMs = performance.now();
    await rest(nowMs - stepMs, nowMs - wantedMs() < LINGER_MS);
  }
}

/** Half of the time is left to others. */
function rest(ms: number, keepsProcess: boolean): Promise<void> {
  return new Promise((resume) => {
    const timer = setTimeout(resume, ms);
    if (!keepsProcess) timer.unref();
  });
}

/** True when there is more to do. */
async function step(place: PoolPlace, maxBytes: number, table: UseTable): Promise<boolean> {
  const { folders, changed, more } = await survey(place, STEP_FILES);
  const there = new Set(folders.map(numberOf));
  const before = await table.change((use) => {
    forget(use, changed);
    for (let at = 0; at < FOLDERS; at++) if (!more && !there.has(at)) use.units[at] = 0;
  });
  if (more) return true;
  const { files, bytes, whole, settle } = await look(place, table, before, folders);
  const known = totalUse(await table.change(settle));
  if (known === undefined) return true;
  // What was written meanwhile is in the table and not in the sample, or in both: only files that were seen may go for it.
  const total = whole ? bytes : known;
  if (total <= maxBytes) return known > maxBytes;
  files.sort((a, b) => a.modifiedMs - b.modifiedMs || (a.name < b.name ? -1 : 1));
  const share = Math.max(STEP_SHARE, 1 - maxBytes / total);
  const most = whole ? files.length : Math.ceil(files.length * share);
  const freed = await drop(place, files, most, total - maxBytes * SWEEP_TO);
  const after = await table.change((use) => {
    for (const [folder, bytes] of freed) addUse(use, folder, -bytes);
  });
  const gaveUp = whole && freed.size === 0; // nothing here is the pool's to drop
  return !gaveUp && (totalUse(after) ?? 0) > maxBytes;
}

interface Sample {
  readonly files: PooledFile[];
  /** What the folders that were looked at take of the disk. */
  readonly bytes: number;
  /** True when these are all files of the pool. */
  readonly whole: boolean;
  /** Tells the table what was found in the last folder. */
  settle(use: Use): void;
}

/** Measures some folders: those that have never been measured, or else from where the last step ended. */
async function look(place: PoolPlace, table: UseTable, before: Use, folders: readonly string[]): Promise<Sample> {
  const unknown = folders.filter((folder) => before.units[numberOf(folder)] === UNKNOWN);
  const later = folders.filter((folder) => numberOf(folder) >= before.cursor);
  const order = unknown.length > 0 ? unknown : [...later, ...folders.slice(0, folders.length - later.length)];
  const files: PooledFile[] = [];
  let [looked, bytes] = [0, 0];
  let settle: Sample['settle'] = () => undefined;
  for (const folder of order) {
    if (files.length >= STEP_FILES) break;
    const at = numberOf(folder);
    const settleLast = settle;
    const { units } = await table.change((use) => {
      settleLast(use);
      use.cursor = (at + 1) % FOLDERS;
    });
    const known = units[at] ?? UNKNOWN;
    const found = await measure(place, folder);
    settle = (use) => {
      // What was written meanwhile has been added to the table, and stays so.
      const added = known === UNKNOWN ? 0 : (use.units[at] ?? 0) - known;
      use.units[at] = Math.max(0, Math.ceil(found.bytes / UNIT_BYTES) + added);
    };
    for (const file of found.files) files.push(file);
    bytes += found.bytes;
    looked++;
  }
  return { files, bytes, whole: looked === folders.length, settle };
}

/** Drops files until so many bytes are free: what each folder has lost. A file that has been replaced meanwhile is young, and stays. */
async function drop(place: PoolPlace, files: readonly PooledFile[], most: number, bytes: number): Promise<ReadonlyMap<string, number>> {
  const left = new Map<string, number>();
  for (const { name } of files) left.set(folderOf(name), (left.get(folderOf(name)) ?? 0) + 1);
  const freed = new Map<string, number>();
  let total = 0;
  for (const file of files.slice(0, most)) {
    if (total >= bytes) break;
    const path = pathOf(place, file.name);
    const stat = await statOf(path);
    if (stat !== undefined && stat.mtimeMs !== file.modifiedMs) continue;
    await removeFile(path);
    const folder = folderOf(file.name);
    left.set(folder, (left.get(folder) ?? 0) - 1);
    const wasLast = left.get(folder) === 0 && (await removeEmpty(join(place.folder, folder)));
    const lost = file.bytes + (wasLast ? BLOCK_BYTES : 0);
    freed.set(folder, (freed.get(folder) ?? 0) + lost);
    total += lost;
  }
  return freed;
}
