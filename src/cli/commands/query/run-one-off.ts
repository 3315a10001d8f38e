// Runs SQL that nobody has saved, and prints its rows: what `quern query` and `quern shell` do.
import { QuernError } from '../../../base/errors.ts';
import type { Parts } from '../../parts.ts';
import { conclude, type RowWishes, rowsWanted, runAndPrint } from '../run/run-rows.ts';
import { wholeOf } from './given-part.ts';
import { type OneOff, oneOffRequest, rememberLast } from './one-off.ts';

interface OneOffRun extends Omit<OneOff, 'maxRows' | 'usualMaxRows'> {
  readonly maxRows?: number | 'all' | undefined;
  readonly asOf?: string | undefined;
  readonly stats?: true | undefined;
}

/** Rejects with what is wrong with the SQL, its parameters or its values. */
export async function runOneOff(parts: Parts, { asOf, stats, ...wanted }: OneOffRun, wishes: RowWishes): Promise<void> {
  const asked = await oneOffRequest({ ...wanted, ...rowsWanted(wanted.maxRows, wishes) }, parts);
  await rememberLast({ sql: wanted.text.text, parameters: wanted.parameters }, parts);
  const request = { ...asked, asOf, signal: parts.signal };
  const ran = await runAndPrint(parts, request, wishes).catch((error: unknown) => {
    throw aboutParameters(error);
  });
  await conclude(parts, ran, request, { ...wishes, stats });
}

/** Parameters that the command line declares are no flags, and nothing else can be shown of them: what is left is what is wrong with their values. */
function aboutParameters(error: unknown): unknown {
  if (!(error instanceof QuernError) || error.code !== 'parameter' || error.details.problems === undefined) return error;
  const [first = error.message, ...rest] = error.details.problems.map(({ name, message }) => `@${wholeOf(name) ?? name}: ${message}`);
  const { cause, engineCode } = error.details;
  return new QuernError('parameter', first, { notes: rest, cause, engineCode });
}
