// Queries: WITH, the body, ORDER BY, LIMIT and pipes.

import type * as ast from '../../syntax/ast.ts';
import { selectAll } from '../../syntax/select-all.ts';
import { type AnalyzedQuery, asFrom } from '../analyzed.ts';
import type { Context } from '../context.ts';
import { depthWithin } from '../depth.ts';
import { analyzeCtes } from './ctes.ts';
import { analyzeFrom } from './from.ts';
import { orderByOutputs, withLimit } from './order-limit.ts';
import { analyzePipes } from './pipe.ts';
import { analyzeSelect } from './select.ts';
import { combine } from './set-operation.ts';

function analyzeQuery(query: ast.Query, outer: Context): AnalyzedQuery {
  const analyzed = analyzeWhole(query, outer);
  depthWithin(analyzed.rel, query.span, outer.analysis.depths);
  return analyzed;
}

function analyzeWhole(query: ast.Query, outer: Context): AnalyzedQuery {
  const context: Context = { ...outer, ctes: analyzeCtes(query, outer), windows: new Map() };
  // FROM at the start of pipes keeps the names of its tables for them.
  if (query.body.kind === 'from' && query.pipes.length > 0)
    return analyzePipes(analyzeFrom(query.body.from, context), [], query.pipes, context);
  const analyzed = analyzeBody(query.body, context, query.orderBy);
  const ordered = query.body.kind === 'select' ? analyzed : { ...analyzed, rel: orderByOutputs(analyzed, query.orderBy, context) };
  const limited = withLimit(ordered, query.limit, query.offset, context);
  if (query.pipes.length === 0) return limited;
  const sorted = limited.rel.kind === 'order_limit' ? limited.rel.orderBy : [];
  return analyzePipes(asFrom(limited, null), sorted, query.pipes, context);
}

/** Analyzes a body; ORDER BY is passed on to SELECT, which may order by columns that it does not show. */
export function analyzeBody(body: ast.QueryBody, context: Context, orderBy: readonly ast.OrderItem[] = []): AnalyzedQuery {
  switch (body.kind) {
    case 'select':
      return analyzeSelect(body, context, orderBy);
    case 'set_operation':
      return combine(
        body,
        body.inputs.map((input) => ({ query: analyzeBody(input, context), span: input.span })),
        context,
      );
    case 'query':
      return analyzeQuery(body, context);
    case 'from':
      return analyzeSelect(selectAll(body), context, orderBy);
  }
}
