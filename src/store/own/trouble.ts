// What went wrong with a file that is being loaded, in the words of a query over it.

import { QuernError } from '../../base/errors.ts';
import { fileTrouble, isUndecodable } from '../../sources/files/file-trouble.ts';
import { FORMATS } from '../../sources/files/formats.ts';
import { isOfSpace } from '../../sources/files/unreadable-records.ts';
import { unreadable } from '../input.ts';
import type { EngineFile } from './engine-file.ts';

/** The failure as one of loading `file`. */
export function explained(file: EngineFile, cause: unknown): QuernError {
  if (cause instanceof QuernError && ['interrupted', 'load', 'usage'].includes(cause.code)) return cause;
  if (cause instanceof QuernError && cause.code === 'config')
    return new QuernError('load', cause.message.replaceAll(file.path, file.name), cause.details);
  if (isUndecodable(cause)) return unreadable(file.name, cause);
  if (isOfSpace(cause) && cause instanceof QuernError) return cause;
  const trouble = fileTrouble(cause, () => file.name, { address: file.path });
  if (trouble !== undefined) return new QuernError('load', trouble.message, trouble.details);
  const text = cause instanceof Error ? `${cause.message} ${String(cause.cause)}` : String(cause);
  const reason = /DB::Exception: (.*?)(?:: \(in file|: While executing|\. \(|$)/s.exec(text)?.[1] ?? text.split('\n', 1)[0] ?? '';
  return new QuernError('load', `${file.name} cannot be read as ${FORMATS[file.format].label}: ${reason.slice(0, 300)}`, {
    hint: 'nothing was loaded; is the format right? See --format',
    cause,
  });
}
