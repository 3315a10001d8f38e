// Columns that a relation reads but does not make: those of the queries around it.
import type { Column, Expr, Rel } from './nodes.ts';
import { namedColumns, visit, visitRels } from './walk.ts';

/** Columns that come to be at this relation. */
export function columnsMade(rel: Rel): readonly Column[] {
  switch (rel.kind) {
    case 'source_scan':
      return rel.columns.map((c) => c.column);
    case 'cte_scan':
    case 'set_operation':
      return rel.columns;
    case 'unnest':
      return [rel.element, ...(rel.zipped ?? []).map((b) => b.element), ...(rel.offset === null ? [] : [rel.offset])];
    case 'project':
    case 'window':
      return rel.items.map((i) => i.column);
    case 'aggregate':
      return [...rel.keys, ...rel.aggregates, ...rel.groupings].map((k) => k.column);
    default:
      return [];
  }
}

/** Ids of the columns that come to be anywhere in `rel`. */
export function columnsMadeIn(rel: Rel): ReadonlySet<number> {
  const ids = new Set<number>();
  visitRels({ rel }, (r) => {
    for (const { id } of columnsMade(r)) ids.add(id);
  });
  return ids;
}

/** Free columns of `rel` by id: it is correlated when there are any. */
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
