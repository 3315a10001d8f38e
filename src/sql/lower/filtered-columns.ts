// Which columns conditions on rows depend on, also through projections that give them another name.
import type { LogicalPlan } from '../logical/nodes.ts';
import { columnsRead, relationsOf } from '../logical/walk.ts';

/** Ids of columns that some filter or join condition is worked out from. */
export function filteredColumns(query: LogicalPlan): ReadonlySet<number> {
  const found = new Set<number>();
  const sources = new Map<number, readonly number[]>();
  relationsOf(query).forEach((rel) => {
    if (rel.kind === 'filter') for (const id of columnsRead(rel.condition)) found.add(id);
    if (rel.kind === 'join' && rel.on !== null) for (const id of columnsRead(rel.on)) found.add(id);
    if (rel.kind === 'project') for (const { column, value } of rel.items) sources.set(column.id, [...columnsRead(value)]);
  });
  // A set visits what is added to it while it is walked.
  for (const id of found) for (const source of sources.get(id) ?? []) found.add(source);
  return found;
}
