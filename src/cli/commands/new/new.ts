// quern new: creates a saved query to begin with.
import { relative } from 'node:path';
import type { Command } from 'commander';
import type { Parts } from '../../parts.ts';

export function register(command: Command, parts: Parts): void {
  const { io, settings, catalog, terminal } = parts;
  command
    .argument('<name>', 'its name: letters, digits, dots, - and _')
    .option('--description <text>', 'what the query answers')
    .option('--from-last', 'use the SQL that quern query or quern run - ran last, and declare its parameters in the header')
    .addHelpText(
      'after',
      '\nExamples:\n  quern new errors.by-path\n  quern new big-orders --from-last\n  quern new signups --description "Sign-ups per day" --queries ./queries\n\nThe file runs as it is: it reads a source of quern.yaml, a table that you have loaded, or log events. It is written to the first folder of `queries`.',
    )
    .action(async (name: string, flags: { readonly description?: string; readonly fromLast?: true }) => {
      const [{ queryText, writeQuery }, { definedSources, firstQuery }] = await Promise.all([
        import('./starter.ts'),
        import('./first-query.ts'),
      ]);
      const { queries: folders } = (await settings()).values;
      const first = await firstQuery(await definedSources(parts), parts);
      const last = flags.fromLast === true ? await (await import('./last-query.ts')).lastQueryText(parts) : undefined;
      const text = last ?? ((about: string) => queryText(first, about));
      const written = writeQuery({ name, folders, catalog: await catalog(), description: flags.description, text });
      const path = relative(io.cwd, written) || written;
      await io.stdout.write(`${path}\n`);
      await terminal.note(`next: edit it, then quern lint ${path} and quern run ${name}${last === undefined ? first.flags : ''}`);
    });
}
