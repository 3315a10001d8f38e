// What has happened to a caller who no longer waits.
import { QuernError } from './errors.ts';

/** Returns the error for a caller who has left for this reason: a QuernError given as the reason, or else `timeout` or `interrupted`. */
export function departure(reason: unknown): QuernError {
  if (reason instanceof QuernError) return reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new QuernError('timeout', 'the query took longer than its timeout', {
      hint: 'allow more time with --timeout, or narrow the query',
      cause: reason,
    });
  }
  return new QuernError('interrupted', 'the query was interrupted', { cause: reason });
}
