// quern init: creates a project to begin with.
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Parts } from '../../parts.ts';

interface Flags {
  readonly force?: true;
  readonly ci?: 'github';
}

export function register(command: Command, { io, terminal }: Parts): void {
  command
    .argument('[folder]', 'where to create it; by default the current folder')
    .addOption(
      new Option('--ci <system>', 'also write a workflow that runs the checks; in an existing project, write only that').choices([
        'github',
      ]),
    )
    .option('--force', 'overwrite existing files')
    .addHelpText(
      'after',
      `
Examples:
  quern init
  quern init reports
  quern init --ci github

Writes quern.yaml with its schema for editors, a first saved query, and checks of its rows.`,
    )
    .action(async (folder: string | undefined, flags: Flags) => {
      const { SAMPLE_QUERY, writeProject } = await import('./starter.ts');
      const workflow = flags.ci !== undefined;
      const files = writeProject({ folder: resolve(io.cwd, folder ?? '.'), force: flags.force === true, workflow });
      const written = files.map((file) => join(folder ?? '.', file));
      for (const file of written) await io.stdout.write(`${file}\n`);
      const enter = folder === undefined ? '' : `cd ${folder}, then `;
      if (files.length > 1)
        await terminal.note(
          `next: ${enter}load data with \`quern load\`, then quern run ${SAMPLE_QUERY} --project NAME; add a query with quern new NAME`,
        );
      if (workflow) await terminal.note(`next: edit ${written.at(-1)} so that it loads your data or names your server`);
    });
}
