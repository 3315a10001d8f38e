// The columns that each kind of relation adds to those of its inputs, and what makes them. Every property of columns starts here.
import type { AggregateCall, Column, Expr, Rel, ScanColumn, SourceScan, Unnest, WindowCall } from '../nodes.ts';
import { type Relations, relationsOf, visitRels } from '../walk.ts';

export type Made = { readonly column: Column } & (
  | { readonly by: 'scan'; readonly scanned: ScanColumn; readonly scan: SourceScan }
  | { readonly by: 'value' | 'key'; readonly value: Expr }
  | { readonly by: 'call'; readonly call: AggregateCall | WindowCall }
  | { readonly by: 'element'; readonly array: Expr; readonly unnest: Unnest }
  /** The position of an element, or whether a key is rolled up. */
  | { readonly by: 'offset' | 'grouping' }
  /** A column of a WITH table. */
  | { readonly by: 'cte'; readonly read: Column | undefined }
  /** A column of a set operation, with the inputs' columns at its position. */
  | { readonly by: 'set'; readonly columns: readonly Column[] }
);

/** Returns the columns that this relation makes. */
function madeBy(rel: Rel, ctes: ReadonlyMap<number, readonly Column[]> = new Map()): readonly Made[] {
  switch (rel.kind) {
    case 'source_scan':
      return rel.columns.map((scanned) => ({ by: 'scan', column: scanned.column, scanned, scan: rel }));
    case 'cte_scan':
      return rel.columns.map((column, position) => ({ by: 'cte', column, read: ctes.get(rel.cte)?.[position] }));
    case 'set_operation':
      return rel.columns.map((column, i) => ({ by: 'set', column, columns: rel.inputs.flatMap(({ columns }) => columns[i] ?? []) }));
    case 'unnest': {
      const elements = [rel, ...(rel.zipped ?? [])].map(
        ({ array, element }) => ({ by: 'element', column: element, array, unnest: rel }) as const,
      );
      return rel.offset === null ? elements : [...elements, { by: 'offset', column: rel.offset }];
    }
    case 'project':
      return rel.items.map(({ column, value }) => ({ by: 'value', column, value }));
    case 'window':
      return rel.items.map(({ column, call }) => ({ by: 'call', column, call }));
    case 'aggregate':
      return [
        ...rel.keys.map(({ column, value }) => ({ by: 'key', column, value }) as const),
        ...rel.aggregates.map(({ column, call }) => ({ by: 'call', column, call }) as const),
        ...rel.groupings.map(({ column }) => ({ by: 'grouping', column }) as const),
      ];
    case 'one_row':
    case 'join':
    case 'filter':
    case 'distinct':
    case 'order_limit':
      return [];
  }
}

const known = new WeakMap<Relations, readonly Made[]>();

/** Returns all columns of a plan, the innermost first. Plans never change: the list is made once. */
export function madeIn(plan: Relations): readonly Made[] {
  let found = known.get(plan);
  if (found !== undefined) return found;
  const ctes = new Map(plan.ctes.map(({ id, columns }) => [id, columns]));
  found = relationsOf(plan)
    .toReversed()
    .flatMap((rel) => madeBy(rel, ctes));
  known.set(plan, found);
  return found;
}

/** Returns the columns that this relation makes. */
export const columnsMade = (rel: Rel): readonly Column[] => madeBy(rel).map(({ column }) => column);

/** Returns the ids of the columns that are made anywhere in `rel`. */
export function columnsMadeIn(rel: Rel, into: Set<number> = new Set()): ReadonlySet<number> {
  visitRels({ rel }, (r) => {
    for (const { column } of madeBy(r)) into.add(column.id);
  });
  return into;
}

/** Returns the ids of the columns that are NULL where an outer join finds nothing, or where a grouping set leaves out a key. */
export function filledIn(plan: Relations): ReadonlySet<number> {
  const found = new Set<number>();
  for (const rel of relationsOf(plan)) {
    if (rel.kind === 'aggregate' && rel.groupingSets !== null) for (const { column } of rel.keys) found.add(column.id);
    if (rel.kind !== 'join') continue;
    if (rel.type === 'LEFT' || rel.type === 'FULL') columnsMadeIn(rel.right, found);
    if (rel.type === 'RIGHT' || rel.type === 'FULL') columnsMadeIn(rel.left, found);
  }
  return found;
}
