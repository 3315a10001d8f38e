// The size of a statement as text, found before it is printed: lowering shares nodes, so nested calls that write an argument twice
// make a small tree and an endless text.
import { spend } from './budget.ts';

/** Returns the nodes that a check is written with beyond its parts: `if(throwIf(condition, message) = 0, value, NULL)`. */
export function nodesOfCheck(node: object): number {
  if (!('kind' in node) || node.kind !== 'check' || !('value' in node) || !('rows' in node)) return 0;
  if (node.rows === 'constant') return 12;
  return node.value === null ? 2 : 8;
}

/** Counts the nodes of `statement` as often as printing visits them. Shared nodes are counted once and added wherever they stand. */
export function printedNodes(statement: object): number {
  const known = new Map<object, number>();
  const waiting: object[] = [statement];
  // Without recursion: conditions joined by AND make deep trees.
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    let nodes = 1 + nodesOfCheck(node);
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

interface Size {
  /** Nodes, counted as often as printing visits them. */
  readonly nodes: number;
  /** The longest way down to a leaf, in nodes: lists are none. */
  readonly depth: number;
  /** The depth, but a chain of operators, which leans left, counts as deep as one of them: printing does not go down it by recursion. */
  readonly printedDepth: number;
  /** SELECTs inside each other. */
  readonly subqueries: number;
}

/** Finds all four in one walk, since every statement is measured. */
export function sizeOf(tree: object): Size {
  const known = new Map<object, number>();
  const nodes: number[] = [];
  const depth: number[] = [];
  const printed: number[] = [];
  const selects: number[] = [];
  const waiting: object[] = [tree];
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    const own = Array.isArray(node) ? 0 : 1;
    const before = waiting.length;
    const ofCheck = nodesOfCheck(node);
    let [all, below, printedBelow, selectsBelow] = [1 + ofCheck, 0, 0, 0];
    for (const key in node) {
      const child: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (typeof child !== 'object' || child === null) continue;
      const at = known.get(child);
      if (at === undefined) {
        waiting.push(child);
        continue;
      }
      all += nodes[at] ?? 0;
      // Each call on the way to a condition has some four nodes.
      const between = key === 'condition' ? ofCheck >> 2 : 0;
      below = Math.max(below, (depth[at] ?? 0) + between);
      printedBelow = Math.max(printedBelow, (printed[at] ?? 0) + between - (key === 'left' ? own : 0));
      selectsBelow = Math.max(selectsBelow, selects[at] ?? 0);
    }
    if (waiting.length > before) continue;
    known.set(node, nodes.length);
    nodes.push(all);
    depth.push(below + own);
    printed.push(printedBelow + own);
    selects.push(selectsBelow + ('items' in node && 'from' in node ? 1 : 0));
    waiting.pop();
  }
  spend(known.size >> 1);
  // The root comes last.
  return { nodes: nodes.at(-1) ?? 0, depth: depth.at(-1) ?? 0, printedDepth: printed.at(-1) ?? 0, subqueries: selects.at(-1) ?? 0 };
}
