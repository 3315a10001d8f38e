// The door of the analysis: a syntax tree in, a logical plan out.
import type { Column, Expr, LogicalPlan } from '../logical/nodes.ts';
import type { Script } from '../syntax/ast.ts';
import type { TranslateOptions, UnfilteredTable } from '../translation.ts';
import type { AnalyzedQuery } from './analyzed.ts';
import { resolveDynamic } from './calls/coerce.ts';
import { analyzeBody } from './clauses/query.ts';
import { type Analysis, type Context, createAnalysis } from './context.ts';
import { analyzeExpr } from './expression.ts';
import { analyzeSandboxed, analyzeSavedQuery, unfilteredTables } from './names/sandbox.ts';
import { columnRef, EMPTY_SCOPE, fieldsOrSelf } from './names/scope.ts';
import { analyzeStatements } from './statements/statements.ts';

export { inCallerText, parseSandboxed } from './names/sandbox.ts';

export interface AnalyzedScript {
  readonly query: LogicalPlan;
  readonly analysis: Analysis;
  /** Parameters by which all that a sandbox shows is filtered, see sandbox.ts; of a saved query. */
  readonly filteredBy?: readonly string[];
}

export function analyzeScript(script: Script, options: TranslateOptions): AnalyzedScript {
  return preparedOf(script, script, options, (context) => analyzeBody(script.query, analyzeStatements(script, context)));
}

/** A saved query in place of whose SELECT callers may send SQL. */
export function analyzeSaved(script: Script, options: TranslateOptions): AnalyzedScript {
  return preparedOf(script, script, options, (context) => analyzeSavedQuery(script, context));
}

/** `caller` in place of the SELECT of `saved`, see sandbox.ts. */
export function analyzeCaller(caller: Script, saved: Script, options: TranslateOptions): AnalyzedScript {
  return preparedOf(caller, saved, options, (context) => analyzeSandboxed(caller, saved, context));
}

/** The WITH tables that show callers of a sandbox rows which a key with one of the parameters set must not see. */
export function analyzeUnfiltered(script: Script, options: TranslateOptions): readonly UnfilteredTable[] {
  return unfilteredTables(script, outermost(createAnalysis({ expr: analyzeExpr, query: analyzeBody }, options, script.functions)));
}

const outermost = (analysis: Analysis): Context => ({
  analysis,
  scope: EMPTY_SCOPE,
  ctes: new Map(),
  noAggregates: null,
  noWindows: null,
  windows: new Map(),
});

function preparedOf(
  { query: { span } }: Script,
  { functions }: Script,
  options: TranslateOptions,
  analyze: (context: Context) => AnalyzedQuery & Pick<AnalyzedScript, 'filteredBy'>,
): AnalyzedScript {
  const analysis = createAnalysis({ expr: analyzeExpr, query: analyzeBody }, options, functions);
  const { rel, outputs, value: isValue, filteredBy } = analyze(outermost(analysis));
  // Undeclared fields leave the query as text, the rows of SELECT AS STRUCT as columns.
  const items: { column: Column; value: Expr }[] = [];
  const shown = outputs.flatMap((output) => {
    const reference = columnRef(output.column, span);
    const fields = isValue ? fieldsOrSelf(output.name, reference, span) : [{ name: output.name, value: reference }];
    return fields.map(({ name, value: given }) => {
      const value = resolveDynamic(given);
      if (value.kind === 'column') return { name, column: value.column };
      const column = analysis.newColumn(name || 'column', value.type);
      items.push({ column, value });
      return { name, column };
    });
  });
  const query = { rel: items.length === 0 ? rel : { kind: 'project' as const, input: rel, items }, outputs: shown, ctes: analysis.ctes };
  return { query, analysis, ...(filteredBy === undefined ? {} : { filteredBy }) };
}
