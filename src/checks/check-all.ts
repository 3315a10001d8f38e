// Runs checks: finds and prepares all of them before the first runs, runs several at once, and reports the outcomes in the order of the checks.
import { QuernError } from '../base/errors.ts';
import { instantAt, NOW_FORMS, readNow } from '../base/instant.ts';
import { readsNow } from '../execution/prepared-query.ts';
import type { RunDependencies } from '../execution/run.ts';
import { allErrors, type Check } from './check.ts';
import { type CheckSources, collectChecks } from './collect.ts';
import { type FailureFormat, failureFiles } from './failure-files.ts';
import type { History, PastRun } from './history.ts';
import { lastValues } from './last-value.ts';
import type { CheckOutcome } from './outcome.ts';
import { type PlannedCheck, planCheck, type StoppedCheck } from './plan-check.ts';
import { type CurrentDependencies, runCheck } from './run-check.ts';
import { type Selection, selectChecks } from './select.ts';

export interface CheckRequest extends Selection {
  /** YAML files and saved queries; none stands for all checks of the project. */
  readonly references: readonly string[];
  /** Arguments for every query that has such parameters; they go before those of the checks. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly asOf?: string | undefined;
  readonly useCache: boolean;
  /** The number of checks that run at once. */
  readonly jobs: number;
  /** The number of failing rows to fetch for an assertion. */
  readonly failingRows: number;
  /** The folder that all failing rows are written to. */
  readonly failures?: { readonly folder: string; readonly format: FailureFormat } | undefined;
  /** Called with the outcome of each check, in the order of their definitions. */
  readonly onOutcome: (outcome: CheckOutcome) => Promise<void>;
}

