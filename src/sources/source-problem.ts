// Which failures are those of one source: whoever reads others never hears of them.
import { type ErrorCode, QuernError } from '../base/errors.ts';

/** Failures that are about the engine, or about who asks. */
const BEYOND_THE_SOURCE: readonly ErrorCode[] = ['unreachable', 'timeout', 'interrupted', 'internal', 'busy'];

/** A failure that is one of the source itself. Throws any other. */
export function problemOf(error: unknown): QuernError {
  if (!(error instanceof QuernError) || BEYOND_THE_SOURCE.includes(error.code)) throw error;
  return error;
}
