// Where a column comes from, seen from a relation above: whether its rows still show the column, and what made it.
import { spend } from '../../budget.ts';
import type { Expr, Rel } from '../../resolved.ts';
import { columnsRead, contains, rewriteExpr } from '../../rewrite.ts';

/** Whether the relation's rows still have the column of the scan below. */
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

/** What the column is, where a projection makes it whose input the relation's rows still show. */
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

/** Whether the value is the same for all rows of the relation: made of literals, parameters and the current time. */
export function isConstantIn(value: Expr, rel: Rel): boolean {
  if (contains(value, (e) => e.kind === 'subquery' || (e.kind === 'call' && e.fn.volatile === true))) return false;
  return [...columnsRead(value)].every((id) => {
    const made = definitionOf(id, rel);
    return made !== undefined && isConstantIn(made, rel);
  });
}

/** `expr`, read above `rel`, with the constants that it names written out: below, they have no names yet. */
export function inPlace(expr: Expr, rel: Rel): Expr {
  return rewriteExpr(expr, (e) => {
    const made = e.kind === 'column' ? definitionOf(e.column.id, rel) : undefined;
    return made !== undefined && isConstantIn(made, rel) ? inPlace(made, rel) : e;
  });
}
