// quern explain: prints the ClickHouse SQL of a saved query, its logical plan, or what the engine expects before it runs.
import { type Command, Option } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { engineSteps, estimateRun } from '../../execution/estimate.ts';
import { specializedFor } from '../../execution/execute.ts';
import { prepare } from '../../execution/prepare.ts';
import { type QueryRequest, type RunOptions, readRunOptions } from '../../execution/request.ts';
import { readArguments } from '../../queries/parameters.ts';
import { formatOption } from '../arguments/flags.ts';
import { acceptArguments, explainFlags, type Given, isSql, readGivenQuery } from '../arguments/given.ts';
import type { Parts } from '../parts.ts';

interface Flags {
  readonly params?: string;
  readonly logical?: true;
  readonly rules?: true;
  readonly plan?: true;
  readonly dryRun?: true;
  readonly asOf?: string;
  readonly format?: string;
}

export function register(command: Command, parts: Parts): void {
  acceptArguments(command)
    .usage('<name|uuid|file.sql|SQL|-> [--logical|--plan|--dry-run] [--<parameter> <value>]...')
    .option('--logical', 'print the logical plan, before and after the rules of the optimizer')
    .addOption(new Option('--rules', 'the same, with the plan after each rule that changes it').implies({ logical: true }))
    .addOption(new Option('--plan', "print the engine's own plan, with the indexes it uses").conflicts('logical'))
    .addOption(
      new Option('--dry-run', 'print what the engine expects to read: parts, rows and at most how many bytes').conflicts([
        'logical',
        'plan',
      ]),
    )
    .option('--as-of <time>', 'the time that current_timestamp() returns, for --plan and --dry-run')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  quern explain usage.api-counts
  quern explain ./queries/events-per-hour.sql
  quern explain usage.api-counts --project demo --interval hourly
  quern explain usage.api-counts --logical
  quern explain usage.api-counts --plan --project demo --interval hourly
  quern explain usage.api-counts --dry-run --project demo --interval daily --format json

The comments above the SQL list its parameters and the settings it relies on. Without parameters, the SQL works for any
values; with parameters, as for a run, it is what runs for those values, without the parts they rule out. The engine's plan
and its estimate depend on them too. Nothing is run. The estimate counts the bytes of whole rows, uncompressed.

The logical plan shows how quern understands the query, for any parameters: one operator per line, with its inputs below it.
Columns that nothing reads are left out; columns that share a name are numbered, in the same way in each plan.`,
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const { asOf } = flags;
      refuseIdle(flags);
      const given = await readGivenQuery(parts.io, words, flags);
      const request = { ...given, ...(isSql(given.query) ? await sqlGiven(given, parts) : {}), asOf, signal: parts.signal };
      if (flags.logical === true) return printLogical(parts, request, flags);
      const print = flags.dryRun === true ? printEstimate : printSql;
      await (flags.plan === true ? printSteps : print)(parts, request, flags).catch((error: unknown) => {
        throw explainFlags(error, command, given.query);
      });
    });
}

/** A flag that would have no effect is a mistake. */
function refuseIdle({ plan, dryRun, asOf, format }: Flags): void {
  if (format !== undefined && dryRun !== true)
    throw new QuernError('usage', '--format works only with --dry-run', { hint: 'add --dry-run, or leave out --format' });
  if (asOf !== undefined && plan !== true && dryRun !== true)
    throw new QuernError('usage', '--as-of changes nothing in the SQL itself', { hint: 'add --plan or --dry-run' });
}

type Request = Pick<QueryRequest, 'query' | 'arguments' | 'files'> & Pick<RunOptions, 'asOf' | 'signal'>;

/** Reads SQL in place of a saved query. */
async function sqlGiven({ query }: Given, parts: Parts): Promise<Pick<Request, 'query' | 'files'>> {
  const [{ readGivenSql }, { sqlRequest }] = await Promise.all([import('./query/given-sql.ts'), import('./query/one-off.ts')]);
  const { query: saved, files } = await sqlRequest({ text: await readGivenSql(query, parts), parameters: [] }, parts);
  return { query: saved, files };
}

async function printSql({ io, catalog, preparing, terminal }: Parts, { query, files, arguments: given }: Request): Promise<void> {
  const { findSavedQuery } = await import('../../queries/find-query.ts');
  const saved = typeof query === 'string' ? findSavedQuery(query, await catalog()) : query;
  const prepared = await prepare({ query: { ...saved, keepComments: true } }, await preparing(files));
  const { results = 1 } = prepared;
  if (results > 1)
    await terminal.note(`note: ${prepared.name} has ${results} queries, and this is the last; quern translate FILE prints all`);
  const values = Object.keys(given).length === 0 ? undefined : readArguments(prepared.parameters, given, prepared.name);
  const { keptSql } = await import('../../queries/kept-sql.ts');
  const { sql, bound, settings } = values === undefined ? prepared : await specializedFor(prepared, values);
  await io.stdout.write(keptSql({ sql, bound, settings, columns: prepared.columns }));
}

async function printLogical(
  { io, catalog: open, connection }: Parts,
  { query, files, arguments: given }: Request,
  flags: Flags,
): Promise<void> {
  const [name] = Object.keys(given);
  if (name !== undefined) throw new QuernError('usage', 'the logical plan is the same for any parameters', { hint: `leave out --${name}` });
  const [{ logicalSteps }, { findSavedQuery }] = await Promise.all([
    import('../../execution/logical-steps.ts'),
    import('../../queries/find-query.ts'),
  ]);
  const { sources } = await (await connection()).snapshot(files);
  const catalog = await open();
  const saved = typeof query === 'string' ? findSavedQuery(query, catalog) : query;
  const { before, rules, buckets } = await logicalSteps(saved, { catalog, sources });
  const last = rules.at(-1);
  const each = flags.rules === true ? rules.map((rule) => `After ${rule.name}:\n\n${rule.plan}`) : [`After the rules:\n\n${last?.plan}`];
  const after = last === undefined ? ['No rule changes it.\n'] : each;
  await io.stdout.write([`Before the rules:\n\n${before}`, ...after, describeBuckets(buckets)].join('\n'));
}

type Buckets = Awaited<ReturnType<typeof import('../../execution/logical-steps.ts').logicalSteps>>['buckets'];

function describeBuckets(buckets: Buckets): string {
  if ('why' in buckets) return `Buckets of time: none, because ${buckets.why}.\n`;
  const units = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(buckets.units.map((unit) => unit.toLowerCase()));
  return `Buckets of time: ${units} of ${buckets.table.times[0]}, kept in the cache.\n`;
}

async function printSteps({ io, running }: Parts, request: Request): Promise<void> {
  const lines = await running(async (current) => engineSteps(await prepare(request, current), request, current));
  await io.stdout.write(`${lines.join('\n')}\n`);
}

async function printEstimate({ running, terminal }: Parts, request: Request, flags: Flags): Promise<void> {
  const tables = await running(async (current) => {
    const prepared = await prepare(request, current);
    return estimateRun(prepared, readRunOptions(prepared, request, current), current);
  });
  const integer = { kind: 'INT64' } as const;
  await terminal.print(
    {
      columns: [
        { name: 'table', type: { kind: 'STRING' } },
        ...['parts', 'rows', 'marks', 'bytes_at_most'].map((name) => ({ name, type: integer })),
      ],
      rows: tables.map(({ table, parts, rows, marks, bytesAtMost }) => [table, parts, rows, marks, bytesAtMost ?? null]),
      truncated: false,
    },
    { ...flags, whole: ['table'] },
  );
  if (tables.length === 0) await terminal.note('note: there is nothing to estimate: the query reads no rows of MergeTree tables');
}
