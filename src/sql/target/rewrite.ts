// Rewrites ClickHouse trees.
import { spend } from '../base/budget.ts';

/** Returns the replacement of a node, or undefined to keep the node and change its parts. */
export type Change = (node: object) => object | undefined;

export const isShape = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Rewrites a tree from the outside in; returns the same object if nothing changes. */
export function rewrite<T extends object>(node: T, change: Change): T {
  const changed = change(node);
  return changed === undefined ? rewriteParts(node, change) : (changed as T); // an expression for an expression
}

export function rewriteParts<T extends object>(node: T, change: Change): T {
  spend(1);
  return withParts(node, (part) => rewrite(part, change));
}

/**
 * Rebuilds a tree from the inside out: `change` takes each node with its parts as they have become, and returns what stands in its place. Does not
 * recurse, because trees may be deep; nodes that are shared stay shared. What `whole` returns stands for a node and
 * all of its parts.
 */
export function rebuilt<T extends object>(tree: T, change: (node: object) => object, whole?: Change): T {
  const done = new Map<object, object>();
  const waiting: object[] = [tree];
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    const known = done.get(node) ?? whole?.(node);
    if (known !== undefined) done.set(node, known);
    const before = waiting.length;
    if (known === undefined) for (const value of Object.values(node)) if (isShape(value) && !done.has(value)) waiting.push(value);
    if (waiting.length > before) continue;
    waiting.pop();
    spend(1);
    if (!done.has(node)) done.set(node, change(withParts(node, (part) => done.get(part) ?? part)));
  }
  return done.get(tree) as T; // what stands for the tree has its type
}

/** Returns the node with what `of` returns for its parts; the same object if nothing changes. */
export function withParts<T extends object>(node: T, of: (part: object) => object): T {
  let copy: T | undefined;
  for (const key in node) {
    const value = node[key];
    if (!isShape(value)) continue;
    const part = of(value);
    if (part === value) continue;
    copy ??= (Array.isArray(node) ? [...node] : { ...node }) as T; // of the same parts
    copy[key] = part as typeof value; // an expression for an expression
  }
  return copy ?? node;
}
