// quern verify: compares the rows of a saved query with rows recorded elsewhere.
import { type Command, Option } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { formatCount, formatNumber } from '../../base/quantity.ts';
import type { ResultColumn } from '../../base/result.ts';
import { prepare } from '../../execution/prepare.ts';
import { run } from '../../execution/run.ts';
import type { ShownDifference } from '../../verify/verify.ts';
import { collect, formatOption } from '../arguments/flags.ts';
import { acceptArguments, explainFlags, readGivenQuery } from '../arguments/given.ts';
import { readTextFile } from '../arguments/text-file.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import type { Parts } from '../parts.ts';

interface Flags {
  readonly expected: string;
  readonly params?: string;
  readonly asOf?: string;
  readonly order?: 'any' | 'exact';
  readonly tolerance?: readonly string[];
  readonly ignore?: readonly string[];
  readonly differences: string;
  readonly format?: string;
}

export function register(command: Command, { io, signal, catalog, running, terminal }: Parts): void {
  acceptArguments(command)
    .usage('<name|uuid|file.sql> --expected <file> [--<parameter> <value>]... [flags]')
    .requiredOption('--expected <file>', 'the recorded rows: JSON, NDJSON or CSV, or - for standard input')
    .option('--as-of <time>', 'the time that current_timestamp() returns, such as 2026-01-15T12:00:00Z')
    .addOption(
      new Option('--order <order>', 'the order of the rows to compare; by default what the ORDER BY of the query guarantees').choices([
        'any',
        'exact',
      ]),
    )
    .option('--tolerance <column=amount>', 'how far apart values may be: n=1%, n=0.5, time=1s; may be repeated', collect)
    .option('--ignore <column>', 'a column not to compare; may be repeated', collect)
    .option('--differences <count>', 'how many differences to show', '20')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  quern verify usage.api-counts --expected bigquery.json --project demo --interval hourly --as-of 2026-01-15T12:00:00Z
  quern verify ./errors.sql --expected logflare.json --tolerance p95=5% --ignore id
  bq query --format=json < errors.sql | quern verify ./errors.sql --expected -

The exit code is 0 when the rows are the same and 1 when they differ. docs/migration.md says what counts as the same.`,
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const most = wholeNumber('--differences', flags.differences);
      if (flags.expected === '-' && flags.params === '-')
        throw new QuernError('usage', '--expected and --params cannot both be standard input', { hint: 'name a file for one of them' });
      const given = await readGivenQuery(io, words, flags);
      const [{ readRecorded }, { verify }, { findSavedQuery }] = await Promise.all([
        import('../../verify/recorded.ts'),
        import('../../verify/verify.ts'),
        import('../../queries/find-query.ts'),
      ]);
      const recorded = readRecorded((await readTextFile(flags.expected, io)).text, flags.expected);
      const { asOf, order, tolerance = [], ignore = [] } = flags;
      const request = { ...given, asOf, cache: 'none', signal } as const;
      const { result, prepared } = await running(async (current) => run(await prepare(request, current), request, current)).catch(
        (error: unknown) => {
          throw explainFlags(error, command, given.query);
        },
      );
      const { text } = findSavedQuery(given.query, await catalog()).source;
      const verdict = verify(
        { query: { text, dialect: prepared.dialect }, result, recorded },
        { tolerances: tolerance, ignored: ignore, order },
      );
      if (verdict.estimates.length > 0)
        await terminal.note(`note: compared within 2%, because BigQuery estimates them: ${verdict.estimates.join(', ')}`);
      if (result.truncated)
        await terminal.note(
          `note: only the first ${prepared.maxRows} rows are compared: ${prepared.name} has max_rows: ${prepared.maxRows}`,
        );
      const counted = `${formatCount(result.rows.length, 'row')}, ${formatNumber(recorded.rows.length)} recorded`;
      if (verdict.differences.length === 0) {
        await io.stdout.write(`${prepared.name}: the same, ${verdict.order}: ${formatCount(result.rows.length, 'row')}\n`);
        return;
      }
      const rest = verdict.differences.length - most;
      await terminal.print(
        { columns: COLUMNS, rows: verdict.differences.slice(0, most).map(rowOf), truncated: false },
        { format: flags.format ?? 'table' },
      );
      if (rest > 0) await terminal.note(`${rest} more differences; --differences shows more`);
      throw new QuernError('check', `${prepared.name} differs from ${flags.expected}: ${whatDiffers(verdict.differentRows)} (${counted})`, {
        hint: 'if BigQuery does not guarantee this either, allow it with --tolerance, --ignore or --order any',
      });
    });
}

const STRING = { kind: 'STRING' } as const;
const COLUMNS: readonly ResultColumn[] = [
  { name: 'row', type: { kind: 'INT64' } },
  { name: 'column', type: STRING },
  { name: 'expected', type: STRING },
  { name: 'got', type: STRING },
];

const rowOf = ({ row, column, expected, got }: ShownDifference) => [
  row ?? null,
  column ?? '(whole row)',
  expected ?? '(nothing)',
  got ?? '(nothing)',
];

function whatDiffers(rows: number): string {
  if (rows === 0) return 'its columns differ';
  return rows === 1 ? '1 row differs' : `${formatNumber(rows)} rows differ`;
}
