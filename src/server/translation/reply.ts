// The messages of a translating thread: first that it is ready, then one reply for each text.

import { QuernError } from '../../base/errors.ts';
import { type CallersText, type ErrorData, errorData, translateCallersText } from '../../execution/callers-text.ts';
import type { SpecializableTranslation } from '../../sql/translation.ts';

/** With the name of the thread, for processorMs. */
export interface Ready {
  readonly ready: string | undefined;
}

/** `fault`: what the translator should never have thrown. */
export type Reply =
  | { readonly translation: SpecializableTranslation }
  | { readonly error: ErrorData }
  | { readonly fault: { readonly message: string; readonly stack?: string | undefined } };

export function replyTo(text: CallersText): Reply {
  try {
    return { translation: translateCallersText(text) };
  } catch (error) {
    if (error instanceof QuernError) return { error: errorData(error) };
    return { fault: error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) } };
  }
}
