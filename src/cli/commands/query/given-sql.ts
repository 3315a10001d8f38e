// The SQL of `quern query`: written out, in a file, or on standard input.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nearest, QuernError } from '../../../base/errors.ts';
import type { SourceText } from '../../../base/source-text.ts';
import { isQueryName } from '../../../queries/catalog.ts';
import { formatOf } from '../../../sources/files/formats.ts';
import { readTextFile } from '../../arguments/text-file.ts';
import type { Parts } from '../../parts.ts';

/** Reads SQL, that of a file, or of a saved query by its name. Throws `usage` for one word that is no SQL, but a file that is not there, or one of rows. */
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
  refuseRows(given, io.cwd);
  return (isQueryName(given) ? (await catalog()).named(given)?.source : undefined) ?? text;
}

/** Throws `usage` for the name of a file of rows. */
export function refuseRows(given: string, cwd: string): void {
  if (formatOf(given) === undefined) return;
  const file = existsSync(resolve(cwd, given)) ? given : (nearFileName(given, cwd) ?? given);
  throw new QuernError('usage', `${given} is a file of rows, and no SQL`, {
    hint: `read it in FROM: quern query 'select * from \`${file}\`'`,
  });
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
