// Correlated subqueries where ClickHouse takes none: in GROUP BY, ORDER BY and inside aggregates they become columns first, and a correlated
// `x IN (subquery)` becomes EXISTS.
import { findFunction } from '../../functions/index.ts';
import { isDecorrelated } from '../../logical/decorrelated.ts';
import type { Column, Expr, Rel, ResolvedQuery, Subquery } from '../../logical/resolved.ts';
import { mapChildren, rewriteRel, rewriteRelExprs } from '../../logical/rewrite.ts';
import { BOOL } from '../../types.ts';
import type { PassContext } from '../pass.ts';

export function separateSubqueries(query: ResolvedQuery, context: PassContext): ResolvedQuery {
  const change = (rel: Rel): Rel =>
    rewriteRel(
      rewriteRelExprs(rel, (e) => (isCorrelatedIn(e) ? asExists(e) : e)),
      (r) => separate(r, context),
    );
  return { ...query, rel: change(query.rel), ctes: query.ctes.map((c) => ({ ...c, rel: change(c.rel) })) };
}

function separate(rel: Rel, context: PassContext): Rel {
  if (rel.kind !== 'aggregate' && rel.kind !== 'order_limit' && rel.kind !== 'window') return rel;
  const items: { column: Column; value: Expr }[] = [];
  const change = (expr: Expr): Expr => {
    if (!isDecorrelated(expr)) return mapChildren(expr, { expr: change, rel: (r) => r });
    const column = context.newColumn('subquery', expr.type);
    items.push({ column, value: expr });
    return { kind: 'column', column, type: expr.type, span: expr.span };
  };
  const changed = mapChildren(rel, { expr: change, rel: (r) => r });
  return items.length === 0 ? rel : { ...changed, input: { kind: 'project', input: changed.input, items } };
}

const isCorrelatedIn = (expr: Expr): expr is Subquery => expr.kind === 'subquery' && expr.mode === 'in' && isDecorrelated(expr);

/** In three-valued logic: TRUE with an equal row, FALSE without rows, NULL where a NULL could have been equal. */
function asExists(expr: Subquery): Expr {
  const { input, column, needle, span } = expr;
  if (needle === null) throw new RangeError('IN has a left side');
  const call = (name: string, ...args: Expr[]): Expr => {
    const fn = findFunction(name);
    if (fn?.kind !== 'function') throw new RangeError(`${name} is a function`);
    return { kind: 'call', fn, args, safe: false, type: BOOL, span };
  };
  const value: Expr = { kind: 'column', column, type: column.type, span };
  const bool = (value_: boolean | null): Expr => ({ kind: 'literal', value: value_, type: BOOL, span });
  const exists = (condition: Expr | null): Expr => ({
    ...expr,
    mode: 'exists',
    needle: null,
    input: condition === null ? input : { kind: 'filter', input, condition },
  });
  return {
    kind: 'case',
    whens: [
      { when: exists(call('$equal', needle, value)), then: bool(true) },
      { when: call('$not', exists(null)), then: bool(false) },
      { when: call('$or', call('$is_null', needle), exists(call('$is_null', value))), then: bool(null) },
    ],
    otherwise: bool(false),
    type: BOOL,
    span,
  };
}
