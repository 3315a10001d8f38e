// Counts how often each column is read: a column that is read once can be written in place.
import type { Expr, LogicalPlan } from './nodes.ts';
import { namedColumns, visit } from './walk.ts';

/** Counts by the columns' ids; `onExpr` is called with every expression on the way. */
export function countUses(query: LogicalPlan, onExpr: (expr: Expr) => void = () => {}): Map<number, number> {
  const uses = new Map<number, number>();
  const add = ({ id }: { readonly id: number }): void => void uses.set(id, (uses.get(id) ?? 0) + 1);
  visit(
    query,
    (e) => {
      if (e.kind === 'column' || e.kind === 'subquery') add(e.column);
      onExpr(e);
    },
    (rel) => namedColumns(rel).forEach(add),
  );
  for (const { column } of query.outputs) add(column);
  for (const cte of query.ctes) cte.columns.forEach(add);
  return uses;
}
