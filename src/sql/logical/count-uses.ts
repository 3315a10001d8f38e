// How often each column is read: what is read once can be written in place.
import type { LogicalPlan } from './nodes.ts';
import { namedColumns, visit } from './walk.ts';

export function countUses(query: LogicalPlan): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  const add = ({ id }: { readonly id: number }): void => void uses.set(id, (uses.get(id) ?? 0) + 1);
  visit(
    query,
    (e) => (e.kind === 'column' || e.kind === 'subquery' ? add(e.column) : undefined),
    (rel) => namedColumns(rel).forEach(add),
  );
  for (const { column } of query.outputs) add(column);
  for (const cte of query.ctes) cte.columns.forEach(add);
  return uses;
}