interface CheckDependencies extends CheckSources {
  /** Runs `action` with what holds now, and again when that has changed meanwhile. */
  running<T>(action: (deps: CurrentDependencies) => Promise<T>): Promise<T>;
  readonly signal: AbortSignal;
  /** The earlier runs, where they are kept. */
  readonly history: History;
  /** The store, or the server. */
  readonly place: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

export interface CheckReport {
  /** The instant that the checks were about, in canonical form. */
  readonly instant: string;
  readonly outcomes: readonly CheckOutcome[];
  readonly elapsedMs: number;
}

/** Throws one QuernError with all that is wrong in the definitions before anything runs, and later a failure after which no check can go on. */
export async function checkAll(request: CheckRequest, deps: CheckDependencies): Promise<CheckReport> {
  const started = deps.elapsed();
  const { asOf, failures } = request;
  const instant = asOf === undefined ? instantAt(deps.now()) : readNow(asOf);
  if (instant === undefined) throw new QuernError('usage', `--as-of ${JSON.stringify(asOf)} is not ${NOW_FORMS}`);
  const { checks: all, errors } = await collectChecks(request.references, deps);
  const checks = errors.length > 0 ? all : selectChecks(all, request);
  const planned = await deps.running((current) => planAll(checks, errors, { params: request.params, signal: deps.signal }, current));
  const files = failures === undefined ? undefined : failureFiles(failures.folder, failures.format, all);

  // All of them look at the same instant, however long the run takes.
  const now = () => Date.parse(`${instant.replace(' ', 'T')}Z`);
  const last = lastValues(comparesRuns(checks) ? deps.history.runsOf(deps.projectFolder) : [], deps.place);
  const at = new Date(deps.now()).toISOString();
  const one = async (plan: PlannedCheck | StoppedCheck, signal: AbortSignal): Promise<CheckOutcome> => {
    const run = {
      asOf,
      cache: request.useCache ? 'use' : 'none',
      signal,
      failingRows: failures === undefined ? request.failingRows : plan.check.query.maxRows,
      elapsed: deps.elapsed,
      last,
    } as const;
    const outcome = await deps.running(async (current) => runCheck(await upToDate(plan, current, signal), run, { ...current, now }));
    return files === undefined ? outcome : files.write(outcome);
  };
  const outcomes = await severalAtOnce(planned, one, { jobs: request.jobs, signal: deps.signal, onResult: request.onOutcome });
  deps.history.append(pastRun(outcomes, { at, project: deps.projectFolder, place: deps.place }));
  return { instant, outcomes, elapsedMs: deps.elapsed() - started };
}

const comparesRuns = (checks: readonly Check[]): boolean =>
  checks.some(({ assertions }) => assertions.some(({ rule }) => rule.kind === 'change'));

/** Returns the entry of a run in the history: it holds no rows, and only those values that the next run is compared with. */
function pastRun(outcomes: readonly CheckOutcome[], run: Pick<PastRun, 'at' | 'project' | 'place'>): PastRun {
  const checks = outcomes.map(({ check, rows, assertions }) => ({
    query: check.query.name,
    params: check.arguments,
    ...(rows === undefined ? {} : { rows }),
    assertions: assertions.map(({ assertion, state, failingRows, change }) => ({
      name: assertion.name,
      state,
      ...(failingRows === undefined ? {} : { failing: failingRows }),
      ...(change === undefined ? {} : { value: change.value }),
    })),
  }));
  return { ...run, checks };
}

/** Throws one error with all that is wrong, including the errors that were found before. */
async function planAll(
  checks: readonly Check[],
  found: readonly QuernError[],
  { params, signal }: { readonly params: CheckRequest['params']; readonly signal: AbortSignal },
  deps: RunDependencies,
): Promise<readonly (PlannedCheck | StoppedCheck)[]> {
  const planned: (PlannedCheck | StoppedCheck)[] = [];
  const errors: QuernError[] = [...found];
  for (const check of checks) {
    const plan = await planCheck(check, params, deps, signal);
    if ('check' in plan) planned.push(plan);
    else errors.push(...plan);
  }
  if (errors.length > 0) throw allErrors(errors);
  const unused = Object.keys(params).filter((name) => !planned.some(({ check }) => Object.hasOwn(check.arguments, name)));
  if (unused.length === 0) return planned;
  throw new QuernError('usage', `no checked query has a parameter ${unused.join(' or ')}`, {
    hint: 'list parameters with `quern show NAME`',
  });
}

/** Prepares a check again where its sources have changed since. */
async function upToDate(planned: PlannedCheck | StoppedCheck, deps: RunDependencies, signal: AbortSignal): Promise<typeof planned> {
  if ('failure' in planned) return planned;
  const current = await Promise.all(planned.groups.map(({ summary }) => readsNow(summary, deps.sources)));
  if (!current.includes(false)) return planned;
  const plan = await planCheck(planned.check, {}, deps, signal);
  if ('check' in plan) return plan;
  throw allErrors(plan);
}

interface Several<R> {
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onResult: (result: R) => Promise<void>;
}

/** Returns the results in order, and reports each as soon as those before it are known. The first error stops the others, and is thrown when they are done. */
async function severalAtOnce<T, R>(
  items: readonly T[],
  run: (item: T, signal: AbortSignal) => Promise<R>,
  { jobs, signal, onResult }: Several<R>,
): Promise<readonly R[]> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const results = new Map<number, R>();
  let next = 0;
  let reported = 0;
  let reporting = Promise.resolve();
  const report = async (): Promise<void> => {
    for (let result = results.get(reported); result !== undefined; result = results.get(reported)) {
      reported++;
      await onResult(result);
    }
  };
  const worker = async (): Promise<void> => {
    for (let i = next++; i < items.length && !either.aborted; i = next++) {
      const item = items[i];
      if (item === undefined) return;
      results.set(i, await run(item, either));
      reporting = reporting.then(report);
      await reporting;
    }
  };
  const guarded = async (): Promise<void> => {
    try {
      await worker();
    } catch (error) {
      failure.abort(error);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, guarded));
  if (signal.aborted) throw signal.reason;
  if (failure.signal.aborted) throw failure.signal.reason;
  return items.flatMap((_, i) => results.get(i) ?? []);
}
