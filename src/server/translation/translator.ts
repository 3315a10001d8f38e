// Translates callers' SQL for a server, so that a text which takes long delays nobody else.
import type { CallersText } from '../../execution/callers-text.ts';
import type { SpecializableTranslation } from '../../sql/translation.ts';
import type { Waiters } from '../answers/tenant.ts';

export interface Translator {
  /** In the background, so that the first text needs not wait for it. */
  start(): void;
  /**
   * Rejects with what translateSandboxed throws; with QuernError `too-complex` for a text that takes more time or memory than it may, `busy`
   * when too many wait, and as an aborted query does when `signal` aborts while it waits.
   */
  translate(text: CallersText, waiters: Waiters, signal: AbortSignal): Promise<SpecializableTranslation>;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

/** For servers whose callers are trusted with its time. */
export function inThisThread(): Translator {
  return {
    start: () => undefined,
    translate: async (text) => {
      const { translateCallersText } = await import('../../execution/callers-text.ts');
      return translateCallersText(text);
    },
    close: async () => undefined,
  };
}
