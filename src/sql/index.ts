// The translator's only door: BigQuery text in, ClickHouse text out. Pure: no I/O, no clock.

import { QuernError } from '../errors.ts';
import { settle } from './analyze/coerce.ts';
import { type Analysis, type Context, createAnalysis } from './analyze/context.ts';
import { fail } from './analyze/fail.ts';
import { type AnalyzedQuery, analyzeQuery } from './analyze/query.ts';
import { columnRef, EMPTY_SCOPE, fieldsOrSelf } from './analyze/scope.ts';
import type { Script } from './ast.ts';
import { parseScript } from './bigquery/index.ts';
import { type Bounds, bounded, SANDBOXED, TRUSTED } from './bounds.ts';
import { printStatement } from './clickhouse/print-statement.ts';
import { printedDepth, printedNodes, subqueryDepth, treeDepth } from './clickhouse/size.ts';
import { mayFold } from './for-arguments.ts';
import type { Expr, ResolvedQuery } from './resolved.ts';
import { visitRels } from './rewrite.ts';
import { analyzeSandboxed, inCallerText, parseSandboxed } from './sandbox.ts';
import { expandedNodes } from './translate/expanded-nodes.ts';
import { mostJoined } from './translate/joined-tables.ts';
import { createLowering } from './translate/lower/lowering.ts';
import { lowerOutputs } from './translate/lower/outputs.ts';
import { PASSES } from './translate/passes/index.ts';
import { SETTINGS } from './translate/settings.ts';
import type { FoldableTranslation, TranslateOptions, Translation } from './translation.ts';

export type { Script } from './ast.ts';
export { formatQuery, type KeywordCase } from './bigquery/format.ts';
export { parseScript as parse } from './bigquery/index.ts';
export { type Doubt, doubtsOf } from './doubts.ts';
export { type Remark, remarksOf } from './remarks.ts';
export type { TranslatedColumn, TranslatedParameter, TranslateOptions, Translation } from './translation.ts';
export { INSTANT_PARAMETER } from './translation.ts';

/**
 * Translates one BigQuery query (with its temporary functions) to a ClickHouse SELECT that returns the same rows.
 * Throws QuernError `syntax`, `unknown-function`, `unknown-column`, `unknown-source`, `type`, `unsupported`, `too-complex` or `parameter`,
 * each with the span of the offending text.
 */
export function translate(text: string, options: TranslateOptions = {}): Translation {
  const { statement: _, ...translation } = translateFoldable(text, options);
  return translation;
}

/** The same, with what sqlForArguments needs. */
export function translateFoldable(text: string, options: TranslateOptions = {}): FoldableTranslation {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const script = parseScript(text);
    return translateScript(script, createAnalysis(options, script.functions), (context) => analyzeQuery(script.query, context), TRUSTED);
  });
}

/**
 * Translates `sql`, a query of a caller who is not trusted, in place of the SELECT at the end of a saved query's `text`: it sees the WITH
 * tables of `text` and its own, and no other. Throws as `translate` does; an error in `sql` has it as its source.
 */
export function translateSandboxed(text: string, sql: string, options: TranslateOptions = {}): FoldableTranslation {
  try {
    return bounded(SANDBOXED, { start: text.length, end: text.length + sql.length }, () => {
      const saved = parseScript(text);
      const caller = parseSandboxed(sql, text);
      const analysis = createAnalysis(options, saved.functions);
      return translateScript(caller, analysis, (context) => analyzeSandboxed(caller, saved, context), SANDBOXED);
    });
  } catch (error) {
    throw inCallerText(error, sql, text);
  }
}

/** Tables that are not there matter only where their rows are read. */
function refuseAbsent(query: ResolvedQuery): void {
  visitRels(query, (rel) => {
    if (rel.kind !== 'source_scan' || rel.source.absent === undefined) return;
    const { message, hint } = rel.source.absent;
    throw new QuernError('unknown-source', message, { hint });
  });
}

