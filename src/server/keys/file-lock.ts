// One process at a time may change a file: the others wait for its lock, a link beside it that names the process.
import { setTimeout as sleep } from 'node:timers/promises';
import { QuernError } from '../../base/errors.ts';
import { lockHolder, takeLock } from '../../files/lock-file.ts';
import { isDiskFull } from '../../files/replace-file.ts';

const PATIENCE_MS = 10_000;
const RETRY_MS = 10;

/** Throws QuernError `config` when another process holds the lock too long, or when there can be none. */
export async function withLock<T>(file: string, action: () => T): Promise<T> {
  const lock = `${file}.lock`;
  const patience = performance.now() + PATIENCE_MS;
  for (;;) {
    const giveBack = take(lock);
    if (giveBack !== undefined) {
      try {
        return action();
      } finally {
        giveBack();
      }
    }
    if (performance.now() > patience) throw beingChanged(file, lock);
    await sleep(RETRY_MS);
  }
}

function take(lock: string): (() => void) | undefined {
  try {
    return takeLock(lock);
  } catch (cause) {
    const { message } = cause as NodeJS.ErrnoException; // only file-system calls are made
    const reason = isDiskFull(cause) ? 'the disk is full' : message.replace(/, \w+ '.*$/s, '');
    throw new QuernError('config', `${lock} cannot be created: ${reason}`, {
      hint: isDiskFull(cause) ? 'free some space on it and try again; nothing has changed' : 'name another file with keys_file',
      cause,
    });
  }
}

function beingChanged(file: string, lock: string): QuernError {
  const holder = lockHolder(lock);
  return new QuernError('config', `${file} is being changed by ${holder === undefined ? 'another process' : `process ${holder.pid}`}`, {
    hint: `try again; if no such process is running, remove ${lock}`,
  });
}
