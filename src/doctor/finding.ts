// The finding of one check of the set-up.
import { messageAbout, QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';

/** `ok`; `note`: works, but could be better; `fail`: something will not work. */
type State = 'ok' | 'note' | 'fail';

export interface Finding {
  /** The part that was examined: `connection`, `source edge_logs`. */
  readonly subject: string;
  readonly state: State;
  /** The state of that part, in words. */
  readonly detail: string;
  /** The next step for the user. */
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

/** The finding that an error is, with its place; errors that are no QuernError are faults of quern and are thrown on. */
export function failure(subject: string, error: unknown): Finding {
  if (!(error instanceof QuernError)) throw error;
  const { hint, problems = [] } = error.details;
  const detail = [
    `${placeOf(error)}${error.message}`,
    ...problems.map(({ kind, name, message }) => `${/^line \d+$/.test(kind) ? `${kind}: ` : ''}${messageAbout(name, message)}`),
  ].join('; ');
  return fail(subject, detail, hint);
}

function placeOf({ message, details: { source, span } }: QuernError): string {
  if (source === undefined || message.startsWith(source.name)) return '';
  const { line, column } = positionAt(source.text, span?.start ?? 0);
  return span === undefined ? `${source.name}: ` : `${source.name}:${line}:${column}: `;
}
