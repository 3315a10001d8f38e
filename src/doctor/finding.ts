// What a check of the set-up found.
import { messageAbout, QuernError } from '../base/errors.ts';

/** `ok`; `note`: works, but could be better; `fail`: something will not work. */
type State = 'ok' | 'note' | 'fail';

export interface Finding {
  /** What was looked at: `connection`, `source edge_logs`. */
  readonly subject: string;
  readonly state: State;
  /** What was seen. */
  readonly detail: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
}

export const ok = (subject: string, detail: string): Finding => ({ subject, state: 'ok', detail });
export const note = (subject: string, detail: string, advice: string): Finding => ({ subject, state: 'note', detail, advice });
export const fail = (subject: string, detail: string, advice?: string): Finding => ({
  subject,
  state: 'fail',
  detail,
  advice,
});

/** The finding that an error is; errors that are no QuernError are faults of quern and are thrown on. */
export function failure(subject: string, error: unknown): Finding {
  if (!(error instanceof QuernError)) throw error;
  const { hint, problems = [] } = error.details;
  const detail = [
    error.message,
    ...problems.map(({ kind, name, message }) => `${/^line \d+$/.test(kind) ? `${kind}: ` : ''}${messageAbout(name, message)}`),
  ].join('; ');
  return fail(subject, detail, hint);
}
