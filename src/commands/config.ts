// quern config: every setting, its value and where it comes from.
import type { Command } from 'commander';
import type { App } from '../app.ts';
import { formatOption } from './flags.ts';

export function register(command: Command, app: App): void {
  command.addHelpText('after', '\nExamples:\n  quern config list\n  QUERN_STORE=/data/logs quern config list --format json');

  command
    .command('list')
    .description('List every setting with its value and origin. Secrets are hidden.')
    .addOption(formatOption())
    .action(async (flags: { readonly format?: string }) => {
      const rows = await app.settingRows();
      const columns = ['setting', 'value', 'from', 'environment', 'meaning'].map((name) => ({ name, type: { kind: 'STRING' } as const }));
      await app.print({ columns, rows, truncated: false }, { ...flags, whole: ['setting', 'value'] });
    });
}
