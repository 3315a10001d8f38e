// quern explain: the ClickHouse SQL a saved query becomes.
import type { Command } from 'commander';
import type { App } from '../app.ts';
import { acceptArguments, readGivenQuery } from './given.ts';
import { sqlWithComments } from './sql-comments.ts';

export function register(command: Command, app: App): void {
  acceptArguments(command)
    .usage('<name|uuid|file.sql>')
    .addHelpText(
      'after',
      `
Examples:
  quern explain usage.api-counts
  quern explain ./top-paths.sql

The comments above the SQL list the parameters it is bound with, and the settings it relies on.`,
    )
    .action(async (words: readonly string[], flags: { readonly params?: string }) => {
      const { reference } = await readGivenQuery(app, words, flags);
      await app.io.stdout.write(sqlWithComments(await app.plan(reference)));
    });
}
