// The translator's errors, thrown in one line, and their most common hint.
import { type ErrorCode, nearest, QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';

export function fail(code: ErrorCode, span: Span, message: string, hint?: string): never {
  throw new QuernError(code, message, hint === undefined ? { span } : { span, hint });
}

/** Returns the hint that names the nearest of `names`, or undefined when none is near. */
export function didYouMean(name: string, names: readonly string[]): string | undefined {
  const near = nearest(name, names);
  return near === undefined ? undefined : `did you mean ${near}?`;
}
