// The SQL of `quern query`: written out, in a file, or on standard input.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nearest, QuernError } from '../../../base/errors.ts';
import type { SourceText } from '../../../base/source-text.ts';
import { isQueryName } from '../../../queries/catalog.ts';
import { formatOf } from '../../../sources/files/formats.ts';
import { readTextFile } from '../../arguments/text-file.ts';
import type { Parts } from '../../parts.ts';

/** Throws `usage` for one word that is no SQL, but a file that is not there, a file of rows, or a saved query. */
export async function readGivenSql(given: string | undefined, { io, catalog }: Pick<Parts, 'io' | 'catalog'>): Promise<SourceText> {
  if (given === undefined || given === '-') return readTextFile('-', io);
  const text = { name: '<query>', text: given };
  if (/\s/.test(given.trim())) return text;
  if (/\.sql$/i.test(given)) {
    if (existsSync(resolve(io.cwd, given))) return readTextFile(given, io);
    throw new QuernError('usage', `there is no file ${given}`, {
      hint: nearFile(given, io.cwd) ?? 'name a .sql file that is there, or write the SQL itself',
    });
  }
  if (formatOf(given) !== undefined) {
    const file = existsSync(resolve(io.cwd, given)) ? given : (nearFileName(given, io.cwd) ?? given);
    throw new QuernError('usage', `${given} is a file of rows, and no SQL`, {
      hint: `read it in FROM: quern query 'select * from \`${file}\`'`,
    });
  }
  if (isQueryName(given) && (await catalog()).named(given) !== undefined)
    throw new QuernError('usage', `${given} is a saved query`, { hint: `run it: quern run ${given}` });
  return text;
}

const nearFile = (file: string, cwd: string): string | undefined => {
  const near = nearFileName(file, cwd);
  return near && `did you mean ${near}?`;
};

/** The file in the same folder whose name is nearly that. */
export function nearFileName(file: string, cwd: string): string | undefined {
  const folder = dirname(resolve(cwd, file));
  try {
    const near = nearest(basename(file), readdirSync(folder));
    return near && file.slice(0, file.length - basename(file).length) + near;
  } catch {
    return undefined; // a folder that is not there has no files
  }
}
