// quern drop: removes a table of the user's own from the embedded store.
import type { Command } from 'commander';
import { askYes, canAsk } from '../../base/ask.ts';
import { didYouMean, QuernError } from '../../base/errors.ts';
import { formatCount } from '../../base/quantity.ts';
import { visible } from '../../output/visible.ts';
import type { Parts } from '../parts.ts';

export function register(command: Command, { io, signal, manifest, store, terminal }: Parts): void {
  command
    .argument('<table>', 'a table made by `quern load`')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', '\nExamples:\n  quern drop orders\n  quern drop orders --yes\n\nThe files that were loaded stay where they are.')
    .action(async (name: string, { yes }: { readonly yes?: true }) => {
      const { tables } = await manifest();
      const table = Object.values(tables).find((known) => known.name.toLowerCase() === name.toLowerCase());
      if (table === undefined)
        throw noTable(
          name,
          Object.values(tables).map((known) => known.name),
        );
      const what = `${table.name} with ${formatCount(table.rows, 'row')}`;
      if (yes !== true) {
        if (!canAsk(io))
          throw new QuernError('usage', `cannot ask whether to remove the table ${what}: this is not a terminal`, {
            hint: 'confirm with --yes',
          });
        if (!(await askYes(visible(`Remove the table ${what}?`), io, signal))) return terminal.note('nothing was removed');
      }
      await (await store()).drop(table.name);
      await terminal.note(`removed the table ${what}`);
    });
}

function noTable(name: string, names: readonly string[]): QuernError {
  const known = names.length === 0 ? 'the store has no tables' : `its tables are ${names.join(', ')}`;
  return new QuernError('unknown-source', `there is no table ${name} in the store`, {
    hint: didYouMean(name, names) ?? known,
  });
}
