// An error as data: the JSON that `--json-errors` prints and HTTP answers carry.
import type { Problem, QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';

export interface ErrorBody {
  readonly error: {
    readonly code: string;
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
      ...(span === undefined || source === undefined ? {} : { position: { file: source.name, ...positionAt(source.text, span.start) } }),
      ...(notes === undefined || notes.length === 0 ? {} : { notes }),
      ...(problems === undefined || problems.length === 0 ? {} : { problems }),
    },
  };
}
