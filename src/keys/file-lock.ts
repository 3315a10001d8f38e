// One process at a time may change a file: the others wait for its lock, a file beside it that names the process.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { QuernError } from '../errors.ts';

/** Changing a file takes milliseconds: a lock this old was never given back, whoever holds its process id now. */
const ABANDONED_MS = 60_000;
const PATIENCE_MS = 10_000;
const RETRY_MS = 10;

/** Throws QuernError `config` when another process holds the lock too long, or when there can be none. */
export async function withLock<T>(file: string, action: () => T): Promise<T> {
  const lock = `${file}.lock`;
  const patience = performance.now() + PATIENCE_MS;
  while (!take(lock)) {
    if (isAbandoned(lock)) removeAbandoned(lock);
    else if (performance.now() > patience) throw held(file, lock);
    else await sleep(RETRY_MS);
  }
  try {
    return action();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** False when the lock is there already. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid} ${hostname()}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException; // writeFileSync throws system errors only
    if (code === 'EEXIST') return false;
    throw new QuernError('config', `${lock} cannot be made: ${message.replace(/, \w+ '.*$/s, '')}`, {
      hint: 'name another file with keys_file',
      cause,
    });
  }
}

function isAbandoned(lock: string): boolean {
  const { pid, host } = holder(lock);
  if (pid !== undefined && host === hostname() && !isAlive(pid)) return true;
  const stat = statSync(lock, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > ABANDONED_MS;
}

/**
 * Only who holds the second lock removes the first, after another look: of two that saw it abandoned, one would else remove the lock that
 * the other has taken since.
 */
function removeAbandoned(lock: string): void {
  const removal = `${lock}.removal`;
  if (!take(removal)) {
    if (Date.now() - (statSync(removal, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > ABANDONED_MS) rmSync(removal, { force: true });
    return;
  }
  try {
    if (isAbandoned(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
}

/** Empty when the lock has just been made or given back. */
function holder(lock: string): { readonly pid?: number; readonly host?: string } {
  try {
    const match = /^(\d+) (.*)\n$/.exec(readFileSync(lock, 'utf8'));
    return match === null ? {} : { pid: Number(match[1]), host: match[2] ?? '' };
  } catch {
    return {};
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'; // process.kill throws system errors only
  }
}

function held(file: string, lock: string): QuernError {
  const { pid } = holder(lock);
  return new QuernError('config', `${file} is being changed by ${pid === undefined ? 'another process' : `process ${pid}`}`, {
    hint: `try again; if no such process is there, remove ${lock}`,
  });
}
