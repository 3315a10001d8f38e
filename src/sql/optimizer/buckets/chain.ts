// The steps of a query's rows, where each has one input: from a source row by row to groups, and from these row by row to the result.
import type { Aggregate, Expr, Filter, OrderLimit, Project, Rel, SourceScan, Unnest } from '../../logical/nodes.ts';
import { isVolatile } from '../../logical/volatile.ts';
import { contains, eachChild, hasSubquery, rewriteExpr } from '../../logical/walk.ts';
import { definitionOf } from '../column-origin.ts';

interface Chain {
  readonly scan: SourceScan;
  readonly aggregate: Aggregate;
  /** The last step. */
  readonly order: OrderLimit | undefined;
}

/** Returns the chain that ends with `rel`, or why its rows come another way. */
export function chainOf(rel: Rel): Chain | string {
  const order = rel.kind === 'order_limit' ? rel : undefined;
  const unordered = order === undefined ? undefined : unsteady(order);
  if (unordered !== undefined) return unordered;
  const aggregate = groupsBelow(order?.input ?? rel);
  if (typeof aggregate === 'string') return aggregate;
  if (aggregate.groupingSets !== null) return 'it groups by several sets of keys';
  const scan = scanBelow(aggregate.input);
  return typeof scan === 'string' ? scan : { scan, aggregate, order };
}

function groupsBelow(rel: Rel): Aggregate | string {
  switch (rel.kind) {
    case 'aggregate':
      return unsteady(rel) ?? rel;
    case 'filter':
    case 'project':
      return unsteady(rel) ?? groupsBelow(rel.input);
    case 'order_limit':
      return 'it limits or orders the rows of a subquery';
    default:
      return NOT_ROW_BY_ROW[rel.kind] ?? 'it does not group the rows of a source by time';
  }
}

function scanBelow(rel: Rel): SourceScan | string {
  switch (rel.kind) {
    case 'source_scan':
      return rel;
    case 'filter':
    case 'project':
      return unsteady(rel) ?? scanBelow(rel.input);
    case 'unnest':
      return rel.input === null ? 'it groups rows that do not come from a source' : (unsteady(rel) ?? scanBelow(rel.input));
    case 'aggregate':
      return 'it groups rows twice';
    default:
      return NOT_ROW_BY_ROW[rel.kind] ?? 'it groups rows that do not come from a source';
  }
}

const NOT_ROW_BY_ROW: Readonly<Partial<Record<Rel['kind'], string>>> = {
  join: 'it joins tables',
  window: 'it has window functions',
  distinct: 'it keeps distinct rows',
  set_operation: 'it combines several queries',
  order_limit: 'it limits or orders the rows of a subquery',
  cte_scan: 'it reads a WITH table more than once',
};

/** Says why the step may return other rows another time, or depends on other rows than its own. */
function unsteady(rel: Aggregate | Filter | OrderLimit | Project | Unnest): string | undefined {
  let why: string | undefined;
  eachChild(rel, {
    expr(expr) {
      if (hasSubquery(expr)) why = 'it has a subquery';
      if (contains(expr, isVolatile)) why = 'it has a function that gives a new value at each call';
    },
  });
  return why;
}

/** Returns `expr`, read above `rel`, with all columns of projections written out. */
export function writtenOut(expr: Expr, rel: Rel): Expr {
  return rewriteExpr(expr, (e) => {
    const made = e.kind === 'column' ? definitionOf(e.column.id, rel) : undefined;
    return made === undefined ? e : writtenOut(made, rel);
  });
}

/** Returns the chain's relations with `change` applied to each from the bottom up. */
export function rebuilt(rel: Rel, change: (rel: Rel) => Rel): Rel {
  switch (rel.kind) {
    case 'order_limit':
    case 'aggregate':
    case 'filter':
    case 'project':
      return change({ ...rel, input: rebuilt(rel.input, change) });
    case 'unnest':
      return change(rel.input === null ? rel : { ...rel, input: rebuilt(rel.input, change) });
    default:
      return change(rel);
  }
}
