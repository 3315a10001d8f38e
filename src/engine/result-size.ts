// Refuses a result that is larger than a run allows.
import { QuernError } from '../base/errors.ts';
import { formatSize } from '../base/quantity.ts';

/** `what` completes "the result …", such as `is larger than 256MiB`. */
export function resultTooLarge(what: string): QuernError {
  return new QuernError('limit', `the result ${what}`, {
    hint: 'add a LIMIT, aggregate more, select fewer columns, or raise max_result_bytes',
  });
}

/** Counts the bytes of a result as they come. Throws `limit` once there are more than `most`. */
export function countBytes(most: number | undefined): (chunk: Uint8Array) => void {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    if (most !== undefined && bytes > most) throw resultTooLarge(`is larger than ${formatSize(most)}`);
  };
}
