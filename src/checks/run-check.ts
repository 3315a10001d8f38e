// Asks the engine whether the assertions of a check hold.
import { QuernError } from '../errors.ts';
import type { PreparedQuery } from '../execution/prepared-query.ts';
import type { QueryRequest } from '../execution/request.ts';
import { type RunDependencies, runSavedQuery } from '../execution/run.ts';
import type { AssertionDefinition, Threshold } from '../queries/check-definition.ts';
import type { QueryResult, Row } from '../result.ts';
import { isFatal } from './check.ts';
import type { AssertionOutcome, CheckOutcome, State } from './outcome.ts';
import { type PlannedAssertion, type PlannedCheck, planFailingRows, planSummary, type StoppedCheck } from './plan-check.ts';

interface CheckRun extends Pick<QueryRequest, 'asOf' | 'cache' | 'signal'> {
  /** How many of the rows that break an assertion are wanted. */
  readonly failingRows: number;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed: () => number;
}

export interface CurrentDependencies extends RunDependencies {
  /** The error says that these no longer hold: with new ones the check may run. */
  outdated(error: unknown): Promise<boolean>;
}

/** What can be asked of the rows of one check. */
interface Rows {
  summary(assertions: readonly PlannedAssertion[]): Promise<QueryResult>;
  failing(assertion: PlannedAssertion, maxRows: number): Promise<QueryResult>;
}

/** Throws what is no answer about this check alone: the engine is away, or the user has had enough. */
export async function runCheck(planned: PlannedCheck | StoppedCheck, run: CheckRun, deps: CurrentDependencies): Promise<CheckOutcome> {
  if ('failure' in planned) return stopped(planned);
  const started = run.elapsed();
  const { check, assertions } = planned;
  const asked = rowsOf(planned, run, deps);
  const summaries = await summarize(assertions, asked, deps);
  const outcomes: AssertionOutcome[] = [];
  for (const [i, assertion] of assertions.entries()) {
    const summary = summaries[i];
    if (summary === undefined) throw new RangeError('an assertion without a summary');
    outcomes.push('error' in summary ? unknown(assertion, summary.error) : await judge(assertion, summary, asked, run.failingRows));
  }
  const rows = summaries.flatMap((one) => ('rows' in one ? one.rows : []))[0];
  return {
    check,
    rows,
    atLimit: rows === check.query.maxRows,
    missing: [...new Set(summaries.flatMap((one) => ('error' in one ? [] : one.missing)))],
    assertions: outcomes,
    elapsedMs: run.elapsed() - started,
  };
}

function rowsOf({ check, rows, assertions: all, summary }: PlannedCheck, run: CheckRun, deps: RunDependencies): Rows {
  const execute = async (query: PreparedQuery): Promise<QueryResult> => {
    const { asOf, cache, signal } = run;
    return (await runSavedQuery({ query, arguments: check.arguments, asOf, cache, signal }, deps)).result;
  };
  return {
    summary: async (assertions) => execute(assertions === all ? summary : await planSummary(assertions, rows, deps)),
    failing: async (assertion, maxRows) => execute(await planFailingRows(assertion, rows, maxRows, deps)),
  };
}

async function summarize(
  assertions: readonly PlannedAssertion[],
  asked: Rows,
  deps: Pick<CurrentDependencies, 'outdated'>,
): Promise<readonly Summary[]> {
  try {
    return split(assertions, await asked.summary(assertions));
  } catch (error) {
    const fault = ownFault(error);
    if (await deps.outdated(error)) throw error;
    if (!['engine', 'data', 'limit'].includes(fault.code) || assertions.length === 1) return assertions.map(() => ({ error: fault }));
  }
  // One of them makes the engine fail: the others need not go down with it.
  const alone: Summary[] = [];
  for (const assertion of assertions) alone.push(...(await summarize([assertion], asked, deps)));
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
  { assertion, rule }: PlannedAssertion,
  { cells, columns }: Answer,
  asked: Rows,
  most: number,
): Promise<AssertionOutcome> {
  if (rule.aggregate) {
    const verdict = cells[0] === null ? null : cells[0] === true;
    const measures = rule.measures.flatMap(({ name }, i) => {
      const column = columns[i + 1];
      return column === undefined ? [] : [{ name, column, value: cells[i + 1] ?? null }];
    });
    const broken = assertion.severity === 'warn' ? 'warn' : 'fail';
    return { assertion, state: verdict === true ? 'pass' : broken, verdict, measures };
  }
  const failingRows = Number(cells[0] ?? 0);
  const state = stateFor(assertion, failingRows);
  const outcome = { assertion, state, measures: [], failingRows };
  const wanted = Math.min(failingRows, most);
  if (state === 'pass' || wanted === 0) return outcome;
  try {
    return { ...outcome, sample: await asked.failing({ assertion, rule }, wanted) };
  } catch (error) {
    return { ...outcome, sampleError: ownFault(error) };
  }
}

/** Throws again what is not about one query. */
function ownFault(error: unknown): QuernError {
  if (!(error instanceof QuernError) || isFatal(error)) throw error;
  return error;
}

/** What the engine said of one assertion. */
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
  return assertions.map(({ rule }) => {
    const from = at;
    at += rule.aggregate ? 1 + rule.measures.length : 1;
    return { rows: Number(row[0] ?? 0), cells: row.slice(from, at), columns: columns.slice(from, at), missing };
  });
}

const ANY: Threshold = { operator: '>', rows: 0 };

function stateFor({ severity, errorIf, warnIf }: AssertionDefinition, rows: number): State {
  if (severity === 'error' && exceeds(rows, errorIf ?? ANY)) return 'fail';
  return exceeds(rows, warnIf ?? ANY) ? 'warn' : 'pass';
}

function exceeds(rows: number, { operator, rows: bound }: Threshold): boolean {
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
