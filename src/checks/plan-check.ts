// Translates the assertions of a check into one query over the rows of its saved query.
import { QuernError } from '../base/errors.ts';
import { prepare } from '../execution/prepare.ts';
import type { PrepareDependencies, PreparedQuery } from '../execution/prepared-query.ts';
import { prepareOver, QUERY_OVER, type SavedRows, savedRows } from '../execution/query-over-rows.ts';
import type { RunDependencies } from '../execution/run.ts';
import type { AssertionDefinition, Place, RowFilter } from '../queries/check-definition.ts';
import { readArguments } from '../queries/parameters.ts';
import { type Check, errorAt, isFatal } from './check.ts';
import { type Composed, failingRowsQuery, summaryQuery, verdictQuery } from './composed.ts';
import { readExpression } from './expression.ts';
import { filterSql, type RuleSql, ruleSql } from './rule-sql.ts';

export interface PlannedAssertion {
  readonly assertion: AssertionDefinition;
  readonly rule: RuleSql;
  readonly where: readonly RuleSql[];
}

/** Assertions over the same of the rows: one query answers them. */
export interface PlannedGroup {
  readonly where: readonly RuleSql[];
  readonly assertions: readonly PlannedAssertion[];
  readonly summary: PreparedQuery;
}

export interface PlannedCheck {
  readonly check: Check;
  readonly assertions: readonly PlannedAssertion[];
  readonly rows: SavedRows;
  /** The first of them is over all rows. */
  readonly groups: readonly PlannedGroup[];
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
    plan = await prepare({ query: query.source.name }, deps);
    const parameters = await allParameters(plan, assertions, deps);
    check = { ...defined, arguments: withGiven(defined.arguments, given, parameters) };
    readArguments(parameters, check.arguments, plan.name);
  } catch (error) {
    return [asFault(error, (fault) => errorAt(tellingArguments(fault), check.place))];
  }
  let rows: SavedRows;
  try {
    rows = await savedRows(query, plan, { given: check.arguments, signal }, deps);
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
        throw new QuernError('config', 'the assertion is about all rows together, so there are no failing rows to count', {
          ...thresholdPlace,
          hint: 'leave out warn_if and error_if, or assert something about each row',
        });
      }
      if (!rule.aggregate && assertion.rule.kind === 'change') {
        throw new QuernError('config', `${rule.measures[0]?.name} is about each row, but \`change\` needs one value for all rows`, {
          ...assertion.place,
          hint: 'for example count(*), or sum(amount)',
        });
      }
      planned.push({ assertion, rule, where: assertion.where.map(plannedFilter) });
    } catch (error) {
      errors.push(asFault(error, (fault) => inAssertion(fault, assertion, fault.details.span)));
    }
  }
  if (errors.length > 0) return [...errors, ...(await faultsOf(planned, rows, deps))];
  let failure: unknown;
  try {
    const groups = await planGroups(planned, rows, deps);
    if (groups.every(areVerdicts)) return { check, assertions: planned, rows, groups };
  } catch (error) {
    failure = error;
  }
  const faults = await faultsOf(planned, rows, deps);
  if (faults.length > 0) return faults;
  throw failure ?? new RangeError('the assertions are valid one by one, but not together');
}

/** Both spellings of a parameter's name are one. */
const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_');

function withGiven(own: Arguments, given: Arguments, parameters: PreparedQuery['parameters']): Arguments {
  const declared = new Set(parameters.map(({ name }) => spelling(name)));
  const taken = Object.entries(given).filter(([name]) => declared.has(spelling(name)));
  const overridden = new Set(taken.map(([name]) => spelling(name)));
  return Object.fromEntries([...Object.entries(own).filter(([name]) => !overridden.has(spelling(name))), ...taken]);
}

/** The parameters of the query, and those of the queries in which its keys are looked for. */
async function allParameters(
  plan: PreparedQuery,
  assertions: readonly AssertionDefinition[],
  deps: RunDependencies,
): Promise<PreparedQuery['parameters']> {
  const parameters = new Map(plan.parameters.map((one) => [one.name.toLowerCase(), one]));
  for (const { rule } of assertions) {
    const other = rule.kind === 'relationships' ? deps.catalog.named(rule.to) : undefined;
    if (other === undefined) continue; // a source, or what the assertion's own error tells of
    for (const one of (await prepare({ query: other.name }, deps)).parameters)
      if (!parameters.has(one.name.toLowerCase())) parameters.set(one.name.toLowerCase(), one);
  }
  return [...parameters.values()];
}

function plannedFilter({ text, place }: RowFilter): RuleSql {
  try {
    return filterSql(text);
  } catch (error) {
    throw error instanceof QuernError ? atText(error, text, place, error.details.span) : error;
  }
}

