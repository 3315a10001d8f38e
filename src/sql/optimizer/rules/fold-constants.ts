// Conditions whose outcome is known now, such as those on the arguments of the call that a CTE makes of a constant: what they rule out is not analyzed
// by ClickHouse, at some 50 µs for each function. No shipped query needs it any more, since helper functions are folded where they are called.
import { foldExpr } from '../../functions/fold.ts';
import type { ResolvedQuery } from '../../logical/resolved.ts';
import { rewriteRelExprs } from '../../logical/rewrite.ts';

export function foldConstants(query: ResolvedQuery): ResolvedQuery {
  return {
    ...query,
    rel: rewriteRelExprs(query.rel, foldExpr),
    ctes: query.ctes.map((c) => ({ ...c, rel: rewriteRelExprs(c.rel, foldExpr) })),
  };
}
