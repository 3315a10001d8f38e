// The time that a query has, as a signal that also follows the caller's own.
import { QuernError } from '../../base/errors.ts';

export interface Deadline {
  /** Aborts with the caller's signal, or when the time is up: with a QuernError `timeout` as the reason. */
  readonly signal: AbortSignal;
  /** Milliseconds left; Infinity without a bound. */
  leftMs(): number;
  /** Must be called when the work has ended. */
  clear(): void;
}

/** The longest time that Node's timers can take. */
const LONGEST_MS = 2 ** 31 - 1;

/** `graceMs` extends the limit without being mentioned: for callers that enforce the limit themselves, and can say more when it is reached. */
export function startDeadline(limitMs: number | undefined, caller: AbortSignal | undefined, what: string, graceMs = 0): Deadline {
  const own = new AbortController();
  const endsAt = limitMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + limitMs + graceMs;
  const expire = (ms: number): void => {
    const hint = 'allow more time with --timeout, narrow the query, or check the server';
    own.abort(new QuernError('timeout', `${what} did not answer within ${seconds(ms)}`, { hint }));
  };
  const timer = limitMs === undefined ? undefined : setTimeout(expire, Math.min(limitMs + graceMs, LONGEST_MS), limitMs);
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
