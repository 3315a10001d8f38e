// The size of a query with every WITH table expanded wherever it is read, as ClickHouse expands it before it looks at limits of time.
import type { LogicalPlan, Rel } from './nodes.ts';
import { visit } from './walk.ts';

/** Counts expressions and relations without expanding anything: tables that read the one before them twice grow without end. */
export function expandedNodes(query: LogicalPlan): number {
  const definitions = new Map(query.ctes.map((cte) => [cte.id, cte.rel]));
  const known = new Map<number, number>();
  const sizeOf = (rel: Rel): number => {
    let nodes = 0;
    const count = (r: Rel): void => {
      nodes += 1 + (r.kind === 'cte_scan' ? sizeOfCte(r.cte) : 0);
    };
    count(rel);
    visit(
      rel,
      () => {
        nodes++;
      },
      count,
    );
    return nodes;
  };
  const sizeOfCte = (id: number): number => {
    const rel = definitions.get(id);
    if (rel === undefined) return 0;
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, 0); // where a recursive table reads itself
    const nodes = sizeOf(rel);
    known.set(id, nodes);
    return nodes;
  };
  return sizeOf(query.rel);
}
