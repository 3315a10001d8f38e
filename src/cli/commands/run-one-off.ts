// Runs SQL that nobody has saved, and prints its rows: what `quern query` and `quern shell` do.
import { QuernError } from '../../errors.ts';
import type { SourceText } from '../../source-text.ts';
import type { Parts } from '../parts.ts';
import { wholeOf } from './given-part.ts';
import { oneOffRequest, rememberLast } from './one-off.ts';
import { notePrinted, printStatistics } from './outcome.ts';
import { type RowWishes, runAndPrint } from './run-rows.ts';

interface OneOffRun {
  readonly text: SourceText;
  /** As `-p` has them. */
  readonly parameters: readonly string[];
  readonly maxRows?: number | undefined;
  readonly ttlSeconds?: number | undefined;
  readonly asOf?: string | undefined;
  readonly stats?: true | undefined;
}

/** Rejects with what is wrong with the SQL, its parameters or its values. */
export async function runOneOff(parts: Parts, { asOf, stats, ...wanted }: OneOffRun, wishes: RowWishes): Promise<void> {
  const asked = await oneOffRequest(wanted, parts);
  await rememberLast({ sql: wanted.text.text, parameters: wanted.parameters }, parts);
  const request = { ...asked, asOf, signal: parts.signal };
  const { printed, cache } = await runAndPrint(parts, request, wishes).catch((error: unknown) => {
    throw aboutParameters(error);
  });
  await notePrinted(parts, printed, request);
  if (stats === true) await printStatistics(parts, printed, cache);
}

/** Values are given another way here than to saved queries. */
function aboutParameters(error: unknown): unknown {
  if (!(error instanceof QuernError) || error.code !== 'parameter' || error.details.problems === undefined) return error;
  for (const { name, message } of error.details.problems) {
    const whole = wholeOf(name);
    if (whole !== undefined) return new QuernError('parameter', `@${whole}: ${message}`);
  }
  return new QuernError(error.code, error.message, {
    ...error.details,
    hint: 'pass a parameter as -p name:type:value, such as -p least:INT64:5',
  });
}
