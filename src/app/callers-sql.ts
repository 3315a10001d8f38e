// SQL of the caller's own for `quern run --sql`, in place of the SELECT of a saved query whose header allows it.
import { QuernError } from '../errors.ts';
import type { preparePlan } from '../execution/plan.ts';
import { planSandbox } from '../execution/sandbox.ts';
import type { Io } from '../io.ts';
import type { SourceText } from '../source-text.ts';
import { readTextFile } from './text-file.ts';

/**
 * Plans saved queries with that SQL: the text itself, `@file` for that of a file, `-` for that of standard input. Throws `usage` when it
 * cannot be read, or is none; the plans throw as planSandbox does, and errors point into the text under the name that it has here.
 */
export async function callersPlans(given: string, io: Pick<Io, 'cwd' | 'stdin'>): Promise<typeof preparePlan> {
  const sql = await readCallersSql(given, io);
  return async (reference, deps) => {
    try {
      return await planSandbox(reference, sql.text, deps);
    } catch (error) {
      if (!(error instanceof QuernError) || error.details.source?.text !== sql.text) throw error;
      throw new QuernError(error.code, error.message, { ...error.details, source: sql });
    }
  };
}

async function readCallersSql(given: string, io: Pick<Io, 'cwd' | 'stdin'>): Promise<SourceText> {
  const named = given === '-' ? given : given.startsWith('@') ? given.slice(1) : undefined;
  const sql = named === undefined ? { name: '--sql', text: given } : await readTextFile(named, io);
  if (sql.text.trim() !== '') return sql;
  throw new QuernError('usage', `${sql.name} holds no SQL`, { hint: 'write a query, @FILE for one in a file, or - for standard input' });
}
