// Which columns are never NULL: plain columns of a source whose ClickHouse type is not Nullable, unless an outer join fills them in.

import { layoutOf } from '../layouts/index.ts';
import { columnsMade } from '../logical/properties/made.ts';
import type { LogicalPlan, Rel } from '../logical/nodes.ts';
import { relationsOf, visitRels } from '../logical/walk.ts';

/** Ids of the columns that are known never to be NULL. */
export function neverNullColumns(query: LogicalPlan): ReadonlySet<number> {
  const known = new Set<number>();
  const filledIn = new Set<number>();
  const fill = (side: Rel): void => visitRels({ side }, (r) => columnsMade(r).forEach((c) => void filledIn.add(c.id)));
  relationsOf(query).forEach((r) => {
    if (r.kind === 'source_scan') {
      for (const { column, from, part } of r.columns) {
        const layout = layoutOf(from.read);
        if (part.kind === 'present' || (!layout.records && part.kind !== 'entry' && layout.neverNull(from.read))) known.add(column.id);
      }
    }
    if (r.kind !== 'join') return;
    if (r.type === 'LEFT' || r.type === 'FULL') fill(r.right);
    if (r.type === 'RIGHT' || r.type === 'FULL') fill(r.left);
  });
  for (const id of filledIn) known.delete(id);
  return known;
}
