// How large a statement is as text, found before it is printed: lowering shares nodes, so nested calls that write an argument twice
// make a small tree and an endless text.
import { spend } from './budget.ts';

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

/** The longest way from `tree` down to a leaf, where each node is as long as `length` says. */
function longestWay(tree: object, length: (node: object) => number, isChain: (key: string) => boolean): number {
  const known = new Map<object, number>();
  const waiting: object[] = [tree];
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    const own = length(node);
    let below = 0;
    const before = waiting.length;
    for (const key in node) {
      const child: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (typeof child !== 'object' || child === null) continue;
      const way = known.get(child);
      if (way === undefined) waiting.push(child);
      else below = Math.max(below, isChain(key) ? way - own : way);
    }
    if (waiting.length > before) continue;
    known.set(node, below + own);
    waiting.pop();
  }
  spend(known.size >> 1);
  return known.get(tree) ?? 0;
}

const isNode = (node: object): number => (Array.isArray(node) ? 0 : 1);

/** In nodes. */
export const treeDepth = (tree: object): number => longestWay(tree, isNode, () => false);

/** The same, where a chain of operators, which leans left, is as deep as one of them: printing does not go down it by recursion. */
export const printedDepth = (tree: object): number => longestWay(tree, isNode, (key) => key === 'left');

/** SELECTs inside each other. */
export const subqueryDepth = (statement: object): number =>
  longestWay(
    statement,
    (node) => ('items' in node && 'from' in node ? 1 : 0),
    () => false,
  );