/** Nodes of ClickHouse SQL: more than that is no query but an explosion. */
const MAX_NODES = 5_000_000;
/** Levels of the tree of ClickHouse SQL, which is walked by recursion. ClickHouse takes 1000 itself, and 100 of subqueries. */
const MAX_STATEMENT_DEPTH = 1000;
const MAX_SUBQUERY_DEPTH = 100;
/** Tables of one FROM. MySQL takes 61. */
const MAX_JOINED = 100;
/** Characters of SQL: servers keep the trees of many queries, each some ten times as large as its text. */
const MAX_FOLDED = 20_000;
function translateScript(
  script: Script,
  analysis: Analysis,
  analyze: (context: Context) => AnalyzedQuery,
  bounds: Bounds,
): FoldableTranslation {
  const refuseLarge = (size: () => number, most: number): void => {
    if (Number.isFinite(most) && size() > most)
      fail(
        'too-complex',
        script.query.span,
        'the query is too large, with its WITH tables written out wherever they are read',
        'read each WITH table once or twice; compare with IN or a pattern instead of many conditions or unions',
      );
  };
  const { options } = analysis;
  const analyzed = analyze({
    analysis,
    scope: EMPTY_SCOPE,
    ctes: new Map(),
    noAggregates: null,
    noWindows: null,
    windows: new Map(),
  });
  // Undeclared fields leave the query as text, the rows of SELECT AS STRUCT as columns.
  const items: { column: (typeof analyzed.outputs)[number]['column']; value: Expr }[] = [];
  const outputs = analyzed.outputs.flatMap((output) => {
    const reference = columnRef(output.column, script.query.span);
    const shown = analyzed.value ? fieldsOrSelf(output.name, reference, script.query.span) : [{ name: output.name, value: reference }];
    return shown.map(({ name, value: given }) => {
      const value = settle(given);
      if (value.kind === 'column') return { name, column: value.column };
      const column = analysis.newColumn(name || 'column', value.type);
      items.push({ column, value });
      return { name, column };
    });
  });
  const rel = items.length === 0 ? analyzed.rel : { kind: 'project' as const, input: analyzed.rel, items };
  let query: ResolvedQuery = { rel, outputs, ctes: analysis.ctes };
  refuseLarge(() => expandedNodes(query), bounds.expandedNodes);
  for (const pass of PASSES) query = pass(query, analysis);
  refuseLarge(() => expandedNodes(query), bounds.expandedNodes);
  refuseAbsent(query);
  const joined = mostJoined(query);
  if (joined > MAX_JOINED)
    fail(
      'too-complex',
      script.query.span,
      `this query joins ${joined} tables in one FROM`,
      `${MAX_JOINED} are translated at most: read rows of the same kind with UNION ALL, and columns with GROUP BY or PIVOT`,
    );
  const lowering = createLowering(options, query);
  const statement = lowerOutputs(query, lowering);
  if (printedNodes(statement) > MAX_NODES)
    fail(
      'too-complex',
      script.query.span,
      'the translation of this query is too long: calls inside each other repeat their arguments in ClickHouse',
      'compute the inner values in a WITH query and select from it',
    );
  if (printedDepth(statement) > MAX_STATEMENT_DEPTH || subqueryDepth(statement) > MAX_SUBQUERY_DEPTH)
    fail(
      'too-complex',
      script.query.span,
      `in ClickHouse this query would have expressions more than ${MAX_STATEMENT_DEPTH} levels deep, or subqueries more than ${MAX_SUBQUERY_DEPTH}`,
      'compute the inner values in a WITH query and select from it',
    );
  const sql = printStatement(statement);
  refuseLarge(() => sql.length, bounds.length);
  const parameters = [...lowering.parameters].map(([name, type]) => ({ name, type }));
  return {
    sql,
    parameters,
    ...(mayFold(parameters) && sql.length <= MAX_FOLDED && treeDepth(statement) <= MAX_STATEMENT_DEPTH ? { statement } : {}),
    columns: query.outputs.map((o) => ({ name: o.name, type: o.column.type })),
    settings: SETTINGS,
    sources: [...analysis.sourcesRead],
  };
}
