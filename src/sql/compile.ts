// One translation from end to end: the text is read, analyzed, optimized, lowered and printed; each step refuses what is too large for the next.

import { QuernError } from '../errors.ts';
import { doubtsOf } from './analyzer/doubts.ts';
import { type AnalyzedScript, analyzeCaller, analyzeScript, analyzeUnfiltered, inCallerText, parseSandboxed } from './analyzer/index.ts';
import { type Bounds, bounded, SANDBOXED, TRUSTED } from './bounds.ts';
import { compileBuckets } from './compile-buckets.ts';
import { fail } from './fail.ts';
import { expandedNodes } from './logical/expanded-nodes.ts';
import { explainPlan, planNames } from './logical/explain.ts';
import { mostJoined } from './logical/joined-tables.ts';
import type { LogicalPlan } from './logical/nodes.ts';
import { textsReadAs } from './logical/parameter-texts.ts';
import { mayShareValues } from './logical/shared-values.ts';
import { relationsOf } from './logical/walk.ts';
import { lowerToStatement } from './lower/index.ts';
import { recordParts } from './lower/lowered-parts.ts';
import { fitToTables, optimize, shape } from './optimizer/optimize.ts';
import { repeatable } from './repeatable.ts';
import { sizeOf } from './size.ts';
import { maySpecialize } from './specialize.ts';
import type { Script } from './syntax/ast.ts';
import { parseScript } from './syntax/parser/parse-script.ts';
import { printStatement } from './target/print.ts';
import { SETTINGS } from './target/settings.ts';
import { statementText } from './target/stored-statement.ts';
import type {
  BucketedTranslation,
  LoweredPart,
  SpecializableTranslation,
  TranslateOptions,
  Translation,
  UnfilteredTable,
} from './translation.ts';

/**
 * Translates one BigQuery query (with its temporary functions) to a ClickHouse SELECT that returns the same rows.
 * Throws QuernError `syntax`, `unknown-function`, `unknown-column`, `unknown-source`, `type`, `unsupported`, `too-complex` or `parameter`,
 * each with the span of the offending text.
 */
export function translate(text: string, options: TranslateOptions = {}): Translation {
  const {
    statement: _,
    sharedValues: __,
    filteredBy: ___,
    functions: ____,
    doubts: _____,
    buckets: ______,
    repeatable: _______,
    textsReadAs: ________,
    ...translation
  } = translateSpecializable(text, options);
  return translation;
}

/**
 * The same, with what bind needs; of a query that callers may send SQL for, also what that could read; with `buckets`, also the query in buckets of time.
 */
export function translateSpecializable(
  text: string,
  options: TranslateOptions = {},
  { sandbox = false, buckets = false } = {},
): SpecializableTranslation {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const script = parseScript(text);
    return compile(script, analyzeScript(script, options, sandbox), options, TRUSTED, buckets);
  });
}

/**
 * WITH tables of a saved query that show callers of its sandbox rows which a key with one of its parameters set must not see. Throws as
 * `translate` does.
 */
export function unfilteredBySandbox(text: string, options: TranslateOptions): readonly UnfilteredTable[] {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => analyzeUnfiltered(parseScript(text), options));
}

/**
 * Translates `sql`, a query of a caller who is not trusted, in place of the SELECT at the end of a saved query's `text`: it sees the WITH
 * tables of `text` and its own, and no other. Throws as `translate` does; an error in `sql` has it as its source.
 * With `buckets`, also in buckets of time.
 */
export function translateSandboxed(
  text: string,
  sql: string,
  options: TranslateOptions = {},
  { buckets = false } = {},
): SpecializableTranslation {
  try {
    return bounded(SANDBOXED, { start: text.length, end: text.length + sql.length }, () => {
      const saved = parseScript(text);
      const caller = parseSandboxed(sql, text);
      return compile(caller, analyzeCaller(caller, saved, options), options, SANDBOXED, buckets);
    });
  } catch (error) {
    throw inCallerText(error, sql, text);
  }
}

/** A logical plan on its way through the optimizer, as text: see logical/explain.ts. Columns are called the same in all of them. */
export interface LogicalSteps {
  readonly before: string;
  /** The plan after each rule that changed it. */
  readonly rules: readonly { readonly name: string; readonly plan: string }[];
  /** The buckets of time to which the rows belong, or why there are none. */
  readonly buckets: BucketedTranslation | { readonly why: string };
}

/** What `translate` makes of the query before it writes ClickHouse SQL. Throws as `translate` does. */
export function explainLogical(text: string, options: TranslateOptions = {}): LogicalSteps {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const { query, analysis } = analyzeScript(parseScript(text), options);
    const names = planNames();
    const before = explainPlan(query, names);
    const rules: LogicalSteps['rules'][number][] = [];
    const after = ({ name }: { readonly name: string }, plan: LogicalPlan): void => {
      const now = explainPlan(plan, names);
      if (now !== (rules.at(-1)?.plan ?? before)) rules.push({ name, plan: now });
    };
    const shaped = shape(query, analysis, after);
    fitToTables(shaped, analysis, after);
    return { before, rules, buckets: compileBuckets(shaped, analysis, { ...options, instant: 'parameter' }) };
  });
}

