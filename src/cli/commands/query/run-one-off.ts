// Runs SQL that is not saved, and prints its rows, for `quern query` and `quern shell`.
import { QuernError } from '../../../base/errors.ts';
import { nearFile } from '../../../files/near-file.ts';
import { formatOf } from '../../../sources/files/formats.ts';
import type { Parts } from '../../parts.ts';
import { type RowOptions, rowsWanted, runAndPrint } from '../run/run-rows.ts';
import { type GivenSql, rememberLast, sqlRequest } from './one-off.ts';

interface SqlRun extends Omit<GivenSql, 'maxRows' | 'usualMaxRows'> {
  readonly maxRows?: number | 'all' | undefined;
  readonly asOf?: string | undefined;
  readonly stats?: true | undefined;
}

/** Rejects with the errors of the SQL, its parameters or its values. */
export async function runOneOff(parts: Parts, { asOf, stats, ...wanted }: SqlRun, rowOptions: RowOptions): Promise<void> {
  const requested = await sqlRequest({ ...wanted, ...rowsWanted(wanted.maxRows, rowOptions) }, parts).catch((error: unknown) => {
    throw aboutFiles(error, parts.io.cwd);
  });
  await rememberLast({ sql: wanted.text.text, parameters: wanted.parameters }, parts);
  const request = { ...requested, asOf, signal: parts.signal };
  await runAndPrint(parts, request, { ...rowOptions, stats }, (error) => {
    throw aboutFiles(aboutParameters(error), parts.io.cwd);
  });
}

/** Says what is wrong with values of parameters that the command line itself declares, which are not flags. */
function aboutParameters(error: unknown): unknown {
  if (!(error instanceof QuernError) || error.code !== 'parameter' || error.details.problems === undefined) return error;
  const [first = error.message, ...rest] = error.details.problems.map(
    ({ name, message }) => `${name.startsWith('parameter ') ? name : `@${name}`}: ${message}`,
  );
  const { cause, engineCode } = error.details;
  return new QuernError('parameter', first, { notes: rest, cause, engineCode });
}

/** Names the file that may have been meant by one in FROM that is not there, or by a name that looks like one. */
function aboutFiles(error: unknown, cwd: string): unknown {
  if (!(error instanceof QuernError)) return error;
  const isMissing = error.code === 'config' || error.code === 'unknown-source';
  const name = isMissing ? (/ named (\S+\.\w+)$/.exec(error.message) ?? /^(.*): there is no file /.exec(error.message))?.[1] : undefined;
  const near = name === undefined ? undefined : nearFile(name, cwd);
  return near === undefined || formatOf(near) === undefined
    ? error
    : new QuernError(error.code, error.message, { ...error.details, hint: `did you mean the file ${near}?` });
}
