// quern init: creates a project to begin with.
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { shellPath } from '../../demo/place.ts';
import type { Parts } from '../../parts.ts';

interface Flags {
  readonly force?: true;
  readonly ci?: 'github';
}

export function register(command: Command, parts: Parts): void {
  const { io, terminal } = parts;
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

Writes quern.yaml with its schema for editors, a first saved query, and checks of its rows. Files of data in the folder become sources; the query is over
the first of them, over a table that you have loaded, or over log events.`,
    )
    .action(async (folder: string | undefined, flags: Flags) => {
      const [{ writeProject }, { dataFilesIn, firstQuery }] = await Promise.all([import('./starter.ts'), import('./first-query.ts')]);
      const workflow = flags.ci !== undefined;
      const place = resolve(io.cwd, folder ?? '.');
      const data = dataFilesIn(place);
      const first = await firstQuery(data, parts);
      const files = writeProject({ folder: place, files: data, first, force: flags.force === true, workflow });
      const written = files.map((file) => join(folder ?? '.', file));
      for (const file of written) await io.stdout.write(`${file}\n`);
      const enter = place === resolve(io.cwd) ? '' : `cd ${shellPath(folder ?? '.')}, then `;
      if (files.length > 1)
        await terminal.note(
          `next: ${enter}${first.flags === '' ? '' : 'load data with `quern load`, then '}quern run ${first.name}${first.flags}; add a query with quern new NAME`,
        );
      if (workflow) await terminal.note(`next: edit ${written.at(-1)} so that it loads your data or names your server`);
    });
}
