// The file beside another in which the next content of that one is written. Its name says who writes it, so that what a dead process has left can go.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HERE, isAlive } from './lock-file.ts';

const MARK = HERE.slice(0, 8);
/** Nobody can tell whether a process of another machine is alive; what it writes, it writes more often. */
const ABANDONED_MS = 3_600_000;
/** Older versions of quern did not write the machine. */
const WRITER = /^(\d+)(?:\.([0-9a-f]{8}))?\.tmp$/;

/** The file in which this process writes what is to become `file`. */
export const temporaryBeside = (file: string): string => join(dirname(file), `.${basename(file)}.${process.pid}.${MARK}.tmp`);

/** Whether `name` is that of a temporary file beside one called `base`. */
export const isTemporaryOf = (base: string, name: string): boolean => writerOf(base, name) !== undefined;

/** Removes what processes that are dead have left beside `file`. */
export function removeAbandonedTemporaries(file: string): void {
  const folder = dirname(file);
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return; // told by whoever writes there
  }
  for (const name of names) {
    const writer = writerOf(basename(file), name);
    if (writer === undefined) continue;
    const path = join(folder, name);
    try {
      if (isAbandoned(writer, path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Removed by another, or not ours to remove.
    }
  }
}

function isAbandoned({ pid, host }: Writer, path: string): boolean {
  if (host !== MARK && host !== undefined) return Date.now() - statSync(path).mtimeMs > ABANDONED_MS;
  return !isAlive(pid);
}

interface Writer {
  readonly pid: number;
  readonly host: string | undefined;
}

function writerOf(base: string, name: string): Writer | undefined {
  const before = `.${base}.`;
  const match = name.startsWith(before) ? WRITER.exec(name.slice(before.length)) : null;
  return match === null ? undefined : { pid: Number(match[1]), host: match[2] };
}
