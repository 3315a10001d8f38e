// Finds the process that has a ClickHouse data directory open: read from its status file, so that waiting costs no failed attempts to open it.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from '../../files/lock-file.ts';

type Holder =
  | { readonly state: 'free' }
  /** `certain` is false where the system does not tell which files a process has open: the process id may be another's by now. */
  | { readonly state: 'held'; readonly pid: number; readonly certain: boolean };

/** Finds the process other than this one that has `directory` open. ClickHouse writes its process id into `status` and locks that file. */
export function directoryHolder(directory: string): Holder {
  const status = join(directory, 'status');
  const pid = readPid(status);
  if (pid === undefined || pid === process.pid || !isAlive(pid)) return { state: 'free' };
  const open = hasOpen(pid, status);
  return open === false ? { state: 'free' } : { state: 'held', pid, certain: open === true };
}

/**
 * Takes the turn to open `directory`, and returns the function that ends it; undefined while another process has it. Without turns, all processes that wait for
 * a directory would try it at the same moment, and the engine of all but one would print its own error.
 */
export function takeOpeningTurn(directory: string): (() => void) | undefined {
  try {
    return takeLock(`${directory}.opening`);
  } catch {
    return () => undefined; // where no lock can be made, opening the directory reports why
  }
}

function readPid(status: string): number | undefined {
  try {
    const pid = /^PID: (\d+)/m.exec(readFileSync(status, 'utf8'))?.[1];
    return pid === undefined ? undefined : Number(pid);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // process.kill throws system errors only
  }
}

/** Returns undefined where /proc does not exist or may not be read. */
function hasOpen(pid: number, file: string): boolean | undefined {
  try {
    const real = realpathSync(file);
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => {
      try {
        return readlinkSync(join(folder, fd)) === real;
      } catch {
        return false; // closed in the meantime
      }
    });
  } catch {
    return undefined;
  }
}
