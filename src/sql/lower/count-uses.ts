// How often each column is read: what is read once can be written in place.
import type { ResolvedQuery } from '../logical/resolved.ts';
import { namedColumns, visit } from '../logical/rewrite.ts';

export function countUses(query: ResolvedQuery): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  const add = (id: number): void => {
    uses.set(id, (uses.get(id) ?? 0) + 1);
  };
  for (const rel of [query.rel, ...query.ctes.map((c) => c.rel)]) {
    for (const column of namedColumns(rel)) add(column.id);
    visit(
      rel,
      (e) => {
        if (e.kind === 'column' || e.kind === 'subquery') add(e.column.id);
      },
      (r) => {
        for (const column of namedColumns(r)) add(column.id);
      },
    );
  }
  for (const { column } of query.outputs) add(column.id);
  for (const cte of query.ctes) for (const column of cte.columns) add(column.id);
  return uses;
}
