// quern new: a saved query to begin with.
import type { Command } from 'commander';
import type { App } from '../app.ts';

export function register(command: Command, app: App): void {
  command
    .argument('<name>', 'its name: letters, digits, dots, - and _')
    .option('--description <text>', 'what it answers')
    .addHelpText(
      'after',
      '\nExamples:\n  quern new errors.by-path\n  quern new signups --description "Sign-ups per day" --queries ./queries\n\nThe file has a UUID of its own and runs as it is; it goes into the first folder of `queries`.',
    )
    .action(async (name: string, flags: { readonly description?: string }) => {
      const path = await app.writeQuery(name, flags.description);
      await app.io.stdout.write(`${path}\n`);
      await app.note(`next: edit it, then quern lint ${path} and quern run ${name} --project NAME`);
    });
}
