// Keeps the resolved tree shallow enough for everything that walks it by recursion, on every stack: half of the one that Node has by itself is enough.
import type { Span } from '../../source-text.ts';
import type { Expr, Rel } from '../resolved.ts';
import { mapChildren } from '../rewrite.ts';
import { fail } from './fail.ts';

/** Longest way from the root to a leaf, with WITH tables written out where they are read. ClickHouse takes at most 1000 levels of its own. */
export const MAX_DEPTH = 400;

type Node = Expr | Rel;

/** What one translation knows of depths. */
export interface Depths {
  /** Of parts of the resolved tree: they never change, so what is known of a part stays true. */
  readonly known: WeakMap<object, number>;
  /** Of WITH tables, by their ids. */
  readonly ctes: Map<number, number>;
  /** Expressions around the one that is being resolved. */
  level: number;
}

export const createDepths = (): Depths => ({ known: new WeakMap(), ctes: new Map(), level: 0 });

/** `node`, written at `span`. Throws QuernError `too-complex` when it is too deep. */
export function shallow<T extends Node>(node: T, span: Span, depths: Depths): T {
  if (depthOf(node, depths) > MAX_DEPTH) refuseDeep(span);
  return node;
}

/** What `resolve` gives for an expression at `span`, which may hold others. */
export function resolvedWithin(span: Span, depths: Depths, resolve: () => Expr): Expr {
  if (++depths.level > MAX_DEPTH) refuseDeep(span);
  const expr = resolve();
  depths.level--;
  return shallow(expr, span, depths);
}

function refuseDeep(span: Span): never {
  return fail(
    'too-complex',
    span,
    `this is more than ${MAX_DEPTH} levels deep, with WITH tables written out where they are read`,
    'each call, subquery, join, pipe operator and operator of a chain is a level: use fewer, or put conditions and columns together in one',
  );
}

/** Without recursion: a chain of pipe operators is as deep as it is long. */
export function depthOf(root: Node, { known, ctes }: Depths): number {
  const before = known.get(root);
  if (before !== undefined) return before;
  const waiting = [{ node: root, children: childrenOf(root) }];
  for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
    const { node, children } = top;
    const last = waiting.length;
    let depth = 0;
    for (const child of children) {
      const below = known.get(child);
      if (below === undefined) waiting.push({ node: child, children: childrenOf(child) });
      else if (below > depth) depth = below;
    }
    if (waiting.length > last) continue;
    known.set(node, node.kind === 'cte_scan' ? (ctes.get(node.cte) ?? 1) : depth + 1);
    waiting.pop();
  }
  return known.get(root) ?? 0;
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  const add = <T extends Node>(child: T): T => {
    children.push(child);
    return child;
  };
  mapChildren(node, { expr: add, rel: add });
  return children;
}
