// quern list: lists the saved queries that can be run.
import type { Command } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { formatDuration } from '../../base/quantity.ts';
import { ships } from '../../package-file.ts';
import { formatOption } from '../arguments/flags.ts';
import type { Parts } from '../parts.ts';

/** The width of a terminal that has room for UUIDs. */
const WIDE = 120;

export function register(command: Command, { io, catalog, terminal }: Parts): void {
  command
    .option('--all', 'also the queries that ship with quern, which are listed by themselves where you have none of your own')
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  quern list\n  quern list --queries ./queries --format json')
    .action(async (flags: { readonly format?: string; readonly all?: true }) => {
      const { queries: all, broken } = await (await catalog()).list();
      const own = all.filter(({ source }) => !ships(source.name));
      const queries = flags.all === true || own.length + broken.length === 0 ? all : own;
      const string = { kind: 'STRING' } as const;
      const isNarrow = flags.format === undefined && (io.stdout.columns ?? WIDE) < WIDE;
      const shown = ['name', ...(isNarrow ? [] : ['id']), 'parameters', 'cache', 'description'];
      await terminal.print(
        {
          columns: shown.map((name) => ({ name, type: string })),
          rows: queries.map((query) => [
            query.name,
            ...(isNarrow ? [] : [query.id]),
            query.parameters.map((parameter) => (parameter.required ? parameter.name : `[${parameter.name}]`)).join(' '),
            query.ttlSeconds === 0 ? 'disabled' : formatDuration(query.ttlSeconds),
            query.description,
          ]),
          truncated: false,
        },
        { ...flags, whole: ['name'], wrap: true },
      );
      if (queries.length < all.length) await terminal.aside('`quern list --all` lists those that ship with quern, too');
      for (const { error } of broken) await terminal.showError(error);
      if (broken.length > 0) {
        throw new QuernError('config', `${broken.length} of ${all.length + broken.length} saved queries cannot be used`, {
          hint: 'fix the files above',
        });
      }
    });
}
