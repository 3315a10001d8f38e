// Decides whether the expressions that a SELECT computes can be written into the expressions above it, or must stand in a subquery because
// ClickHouse would not take the text.
import { spend } from '../base/budget.ts';
import { printedNodes } from '../base/size.ts';
import type { SqlExpression } from '../target/ast.ts';
import { asFunc } from '../target/checks.ts';
import { helperHas, withoutHelpers } from '../target/helpers.ts';
import { type Block, Stage } from './block.ts';
import type { Lowering } from './lowering.ts';

/** True if the values, which contain expressions of the block, must read columns of a subquery instead. */
export const mustStandApart = (values: readonly SqlExpression[], block: Block, l: Lowering): boolean =>
  isLong(values, block, l) || isInLikes(values, block);

/**
 * True if the expressions of the block stand in the values too often. Calls that check their result write an argument several times, and
 * calls around them do so again: a percentage with two decimals, over sums that have checks of their own, is 80,000 nodes long.
 */
export function isLong(values: readonly SqlExpression[], block: Block, { options }: Lowering): boolean {
  // Helpers have shorter forms there.
  if (options.portable === true) return false;
  const size = values.reduce((sum, value) => sum + printedNodes(withoutHelpers(value)), 0);
  if (size < MAX_AGGREGATED || computedBy(block).size === 0) return false;
  // A subquery computes what a branch that is not taken would not, and checks in it fail.
  return size >= MAX_NODES || (block.stage >= Stage.GROUP && !stand(values, block, isChoice));
}

/** ClickHouse takes 50,000, and a relation may be written at several places. */
const MAX_NODES = 4000;
/** Of values over aggregates. A share of NUMERIC sums took 11 ms to analyze, with its sums in a subquery 8, by hand 4. */
const MAX_AGGREGATED = 600;

/**
 * True if an aggregate or window call of the block stands in LIKEs or regular expressions that OR joins. ClickHouse merges these into one
 * call, in which it does not find a function of that name.
 */
const isInLikes = (values: readonly SqlExpression[], block: Block): boolean =>
  block.stage >= Stage.GROUP && stand(values, block, (node) => isLikeChain(node) || helperHas(node, isLikeChain));

/** Returns what the block computes. */
const computedBy = ({ shown }: Block): ReadonlySet<object> =>
  new Set([...shown.values()].map((s) => s.value).filter(({ kind }) => kind !== 'ident' && kind !== 'lit'));

/** True if something that the block computes stands in such a node. */
function stand(values: readonly SqlExpression[], block: Block, isSuch: (node: object) => boolean): boolean {
  const computed = computedBy(block);
  const such = new Set<object>();
  // A set visits items that are added to it during the walk; parts that trees share are visited once.
  const nodes = new Set<object>(values);
  for (const node of nodes) {
    spend(1);
    if (isSuch(node)) such.add(node);
    for (const part of partsOf(node)) nodes.add(part);
  }
  for (const node of such) {
    spend(1);
    if (computed.has(node)) return true;
    for (const part of partsOf(node)) such.add(part);
  }
  return false;
}

const isChoice = (node: object): boolean => ['if', 'multiIf'].includes(asFunc(node)?.name ?? '');

const partsOf = (node: object): readonly object[] => Object.values(node).filter((part) => typeof part === 'object' && part !== null);

const isInfix = (node: object): node is Extract<SqlExpression, { kind: 'infix' }> => 'kind' in node && node.kind === 'infix';

const isLikeChain = (node: object): boolean => isInfix(node) && node.operator === 'OR' && [node.left, node.right].some(isLike);

const isLike = (test: SqlExpression): boolean =>
  (test.kind === 'infix' && test.operator.endsWith('LIKE')) || (test.kind === 'func' && ['match', 'like', 'ilike'].includes(test.name));
