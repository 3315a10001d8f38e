// quern show: shows a saved query, its parameters and its SQL.
import type { Command } from 'commander';
import { formatDuration } from '../../base/quantity.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import type { Parts } from '../parts.ts';
import { parameterLines } from './parameter-lines.ts';

export function register(command: Command, { io, catalog }: Parts): void {
  command
    .argument('<query>', 'name, UUID or .sql file')
    .option('--sql', 'print the SQL only')
    .addHelpText('after', '\nExamples:\n  quern show usage.api-counts\n  quern show logs.all --sql > my.logs.sql')
    .action(async (reference: string, flags: { readonly sql?: true }) => {
      const { findSavedQuery } = await import('../../queries/find-query.ts');
      const query = findSavedQuery(reference, await catalog());
      const text = flags.sql === true ? query.source.text : `${[...facts(query), '', query.source.text.trimEnd()].join('\n')}\n`;
      await io.stdout.write(text);
    });
}

function facts(query: SavedQuery): readonly string[] {
  const cache = query.ttlSeconds === 0 ? 'disabled' : formatDuration(query.ttlSeconds);
  const warming = query.warmingSeconds === undefined ? '' : `, warmed every ${formatDuration(query.warmingSeconds)}`;
  return [
    `${query.name}${query.description === '' ? '' : `: ${query.description}`}`,
    ...(query.id === '' ? [] : [`id:        ${query.id}`]),
    `file:      ${query.source.name}`,
    `rows:      at most ${query.maxRows}`,
    `cache:     ${cache}${warming}`,
    ...(query.parameters.length === 0 ? [] : ['parameters:', ...parameterLines(query.parameters)]),
  ];
}