/** What in a query the checks in its translation stand for, and what else in that may fail. Throws as `translate` does. */
export function loweredParts(text: string, options: TranslateOptions = {}): readonly LoweredPart[] {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const { query, analysis } = analyzeScript(parseScript(text), options);
    const { parts, onLowered } = recordParts();
    lowerToStatement(optimize(query, analysis), options, onLowered);
    return parts;
  });
}

/** Tables that are not there matter only where their rows are read. */
function refuseAbsent(query: LogicalPlan): void {
  relationsOf(query).forEach((rel) => {
    if (rel.kind !== 'source_scan' || rel.source.absent === undefined) return;
    const { message, hint } = rel.source.absent;
    throw new QuernError('unknown-source', message, { hint });
  });
}

const hasText = ({ parameters = {} }: TranslateOptions): boolean => Object.values(parameters).some(({ kind }) => kind === 'STRING');

/** Nodes of ClickHouse SQL: more than that is no query but an explosion. */
const MAX_NODES = 5_000_000;
/** Levels of the tree of ClickHouse SQL, which is walked by recursion. ClickHouse takes 1000 itself, and 100 of subqueries. */
const MAX_STATEMENT_DEPTH = 1000;
const MAX_SUBQUERY_DEPTH = 100;
/** Tables of one FROM. MySQL takes 61. */
const MAX_JOINED = 100;

function compile(
  { query: { span } }: Script,
  { query: analyzed, analysis, filteredBy }: AnalyzedScript,
  options: TranslateOptions,
  bounds: Bounds,
  buckets = false,
): SpecializableTranslation {
  const refuseLarge = (size: () => number, most: number): void => {
    if (Number.isFinite(most) && size() > most)
      fail(
        'too-complex',
        span,
        'the query is too large once its WITH tables are expanded wherever they are read',
        'read each WITH table once or twice; compare with IN or a pattern instead of many conditions or unions',
      );
  };
  refuseLarge(() => expandedNodes(analyzed), bounds.expandedNodes);
  const doubts = bounds === TRUSTED ? doubtsOf(analyzed) : [];
  const shaped = shape(analyzed, analysis);
  const query = fitToTables(shaped, analysis);
  refuseLarge(() => expandedNodes(query), bounds.expandedNodes);
  refuseAbsent(query);
  const texts = bounds === TRUSTED && hasText(options) ? textsReadAs(query) : new Map();
  const joined = mostJoined(query);
  if (joined > MAX_JOINED)
    fail(
      'too-complex',
      span,
      `this query joins ${joined} tables in one FROM`,
      `quern translates at most ${MAX_JOINED}: read rows of the same kind with UNION ALL, and columns with GROUP BY or PIVOT`,
    );
  const { statement, parameters } = lowerToStatement(query, options);
  const size = sizeOf(statement);
  if (size.nodes > MAX_NODES)
    fail(
      'too-complex',
      span,
      'the translation of this query is too long: nested calls repeat their arguments in ClickHouse',
      'compute the inner values in a WITH query and select from it',
    );
  if (size.printedDepth > MAX_STATEMENT_DEPTH || size.subqueries > MAX_SUBQUERY_DEPTH)
    fail(
      'too-complex',
      span,
      `in ClickHouse this query would have expressions more than ${MAX_STATEMENT_DEPTH} levels deep, or subqueries more than ${MAX_SUBQUERY_DEPTH}`,
      'compute the inner values in a WITH query and select from it',
    );
  const sql = printStatement(statement);
  refuseLarge(() => sql.length, bounds.length);
  return {
    sql,
    parameters,
    ...(maySpecialize(sql, parameters) && size.depth <= MAX_STATEMENT_DEPTH ? { statement: statementText(statement) } : {}),
    ...(mayShareValues(query) ? { sharedValues: true } : {}),
    ...(doubts.length === 0 ? {} : { doubts }),
    ...(texts.size === 0 ? {} : { textsReadAs: Object.fromEntries(texts) }),
    ...(filteredBy === undefined ? {} : { filteredBy }),
    ...repeatable(query, parameters),
    ...(buckets ? { buckets: compileBuckets(shaped, analysis, options) } : {}),
    ...(analysis.library.used.size === 0 ? {} : { functions: [...analysis.library.used].map(({ name }) => name) }),
    columns: query.outputs.map((o) => ({ name: o.name, type: o.column.type })),
    settings: SETTINGS,
    sources: [...analysis.sourcesRead],
  };
}
