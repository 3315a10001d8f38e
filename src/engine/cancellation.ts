// What an aborted signal means for a running query: it is killed in the engine, and the caller hears why.
import { QuernError } from '../base/errors.ts';

/** Throws `timeout`, `interrupted`, or the QuernError given as the reason, when `signal` has aborted. */
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

/** How often to repeat the order to stop: the query may not have been known to the engine yet when the first one came. */
const KILL_EVERY_MS = 50;

/** The outcome of `running`; when `signal` aborts, `kill` is called until the engine has let go. */
export async function cancellation<T>(running: Promise<T>, signal: AbortSignal | undefined, kill: () => void): Promise<T> {
  if (signal === undefined) return running;
  let timer: NodeJS.Timeout | undefined;
  const tryKill = (): void => {
    try {
      kill();
    } catch {
      // Repeated until the query ends; its own outcome is what the caller hears.
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
