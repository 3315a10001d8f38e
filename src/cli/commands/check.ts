// quern check: runs the assertions about the rows of saved queries.
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { formatCount, parseDuration } from '../../base/quantity.ts';
import type { CheckReport } from '../../checks/check-all.ts';
import { type CheckOutcome, countStates } from '../../checks/outcome.ts';
import { loadReporter, type RequestedReporter, reporterNames, requestedReporters } from '../../checks/reporters/index.ts';
import type { Reporter } from '../../checks/reporters/reporter.ts';
import { repositoryRoot } from '../../files/repository.ts';
import { writeFileAtomically } from '../../output/file.ts';
import { collect, withValues } from '../arguments/flags.ts';
import { readParametersFile } from '../arguments/parameters-file.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import type { Parts } from '../parts.ts';

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
  readonly since?: string;
}

export function register(command: Command, parts: Parts): void {
  const { io } = parts;
  command
    .argument('[file...]', 'YAML check files, and saved queries that have checks; by default all in the project')
    .option('--select <pattern>', 'only queries and assertions with this name, or tag:NAME; * matches any text', collect)
    .option('--exclude <pattern>', 'everything except these', collect)
    .option('--params <file>', 'arguments for all queries, from a JSON object in a file, or - for standard input')
    .option('--as-of <time>', 'the time that current_timestamp() returns, such as 2026-01-15T12:00:00Z')
    .addOption(
      withValues(
        new Option(
          '--reporter <name[=file]>',
          'terminal, json, junit, markdown, html or github; repeat it to write several reports',
        ).argParser(collect),
        reporterNames,
      ),
    )
    .option('--rows <count>', 'how many failing rows to show per assertion', DEFAULTS.rows)
    .option('--failures-dir <dir>', 'write all failing rows to files in this folder')
    .addOption(
      new Option('--failures-format <format>', 'the format of those files').choices(['csv', 'ndjson']).default(DEFAULTS.failuresFormat),
    )
    .option('--fail-on-warn', 'treat warnings as failures')
    .option('--jobs <count>', 'how many checks run at once; by default 3 on the embedded engine and 8 on a server')
    .option('--since <duration>', 'show the outcomes of recent runs, such as those of the last 7d, and run nothing')
    .option('--use-cache', 'read results from the cache, and store them there')
    .addHelpText(
      'after',
      `
Examples:
  quern check
  quern check checks/events-per-hour.yaml --as-of 2026-01-15T12:00:00Z
  quern check --select 'events-*'
  quern check --reporter terminal --reporter junit=report.xml --failures-dir failures
  quern check --since 7d
  quern check --reporter github --reporter markdown=summary.md

The exit code is 1 when an assertion fails. How to write checks: docs/checks.md`,
    )
    .action(async (references: readonly string[], flags: Flags) => {
      if (flags.since !== undefined) return showPast(parts, references, flags);
      const asked = requestedReporters(flags.reporter ?? []);
      const rows = wholeNumber('--rows', flags.rows, { least: 0 });
      const { asOf, failuresDir, failOnWarn = false } = flags;
      const reporters = await openReporters(parts, asked, { rows, failOnWarn });
      const request = {
        references,
        select: flags.select ?? [],
        exclude: flags.exclude ?? [],
        params: flags.params === undefined ? {} : await readParametersFile(flags.params, io),
        asOf,
        useCache: flags.useCache === true,
        jobs: flags.jobs === undefined ? undefined : wholeNumber('--jobs', flags.jobs),
        failingRows: rows,
        failures: failuresDir === undefined ? undefined : { folder: resolve(io.cwd, failuresDir), format: flags.failuresFormat },
        onOutcome: async (outcome: CheckOutcome) => {
          for (const { file, reporter } of reporters) if (file === undefined) await io.stdout.write(reporter.check?.(outcome) ?? '');
        },
      };
      const { checkProject } = await import('../../checks/check-project.ts');
      const report = await checkProject(parts, request).catch(async (error: unknown) => {
        await reportError(io, reporters, error);
        throw error;
      });
      await finish(io, reporters, report);
      refuseFailures(report, failOnWarn);
    });
}

