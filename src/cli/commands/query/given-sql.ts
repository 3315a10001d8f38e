// SQL that a command is given: written out, in a file, on standard input, or as the name of a saved query.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { QuernError } from '../../../base/errors.ts';
import type { SourceText } from '../../../base/source-text.ts';
import { nearFile } from '../../../files/near-file.ts';
import { isQueryName } from '../../../queries/catalog.ts';
import { formatOf } from '../../../sources/files/formats.ts';
import { isSql } from '../../arguments/given.ts';
import { readTextFile } from '../../arguments/text-file.ts';
import type { Parts } from '../../parts.ts';

/** Words that are no name of a saved query: what is missing behind them is for the parser to say. */
const BEGINS_SQL = /^(?:select|with|from|create|declare)$/i;

/** Reads it. Throws `usage` for a file that is not there, or one of rows, and `unknown-query` for a name that no saved query has. */
export async function readGivenSql(given = '-', { io, catalog }: Pick<Parts, 'io' | 'catalog'>): Promise<SourceText> {
  if (given === '-') return readTextFile(given, io);
  const text = { name: '<query>', text: given };
  if (isSql(given)) return text;
  refuseRows(given, io.cwd);
  if (/\.sql$/i.test(given) || existsSync(resolve(io.cwd, given))) return readTextFile(given, io);
  if (!isQueryName(given) || BEGINS_SQL.test(given)) return text;
  const saved = await catalog();
  return (saved.named(given) ?? saved.find(given)).source;
}

/** Throws `usage` for the name of a file of rows. */
export function refuseRows(given: string, cwd: string): void {
  if (formatOf(given) === undefined) return;
  const file = existsSync(resolve(cwd, given)) ? given : (nearFile(given, cwd) ?? given);
  throw new QuernError('usage', `${given} is a file of rows, and no SQL`, {
    hint: `read it in FROM: quern query 'select * from \`${file}\`'`,
  });
}
