// `--url` as the flag of a subcommand, while everywhere else it is the setting that names a ClickHouse server.
import type { Command } from 'commander';

/** Returns what reads `--url` of a subcommand with one of the names. It is no setting there. */
export function takeUrl(command: Command, names: readonly string[]): () => string | undefined {
  let url: string | undefined;
  command.hook('preSubcommand', (_, subcommand) => {
    if (!names.includes(subcommand.name()) || command.parent === null) return;
    url = command.parent.opts<{ readonly url?: string }>().url;
    command.parent.setOptionValueWithSource('url', undefined, 'default');
  });
  return () => url;
}
