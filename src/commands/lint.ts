// quern lint: what is wrong with saved queries, and what is doubtful, without running them.
import { type Command, Option } from 'commander';
import type { App } from '../app.ts';
import { QuernError } from '../errors.ts';
import { visible } from '../output/visible.ts';
import type { Finding } from '../saved-query/lint.ts';

interface Flags {
  readonly format?: 'text' | 'json';
  readonly strict?: true;
}

export function register(command: Command, app: App): void {
  command
    .argument('[file...]', 'files, folders, names of your own saved queries, or - for standard input; by default all of them')
    .addOption(new Option('--format <format>', 'how findings are printed').choices(['text', 'json']).default('text'))
    .option('--strict', 'take warnings for errors')
    .addHelpText(
      'after',
      `
Examples:
  quern lint
  quern lint queries/errors.sql --strict
  quern lint queries --format json

Errors keep a query from running: its header, its parameters, what cannot be translated. Warnings are about what is hardly
meant: LIMIT without ORDER BY, rows that are cut off in no order, a limit above max_rows, SELECT * from a table, comparisons
with NULL, WITH tables of a sandbox without a filter that others have. Notes name constructs that BigQuery or quern estimates. The exit code is 1 when there are errors.`,
    )
    .action(async (files: readonly string[], flags: Flags) => {
      const { findings, count } = await app.lint(files);
      const text = flags.format === 'json' ? `${JSON.stringify({ result: findings })}\n` : findings.map(lineOf).join('');
      if (text !== '') await app.io.stdout.write(text);
      const failing = findings.filter(({ severity }) => severity === 'error' || (flags.strict === true && severity === 'warning'));
      const seen = `${count} ${count === 1 ? 'file' : 'files'}`;
      if (failing.length === 0) {
        await app.note(`${seen}: ${findings.length === 0 ? 'nothing to say' : `${findings.length} to look at, nothing that is wrong`}`);
        return;
      }
      const broken = new Set(failing.map(({ file }) => file)).size;
      throw new QuernError('check', `${failing.length} ${failing.length === 1 ? 'finding' : 'findings'} in ${broken} of ${seen}`, {
        hint: 'mend what stands above, and lint again',
      });
    });
}

function lineOf({ file, line, column, severity, rule, message, hint }: Finding): string {
  return `${visible(`${file}:${line}:${column}: ${severity}[${rule}]: ${message}${hint === undefined ? '' : ` (${hint.split('\n')[0]})`}`)}\n`;
}
