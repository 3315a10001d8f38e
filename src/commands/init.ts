// quern init: a project to begin with.
import type { Command } from 'commander';
import type { App } from '../app.ts';

export function register(command: Command, app: App): void {
  command
    .argument('[folder]', 'where; the folder that you are in by default')
    .option('--force', 'write over files that are there')
    .addHelpText(
      'after',
      '\nExamples:\n  quern init\n  quern init reports\n\nWrites quern.yaml with its schema for editors, and a first saved query.',
    )
    .action(async (folder: string | undefined, flags: { readonly force?: true }) => {
      const { files, sample } = await app.writeProject(folder ?? '.', flags.force === true);
      for (const file of files) await app.io.stdout.write(`${file}\n`);
      const enter = folder === undefined ? '' : `cd ${folder}, then `;
      await app.note(
        `next: ${enter}fill the store with \`quern load\`, then quern run ${sample} --project NAME; another query: quern new NAME`,
      );
    });
}
