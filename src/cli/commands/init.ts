// quern init: a project to begin with.
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Parts } from '../parts.ts';

export function register(command: Command, { io, terminal }: Parts): void {
  command
    .argument('[folder]', 'where; the folder that you are in by default')
    .option('--force', 'write over files that are there')
    .addHelpText(
      'after',
      '\nExamples:\n  quern init\n  quern init reports\n\nWrites quern.yaml with its schema for editors, and a first saved query.',
    )
    .action(async (folder: string | undefined, flags: { readonly force?: true }) => {
      const { SAMPLE_QUERY, writeProject } = await import('./starter.ts');
      const files = writeProject(resolve(io.cwd, folder ?? '.'), flags.force === true);
      for (const file of files) await io.stdout.write(`${join(folder ?? '.', file)}\n`);
      const enter = folder === undefined ? '' : `cd ${folder}, then `;
      await terminal.note(
        `next: ${enter}fill the store with \`quern load\`, then quern run ${SAMPLE_QUERY} --project NAME; another query: quern new NAME`,
      );
    });
}
