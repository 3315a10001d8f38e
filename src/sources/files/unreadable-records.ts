// Which of many records cannot be read, where the engine says that some cannot: loads keep them out, and a failed query names the first.
import { QuernError } from '../../base/errors.ts';
import { rejectionText } from '../../engine/failure-words.ts';
import type { TextRecord } from './csv-records.ts';
import type { FilesDescription } from './description.ts';
import { findTrouble } from './file-trouble.ts';

const NO_SPACE = /ENOSPC|No space left|NOT_ENOUGH_SPACE/i;

/** True if the engine failed for want of space. */
export const isOfSpace = (cause: unknown): boolean =>
  NO_SPACE.test(cause instanceof Error ? `${cause.message} ${String(cause.cause)}` : String(cause));

/** True if the engine could not read something, other than that there was no place for it. */
export const isOfData = (cause: unknown): cause is QuernError =>
  cause instanceof QuernError && (cause.code === 'data' || cause.code === 'engine') && !isOfSpace(cause);

/** Returns how a file of records is read that has nothing above them. */
export const asRecords = (description: FilesDescription): FilesDescription => ({
  ...description,
  format: description.format === 'CSVWithNames' ? 'CSV' : description.format,
  settings: { ...description.settings, input_format_csv_skip_first_lines: 0, input_format_csv_skip_trailing_empty_lines: 0 },
});

/** Yields the records that `read` cannot read, and why, after it has read the others. Throws what it throws for another reason. */
export async function* unreadableRecords(
  records: readonly TextRecord[],
  read: (records: readonly TextRecord[]) => Promise<unknown>,
): AsyncGenerator<{ readonly record: TextRecord; readonly why: string }> {
  const [record] = records;
  if (record === undefined) return;
  try {
    await read(records);
  } catch (cause) {
    if (!isOfData(cause)) throw cause;
    const half = records.length >> 1;
    if (half === 0) yield { record, why: whyOf(cause) };
    else for (const part of [records.slice(0, half), records.slice(half)]) yield* unreadableRecords(part, read);
  }
}

function whyOf(cause: QuernError): string {
  const { rejected } = cause.details;
  if (rejected !== undefined) return rejectionText(rejected);
  const { column, why = 'the engine cannot read it' } = findTrouble(cause) ?? {};
  return column === undefined ? why : `${column}: ${why}`;
}
