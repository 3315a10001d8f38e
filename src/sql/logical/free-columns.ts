// The columns that a relation reads but does not make: those of the queries around it.
import type { Column, Expr, Rel } from './nodes.ts';
import { columnsMade } from './properties/made.ts';
import { namedColumns, visit } from './walk.ts';

/** Returns the free columns of `rel` by id: it is correlated when there are any. */
export function freeColumns(rel: Rel): ReadonlyMap<number, Column> {
  const read = new Map<number, Column>();
  const made = new Set<number>();
  const onRel = (r: Rel): void => {
    for (const column of columnsMade(r)) made.add(column.id);
    for (const column of namedColumns(r)) read.set(column.id, column);
  };
  const onExpr = (e: Expr): void => {
    if (e.kind === 'column' || e.kind === 'subquery') read.set(e.column.id, e.column);
    if (e.kind === 'lambda') for (const p of e.parameters) made.add(p.id);
  };
  onRel(rel);
  visit(rel, onExpr, onRel);
  return new Map([...read].filter(([id]) => !made.has(id)));
}

export const isCorrelated = (rel: Rel): boolean => freeColumns(rel).size > 0;
