// How large a statement is as text, found before it is printed: lowering shares nodes, so nested calls that write an argument twice
// make a small tree and an endless text.
import { spend } from '../budget.ts';

/** Nodes of `statement` as often as printing visits them. Shared nodes are counted once and added wherever they stand. */
export function printedNodes(statement: object): number {
  const known = new Map<object, number>();
  const waiting: object[] = [statement];
  // Without recursion: conditions joined by AND make deep trees.
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    let nodes = 1;
    const before = waiting.length;
    for (const key in node) {
      const child: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (typeof child !== 'object' || child === null) continue;
      const counted = known.get(child);
      if (counted === undefined) waiting.push(child);
      else nodes += counted;
    }
    if (waiting.length > before) continue;
    known.set(node, nodes);
    waiting.pop();
  }
  spend(known.size >> 1);
  return known.get(statement) ?? 0;
}

/**
 * The longest way from `tree` down to a leaf, in nodes: lists are none. The left sides of a chain of operators count only `withChains`, since
 * printing does not go down them by recursion.
 */
export function treeDepth(tree: object, withChains: boolean): number {
  const known = new Map<object, number>();
  const waiting: object[] = [tree];
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    let below = 0;
    const before = waiting.length;
    for (const key in node) {
      const child: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (typeof child !== 'object' || child === null) continue;
      const depth = known.get(child);
      if (depth === undefined) waiting.push(child);
      else below = Math.max(below, key === 'left' && !withChains ? depth - 1 : depth);
    }
    if (waiting.length > before) continue;
    known.set(node, Array.isArray(node) ? below : below + 1);
    waiting.pop();
  }
  spend(known.size >> 1);
  return known.get(tree) ?? 0;
}
