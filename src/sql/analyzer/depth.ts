// Keeps the logical plan shallow enough for everything that walks it by recursion, on every stack: half of the one that Node has by itself is enough.
import type { Span } from '../../base/source-text.ts';
import { fail } from '../base/fail.ts';
import type { Expr, Rel } from '../logical/nodes.ts';
import { eachChild } from '../logical/walk.ts';

/** Longest way from the root to a leaf, with WITH tables written out where they are read. ClickHouse takes at most 1000 levels of its own. */
export const MAX_DEPTH = 400;

/** What one translation knows of depths. */
export interface Depths {
  /** Of the relations that are whole queries, or rows between pipe operators. */
  readonly known: WeakMap<Rel, number>;
  /** Of WITH tables, by their ids. */
  readonly ctes: Map<number, number>;
  /** Expressions around the one that is being resolved. */
  level: number;
}

export const createDepths = (): Depths => ({ known: new WeakMap(), ctes: new Map(), level: 0 });

/** The depth of `rel`, written at `span`. Throws QuernError `too-complex` when it is too deep. */
export function depthWithin(rel: Rel, span: Span, depths: Depths): number {
  const depth = depthOf(rel, depths);
  if (depth > MAX_DEPTH) refuseDeep(span);
  depths.known.set(rel, depth);
  return depth;
}

/** The same of an expression. */
export function refuseDeepExpr(expr: Expr, span: Span, depths: Depths): void {
  if (depthOf(expr, depths) > MAX_DEPTH) refuseDeep(span);
}

/** Before what is `levels` deep is made at `span`, inside of the expressions that are being resolved. */
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

/** Without recursion: a chain of pipe operators is as deep as it is long. */
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
