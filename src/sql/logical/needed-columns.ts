// Finds the columns of a logical plan that its result depends on. The expressions of others stay in the plan, and lowering writes none of them.
import type { Expr, LogicalPlan, Rel } from './nodes.ts';
import { madeIn } from './properties/made.ts';
import { eachChild, namedColumns, relationsOf } from './walk.ts';

/** Returns the ids of the columns that the outputs and the choice of rows depend on. */
export function neededColumns(plan: LogicalPlan): ReadonlySet<number> {
  /** The ids that a column depends on, if it is computed only where it is needed. */
  const madeOf = new Map<number, readonly number[]>();
  for (const made of madeIn(plan)) {
    const { id } = made.column;
    if (made.by === 'cte') madeOf.set(id, made.read === undefined ? [] : [made.read.id]);
    if (made.by === 'value') madeOf.set(id, readBy([made.value]));
    if (made.by === 'call') madeOf.set(id, readBy(made.call));
  }
  const roots = plan.outputs.map(({ column }) => column.id);
  for (const rel of relationsOf(plan)) roots.push(...namedColumns(rel).map(({ id }) => id), ...readBy(deciding(rel)));
  const needed = new Set<number>();
  for (let id = roots.pop(); id !== undefined; id = roots.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    roots.push(...(madeOf.get(id) ?? []));
  }
  return needed;
}

/** Returns the parts of a relation that decide on its rows. */
function deciding(rel: Rel): object {
  if (rel.kind === 'project' || rel.kind === 'window') return {};
  return rel.kind === 'aggregate' ? { keys: rel.keys } : rel;
}

/** Returns the ids of the columns in the expressions of `node` itself; relations in it are visited by themselves. */
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
