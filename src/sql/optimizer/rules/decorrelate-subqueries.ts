// Correlated subqueries where ClickHouse takes none: in GROUP BY, ORDER BY and inside aggregates they become columns first, and a correlated
// `x IN (subquery)` becomes EXISTS.
import { ref } from '../../logical/build.ts';
import { isDecorrelated } from '../../logical/decorrelated.ts';
import type { Aggregate, Column, Expr, OrderLimit, Rel, Subquery, Window } from '../../logical/resolved.ts';
import { holdsSubquery, mapChildren } from '../../logical/rewrite.ts';
import { BOOL } from '../../types.ts';
import { call } from '../build.ts';
import type { Rule } from '../rule.ts';

export const decorrelateSubqueries: Rule = {
  name: 'decorrelate-subqueries',
  changes(plan, { newColumn }) {
    if (!holdsSubquery(plan)) return undefined;
    const separate = (rel: Aggregate | OrderLimit | Window): Rel => {
      const items: { column: Column; value: Expr }[] = [];
      const change = (expr: Expr): Expr => {
        if (!isDecorrelated(expr)) return mapChildren(expr, { expr: change, rel: (r) => r });
        const column = newColumn('subquery', expr.type);
        items.push({ column, value: expr });
        return ref(column, expr);
      };
      const changed = mapChildren(rel, { expr: change, rel: (r) => r });
      return items.length === 0 ? rel : { ...changed, input: { kind: 'project', input: changed.input, items } };
    };
    return {
      expressions: { subquery: (expr) => (expr.mode === 'in' && isDecorrelated(expr) ? asExists(expr) : expr) },
      relations: { aggregate: separate, order_limit: separate, window: separate },
    };
  },
};

/** In three-valued logic: TRUE with an equal row, FALSE without rows, NULL where a NULL could have been equal. */
function asExists(expr: Subquery): Expr {
  const { input, column, needle, span } = expr;
  if (needle === null) throw new RangeError('IN has a left side');
  const value = ref(column, expr);
  const bool = (of: boolean | null): Expr => ({ kind: 'literal', value: of, type: BOOL, span });
  const exists = (rel: Rel): Expr => ({ ...expr, mode: 'exists', needle: null, input: rel });
  const where = (condition: Expr): Expr => exists({ kind: 'filter', input, condition });
  return {
    kind: 'case',
    whens: [
      { when: where(call('$equal', [needle, value], expr)), then: bool(true) },
      { when: call('$not', [exists(input)], expr), then: bool(false) },
      { when: call('$or', [call('$is_null', [needle], expr), where(call('$is_null', [value], expr))], expr), then: bool(null) },
    ],
    otherwise: bool(false),
    type: BOOL,
    span,
  };
}
