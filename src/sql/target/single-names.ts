// Writes what WITH names where the names stand.
import type { Ident, Select, SqlExpression, Statement } from './ast.ts';
import { isStatement } from './checks.ts';
import { eachNode } from './helpers.ts';
import { isShape, rebuilt } from './rewrite.ts';

/** Returns the statement without names that are used once, or not at all. */
export const withoutSingleNames = (statement: Statement): Statement =>
  withoutNames(statement, (names) => {
    const uses = usesOf(statement, names);
    return new Set([...names.keys()].filter((name) => (uses.get(name) ?? 0) <= 1));
  });

/** Returns the statement without any such names. */
export const withoutAllNames = (statement: Statement): Statement => withoutNames(statement, (names) => new Set(names.keys()));

type Named = ReadonlyMap<string, SqlExpression>;

function withoutNames(statement: Statement, chosen: (names: Named) => ReadonlySet<string>): Statement {
  const named = new Map<string, SqlExpression>();
  eachNode(statement, (node) => {
    if (isStatement(node) && node.kind === 'select') for (const { name, value } of node.constants) named.set(name, value);
  });
  if (named.size === 0) return statement;
  const names = chosen(named);
  if (names.size === 0) return statement;
  const inlined = <T extends object>(tree: T): T =>
    rebuilt(tree, (node) => {
      if (isStatement(node) && node.kind === 'select') return selectWithout(node, names);
      const name = nameIn(node);
      const value = name === undefined || !names.has(name) ? undefined : named.get(name);
      return value === undefined ? node : inlined(plain(value));
    });
  return inlined(statement);
}

const selectWithout = (select: Select, names: ReadonlySet<string>): Select => {
  const constants = select.constants.filter(({ name }) => !names.has(name));
  return constants.length === select.constants.length ? select : { ...select, constants };
};

/** A scalar subquery computes a constant once for all of its uses. */
function plain(value: SqlExpression): SqlExpression {
  if (value.kind !== 'subquery' || value.statement.kind !== 'select') return value;
  const { items, from, where, having, limit, constants, with: ctes } = value.statement;
  const [item, ...more] = items;
  const isBare = from === null && where === null && having === null && limit === null && constants.length + ctes.length + more.length === 0;
  return isBare && item !== undefined ? item.value : value;
}

const nameIn = (node: object): string | undefined => {
  const { parts = [] } = 'kind' in node && node.kind === 'ident' ? (node as Ident) : {};
  return parts.length === 1 ? parts[0] : undefined;
};

/** Counts how often each name stands in the tree: once or more often. Parts that stand in several places count twice. */
function usesOf(tree: object, names: Named): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const visits = new Map<object, number>();
  const waiting: object[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const before = visits.get(node) ?? 0;
    if (before > 1) continue;
    visits.set(node, before + 1);
    const name = nameIn(node);
    if (name !== undefined && names.has(name)) found.set(name, (found.get(name) ?? 0) + 1);
    for (const part of Object.values(node)) if (isShape(part)) waiting.push(part);
  }
  return found;
}
