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
