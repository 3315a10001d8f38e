// Files that import each other, straight or round many corners, can only be read, moved and tested together.
import { expect, test } from 'vitest';
import { importsBy, importsOf, textsOf } from './support/source-imports.ts';

const KNOWN = [
  // The list of the commands loads the one that completes their names.
  'src/cli/commands/complete.ts src/cli/commands/index.ts',
  // A call names its function, and how a function is written depends on its arguments.
  'src/sql/logical/function.ts src/sql/logical/nodes.ts',
  // Expressions hold queries, and queries expressions.
  'src/sql/syntax/ast-expression.ts src/sql/syntax/ast-query.ts',
];

/** Tarjan's strongly connected components, those of more than one node. */
function circlesOf(nodes: Iterable<string>, next: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const circles: string[] = [];
  const visit = (node: string): number => {
    const number = numbers.size;
    let lowest = number;
    numbers.set(node, number);
    open.push(node);
    for (const other of next.get(node) ?? []) {
      if (!numbers.has(other)) lowest = Math.min(lowest, visit(other));
      else if (open.includes(other)) lowest = Math.min(lowest, numbers.get(other) ?? number);
    }
    if (lowest === number) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort().join(' '));
    }
    return lowest;
  };
  for (const node of nodes) if (!numbers.has(node)) visit(node);
  return circles.sort();
}

test('no files of src/ import each other in a circle, types counted, but for those that must', () => {
  const texts = textsOf('src');
  const next = importsBy('from', importsOf(texts));
  const edges = new Map([...next].map(([from, imports]) => [from, imports.map(({ to }) => to).filter((to) => texts.has(to))]));
  expect(circlesOf(texts.keys(), edges)).toEqual(KNOWN);
});
