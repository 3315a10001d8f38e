// Which columns of a logical plan its result is made of. What computes others stays in the plan, and lowering writes none of it.
import type { Expr, LogicalPlan, Rel } from './nodes.ts';
import { eachChild, namedColumns, visitRels } from './walk.ts';

/** Ids of the columns that the outputs, and what decides on rows, are made of. */
export function neededColumns({ rel, outputs, ctes }: LogicalPlan): ReadonlySet<number> {
  /** By the id of a computed column, the ids that it is made of. */
  const madeOf = new Map<number, readonly number[]>();
  const roots = outputs.map(({ column }) => column.id);
  const definitions = new Map(ctes.map((cte) => [cte.id, cte.columns]));
  visitRels({ rel, ctes }, (r) => {
    if (r.kind === 'cte_scan') for (const [i, { id }] of r.columns.entries()) madeOf.set(id, idOf(definitions.get(r.cte)?.[i]));
    else for (const { column, ...of } of computed(r)) madeOf.set(column.id, readBy(of));
    roots.push(...namedColumns(r).map(({ id }) => id), ...readBy(deciding(r)));
  });
  const needed = new Set<number>();
  for (let id = roots.pop(); id !== undefined; id = roots.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    roots.push(...(madeOf.get(id) ?? []));
  }
  return needed;
}

const idOf = (column: { readonly id: number } | undefined): readonly number[] => (column === undefined ? [] : [column.id]);

/** Columns that are worked out only where they are needed. */
function computed(rel: Rel) {
  if (rel.kind === 'project' || rel.kind === 'window') return rel.items;
  return rel.kind === 'aggregate' ? rel.aggregates : [];
}

/** What is left of a relation without them. */
function deciding(rel: Rel): object {
  if (rel.kind === 'project' || rel.kind === 'window') return {};
  return rel.kind === 'aggregate' ? { keys: rel.keys } : rel;
}

/** Ids of the columns in the expressions of `node` itself; relations in it are seen by themselves. */
function readBy(node: object): readonly number[] {
  const ids: number[] = [];
  const see = (expr: Expr): void => {
    if (expr.kind === 'column' || expr.kind === 'subquery') ids.push(expr.column.id);
    eachChild(expr, visitor);
  };
  const visitor = { expr: see };
  eachChild(node, visitor);
  return ids;
}
