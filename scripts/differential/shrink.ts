// Makes a query that shows a difference small, while the difference stays.
import type { Value } from '../../src/base/result.ts';
import type { Type } from '../../src/sql/base/types.ts';
import { literal } from './literal.ts';
import { atom, EMPTY, type Expression, type Node, nodesOf, partsOfSameType, replaced, textOf } from './tree.ts';

/** Whether the query still shows the same class of difference. */
export type Shows = (query: Node) => Promise<boolean>;

const SIMPLE: Partial<Record<Type['kind'], readonly Value[]>> = {
  INT64: [1n, 0n],
  FLOAT64: [1],
  BOOL: [true, false],
  STRING: ['a', ''],
  BYTES: ['YQ=='],
  NUMERIC: ['1'],
  BIGNUMERIC: ['1'],
  DATE: ['2024-01-15'],
  DATETIME: ['2024-01-15T00:00:00'],
  TIMESTAMP: ['2024-01-15T00:00:00Z'],
  TIME: ['12:00:00'],
  JSON: ['1'],
};

/** The smallest query that was reached with at most `budget` questions. */
export async function shrink(query: Node, shows: Shows, budget = 200): Promise<Node> {
  let current = query;
  let left = budget;
  const seen = new Set([textOf(query)]);
  for (let progress = true; progress && left > 0; ) {
    progress = false;
    // Each change makes other nodes of the nodes around it: the walk begins anew, but goes on at the place where it was.
    for (let at = 0; at < nodesOf(current).length && left > 0; at++) {
      const node = nodesOf(current)[at];
      if (node === undefined) break;
      for (const by of smaller(node)) {
        const next = replaced(current, node, by);
        const text = textOf(next);
        if (seen.has(text)) continue;
        seen.add(text);
        if (left-- <= 0) break;
        if (!(await shows(next))) continue;
        current = next;
        progress = true;
        at--;
        break;
      }
    }
  }
  return current;
}

/** What may stand for a node, the smallest first. */
function smaller(node: Node): readonly Node[] {
  const some: Node[] = [];
  if (node.optional === true && node.parts.length > 0) some.push(EMPTY);
  some.push(...(node.instead ?? []));
  const { list, parts } = node;
  if (list !== undefined && parts.length > list.least) {
    const half = Math.ceil(parts.length / 2);
    if (half >= list.least && parts.length > 3) some.push({ ...node, parts: parts.slice(0, half) }, { ...node, parts: parts.slice(half) });
    for (const at of parts.keys()) some.push({ ...node, parts: parts.filter((_, i) => i !== at) });
  }
  if (node.type !== undefined && !isConstant(node)) {
    const { type } = node;
    const texts = (SIMPLE[type.kind] ?? []).map((value) => literal(type, value));
    some.push(...texts.map((text) => atom(type, text)), atom(type, literal(type, null)), ...partsOfSameType(node as Expression));
  }
  return some;
}

/** Constants begin with a sign, a digit, a quote, or the name of their type. */
const isConstant = ({ parts: [text, ...more] }: Node): boolean => more.length === 0 && typeof text === 'string' && !/^[a-z@]/.test(text);
