// Whether an expression is the same for every row, so that ClickHouse computes it before it reads anything.
import { spend } from '../budget.ts';
import type { SqlExpression } from './ast.ts';
import { isAggregate } from './is-aggregate.ts';

/** True when nothing in `node` depends on a row; names bound by a lambda inside it do not count. */
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
      return node.over === null && node.name !== 'arrayJoin' && !isAggregate(node) && node.args.every((a) => isConstant(a, bound));
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
