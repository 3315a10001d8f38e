// The conditions that AND joins, apart and together.
import type { Span } from '../../source-text.ts';
import { LONGEST_LEFT_DEEP_CHAIN } from '../bigquery/precedence.ts';
import { spend } from '../budget.ts';
import { scalarBuiltIn } from '../functions/index.ts';
import type { Expr } from '../resolved.ts';
import { BOOL } from '../types.ts';

export function conjuncts(condition: Expr): readonly Expr[] {
  const found: Expr[] = [];
  const collect = (expr: Expr): void => {
    spend(1);
    if (expr.kind !== 'call' || expr.fn.name !== '$and') found.push(expr);
    else for (const arg of expr.args) if (arg !== null) collect(arg);
  };
  collect(condition);
  return found;
}

/** All of the conditions, of which there is one at least. Many as a balanced tree, which is no deeper than one of a few. */
export function conjunction(conditions: readonly Expr[], span?: Span): Expr {
  const both = (left: Expr, right: Expr): Expr => ({
    kind: 'call',
    fn: scalarBuiltIn('$and'),
    args: [left, right],
    safe: false,
    type: BOOL,
    span: span ?? left.span,
  });
  if (conditions.length <= LONGEST_LEFT_DEEP_CHAIN) return conditions.reduce(both);
  const middle = conditions.length >>> 1;
  return both(conjunction(conditions.slice(0, middle), span), conjunction(conditions.slice(middle), span));
}
