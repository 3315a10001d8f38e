// LIKEs and regular expressions that OR joins ClickHouse makes one call, which cannot hold an aggregate or a window call: it finds no function of that name there.
import { spend } from '../budget.ts';
import type { SqlExpression } from '../target/ast.ts';
import { type Block, Stage } from './block.ts';

/** Whether something that the block computes of groups or windows stands in such LIKEs of one of the values. */
export function heldInLikes(values: readonly SqlExpression[], { shown, stage }: Block): boolean {
  if (stage < Stage.GROUP) return false;
  const computed = new Set<object>([...shown.values()].map((s) => s.value).filter(({ kind }) => kind !== 'ident' && kind !== 'lit'));
  const likes = new Set<object>();
  // A set visits what is added to it while it is walked; parts that trees share are looked at once.
  const nodes = new Set<object>(values);
  for (const node of nodes) {
    spend(1);
    if (isLikeChain(node)) likes.add(node);
    for (const part of partsOf(node)) nodes.add(part);
  }
  for (const node of likes) {
    spend(1);
    if (computed.has(node)) return true;
    for (const part of partsOf(node)) likes.add(part);
  }
  return false;
}

const partsOf = (node: object): readonly object[] => Object.values(node).filter((part) => typeof part === 'object' && part !== null);

const isInfix = (node: object): node is Extract<SqlExpression, { kind: 'infix' }> => 'kind' in node && node.kind === 'infix';

const isLikeChain = (node: object): boolean => isInfix(node) && node.operator === 'OR' && [node.left, node.right].some(isLike);

const isLike = (test: SqlExpression): boolean =>
  (test.kind === 'infix' && test.operator.endsWith('LIKE')) || (test.kind === 'func' && ['match', 'like', 'ilike'].includes(test.name));
