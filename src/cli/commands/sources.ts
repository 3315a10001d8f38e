// quern sources: lists what queries can read from, and what quern knows about it.
import type { Command } from 'commander';
import { formatOption } from '../arguments/flags.ts';
import type { Parts } from '../parts.ts';
import { printSources, type SourceFlags } from './source-rows.ts';

export function register(command: Command, parts: Parts): void {
  command
    .argument('[source]', 'one source: its columns, and the declared fields of its records')
    .option('--all', 'also the log sources that have no rows')
    .option('--refresh', 'ask the engine again instead of using what is remembered')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  quern sources
  quern sources edge_logs
  quern sources --profile production --refresh

To say which table a source is and where its columns are, use sources: in quern.yaml.`,
    )
    .action((name: string | undefined, flags: SourceFlags) => printSources(parts, name, flags));
}
