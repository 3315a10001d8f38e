// quern lint: finds errors and likely mistakes in saved queries, without running them.
import { type Command, Option } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { visible } from '../../output/visible.ts';
import type { Finding } from '../../queries/lint.ts';
import { readSqlFiles } from '../arguments/sql-files.ts';
import type { Parts } from '../parts.ts';

interface Flags {
  readonly format?: 'text' | 'json';
  readonly strict?: true;
}

export function register(command: Command, parts: Parts): void {
  const { io, terminal } = parts;
  command
    .argument('[file...]', 'files, folders, names of your own saved queries, or - for standard input; by default all of them')
    .addOption(new Option('--format <format>', 'how to print findings').choices(['text', 'json']).default('text'))
    .option('--strict', 'treat warnings as errors')
    .addHelpText(
      'after',
      `
Examples:
  quern lint
  quern lint queries/events-per-hour.sql --strict
  quern lint queries --format json

Errors keep a query from running: faults in its header or its parameters, and SQL that cannot be translated. Warnings are
likely mistakes: a misspelled field of a log record, comparisons that are never true, an inner join that drops what a LEFT
JOIN kept, LIMIT without ORDER BY, SELECT * from a table and others. Notes name functions whose results are estimates. The
exit code is 1 when there are errors. A comment turns off warnings on its line: -- quern-lint: off limit-without-order`,
    )
    .action(async (files: readonly string[], flags: Flags) => {
      const { findings, count } = await lint(files, parts);
      const text = flags.format === 'json' ? `${JSON.stringify({ result: findings })}\n` : findings.map(lineOf).join('');
      if (text !== '') await io.stdout.write(text);
      const failing = findings.filter(({ severity }) => severity === 'error' || (flags.strict === true && severity === 'warning'));
      const seen = `${count} ${count === 1 ? 'file' : 'files'}`;
      if (failing.length === 0) {
        await terminal.note(
          `${seen}: ${findings.length === 0 ? 'no findings' : `no errors, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`}`,
        );
        return;
      }
      const broken = new Set(failing.map(({ file }) => file)).size;
      throw new QuernError('check', `${failing.length} ${failing.length === 1 ? 'finding' : 'findings'} in ${broken} of ${seen}`, {
        hint: 'fix the findings above, and lint again',
      });
    });
}

/** Lints the named files, or all of the user's own queries. */
async function lint(
  names: readonly string[],
  { io, settings, functionFolders, preparing }: Parts,
): Promise<{ readonly findings: readonly Finding[]; readonly count: number }> {
  const { lintFiles } = await import('../../execution/lint-files.ts');
  const files = await readSqlFiles(names, { queries: (await settings()).values.queries, functions: await functionFolders() }, io);
  return { findings: await lintFiles(files, await preparing()), count: files.length };
}

function lineOf({ file, line, column, severity, rule, message, hint }: Finding): string {
  return `${visible(`${file}:${line}:${column}: ${severity}[${rule}]: ${message}${hint === undefined ? '' : ` (${hint.split('\n')[0]})`}`)}\n`;
}
