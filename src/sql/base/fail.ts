// Throwing the translator's errors in one line.
import { type ErrorCode, QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';

export function fail(code: ErrorCode, span: Span, message: string, hint?: string): never {
  throw new QuernError(code, message, hint === undefined ? { span } : { span, hint });
}
