// quern loads: lists loads into the embedded store, and undoes one.
import type { Command } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { formatCount } from '../../base/quantity.ts';
import type { ResultColumn } from '../../base/result.ts';
import { formatOption } from '../arguments/flags.ts';
import type { Parts } from '../parts.ts';

const column = (name: string, kind: 'STRING' | 'INT64' | 'TIMESTAMP' = 'STRING'): ResultColumn => ({ name, type: { kind } });

export function register(command: Command, { manifest, settings, store, terminal }: Parts): void {
  command
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  quern loads                      what was loaded, newest first
  quern loads undo 7               undo load 7: its rows are removed, all others stay`,
    )
    .action(async (flags: { readonly format?: string }) => {
      const { loads } = await manifest();
      const numbers = [...new Set(loads.map((load) => load.number ?? load.id))];
      const rows = numbers.reverse().map((number) => {
        const files = loads.filter((load) => (load.number ?? load.id) === number);
        const [first] = files;
        return [
          first?.number === undefined ? null : first.number,
          first?.source ?? '',
          files.map(({ file }) => file).join(', '),
          files.reduce((sum, file) => sum + file.rows, 0),
          files.reduce((sum, file) => sum + file.badLines, 0),
          first?.loadedAt ?? null,
        ];
      });
      const columns = [
        column('load', 'INT64'),
        column('table'),
        column('files'),
        column('rows', 'INT64'),
        column('bad_lines', 'INT64'),
        column('loaded_at'),
      ];
      await terminal.print({ columns, rows, truncated: false }, { ...flags, whole: ['load', 'table'] });
      if (rows.length === 0) {
        const { values } = await settings();
        await terminal.note(
          `nothing has been loaded into the store ${values.store} yet; next: quern load SOURCE FILE, or quern demo for a sample`,
        );
      }
    });

  command
    .command('undo')
    .description('Undo a load: remove its rows, and keep all others.')
    .argument('<load>', 'its number, as `quern loads` shows it')
    .action(async (text: string) => {
      const number = Number(text);
      if (!Number.isSafeInteger(number) || number < 1)
        throw new QuernError('usage', `${JSON.stringify(text)} is not a load number`, { hint: 'list the loads with `quern loads`' });
      const { source, rows, dropped } = await (await store()).undo(number);
      const gone = `load ${number} is undone: ${formatCount(rows, 'row')} removed from ${source}`;
      await terminal.note(dropped ? `${gone}, and the table, which had no other load` : gone);
    });
}
