// quern cache: lists, shows, warms and clears cached results.
import type { Command } from 'commander';
import type { ResultColumn } from '../../../base/result.ts';
import { plainJson } from '../../../output/value.ts';
import { formatOption } from '../../arguments/flags.ts';
import type { Parts } from '../../parts.ts';

const column = (name: string, kind: 'STRING' | 'INT64' | 'BOOL' | 'JSON' = 'STRING'): ResultColumn => ({ name, type: { kind } });

export function register(command: Command, parts: Parts): void {
  const { terminal } = parts;
  command.addHelpText(
    'after',
    '\nExamples:\n  quern cache list\n  quern cache show 3f2a\n  quern cache warm usage.api-counts\n  quern cache clear --query usage.api-counts',
  );

  command
    .command('list')
    .description('List the cached results, newest first.')
    .addOption(formatOption())
    .action(async (flags: { readonly format?: string }) => {
      const cache = await parts.cache();
      const entries = await cache.list();
      const columns = [
        column('key'),
        column('query'),
        column('arguments', 'JSON'),
        column('rows', 'INT64'),
        column('bytes', 'INT64'),
        column('age_seconds', 'INT64'),
        column('ttl_seconds', 'INT64'),
        column('fresh', 'BOOL'),
      ];
      const rows = entries.map((entry) => [
        entry.key.slice(0, 12),
        entry.query,
        plainJson(entry.arguments),
        entry.rowCount,
        entry.bytes,
        entry.ageSeconds,
        entry.ttlSeconds,
        entry.fresh,
      ]);
      await terminal.print({ columns, rows, truncated: false }, { ...flags, whole: ['key', 'query'] });
      const { folder, bytes, maxBytes } = await cache.stats();
      await terminal.note(`${entries.length} entries, ${(bytes / 1e6).toFixed(1)} of ${Math.round(maxBytes / 1e6)} MB in ${folder}`);
    });

  command
    .command('show')
    .description('Print the rows of one cached result.')
    .argument('<key>', 'the start of its key, as `quern cache list` shows it')
    .addOption(formatOption())
    .option('-o, --output <file>', 'write to a file; its extension picks the format')
    .action(async (key: string, flags: { readonly format?: string; readonly output?: string }) => {
      const entry = await (await parts.cache()).show(key);
      await terminal.print(entry.result, flags);
      await terminal.note(`${entry.query} ${plainJson(entry.arguments)}, stored ${new Date(entry.storedAtMs).toISOString()}`);
    });

  command
    .command('clear')
    .description('Remove cached results.')
    .option('--query <name>', 'only those of this saved query')
    .action(async (flags: { readonly query?: string }) => {
      const removed = await (await parts.cache()).clear(flags);
      if (flags.query === undefined) await (await parts.preparedQueries()).clear();
      await terminal.note(`${removed} ${removed === 1 ? 'entry' : 'entries'} removed`);
    });

  command
    .command('warm')
    .description('Run saved queries again with the arguments of their cached results.')
    .argument('[names...]', 'names or UUIDs of saved queries; by default all that are cached')
    .addOption(formatOption())
    .action(async (names: readonly string[], flags: { readonly format?: string }) => {
      const { warmCache } = await import('./warm.ts');
      await warmCache(parts, names, flags);
    });
}
