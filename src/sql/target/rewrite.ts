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
  const parts = Object.entries(node).map(([key, value]) => [key, isShape(value) ? rewrite(value, change) : value] as const);
  if (parts.every(([key, value]) => value === node[key as keyof T])) return node;
  return (Array.isArray(node) ? parts.map(([, value]) => value) : Object.fromEntries(parts)) as T; // of the same parts
}