async function planGroups(
  planned: readonly PlannedAssertion[],
  rows: SavedRows,
  deps: PrepareDependencies,
): Promise<readonly PlannedGroup[]> {
  const groups = new Map<string, PlannedAssertion[]>([['[]', []]]);
  for (const one of planned) {
    const key = JSON.stringify(one.where.map(({ text }) => text));
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return Promise.all(
    [...groups.values()].map(async (assertions) => {
      const where = assertions[0]?.where ?? [];
      return { where, assertions, summary: await planSummary(assertions, where, rows, deps) };
    }),
  );
}

/** An assertion about all rows is true or false; a value that is compared with an earlier run is a number. */
function areVerdicts({ assertions, summary }: PlannedGroup): boolean {
  const verdicts = verdictColumns(assertions.map(({ rule }) => rule));
  return verdicts.every((column, i) => {
    const { kind } = assertions.filter(({ rule }) => rule.aggregate)[i]?.assertion.rule ?? {};
    const measured = summary.columns?.[column + 1]?.type.kind ?? '';
    return summary.columns?.[column]?.type.kind === 'BOOL' && (kind !== 'change' || isNumber(measured));
  });
}

const isNumber = (kind: string): boolean => ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC'].includes(kind);

/** A check has no flags for the parameters of its query. */
function tellingArguments(error: QuernError): QuernError {
  if (error.code !== 'parameter' || !error.details.problems?.some(({ kind }) => kind === 'missing')) return error;
  return new QuernError(error.code, error.message, {
    ...error.details,
    hint: 'set arguments in `params:` of the check, or for all checks with --params FILE',
  });
}

/** The places of the verdicts on all rows in the summary. */
function verdictColumns(rules: readonly RuleSql[]): readonly number[] {
  let column = 1;
  return rules.flatMap((rule) => {
    const own = column;
    column += rule.aggregate ? 1 + rule.measures.length : 1;
    return rule.aggregate ? [own] : [];
  });
}

export function planSummary(
  assertions: readonly PlannedAssertion[],
  where: readonly RuleSql[],
  rows: SavedRows,
  deps: PrepareDependencies,
): Promise<PreparedQuery> {
  const rules = assertions.map(({ rule }) => rule);
  return prepareOver(rows, summaryQuery(rules, where).sql, 1, deps);
}

/** The prepared query of the rows that break an assertion, at most `maxRows` of them. */
export function planFailingRows(
  { rule, where }: PlannedAssertion,
  rows: SavedRows,
  maxRows: number,
  deps: PrepareDependencies,
): Promise<PreparedQuery> {
  return prepareOver(rows, failingRowsQuery(rule, where).sql, maxRows, deps);
}

/** Finds what is wrong with each assertion by itself. */
async function faultsOf(planned: readonly PlannedAssertion[], rows: SavedRows, deps: PrepareDependencies): Promise<readonly QuernError[]> {
  const errors: QuernError[] = [];
  for (const { assertion, rule, where } of planned) {
    for (const [i, filter] of where.entries()) {
      const { text = '', place = assertion.place } = assertion.where[i] ?? {};
      const composed = verdictQuery(filter);
      try {
        const type = await typeOf(composed, rows, deps);
        if (type !== 'BOOL') throw new QuernError('type', `the condition is of type ${type}, so it is neither true nor false`, place);
      } catch (error) {
        errors.push(asFault(error, (fault) => atText(fault, text, place, ownSpan(fault, composed))));
      }
    }
    const composed = verdictQuery(rule);
    try {
      const type = await typeOf(composed, rows, deps);
      if (type !== 'BOOL')
        throw new QuernError('type', `the assertion is of type ${type}, so it is neither true nor false`, assertion.place);
      if (assertion.rule.kind === 'change') await refuseNonNumber(assertion, rule, rows, deps);
    } catch (error) {
      errors.push(asFault(error, (fault) => inAssertion(fault, assertion, ownSpan(fault, composed))));
    }
  }
  return errors;
}

async function typeOf(composed: Composed, rows: SavedRows, deps: PrepareDependencies): Promise<string | undefined> {
  const { columns = [] } = await prepareOver(rows, composed.sql, 1, deps);
  return columns[0]?.type.kind;
}

async function refuseNonNumber(
  { place }: AssertionDefinition,
  { measures: [measure] }: RuleSql,
  rows: SavedRows,
  deps: PrepareDependencies,
): Promise<void> {
  const type = (await typeOf(verdictQuery({ ...readExpression(measure?.sql ?? ''), orderBy: [] }), rows, deps)) ?? '';
  if (!isNumber(type)) throw new QuernError('type', `${measure?.name} is of type ${type}, but \`change\` compares numbers`, place);
}

function ownSpan({ details: { source, span } }: QuernError, composed: Composed): { start: number; end: number } | undefined {
  return source?.name === QUERY_OVER && span !== undefined ? composed.locate(span)?.span : undefined;
}

/** The error at its place in the file that holds the assertion; `span` is a place in the text of its expression. */
function inAssertion(error: QuernError, { place, rule }: AssertionDefinition, span: QuernError['details']['span']): QuernError {
  if (rule.kind === 'change') return atText(error, rule.of, place, undefined);
  return atText(error, rule.kind === 'assert' ? rule.text : undefined, place, span);
}

/** The error at a part of `text`, which is written at `place`, or at the whole of it. */
function atText(error: QuernError, text: string | undefined, place: Place, span: QuernError['details']['span']): QuernError {
  const { source } = error.details;
  if (source !== undefined && source.name !== QUERY_OVER) return error;
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
