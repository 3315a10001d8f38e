// Tells the failures of one source, which queries over other sources must not meet, from all others.
import { type ErrorCode, QuernError } from '../base/errors.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';

/** Codes of failures of the engine, or of the caller. */
const BEYOND_THE_SOURCE: readonly ErrorCode[] = ['unreachable', 'timeout', 'interrupted', 'internal', 'busy'];

/** Returns the error if the source itself is at fault, and throws any other. */
export function problemOf(error: unknown): QuernError {
  if (!(error instanceof QuernError) || BEYOND_THE_SOURCE.includes(error.code)) throw error;
  return error;
}

/** Returns what the name stands for, or the error of a source that cannot be read. */
export function sourceOrError(sources: SourceCatalog, name: string): Source | QuernError | undefined {
  try {
    return sources.find(name);
  } catch (error) {
    if (error instanceof QuernError) return error;
    throw error;
  }
}
