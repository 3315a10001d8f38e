// Conditions whose outcome is known now: the branches of a helper function that a constant argument does not choose go away.
import type { Case, Expr, FunctionCall, Literal, ResolvedQuery } from '../resolved.ts';
import { rewriteRelExprs } from '../rewrite.ts';
import { BOOL } from '../types.ts';

export function foldConstants(query: ResolvedQuery): ResolvedQuery {
  const fold = (expr: Expr): Expr => (expr.kind === 'call' ? foldCall(expr) : expr.kind === 'case' ? foldCase(expr) : expr);
  return { ...query, rel: rewriteRelExprs(query.rel, fold), ctes: query.ctes.map((c) => ({ ...c, rel: rewriteRelExprs(c.rel, fold) })) };
}

const bool = (value: boolean | null, span: Expr['span']): Literal => ({ kind: 'literal', value, type: BOOL, span });

function foldCall(expr: FunctionCall): Expr {
  const [left, right] = expr.args;
  if (left?.kind !== 'literal' && right?.kind !== 'literal') return expr;
  switch (expr.fn.name) {
    case '$equal': {
      if (left?.kind !== 'literal' || right?.kind !== 'literal') return expr;
      if (left.value === null || right.value === null) return bool(null, expr.span);
      // Other types compare by rules of their own (1.0 = 1, NaN); texts, integers and booleans by value.
      const plain = ['STRING', 'INT64', 'BOOL'].includes(left.type.kind) && left.type.kind === right.type.kind;
      return plain ? bool(left.value === right.value, expr.span) : expr;
    }
    case '$and':
      return foldLogic(expr, left ?? null, right ?? null, true);
    case '$or':
      return foldLogic(expr, left ?? null, right ?? null, false);
    default:
      return expr;
  }
}

/** `neutral` decides nothing (TRUE in AND); its opposite decides alone. NULL stays, it depends on the other side. */
function foldLogic(expr: FunctionCall, left: Expr | null, right: Expr | null, neutral: boolean): Expr {
  for (const [side, other] of [
    [left, right],
    [right, left],
  ]) {
    if (side?.kind !== 'literal' || other === null || other === undefined) continue;
    if (side.value === neutral) return other;
    if (side.value === !neutral) return side;
  }
  return expr;
}

function foldCase(expr: Case): Expr {
  const whens: Case['whens'][number][] = [];
  for (const branch of expr.whens) {
    if (branch.when.kind !== 'literal') {
      whens.push(branch);
      continue;
    }
    if (branch.when.value !== true) continue;
    // Nothing after a condition that always holds is reached.
    return whens.length === 0 ? branch.then : { ...expr, whens, otherwise: branch.then };
  }
  if (whens.length > 0) return whens.length === expr.whens.length ? expr : { ...expr, whens };
  return expr.otherwise ?? { kind: 'literal', value: null, type: expr.type, span: expr.span };
}
