// What went wrong with a file that is being loaded, in the words of a query over it.

import { QuernError } from '../../base/errors.ts';
import { fileTrouble, isUndecodable } from '../../sources/files/file-trouble.ts';
import { FORMATS } from '../../sources/files/formats.ts';
import { unreadable } from '../input.ts';
import type { EngineFile } from './engine-file.ts';

const NO_SPACE = /ENOSPC|No space left|NOT_ENOUGH_SPACE/i;

const textOf = (cause: unknown): string => (cause instanceof Error ? `${cause.message} ${String(cause.cause)}` : String(cause));

/** Whether the engine could not read something, other than that there was no place for it. */
export const isOfData = (cause: unknown): cause is QuernError =>
  cause instanceof QuernError && (cause.code === 'data' || cause.code === 'engine') && !NO_SPACE.test(textOf(cause));

/** The failure as one of loading `file`. */
export function explained(file: EngineFile, cause: unknown): QuernError {
  if (cause instanceof QuernError && ['interrupted', 'load', 'usage'].includes(cause.code)) return cause;
  if (cause instanceof QuernError && cause.code === 'config')
    return new QuernError('load', cause.message.replaceAll(file.path, file.name), cause.details);
  if (isUndecodable(cause)) return unreadable(file.name, cause);
  const text = textOf(cause);
  if (NO_SPACE.test(text) && cause instanceof QuernError) return cause;
  const trouble = fileTrouble(cause, () => file.name, { address: file.path });
  if (trouble !== undefined) return new QuernError('load', trouble.message, trouble.details);
  const reason = /DB::Exception: (.*?)(?:: \(in file|: While executing|\. \(|$)/s.exec(text)?.[1] ?? text.split('\n', 1)[0] ?? '';
  return new QuernError('load', `${file.name} cannot be read as ${FORMATS[file.format].label}: ${reason.slice(0, 300)}`, {
    hint: 'nothing was loaded; is the format right? See --format',
    cause,
  });
}
