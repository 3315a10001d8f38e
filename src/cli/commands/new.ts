// quern new: a saved query to begin with.
import { relative } from 'node:path';
import type { Command } from 'commander';
import type { Parts } from '../parts.ts';

export function register(command: Command, { io, settings, catalog, terminal }: Parts): void {
  command
    .argument('<name>', 'its name: letters, digits, dots, - and _')
    .option('--description <text>', 'what it answers')
    .addHelpText(
      'after',
      '\nExamples:\n  quern new errors.by-path\n  quern new signups --description "Sign-ups per day" --queries ./queries\n\nThe file has a UUID of its own and runs as it is; it goes into the first folder of `queries`.',
    )
    .action(async (name: string, flags: { readonly description?: string }) => {
      const { writeQuery } = await import('./starter.ts');
      const { queries: folders } = (await settings()).values;
      const written = writeQuery({ name, folders, catalog: await catalog(), description: flags.description });
      const path = relative(io.cwd, written) || written;
      await io.stdout.write(`${path}\n`);
      await terminal.note(`next: edit it, then quern lint ${path} and quern run ${name} --project NAME`);
    });
}
