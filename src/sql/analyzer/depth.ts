// Limits the depth of the logical plan, which is walked by recursion, on every stack: half of the one that Node has by itself is enough.
import type { Span } from '../../base/source-text.ts';
import { fail } from '../base/fail.ts';
import type { Expr, Rel } from '../logical/nodes.ts';
import { eachChild } from '../logical/walk.ts';

/** The longest way from the root to a leaf, with WITH tables expanded where they are read. ClickHouse takes at most 1000 levels of its own. */
export const MAX_DEPTH = 400;

/** The depths that are known in one translation. */
export interface Depths {
  /** The depths of relations that are whole queries, or rows between pipe operators. */
  readonly known: WeakMap<Rel, number>;
  /** The depths of WITH tables, by their ids. */
  readonly ctes: Map<number, number>;
  /** The number of expressions around the one that is being resolved. */
  level: number;
}

export const createDepths = (): Depths => ({ known: new WeakMap(), ctes: new Map(), level: 0 });

/** Returns the depth of `rel`, written at `span`. Throws QuernError `too-complex` when it is too deep. */
export function depthWithin(rel: Rel, span: Span, depths: Depths): number {
  const depth = depthOf(rel, depths);
  if (depth > MAX_DEPTH) refuseDeep(span);
  depths.known.set(rel, depth);
  return depth;
}

/** Refuses an expression that is too deep. */
export function refuseDeepExpr(expr: Expr, span: Span, depths: Depths): void {
  if (depthOf(expr, depths) > MAX_DEPTH) refuseDeep(span);
}

/** Refuses a chain `levels` deep at `span`, inside of the expressions that are being resolved, before it is made. */
export function refuseDeepChain(levels: number, span: Span, { level }: Depths): void {
  if (level + levels > MAX_DEPTH) refuseDeep(span);
}

export function refuseDeep(span: Span): never {
  return fail(
    'too-complex',
    span,
    `this is more than ${MAX_DEPTH} levels deep once its WITH tables are expanded`,
    'each call, subquery, join, operator and pipe operator adds a level: use fewer, or combine conditions and columns',
  );
}

/** Returns the depth. It does not recurse, as a chain of pipe operators is as deep as it is long. */
function depthOf(root: Rel | Expr, { known, ctes }: Depths): number {
  const waiting: object[] = [root];
  const levels: number[] = [1];
  let deepest = 0;
  let level = 0;
  const add = (child: Rel | Expr): void => {
    waiting.push(child);
    levels.push(level + 1);
  };
  const children = { expr: add, rel: add };
  for (let node = waiting.pop() as Rel | Expr | undefined; node !== undefined; node = waiting.pop() as Rel | Expr | undefined) {
    level = levels.pop() ?? 0;
    const below = node.kind === 'cte_scan' ? ctes.get(node.cte) : known.get(node as Rel);
    if (below === undefined) eachChild(node, children);
    deepest = Math.max(deepest, level + (below ?? 1) - 1);
  }
  return deepest;
}
