// quern check: whether what must hold of the rows of saved queries does.
import { type Command, Option } from 'commander';
import type { App } from '../app.ts';
import type { CheckReport } from '../checks/check-all.ts';
import { countStates, plural } from '../checks/outcome.ts';
import { type AskedReporter, askedReporters, loadReporter } from '../checks/reporters/index.ts';
import type { Reporter } from '../checks/reporters/reporter.ts';
import { QuernError } from '../errors.ts';
import { writeFileAtomically } from '../output/file.ts';

interface Flags {
  readonly select?: readonly string[];
  readonly exclude?: readonly string[];
  readonly reporter?: readonly string[];
  readonly params?: string;
  readonly asOf?: string;
  readonly rows: string;
  readonly failuresDir?: string;
  readonly failuresFormat: 'csv' | 'ndjson';
  readonly failOnWarn?: true;
  readonly jobs?: string;
  readonly useCache?: true;
}

export function register(command: Command, app: App): void {
  const several = (word: string, before: readonly string[] = []) => [...before, word];
  command
    .argument('[file...]', 'YAML files of checks, and saved queries that have some; by default all of the project')
    .option('--select <pattern>', 'only queries and assertions of that name, or tag:NAME; * stands for any text', several)
    .option('--exclude <pattern>', 'all but these', several)
    .option('--params <file>', 'arguments for all queries, from a JSON object in a file, or - for standard input')
    .option('--as-of <time>', 'the instant that current_timestamp() gives, such as 2026-01-15T12:00:00Z')
    .option('--reporter <name[=file]>', 'terminal, json, junit or github; several write several reports', several)
    .option('--rows <count>', 'how many failing rows a report shows of an assertion', '5')
    .option('--failures-dir <dir>', 'write all failing rows into files there')
    .addOption(new Option('--failures-format <format>', 'of those files').choices(['csv', 'ndjson']).default('csv'))
    .option('--fail-on-warn', 'take warnings for failures')
    .option('--jobs <count>', 'how many checks run at once; 3 on the embedded engine and 8 on a server by default')
    .option('--use-cache', 'take answers from the cache, and keep them there')
    .addHelpText(
      'after',
      `
Examples:
  quern check
  quern check checks/usage.yaml --as-of 2026-01-15T12:00:00Z
  quern check --select 'usage.*' --exclude tag:slow --params arguments.json
  quern check --reporter terminal --reporter junit=report.xml --failures-dir failures

The exit code is 1 when an assertion does not hold. How checks are written: docs/checks.md`,
    )
    .action(async (references: readonly string[], flags: Flags) => {
      const asked = askedReporters(flags.reporter ?? []);
      const rows = wholeNumber('--rows', flags.rows, 0);
      const { asOf, failuresDir, failOnWarn = false } = flags;
      const reporters = await openReporters(app, asked, { rows, failOnWarn });
      const checking = app.check({
        references,
        select: flags.select ?? [],
        exclude: flags.exclude ?? [],
        params: flags.params === undefined ? {} : await app.readParameters(flags.params),
        ...(asOf === undefined ? {} : { asOf }),
        useCache: flags.useCache === true,
        ...(flags.jobs === undefined ? {} : { jobs: wholeNumber('--jobs', flags.jobs, 1) }),
        failingRows: rows,
        ...(failuresDir === undefined ? {} : { failures: { folder: app.path(failuresDir), format: flags.failuresFormat } }),
        onOutcome: async (outcome) => {
          for (const { file, reporter } of reporters) if (file === undefined) await app.io.stdout.write(reporter.check?.(outcome) ?? '');
        },
      });
      const report = await checking.catch(async (error: unknown) => {
        await tellOfError(app, reporters, error);
        throw error;
      });
      await finish(app, reporters, report);
      refuseFailures(report, failOnWarn);
    });
}

interface OpenReporter extends AskedReporter {
  readonly reporter: Reporter;
}

async function openReporters(
  app: App,
  asked: readonly AskedReporter[],
  { rows, failOnWarn }: { readonly rows: number; readonly failOnWarn: boolean },
): Promise<readonly OpenReporter[]> {
  const { stdout } = app.io;
  const colour = await app.colours();
  return Promise.all(
    asked.map(async (one): Promise<OpenReporter> => {
      const onTerminal = one.file === undefined && stdout.isTerminal;
      const make = await loadReporter(one.name);
      const width = onTerminal ? (stdout.columns ?? 80) : undefined;
      return { ...one, reporter: make({ width, colour: onTerminal && colour, rows, cwd: app.io.cwd, failOnWarn }) };
    }),
  );
}

/** What keeps all checks from running has a place of its own in some reports. */
async function tellOfError(app: App, reporters: readonly OpenReporter[], error: unknown): Promise<void> {
  if (!(error instanceof QuernError) || error.code === 'interrupted') return;
  for (const { file, reporter } of reporters) if (file === undefined) await app.io.stdout.write(reporter.error?.(error) ?? '');
}

/** Files are written when everything is known, so that an interrupted run leaves those of an earlier one as they are. */
async function finish(app: App, reporters: readonly OpenReporter[], report: CheckReport): Promise<void> {
  for (const { name, file, reporter } of reporters) {
    const text = () => [...report.outcomes.map((one) => reporter.check?.(one) ?? ''), reporter.end(report)];
    if (file === undefined) await app.io.stdout.write(reporter.end(report));
    else await writeFileAtomically(app.path(file), text(), { flag: `--reporter ${name}=FILE` });
  }
}

function refuseFailures({ outcomes }: CheckReport, failOnWarn: boolean): void {
  const { assertions, failed, warned, unknown } = countStates(outcomes);
  const broken = failed + (failOnWarn ? warned : 0);
  if (broken + unknown === 0) return;
  const errors = outcomes.flatMap((one) => one.assertions.flatMap(({ error }) => error ?? []));
  const parts = [
    broken > 0 ? `${broken} of ${plural(assertions, 'assertion')} failed` : [],
    unknown > 0 ? `${unknown} could not be checked` : [],
  ];
  const timedOut = broken === 0 && errors.every(({ code }) => code === 'timeout');
  throw new QuernError(timedOut ? 'timeout' : 'check', parts.flat().join(', '), { hint: 'see the report' });
}

function wholeNumber(flag: string, text: string, least: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : undefined;
  if (number !== undefined && number >= least) return number;
  throw new QuernError('usage', `${flag} ${JSON.stringify(text)} is not a whole number of at least ${least}`, {
    hint: `such as ${flag} 10`,
  });
}
