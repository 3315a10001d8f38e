// The time a query has, as a signal beside the caller's own.
import { QuernError } from '../../base/errors.ts';

export interface Deadline {
  /** Aborts with the caller's signal, or when the time is up: with a QuernError `timeout` as the reason. */
  readonly signal: AbortSignal;
  /** Milliseconds left; Infinity without a bound. */
  leftMs(): number;
  /** Must be called when the work has ended. */
  clear(): void;
}

/** Node's timers hold no more. */
const LONGEST_MS = 2 ** 31 - 1;

/** `graceMs` is added to the limit without a word: for whoever keeps the limit himself, and can say more when it is reached. */
export function startDeadline(limitMs: number | undefined, caller: AbortSignal | undefined, what: string, graceMs = 0): Deadline {
  const own = new AbortController();
  const endsAt = limitMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + limitMs + graceMs;
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(
          () =>
            own.abort(
              new QuernError('timeout', `${what} did not answer within ${seconds(limitMs)}`, {
                hint: 'allow more time with --timeout, narrow the query, or check the server',
              }),
            ),
          Math.min(limitMs + graceMs, LONGEST_MS),
        );
  const follow = (): void => own.abort(caller?.reason);
  if (caller?.aborted === true) follow();
  else caller?.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal,
    leftMs: () => endsAt - performance.now(),
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
