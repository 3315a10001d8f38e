// Translates the assertions of a check into one query over the rows of its saved query.
import { QuernError } from '../errors.ts';
import { type PrepareDependencies, type PreparedQuery, prepare } from '../execution/prepared-query.ts';
import { prepareOver, QUERY_OVER, type SavedRows, savedRows } from '../execution/query-over-rows.ts';
import type { RunDependencies } from '../execution/run.ts';
import type { AssertionDefinition } from '../queries/check-definition.ts';
import { readArguments } from '../queries/parameters.ts';
import { type Check, errorAt, isFatal } from './check.ts';
import { type Composed, failingRowsQuery, summaryQuery, verdictQuery } from './composed.ts';
import { type RuleSql, ruleSql } from './rule-sql.ts';

export interface PlannedAssertion {
  readonly assertion: AssertionDefinition;
  readonly rule: RuleSql;
}

export interface PlannedCheck {
  readonly check: Check;
  /** Of the sources it was planned for. */
  readonly fingerprint: string;
  readonly assertions: readonly PlannedAssertion[];
  readonly rows: SavedRows;
  readonly summary: PreparedQuery;
}

/** The engine could not even say which columns the rows have. */
export interface StoppedCheck {
  readonly check: Check;
  readonly failure: QuernError;
}

type Arguments = Check['arguments'];

/**
 * The prepared query, or everything that is wrong with the check. Of `given`, the arguments for all checks, it takes what its query has parameters for.
 * Throws only what is no fault of the check.
 */
export async function planCheck(
  defined: Check,
  given: Arguments,
  deps: RunDependencies,
  signal: AbortSignal,
): Promise<PlannedCheck | StoppedCheck | readonly QuernError[]> {
  const { query, assertions } = defined;
  const errors: QuernError[] = [];
  let check = defined;
  let plan: PreparedQuery;
  try {
    plan = await prepare(query.source.name, deps);
    check = { ...defined, arguments: withGiven(defined.arguments, given, plan.parameters) };
    readArguments(plan.parameters, check.arguments, plan.name);
  } catch (error) {
    return [asFault(error, (fault) => errorAt(tellingArguments(fault), check.place))];
  }
  let rows: SavedRows;
  try {
    rows = await savedRows(query, plan, check.arguments, deps, signal);
  } catch (error) {
    if (!(error instanceof QuernError) || isFatal(error)) throw error;
    return { check, failure: error };
  }
  const planned: PlannedAssertion[] = [];
  for (const assertion of assertions) {
    try {
      const rule = ruleSql(assertion.rule);
      const { errorIf, warnIf, thresholdPlace = assertion.place } = assertion;
      if (rule.aggregate && (errorIf ?? warnIf) !== undefined) {
        throw new QuernError('config', 'the assertion is about all rows together: there are no failing rows to count', {
          ...thresholdPlace,
          hint: 'leave warn_if and error_if out, or assert something of each row',
        });
      }
      planned.push({ assertion, rule });
    } catch (error) {
      errors.push(asFault(error, (fault) => inAssertion(fault, assertion, fault.details.span)));
    }
  }
  if (errors.length > 0) return [...errors, ...(await faultsOf(planned, rows, deps))];
  let failure: unknown;
  try {
    const summary = await planSummary(planned, rows, deps);
    const verdicts = verdictColumns(planned.map(({ rule }) => rule));
    if (verdicts.every((column) => summary.columns?.[column]?.type.kind === 'BOOL'))
      return { check, fingerprint: deps.sources.fingerprint, assertions: planned, rows, summary };
  } catch (error) {
    failure = error;
  }
  const faults = await faultsOf(planned, rows, deps);
  if (faults.length > 0) return faults;
  throw failure ?? new RangeError('assertions that are right one by one, and wrong together');
}

/** Both spellings of a parameter's name are one. */
const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_');

function withGiven(own: Arguments, given: Arguments, parameters: PreparedQuery['parameters']): Arguments {
  const declared = new Set(parameters.map(({ name }) => spelling(name)));
  const taken = Object.entries(given).filter(([name]) => declared.has(spelling(name)));
  const overridden = new Set(taken.map(([name]) => spelling(name)));
  return Object.fromEntries([...Object.entries(own).filter(([name]) => !overridden.has(spelling(name))), ...taken]);
}

/** Where the verdicts on all rows are in the summary. */
/** A check has no flags for the parameters of its query. */
function tellingArguments(error: QuernError): QuernError {
  if (error.code !== 'parameter' || !error.details.problems?.some(({ kind }) => kind === 'missing')) return error;
  return new QuernError(error.code, error.message, {
    ...error.details,
    hint: 'give arguments in `params:` of the check, or to all checks with --params FILE',
  });
}

function verdictColumns(rules: readonly RuleSql[]): readonly number[] {
  let column = 1;
  return rules.flatMap((rule) => {
    const own = column;
    column += rule.aggregate ? 1 + rule.measures.length : 1;
    return rule.aggregate ? [own] : [];
  });
}

export function planSummary(assertions: readonly PlannedAssertion[], rows: SavedRows, deps: PrepareDependencies): Promise<PreparedQuery> {
  return prepareOver(rows, summaryQuery(assertions.map(({ rule }) => rule)).sql, 1, deps);
}

/** The prepared query of the rows that break an assertion, at most `maxRows` of them. */
export function planFailingRows(
  { rule }: PlannedAssertion,
  rows: SavedRows,
  maxRows: number,
  deps: PrepareDependencies,
): Promise<PreparedQuery> {
  return prepareOver(rows, failingRowsQuery(rule).sql, maxRows, deps);
}

/** What is wrong with each assertion by itself. */
async function faultsOf(planned: readonly PlannedAssertion[], rows: SavedRows, deps: PrepareDependencies): Promise<readonly QuernError[]> {
  const errors: QuernError[] = [];
  for (const { assertion, rule } of planned) {
    const composed = verdictQuery(rule);
    try {
      const { columns = [] } = await prepareOver(rows, composed.sql, 1, deps);
      const type = columns[0]?.type.kind;
      if (type !== 'BOOL') throw new QuernError('type', `the assertion is ${type}, and neither true nor false`, assertion.place);
    } catch (error) {
      errors.push(asFault(error, (fault) => inAssertion(fault, assertion, ownSpan(fault, composed))));
    }
  }
  return errors;
}

function ownSpan({ details: { source, span } }: QuernError, composed: Composed): { start: number; end: number } | undefined {
  return source?.name === QUERY_OVER && span !== undefined ? composed.locate(span)?.span : undefined;
}

/** The error at its place in the file that holds the assertion; `span` is a place in the text of its expression. */
function inAssertion(error: QuernError, { place, rule }: AssertionDefinition, span: QuernError['details']['span']): QuernError {
  const { source } = error.details;
  if (source !== undefined && source.name !== QUERY_OVER) return error;
  const text = rule.kind === 'expression' ? rule.text : undefined;
  const written = place.source.text.slice(place.span.start, place.span.end);
  const at = text === undefined ? -1 : written.indexOf(text);
  const offset = place.span.start + at;
  const exact = span === undefined || at === -1 ? place.span : { start: offset + span.start, end: offset + span.end };
  return new QuernError(error.code, error.message, { ...error.details, source: place.source, span: exact });
}

function asFault(error: unknown, locate: (error: QuernError) => QuernError): QuernError {
  if (!(error instanceof QuernError) || isFatal(error) || ['engine', 'data', 'limit', 'timeout', 'busy'].includes(error.code)) throw error;
  return locate(error);
}
