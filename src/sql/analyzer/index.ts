// The door of the analysis: a syntax tree in, a logical plan out.
import type { LogicalPlan } from '../logical/nodes.ts';
import type { Script } from '../syntax/ast.ts';
import type { TranslateOptions, UnfilteredTable } from '../translation.ts';
import type { AnalyzedQuery } from './analyzed.ts';
import { resolveDynamic } from './calls/coerce.ts';
import { analyzeBody } from './clauses/query.ts';
import { type Analysis, type Analyzers, apart, type Context, createAnalysis } from './context.ts';
import { analyzeExpr } from './expression.ts';
import { analyzeSandboxed, analyzeSavedQuery, unfilteredTables } from './names/sandbox.ts';
import { columnRef, fieldsOrSelf } from './names/scope.ts';
import { createProjection } from './projection.ts';
import { analyzeStatements } from './statements/statements.ts';

export { inCallerText, parseSandboxed } from './names/sandbox.ts';

const ANALYZERS: Analyzers = { expr: analyzeExpr, query: analyzeBody };

export interface AnalyzedScript {
  readonly query: LogicalPlan;
  readonly analysis: Analysis;
  /** The parameters by which all that a sandbox shows is filtered, see sandbox.ts; only for a saved query. */
  readonly filteredBy?: readonly string[];
}

export function analyzeScript(script: Script, options: TranslateOptions, onExpr?: Analysis['onExpr']): AnalyzedScript {
  const analysis = createAnalysis(ANALYZERS, options, script.functions, onExpr);
  return preparedOf(script, analysis, (context) => analyzeBody(script.query, analyzeStatements(script, context)));
}

/** Analyzes a saved query in place of whose SELECT callers may send SQL. */
export function analyzeSaved(script: Script, options: TranslateOptions): AnalyzedScript {
  return preparedOf(script, createAnalysis(ANALYZERS, options, script.functions), (context) => analyzeSavedQuery(script, context));
}

/** Analyzes `caller` in place of the SELECT of `saved`, see sandbox.ts. */
export function analyzeCaller(caller: Script, saved: Script, options: TranslateOptions): AnalyzedScript {
  return preparedOf(caller, createAnalysis(ANALYZERS, options, saved.functions), (context) => analyzeSandboxed(caller, saved, context));
}

/** Returns the WITH tables that show callers of a sandbox rows which a key with one of the parameters set must not see. */
export function analyzeUnfiltered(script: Script, options: TranslateOptions): readonly UnfilteredTable[] {
  return unfilteredTables(script, apart(createAnalysis(ANALYZERS, options, script.functions)));
}

function preparedOf(
  { query: { span } }: Script,
  analysis: Analysis,
  analyze: (context: Context) => AnalyzedQuery & Pick<AnalyzedScript, 'filteredBy'>,
): AnalyzedScript {
  const { rel, outputs, value: isValue, filteredBy } = analyze(apart(analysis));
  // Undeclared fields leave the query as text, the rows of SELECT AS STRUCT as columns.
  const projection = createProjection(analysis);
  const shown = outputs.flatMap((output) => {
    const reference = columnRef(output.column, span);
    const fields = isValue ? fieldsOrSelf(output.name, reference, span) : [{ name: output.name, value: reference }];
    return fields.map(({ name, value }) => ({ name, column: projection.columnOf(name, resolveDynamic(value)) }));
  });
  return { query: { rel: projection.finish(rel), outputs: shown, ctes: analysis.ctes }, analysis, filteredBy };
}
