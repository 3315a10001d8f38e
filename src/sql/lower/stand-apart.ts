// What a SELECT computes and expressions above it read: written into them, or in a subquery of its own, where ClickHouse would not take the text.
import { spend } from '../base/budget.ts';
import { printedNodes } from '../base/size.ts';
import type { SqlExpression } from '../target/ast.ts';
import { type Block, Stage } from './block.ts';

/** Whether what the block computes must be columns of a subquery to the values, which are written with it in place. */
export const mustStandApart = (values: readonly SqlExpression[], block: Block): boolean =>
  isLong(values, block) || heldInLikes(values, block);

/**
 * Whether what the block computes stands in the values too often. Calls that check their result write an argument several times, and what they are
 * nested in does so again: a percentage with two decimals, over sums that have checks of their own, is 80,000 nodes long.
 */
export function isLong(values: readonly SqlExpression[], { shown }: Block): boolean {
  if (values.reduce((sum, value) => sum + printedNodes(value), 0) < MAX_NODES) return false;
  return [...shown.values()].some(({ value }) => value.kind !== 'ident' && value.kind !== 'lit');
}

/** ClickHouse takes 50,000, of which one relation may be written in several places. */
const MAX_NODES = 4000;

/**
 * Whether something that the block computes of groups or windows stands in LIKEs or regular expressions that OR joins: ClickHouse makes them one call,
 * which cannot hold an aggregate or a window call, as it finds no function of that name there.
 */
function heldInLikes(values: readonly SqlExpression[], { shown, stage }: Block): boolean {
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
