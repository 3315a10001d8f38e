// quern list: the saved queries that can be run.
import type { Command } from 'commander';
import { QuernError } from '../../errors.ts';
import { formatDuration } from '../../quantity.ts';
import type { Parts } from '../parts.ts';
import { formatOption } from './flags.ts';

export function register(command: Command, { catalog, terminal }: Parts): void {
  command
    .addOption(formatOption())
    .addHelpText('after', '\nExamples:\n  quern list\n  quern list --queries ./queries --format json')
    .action(async (flags: { readonly format?: string }) => {
      const { queries, broken } = await (await catalog()).list();
      const string = { kind: 'STRING' } as const;
      await terminal.print(
        {
          columns: ['name', 'id', 'parameters', 'cache', 'description'].map((name) => ({ name, type: string })),
          rows: queries.map((query) => [
            query.name,
            query.id,
            query.parameters.map((parameter) => (parameter.required ? parameter.name : `[${parameter.name}]`)).join(' '),
            query.ttlSeconds === 0 ? 'disabled' : formatDuration(query.ttlSeconds),
            query.description,
          ]),
          truncated: false,
        },
        { ...flags, whole: ['name'] },
      );
      for (const { error } of broken) await terminal.showError(error);
      if (broken.length > 0) {
        throw new QuernError('config', `${broken.length} of ${queries.length + broken.length} saved queries cannot be used`, {
          hint: 'fix the files above',
        });
      }
    });
}
