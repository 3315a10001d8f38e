// Keys of groups in the SELECTs that show them. ClickHouse takes nothing else for a key, so what is shortened must not look into them there.
import type { Ident, Select, SqlExpression } from '../ast.ts';
import { isStatement } from '../checks.ts';
import { rebuilt, rewrite } from '../rewrite.ts';
import { SameMap } from '../same.ts';

/** Begins the names that stand for keys; no name of a column begins so. */
const KEY = 'key of group ';

const isSelect = (node: object): node is Select => isStatement(node) && node.kind === 'select';

/** Puts a name in place of each key that a SELECT shows or orders by. */
export const withKeysApart = <T extends object>(tree: T): T => rebuilt(tree, (node) => (isSelect(node) ? apart(node) : node));

function apart(select: Select): Select {
  const { items, having, qualify, orderBy, groupBy } = select;
  const keys = new SameMap<Ident>();
  for (const [i, key] of (groupBy ?? []).entries()) if (key.kind !== 'ident') keys.set(key, { kind: 'ident', parts: [`${KEY}${i}`] });
  return { ...select, ...rewrite({ items, having, qualify, orderBy }, (node) => keys.get(node)) };
}

/** Puts the keys back, as they have become. */
export const withKeys = <T extends object>(tree: T): T =>
  rebuilt(tree, (node) => {
    if (!isSelect(node)) return node;
    const { items, having, qualify, orderBy, groupBy } = node;
    return { ...node, ...rewrite({ items, having, qualify, orderBy }, (part) => keyOf(part, groupBy ?? [])) };
  });

function keyOf(node: object, keys: readonly SqlExpression[]): SqlExpression | undefined {
  const [name = ''] = 'kind' in node && node.kind === 'ident' ? (node as Ident).parts : []; // the kind determines the type
  return name.startsWith(KEY) ? keys[Number(name.slice(KEY.length))] : undefined;
}
