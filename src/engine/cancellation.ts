// Aborting a running query: it is killed in the engine, and the caller gets the reason.
import { departure } from '../base/departure.ts';

/** Throws the departure of a caller whose `signal` has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw departure(signal.reason);
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
