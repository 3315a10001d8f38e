// quern fmt: the SQL of saved queries laid out one way.
import { type Command, Option } from 'commander';
import type { App } from '../app.ts';
import { QuernError } from '../errors.ts';

interface Flags {
  readonly check?: true;
  readonly keywords?: 'lower' | 'upper' | 'keep';
}

export function register(command: Command, app: App): void {
  command
    .argument('[file...]', 'files, folders, names of your own saved queries, or - for standard input; by default all of them')
    .option('--check', 'change nothing, name the files that would change, and exit with 1 when there are any')
    .addOption(
      new Option('--keywords <case>', 'case of keywords; by default that which most of a file have').choices(['lower', 'upper', 'keep']),
    )
    .addHelpText(
      'after',
      `
Examples:
  quern fmt
  quern fmt --check queries
  quern fmt - < draft.sql

Blanks, line breaks and the case of keywords change, nothing else: comments and headers stay as they are, and a file is
written only when its query still means the same. What was written on lines of its own stays so.`,
    )
    .action(async (files: readonly string[], { check, keywords }: Flags) => {
      const formatted = await app.formatFiles(files, keywords);
      let changed = 0;
      const errors: QuernError[] = [];
      for (const file of formatted) {
        if (file instanceof QuernError) errors.push(file);
        else if (file.name === '<stdin>' && check !== true) await app.io.stdout.write(file.text);
        else if (file.state === 'skipped') await app.note(`note: ${file.name} is ClickHouse SQL and stays as it is`);
        else if (file.state === 'changed') {
          changed++;
          if (check !== true) await app.replaceFile(file.name, file.text);
          await app.io.stdout.write(`${file.name}\n`);
        }
      }
      for (const error of errors.slice(0, -1)) await app.showError(error);
      const last = errors.at(-1);
      if (last !== undefined) throw last;
      const seen = `${changed} of ${formatted.length} ${formatted.length === 1 ? 'file' : 'files'}`;
      if (check === true && changed > 0) throw new QuernError('check', `${seen} would change`, { hint: 'format them with `quern fmt`' });
      if (!files.includes('-')) await app.note(`${seen} ${check === true ? 'would change' : 'changed'}`);
    });
}
