// Whether computing an expression may fail the query.
import { spend } from '../budget.ts';
import type { SqlExpression } from './ast.ts';
import { constantTest } from './build.ts';

const FAILING: ReadonlySet<string> = new Set(['throwIf', 'accurateCast']);

/** True when a call that fails on purpose stands in `node`, outside of subqueries. What is written several times is looked at once. */
export function mayFail(node: SqlExpression, seen: Set<SqlExpression> = new Set()): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  spend(1);
  const inside = (inner: SqlExpression): boolean => mayFail(inner, seen);
  switch (node.kind) {
    case 'func':
      return FAILING.has(node.name) || constantTest(node) !== undefined || node.args.some(inside);
    case 'infix':
      return inside(node.left) || inside(node.right);
    case 'prefix':
    case 'is_null':
    case 'cast':
    case 'in':
      return inside(node.operand);
    case 'array':
      return node.elements.some(inside);
    case 'lambda':
      return inside(node.body);
    default:
      return false;
  }
}
