// Expressions and queries hold all other parts of the analysis. Those reach them through the context, so that no file imports the files around it.

import { BOOL } from '../base/types.ts';
import type { Expr } from '../logical/nodes.ts';
import type * as ast from '../syntax/ast.ts';
import type { AnalyzedQuery } from './analyzed.ts';
import { coerce } from './calls/coerce.ts';
import type { Context } from './context.ts';

export const analyzeExpr = (node: ast.Expr, context: Context): Expr => context.analysis.analyzers.expr(node, context);

/** Analyzes a query, or anything that may stand in place of one in a set operation. */
export const analyzeQuery = (body: ast.QueryBody, context: Context): AnalyzedQuery => context.analysis.analyzers.query(body, context);

/** Analyzes a condition, which must be BOOL; the error names the clause. */
export function analyzeCondition(node: ast.Expr, context: Context, clause: string): Expr {
  return coerce(analyzeExpr(node, context), BOOL, `the condition of ${clause}`);
}
