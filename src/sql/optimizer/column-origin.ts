// The origin of a column, seen from a relation above: whether its rows still show the column, and what made it.
import { spend } from '../base/budget.ts';
import type { Expr, Project, Rel } from '../logical/nodes.ts';
import { isStable } from '../logical/volatile.ts';
import { columnsRead, hasSubquery, rewriteExpr } from '../logical/walk.ts';

/** True if the relation's rows still have the column of the scan below. */
export function shows(rel: Rel, id: number): boolean {
  spend(1);
  switch (rel.kind) {
    case 'source_scan':
      return rel.columns.some((c) => c.column.id === id);
    case 'filter':
    case 'project':
      return shows(rel.input, id);
    case 'unnest':
      return rel.input !== null && shows(rel.input, id);
    case 'join':
      return shows(rel.left, id) || shows(rel.right, id);
    default:
      return false;
  }
}

/** Returns the value of the column, where a projection makes it whose input the relation's rows still show. */
export function definitionOf(id: number, rel: Rel): Expr | undefined {
  spend(1);
  switch (rel.kind) {
    case 'project':
      return rel.items.find((i) => i.column.id === id)?.value ?? definitionOf(id, rel.input);
    case 'filter':
      return definitionOf(id, rel.input);
    case 'unnest':
      return rel.input === null ? undefined : definitionOf(id, rel.input);
    case 'join':
      if (rel.type !== 'INNER' && rel.type !== 'CROSS') return undefined;
      return definitionOf(id, rel.left) ?? definitionOf(id, rel.right);
    default:
      return undefined;
  }
}

/** True if the value is the same for all rows of the relation: made of literals, parameters and the current time. */
export const isConstantIn = (value: Expr, rel: Rel): boolean =>
  isStable(value) && [...columnsRead(value)].every((id) => isConstantColumn(id, rel));

export function isConstantColumn(id: number, rel: Rel): boolean {
  const made = definitionOf(id, rel);
  return made !== undefined && isConstantIn(made, rel);
}

/** Returns `expr`, read above `rel`, with the constants that it names written out: below, they have no names yet. */
export function inPlace(expr: Expr, rel: Rel): Expr {
  return rewriteExpr(expr, (e) => {
    const made = e.kind === 'column' ? definitionOf(e.column.id, rel) : undefined;
    return made !== undefined && isConstantIn(made, rel) ? inPlace(made, rel) : e;
  });
}

/** Returns the projections over one row without columns, innermost first; undefined for any other relation. */
export function constantRow(rel: Rel): readonly Project[] | undefined {
  if (rel.kind === 'one_row') return [];
  if (rel.kind !== 'project') return undefined;
  const inner = constantRow(rel.input);
  if (inner === undefined) return undefined;
  const made = new Set(inner.flatMap((p) => p.items.map((i) => i.column.id)));
  const plain = rel.items.every((i) => [...columnsRead(i.value)].every((id) => made.has(id)) && !hasSubquery(i.value));
  return plain ? [...inner, rel] : undefined;
}
