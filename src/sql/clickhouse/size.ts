// How large a statement is as text, found before it is printed: lowering shares nodes, so nested calls that write an argument twice
// make a small tree and an endless text.

/** Nodes of `statement` as often as printing visits them. Shared nodes are counted once and added wherever they stand. */
export function printedNodes(statement: object): number {
  const known = new Map<object, number>();
  const count = (node: object): number => {
    const before = known.get(node);
    if (before !== undefined) return before;
    let nodes = 1;
    for (const key in node) {
      const child: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (typeof child === 'object' && child !== null) nodes += count(child);
    }
    known.set(node, nodes);
    return nodes;
  };
  return count(statement);
}