/** Shows the history; names select from it. */
async function showPast(
  parts: Parts,
  references: readonly string[],
  { since = '', select = [], exclude = [], ...others }: Flags,
): Promise<void> {
  const seconds = parseDuration(since);
  if (seconds === undefined)
    throw new QuernError('usage', `--since ${JSON.stringify(since)} is not a duration`, { hint: 'write it like 12h or 7d' });
  const idle = Object.keys(others).find((name) => !(name in DEFAULTS));
  if (idle !== undefined) {
    const flag = idle.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
    throw new QuernError('usage', `--${flag} has no effect with --since, which runs nothing`, { hint: `leave out --${flag}` });
  }
  const { pastOf } = await import('../../checks/check-project.ts');
  const past = await pastOf(parts, { sinceMs: Date.now() - seconds * 1000, select: [...references, ...select], exclude });
  await parts.terminal.print(past);
  if (past.rows.length === 0) await parts.terminal.note('note: the cache folder has no record of a check run since then');
}

/** These flags always have a value. */
const DEFAULTS = { rows: '5', failuresFormat: 'csv' } as const;

interface OpenReporter extends RequestedReporter {
  readonly reporter: Reporter;
}

async function openReporters(
  { io, terminal }: Parts,
  asked: readonly RequestedReporter[],
  { rows, failOnWarn }: { readonly rows: number; readonly failOnWarn: boolean },
): Promise<readonly OpenReporter[]> {
  const { stdout, cwd } = io;
  const root = repositoryRoot(cwd) ?? cwd;
  const colour = await terminal.colours();
  return Promise.all(
    asked.map(async (one): Promise<OpenReporter> => {
      const onTerminal = one.file === undefined && stdout.isTerminal;
      const make = await loadReporter(one.name);
      const width = onTerminal ? (stdout.columns ?? 80) : undefined;
      return { ...one, reporter: make({ width, colour: onTerminal && colour, rows, cwd, root, failOnWarn }) };
    }),
  );
}

/** Some reports have a place of their own for an error that keeps all checks from running. */
async function reportError({ stdout }: Parts['io'], reporters: readonly OpenReporter[], error: unknown): Promise<void> {
  if (!(error instanceof QuernError) || error.code === 'interrupted') return;
  for (const { file, reporter } of reporters) if (file === undefined) await stdout.write(reporter.error?.(error) ?? '');
}

/** Writes files when everything is known, so that an interrupted run leaves those of an earlier one as they are. */
async function finish({ cwd, stdout, env }: Parts['io'], reporters: readonly OpenReporter[], report: CheckReport): Promise<void> {
  for (const { name, file, reporter } of reporters) {
    const text = () => [...report.outcomes.map((one) => reporter.check?.(one) ?? ''), reporter.end(report)];
    if (file === undefined) await stdout.write(reporter.end(report));
    // All steps of a job write to this file.
    else if (file === env['GITHUB_STEP_SUMMARY']) appendFileSync(resolve(cwd, file), text().join(''));
    else await writeFileAtomically(resolve(cwd, file), text(), { flag: `--reporter ${name}=FILE` });
  }
}

function refuseFailures({ outcomes }: CheckReport, failOnWarn: boolean): void {
  const { assertions, failed, warned, unknown } = countStates(outcomes);
  const broken = failed + (failOnWarn ? warned : 0);
  if (broken + unknown === 0) return;
  const errors = outcomes.flatMap((one) => one.assertions.flatMap(({ error }) => error ?? []));
  const parts = [
    broken > 0 ? `${broken} of ${formatCount(assertions, 'assertion')} failed` : [],
    unknown > 0 ? `${unknown} could not be checked` : [],
  ];
  const timedOut = broken === 0 && errors.every(({ code }) => code === 'timeout');
  throw new QuernError(timedOut ? 'timeout' : 'check', parts.flat().join(', '), { hint: 'see the report' });
}
