// quern explain: the ClickHouse SQL a saved query becomes, its logical plan on the way there, and what the engine says of it before it runs.
import { type Command, Option } from 'commander';
import type { App } from '../app.ts';
import { QuernError } from '../errors.ts';
import { formatOption } from './flags.ts';
import { acceptArguments, explainFlags, type GivenQuery, readGivenQuery } from './given.ts';
import { sqlWithComments } from './sql-comments.ts';

interface Flags {
  readonly params?: string;
  readonly logical?: true;
  readonly rules?: true;
  readonly plan?: true;
  readonly dryRun?: true;
  readonly asOf?: string;
  readonly format?: string;
}

export function register(command: Command, app: App): void {
  acceptArguments(command)
    .usage('<name|uuid|file.sql> [--logical|--plan|--dry-run] [--<parameter> <value>]...')
    .option('--logical', 'print the logical plan, before and after the rules that make it cheaper')
    .addOption(new Option('--rules', 'the same, and the plan after each rule that changes it').implies({ logical: true }))
    .addOption(new Option('--plan', "print the engine's own plan, with the indexes it uses").conflicts('logical'))
    .addOption(
      new Option('--dry-run', 'print what the engine expects to read: parts, rows, and at most so many bytes').conflicts([
        'logical',
        'plan',
      ]),
    )
    .option('--as-of <time>', 'the instant that current_timestamp() gives to --plan and --dry-run')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  quern explain usage.api-counts
  quern explain ./top-paths.sql
  quern explain usage.api-counts --project demo --interval hourly
  quern explain usage.api-counts --logical
  quern explain usage.api-counts --plan --project demo --interval hourly
  quern explain usage.api-counts --dry-run --project demo --interval daily --format json

The comments above the SQL list the parameters it is bound with, and the settings it relies on. The SQL is that for any
parameters; with parameters, as for a run, it is what runs with those, without what they rule out. The engine's plan and
its estimate depend on them too. Nothing is run. The bytes are those of the rows with all their columns, uncompressed.

The logical plan is what quern understands of the query: an operator a line, what it reads below it, for any parameters.
What nothing reads is left out, and columns of the same name have numbers, the same ones in each plan.`,
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const { asOf } = flags;
      refuseIdle(flags);
      const given = await readGivenQuery(app, words, flags);
      if (flags.logical === true) return printLogical(app, given, flags);
      const request = { ...given, ...(asOf === undefined ? {} : { asOf }) };
      const print = flags.plan === true ? printSteps : flags.dryRun === true ? printEstimate : printSql;
      await print(app, request, flags).catch((error: unknown) => {
        throw explainFlags(error, command, given.reference);
      });
    });
}

/** A flag that would have no effect is a mistake. */
function refuseIdle({ plan, dryRun, asOf, format }: Flags): void {
  if (format !== undefined && dryRun !== true)
    throw new QuernError('usage', '--format has no part in SQL and plans', { hint: 'use it with --dry-run' });
  if (asOf !== undefined && plan !== true && dryRun !== true)
    throw new QuernError('usage', '--as-of has no part in the SQL', { hint: 'use it with --plan or --dry-run' });
}

type Request = GivenQuery & { readonly asOf?: string };

async function printSql(app: App, { reference, arguments: given }: Request): Promise<void> {
  const plan = await (Object.keys(given).length === 0 ? app.plan(reference) : app.plan(reference, given));
  await app.io.stdout.write(sqlWithComments(plan));
}

async function printLogical(app: App, { reference, arguments: given }: GivenQuery, flags: Flags): Promise<void> {
  const [name] = Object.keys(given);
  if (name !== undefined) throw new QuernError('usage', 'the logical plan is the same for any parameters', { hint: `take --${name} away` });
  const { before, rules } = await app.logicalSteps(reference);
  const last = rules.at(-1);
  const after =
    last === undefined
      ? ['No rule changes it.\n']
      : flags.rules === true
        ? rules.map((rule) => `After ${rule.name}:\n\n${rule.plan}`)
        : [`After the rules:\n\n${last.plan}`];
  await app.io.stdout.write([`Before the rules:\n\n${before}`, ...after].join('\n'));
}

async function printSteps(app: App, request: Request): Promise<void> {
  const lines = await app.engineSteps(request);
  await app.io.stdout.write(`${lines.join('\n')}\n`);
}

async function printEstimate(app: App, request: Request, flags: Flags): Promise<void> {
  const tables = await app.estimateTables(request);
  const integer = { kind: 'INT64' } as const;
  await app.print(
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
  if (tables.length === 0) await app.note('note: the engine estimates nothing: no rows of a MergeTree table would be read');
}
