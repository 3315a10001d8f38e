// The translator's errors, thrown in one line, and their most common hint.
import { type ErrorCode, QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';

export function fail(code: ErrorCode, span: Span, message: string, hint?: string): never {
  throw new QuernError(code, message, hint === undefined ? { span } : { span, hint });
}
