// An error as data: the JSON that `--json-errors` prints and that HTTP answers carry.
import type { ErrorCode, Problem, QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';

export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint?: string | undefined;
    readonly position?: { readonly file: string; readonly line: number; readonly column: number };
    readonly notes?: readonly string[];
    readonly problems?: readonly Problem[];
  };
}

export function errorBody(error: QuernError): ErrorBody {
  const { hint, notes, problems, span, source } = error.details;
  return {
    error: {
      code: error.code,
      message: error.message,
      hint,
      position: span === undefined || source === undefined ? undefined : { file: source.name, ...positionAt(source.text, span.start) },
      notes: notes?.length === 0 ? undefined : notes,
      problems: problems?.length === 0 ? undefined : problems,
    },
  };
}
