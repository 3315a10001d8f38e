// Aborting a running query: it is killed in the engine, and the caller gets the reason.
import { QuernError } from '../base/errors.ts';

/** Throws the reason for which `signal` has aborted: a QuernError given as the reason, or else `timeout` or `interrupted`. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  const reason: unknown = signal.reason;
  if (reason instanceof QuernError) throw reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    throw new QuernError('timeout', 'the query took longer than its timeout', {
      hint: 'allow more time with --timeout, or narrow the query',
      cause: reason,
    });
  }
  throw new QuernError('interrupted', 'the query was interrupted', { cause: reason });
}

/** The order to stop is repeated, as the engine may not have known the query yet when the first one came. */
const KILL_EVERY_MS = 50;

/** Waits for `running`; when `signal` aborts, `kill` is called until the engine has let go. */
export async function cancellation<T>(running: Promise<T>, signal: AbortSignal | undefined, kill: () => void): Promise<T> {
  if (signal === undefined) return running;
  let timer: NodeJS.Timeout | undefined;
  const tryKill = (): void => {
    try {
      kill();
    } catch {
      // The order is repeated until the query ends; the caller gets the query's own outcome.
    }
  };
  const stop = (): void => {
    tryKill();
    timer = setInterval(tryKill, KILL_EVERY_MS);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await running;
    throwIfAborted(signal);
    return result;
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}
