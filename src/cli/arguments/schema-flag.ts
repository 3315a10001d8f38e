// `--schema`: columns as `bq load` and `bq show --schema` write them, on the line or in a file.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageAbout, QuernError } from '../../base/errors.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';

interface GivenSchema {
  readonly columns: readonly DeclaredColumn[];
  /** Notes on them for the user. */
  readonly notes: readonly string[];
}

/** Throws QuernError `usage` with the first thing that is wrong. */
export async function schemaFlag(text: string, cwd: string, flag = '--schema'): Promise<GivenSchema> {
  const [{ readSchema }, { ValueAt }] = await Promise.all([import('../../sources/table-schema.ts'), import('../../fields/value-at.ts')]);
  const problems: { readonly message: string; readonly hint: string | undefined }[] = [];
  const notes: string[] = [];
  const value = new ValueAt(given(text, cwd, flag), {
    report({ path, message, hint }) {
      // A list of columns: people count from 1.
      const [column, ...rest] = path[0] === 'fields' ? path.slice(1) : path;
      const at = column === undefined ? '' : `column ${Number(column) + 1}${rest.map((part) => `.${part}`).join('')}`;
      problems.push({ message: at === '' ? message : messageAbout(at, message), hint });
    },
  });
  const columns = readSchema(value, (column, type) => {
    notes.push(`${column} is ${flag === '--schema' ? 'loaded' : 'read'} as STRING: quern has no type ${type}`);
  });
  const [first] = problems;
  if (first !== undefined) throw new QuernError('usage', `${flag}: ${first.message}`, { hint: first.hint ?? forms(flag) });
  if (columns.length === 0) throw new QuernError('usage', `${flag} names no column`, { hint: forms(flag) });
  return { columns, notes };
}

const forms = (flag: string): string =>
  `write ${flag === '--schema' ? '--schema ' : `${flag}=`}id:INT64,created:TIMESTAMP, or name a file of what \`bq show --schema\` prints`;

function given(text: string, cwd: string, flag: string): unknown {
  const file = resolve(cwd, text);
  if (!/\.json$/i.test(text) && !existsSync(file)) return text;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new QuernError('usage', `${flag}: ${file} ${why}`, { hint: forms(flag), cause });
  }
}
