// What becomes of a caller's text.
import { QuernError } from '../../../src/base/errors.ts';
import { translateSandboxed } from '../../../src/sql/index.ts';
import { OPTIONS, SAVED } from './index.ts';

/** `translated`, or the code and the message of the refusal, which has a place in the text. */
export function outcome(sql: string): string {
  try {
    translateSandboxed(SAVED, sql, OPTIONS);
    return 'translated';
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const { source, span } = error.details;
    const isPlaced = source?.text === sql && span !== undefined && span.start >= 0 && span.end <= sql.length;
    return isPlaced ? `${error.code}: ${error.message}` : `no place: ${error.message}`;
  }
}
