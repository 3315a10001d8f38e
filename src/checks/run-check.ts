// Asks the engine whether the assertions of a check hold.
import { QuernError } from '../base/errors.ts';
import type { QueryResult, Row } from '../base/result.ts';
import type { PreparedQuery } from '../execution/prepared-query.ts';
import type { RunOptions } from '../execution/request.ts';
import { type RunDependencies, run } from '../execution/run.ts';
import type { AssertionDefinition, Threshold } from '../queries/check-definition.ts';
import { isFatal } from './check.ts';
import { isWithin, type LastValueOf } from './last-value.ts';
import type { AssertionOutcome, CheckOutcome, State } from './outcome.ts';
import {
  type PlannedAssertion,
  type PlannedCheck,
  type PlannedGroup,
  planFailingRows,
  planSummary,
  type StoppedCheck,
} from './plan-check.ts';

interface CheckRun extends Pick<RunOptions, 'asOf' | 'cache' | 'signal'> {
  /** The number of rows that break an assertion to fetch. */
  readonly failingRows: number;
  /** The values of assertions in the run before. */
  readonly last: LastValueOf;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

export interface CurrentDependencies extends RunDependencies {
  /** The error says that these no longer hold: with new ones the check may run. */
  outdated(error: unknown): Promise<boolean>;
}

/** The questions that can be asked about the rows of one check. */
interface Rows {
  summary(group: SummaryGroup): Promise<QueryResult>;
  failing(assertion: PlannedAssertion, maxRows: number): Promise<QueryResult>;
}

/** A group as it was planned, or a part of it. */
type SummaryGroup = Pick<PlannedGroup, 'where' | 'assertions'> & { readonly summary?: PreparedQuery };

/** Throws what is no answer about this check alone: the engine is away, or the user has had enough. */
export async function runCheck(planned: PlannedCheck | StoppedCheck, how: CheckRun, deps: CurrentDependencies): Promise<CheckOutcome> {
  if ('failure' in planned) return stopped(planned);
  const started = how.elapsed();
  const { check, assertions } = planned;
  const questions = rowsOf(planned, how, deps);
  const answers = new Map<PlannedAssertion | undefined, Summary>();
  for (const group of planned.groups) {
    const found = await summarize(group, questions, deps);
    for (const [i, summary] of found.entries()) answers.set(group.assertions[i], summary);
  }
  const outcomes: AssertionOutcome[] = [];
  for (const assertion of assertions) {
    const summary = answers.get(assertion);
    if (summary === undefined) throw new RangeError('an assertion without a summary');
    outcomes.push('error' in summary ? unknown(assertion, summary.error) : await judge(assertion, summary, questions, { ...how, check }));
  }
  const summaries = [...answers.values()];
  const ofAll = [undefined, ...(planned.groups[0]?.assertions ?? [])].flatMap((one) => answers.get(one) ?? []);
  const rows = ofAll.flatMap((one) => ('rows' in one ? one.rows : []))[0];
  return {
    check,
    rows,
    atLimit: rows === check.query.maxRows,
    missing: [...new Set(summaries.flatMap((one) => ('error' in one ? [] : one.missing)))],
    assertions: outcomes,
    elapsedMs: how.elapsed() - started,
  };
}

function rowsOf({ check, rows }: PlannedCheck, { asOf, cache, signal }: CheckRun, deps: RunDependencies): Rows {
  const execute = async (prepared: PreparedQuery): Promise<QueryResult> =>
    (await run(prepared, { arguments: argumentsFor(prepared, check), asOf, cache, signal }, deps)).result;
  return {
    summary: async ({ where, assertions, summary }) => execute(summary ?? (await planSummary(assertions, where, rows, deps))),
    failing: async (assertion, maxRows) => execute(await planFailingRows(assertion, rows, maxRows, deps)),
  };
}

/** Returns those of the check's arguments that this query has: the keys of another query may have parameters of their own. */
function argumentsFor({ parameters }: PreparedQuery, { arguments: given }: PlannedCheck['check']): PlannedCheck['check']['arguments'] {
  const declared = new Set(parameters.map(({ name }) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(given).filter(([name]) => declared.has(name.toLowerCase().replaceAll('-', '_'))));
}

/** Returns a summary for each assertion; for a group without assertions, one with the number of rows. */
async function summarize(group: SummaryGroup, questions: Rows, deps: Pick<CurrentDependencies, 'outdated'>): Promise<readonly Summary[]> {
  const { assertions, where } = group;
  try {
    return split(assertions, await questions.summary(group));
  } catch (error) {
    const fault = ownFault(error);
    if (await deps.outdated(error)) throw error;
    if (!['engine', 'data', 'limit'].includes(fault.code) || assertions.length < 2)
      return assertions.length === 0 ? [{ error: fault }] : assertions.map(() => ({ error: fault }));
  }
  // One of them made the engine fail, and the others may succeed alone.
  const alone: Summary[] = [];
  for (const assertion of assertions) alone.push(...(await summarize({ where, assertions: [assertion] }, questions, deps)));
  return alone;
}

function stopped({ check, failure }: StoppedCheck): CheckOutcome {
  const assertions = check.assertions.map((assertion) => unknown({ assertion }, failure));
  return { check, rows: undefined, atLimit: false, missing: [], assertions, elapsedMs: 0 };
}

const unknown = ({ assertion }: Pick<PlannedAssertion, 'assertion'>, error: QuernError): AssertionOutcome => ({
  assertion,
  state: 'unknown',
  measures: [],
  error,
});

async function judge(
  planned: PlannedAssertion,
  { rows, cells, columns }: Answer,
  questions: Rows,
  { check, failingRows: most, last }: Pick<CheckRun, 'failingRows' | 'last'> & Pick<PlannedCheck, 'check'>,
): Promise<AssertionOutcome> {
  const { assertion, rule, where } = planned;
  const looked = where.length === 0 ? {} : { looked: rows };
  if (rule.aggregate) {
    const verdict = cells[0] === null ? null : cells[0] === true;
    const measures = rule.measures.flatMap(({ name }, i) => {
      const column = columns[i + 1];
      return column === undefined ? [] : [{ name, column, value: cells[i + 1] ?? null }];
    });
    const broken = assertion.severity === 'warn' ? 'warn' : 'fail';
    if (assertion.rule.kind === 'change' && verdict === true) {
      const change = { value: Number(measures[0]?.value), last: last(check, assertion) };
      const near = change.last === undefined || isWithin(change.value, change.last.value, assertion.rule.within);
      return { assertion, state: near ? 'pass' : broken, verdict: near, measures, change, ...looked };
    }
    return { assertion, state: verdict === true ? 'pass' : broken, verdict, measures, ...looked };
  }
  const failingRows = Number(cells[0] ?? 0);
  const state = stateFor(assertion, failingRows, rows);
  const outcome = { assertion, state, measures: [], failingRows, ...looked };
  const wanted = Math.min(failingRows, most);
  if (state === 'pass' || wanted === 0) return outcome;
  try {
    return { ...outcome, sample: await questions.failing(planned, wanted) };
  } catch (error) {
    return { ...outcome, sampleError: ownFault(error) };
  }
}

/** Throws again what is not about one query. */
function ownFault(error: unknown): QuernError {
  if (!(error instanceof QuernError) || isFatal(error)) throw error;
  return error;
}

/** The engine's verdict on one assertion. */
interface Answer {
  readonly rows: number;
  readonly cells: Row;
  readonly columns: QueryResult['columns'];
  readonly missing: readonly string[];
}
type Summary = Answer | { readonly error: QuernError };

function split(assertions: readonly PlannedAssertion[], { rows, columns, missing = [] }: QueryResult): readonly Answer[] {
  const [row = []] = rows;
  let at = 1;
  if (assertions.length === 0) return [{ rows: Number(row[0] ?? 0), cells: [], columns: [], missing }];
  return assertions.map(({ rule }) => {
    const from = at;
    at += rule.aggregate ? 1 + rule.measures.length : 1;
    return { rows: Number(row[0] ?? 0), cells: row.slice(from, at), columns: columns.slice(from, at), missing };
  });
}

const ANY: Threshold = { operator: '>', rows: 0 };

function stateFor({ severity, errorIf, warnIf }: AssertionDefinition, failing: number, of: number): State {
  if (severity === 'error' && exceeds(failing, of, errorIf ?? ANY)) return 'fail';
  return exceeds(failing, of, warnIf ?? ANY) ? 'warn' : 'pass';
}

/** A threshold in percent counts no rows as a share of 0. */
function exceeds(failing: number, of: number, { operator, rows: bound, percent }: Threshold): boolean {
  const rows = percent === true ? (failing / Math.max(of, 1)) * 100 : failing;
  switch (operator) {
    case '>':
      return rows > bound;
    case '>=':
      return rows >= bound;
    case '=':
      return rows === bound;
    case '!=':
      return rows !== bound;
  }
}
