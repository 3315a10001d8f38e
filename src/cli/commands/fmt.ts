// quern fmt: formats the SQL of saved queries.
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { QuernError } from '../../base/errors.ts';
import type { SourceText } from '../../base/source-text.ts';
import { replaceFileSync } from '../../files/replace-file.ts';
import type { KeywordCase } from '../../queries/format-source.ts';
import { readSqlFiles } from '../arguments/sql-files.ts';
import type { Parts } from '../parts.ts';

interface Flags {
  readonly check?: true;
  readonly ids?: true;
  readonly keywords?: KeywordCase;
}

export function register(command: Command, { io, settings, functionFolders, terminal }: Parts): void {
  command
    .argument('[file...]', 'files, folders, names of your own saved queries, or - for standard input; by default all of them')
    .option('--check', 'change nothing; list the files that would change, and exit with 1 if there are any')
    .option('--ids', 'write the id into each header that has none, for those who call the query by it')
    .addOption(
      new Option('--keywords <case>', 'case of keywords; by default the most common one in each file').choices(['lower', 'upper', 'keep']),
    )
    .addHelpText(
      'after',
      `
Examples:
  quern fmt
  quern fmt --check queries
  echo 'select 1 as one' | quern fmt -

Only spaces, line breaks and the case of keywords change; comments and headers stay as they are, and a file is written only
if its query still means the same. What you put on lines of its own stays there.`,
    )
    .action(async (files: readonly string[], { check, ids, keywords }: Flags) => {
      const read = await readSqlFiles(files, { queries: (await settings()).values.queries, functions: await functionFolders() }, io);
      const { withId } = await import('../../queries/header/with-id.ts');
      const prepared = ({ name, text }: SourceText): string =>
        ids === true && name !== '<stdin>' ? withId({ name, text }, resolve(io.cwd, name)) : text;
      const formatted = await formatAll(read, prepared, keywords);
      let changed = 0;
      const errors: QuernError[] = [];
      for (const file of formatted) {
        if (file instanceof QuernError) errors.push(file);
        else if (file.name === '<stdin>' && check !== true) await io.stdout.write(file.text);
        else if (file.state === 'skipped') await terminal.note(`note: ${file.name} is ClickHouse SQL and is left as it is`);
        else if (file.state === 'changed') {
          changed++;
          if (check !== true) replaceFile(file.name, file.text, io.cwd);
          await io.stdout.write(`${file.name}\n`);
        }
      }
      for (const error of errors.slice(0, -1)) await terminal.showError(error);
      const last = errors.at(-1);
      if (last !== undefined) throw last;
      const seen = `${changed} of ${formatted.length} ${formatted.length === 1 ? 'file' : 'files'}`;
      if (check === true && changed > 0) throw new QuernError('check', `${seen} would change`, { hint: 'format them with `quern fmt`' });
      if (!files.includes('-')) await terminal.note(`${seen} ${check === true ? 'would change' : 'changed'}`);
    });
}

type FormattedFile = SourceText & {
  /** `skipped` for ClickHouse SQL, which is left alone. */
  readonly state: 'same' | 'changed' | 'skipped';
};

/** Returns the formatted texts; a file with an error gives that instead. */
async function formatAll(
  files: readonly SourceText[],
  prepared: (source: SourceText) => string,
  keywords: KeywordCase | undefined,
): Promise<readonly (FormattedFile | QuernError)[]> {
  const { formatSource } = await import('../../queries/format-source.ts');
  return files.map((source) => {
    try {
      const before = prepared(source);
      const text = formatSource({ ...source, text: before }, keywords);
      if (text === undefined && before === source.text) return { ...source, state: 'skipped' };
      const after = text ?? before;
      return { name: source.name, text: after, state: after === source.text ? 'same' : 'changed' };
    } catch (error) {
      if (error instanceof QuernError) return error;
      throw error;
    }
  });
}

/** Replaces the file in one step and keeps its rights; through a link, the file that it leads to. Throws `usage` when it cannot be written. */
function replaceFile(name: string, text: string, cwd: string): void {
  try {
    const path = realpathSync(resolve(cwd, name));
    replaceFileSync(path, text, { mode: statSync(path).mode });
  } catch (cause) {
    throw new QuernError('usage', `${name} cannot be written`, {
      hint: 'check its permissions and those of its folder; the file is unchanged',
      cause,
    });
  }
}
