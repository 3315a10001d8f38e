// A lock between processes: a link that names its holder. It is made in one step and needs no room on the disk, so that it is never there
// without its holder's name; and a holder that is not alive holds nothing.
import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

interface LockHolder {
  readonly pid: number;
  /** Which machine it runs on: a digest, since names may be too long for a link that takes no room. Older versions of quern wrote the name, or none. */
  readonly host?: string;
  /** When the process began, as the system counts; another one that got its number later began later. Absent where the system does not tell. */
  readonly start?: string;
}

/** A file without a whole name is an older quern's lock being made, or what a full disk has left of one. */
const BEING_MADE_MS = 1000;
/** Locks are held for moments: one so old was never given back, where nobody can tell whether its holder is alive. */
const ABANDONED_MS = 60_000;
/** This machine, in a name that is short. */
export const HERE = createHash('sha256').update(hostname()).digest('hex').slice(0, 16);

/** The function that gives the lock back; undefined while another holds it. Throws the system's error where no lock can be made. */
export function takeLock(lock: string): (() => void) | undefined {
  const mine = `${process.pid} ${HERE} ${processOf(process.pid)?.start ?? ''}`;
  if (!make(lock, mine)) {
    if (isAbandoned(lock)) removeAbandoned(lock, mine);
    if (!make(lock, mine)) return undefined;
  }
  return () => {
    if (textOf(lock)?.trimEnd() === mine.trimEnd()) rmSync(lock, { force: true });
  };
}

/** Undefined when nobody holds the lock, or a file in its place names nobody. */
export function lockHolder(lock: string): LockHolder | undefined {
  const match = /^(?:PID: )?(\d+)(?: (\S+))?(?: (\d*))?\n?$/.exec(textOf(lock) ?? '');
  if (match === null) return undefined;
  const [, pid, host, start] = match;
  return { pid: Number(pid), ...(host === undefined ? {} : { host }), ...(start ? { start } : {}) };
}

/** False when there is one already. */
function make(lock: string, holder: string): boolean {
  try {
    symlinkSync(holder, lock);
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // symlinkSync throws system errors only
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw cause;
    return makeFile(lock, holder); // there are no links on this disk
  }
}

function makeFile(lock: string, holder: string): boolean {
  let fd: number;
  try {
    fd = openSync(lock, 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false; // openSync throws system errors only
    throw cause;
  }
  try {
    writeFileSync(fd, `${holder}\n`);
    return true;
  } catch (cause) {
    rmSync(lock, { force: true });
    throw cause;
  } finally {
    closeSync(fd);
  }
}

function isAbandoned(lock: string): boolean {
  const stat = lstatSync(lock, { throwIfNoEntry: false });
  if (stat === undefined) return false; // given back, and perhaps taken by another since
  const ageMs = Math.abs(Date.now() - stat.mtimeMs); // a time to come says that a clock was set
  const holder = lockHolder(lock);
  if (holder === undefined) return ageMs > BEING_MADE_MS;
  if (![undefined, HERE, hostname()].includes(holder.host)) return ageMs > ABANDONED_MS;
  const alive = processOf(holder.pid);
  if (alive === undefined) return true;
  return holder.start === undefined || alive.start === undefined ? ageMs > ABANDONED_MS : holder.start !== alive.start;
}

/**
 * Only who holds the second lock removes the first, after another look: of two that saw it abandoned, one would else remove the lock that
 * the other has taken since.
 */
function removeAbandoned(lock: string, mine: string): void {
  const removal = `${lock}.removal`;
  if (!make(removal, mine)) {
    if (isAbandoned(removal)) rmSync(removal, { force: true });
    return;
  }
  try {
    if (isAbandoned(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
}

/** Of a file, only what ends with its line is whole. */
function textOf(lock: string): string | undefined {
  try {
    return readlinkSync(lock);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EINVAL') return undefined; // EINVAL: a file, not a link
  }
  try {
    const text = readFileSync(lock, 'utf8');
    return text.endsWith('\n') ? text : undefined;
  } catch {
    return undefined; // given back in the meantime
  }
}

export const isAlive = (pid: number): boolean => processOf(pid) !== undefined;

/** Undefined when there is no such process, or it has ended and only its number is left. */
function processOf(pid: number): { readonly start?: string } | undefined {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPERM') return undefined; // process.kill throws system errors only
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third on: the name before may hold anything
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return fields[19] === undefined ? {} : { start: fields[19] };
  } catch {
    return {}; // there is no /proc, or it may not be read
  }
}
