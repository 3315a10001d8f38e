// Tells expressions that are the same for every row, which ClickHouse computes before it reads anything.
import { isAggregate } from '../../clickhouse/functions.ts';
import { spend } from '../base/budget.ts';
import type { SqlExpression } from './ast.ts';

/**
 * True if ClickHouse computes a constant before it reads anything, as a place that takes one value for all rows needs. It computes padded
 * texts, and sometimes lambdas, row by row.
 */
export function isFolded(node: SqlExpression): boolean {
  const waiting: object[] = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    spend(1);
    if ('kind' in at && (at.kind === 'lambda' || (at.kind === 'func' && 'name' in at && /^(?:left|right)Pad/.test(String(at.name)))))
      return false;
    for (const part of Object.values(at)) if (typeof part === 'object' && part !== null) waiting.push(part);
  }
  return isConstant(node);
}

/** True if nothing in `node` depends on a row, apart from names that a lambda inside it binds. */
export function isConstant(node: SqlExpression, bound: ReadonlySet<string> = new Set()): boolean {
  spend(1);
  switch (node.kind) {
    case 'lit':
    case 'raw':
    case 'param':
      return true;
    case 'ident':
      return node.constant === true || (node.parts.length === 1 && bound.has(node.parts[0] ?? ''));
    case 'func':
      return node.over === null && node.name !== 'arrayJoin' && !isAggregate(node.name) && node.args.every((a) => isConstant(a, bound));
    case 'check':
      return [node.condition, node.value, node.otherwise].every((part) => part === null || isConstant(part, bound));
    case 'infix': {
      // Chains lean left, so they are unwound instead of recursing once per term.
      let leftmost: SqlExpression = node;
      for (; leftmost.kind === 'infix'; leftmost = leftmost.left) if (!isConstant(leftmost.right, bound)) return false;
      return isConstant(leftmost, bound);
    }
    case 'prefix':
    case 'is_null':
    case 'cast':
      return isConstant(node.operand, bound);
    case 'array':
      return node.elements.every((e) => isConstant(e, bound));
    case 'lambda':
      return isConstant(node.body, new Set([...bound, ...node.parameters]));
    default:
      return false;
  }
}
