// Tells the correlated subqueries that become joins from those over nothing but arrays, which are written as array functions.
import { isCorrelated } from './free-columns.ts';
import type { Expr, Rel, Subquery } from './nodes.ts';
import { holds } from './walk.ts';

/** True of a correlated subquery that array functions can't write. */
export function isDecorrelated(expr: Expr): expr is Subquery {
  // A correlated subquery inside of array functions would stand in a lambda.
  return expr.kind === 'subquery' && (!readsOnlyArrays(expr.input) || holds(expr.input, isDecorrelated)) && isCorrelated(expr.input);
}

/** True if the relation reads arrays only, in a shape that array functions can write. */
export function readsOnlyArrays(rel: Rel): boolean {
  switch (rel.kind) {
    case 'one_row':
      return true;
    case 'unnest':
      return !rel.outer && (rel.input === null || readsOnlyArrays(rel.input));
    case 'filter':
    case 'project':
      return readsOnlyArrays(rel.input);
    case 'set_operation':
      return rel.operator === 'UNION' && rel.inputs.every((i) => readsOnlyArrays(i.rel));
    case 'order_limit':
      return rel.orderBy.every((o) => o.descending === rel.orderBy[0]?.descending) && readsOnlyArrays(rel.input);
    case 'aggregate':
      return (
        rel.keys.length === 0 &&
        rel.groupingSets === null &&
        rel.aggregates.every((a) => a.call.having === null) &&
        readsOnlyArrays(rel.input)
      );
    default:
      return false;
  }
}
