// Whether computing an expression may fail the query.
import { spend } from '../base/budget.ts';
import type { SqlExpression } from './ast.ts';
import { isConstant } from './constant.ts';

/** A divisor that is computed may be 0. */
const mayDivideByZero = (name: string, divisor: SqlExpression | undefined): boolean =>
  (name === 'intDiv' || name === '%') && divisor !== undefined && !isConstant(divisor);

/** True if `node` contains a check, a cast that fails, or a division by what may be 0, outside of subqueries. Nodes that are shared are visited once. */
export function mayFail(node: SqlExpression, seen: Set<SqlExpression> = new Set()): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  spend(1);
  const inside = (inner: SqlExpression): boolean => mayFail(inner, seen);
  switch (node.kind) {
    case 'func':
      return node.name === 'accurateCast' || mayDivideByZero(node.name, node.args[1]) || node.args.some(inside);
    case 'check':
      return true;
    case 'infix':
      return mayDivideByZero(node.operator, node.right) || inside(node.left) || inside(node.right);
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
