// A CTE that is read once is written where it is read; one that nothing reads is dropped.
// ClickHouse expands CTEs at every reference anyway, so nothing is computed more often than before.
import type { Column, CteDefinition, Rel, ResolvedQuery } from '../resolved.ts';
import { renameColumns, rewriteRel, visit } from '../rewrite.ts';

export function inlineCtes(query: ResolvedQuery): ResolvedQuery {
  const reads = countReads(query);
  const inlined = new Map<number, CteDefinition>(query.ctes.filter((c) => reads.get(c.id) === 1 && !c.recursive).map((c) => [c.id, c]));
  const renamed = new Map<number, Column>();
  const replace = (rel: Rel): Rel =>
    rewriteRel(rel, (r) => {
      const definition = r.kind === 'cte_scan' ? inlined.get(r.cte) : undefined;
      if (r.kind !== 'cte_scan' || definition === undefined) return r;
      for (const [i, column] of r.columns.entries()) renamed.set(column.id, definition.columns[i] ?? column);
      return replace(definition.rel);
    });
  const rel = replace(query.rel);
  const kept = query.ctes.filter((c) => (reads.get(c.id) ?? 0) > 0 && !inlined.has(c.id)).map((c) => ({ ...c, rel: replace(c.rel) }));
  const resolve = (column: Column): Column => {
    let at = column;
    for (let next = renamed.get(at.id); next !== undefined; next = renamed.get(at.id)) at = next;
    return at;
  };
  return {
    rel: renameColumns(rel, resolve),
    outputs: query.outputs.map((o) => ({ ...o, column: resolve(o.column) })),
    ctes: kept.map((c) => ({ ...c, rel: renameColumns(c.rel, resolve), columns: c.columns.map(resolve) })),
  };
}

/** How often each CTE is read by the query and by the CTEs that it reads in turn. */
function countReads(query: ResolvedQuery): ReadonlyMap<number, number> {
  const reads = new Map<number, number>();
  const definitions = new Map(query.ctes.map((c) => [c.id, c]));
  const count = (rel: Rel): void => {
    const scan = (r: Rel): void => {
      if (r.kind !== 'cte_scan') return;
      const before = reads.get(r.cte) ?? 0;
      reads.set(r.cte, before + 1);
      const definition = definitions.get(r.cte);
      if (before === 0 && definition !== undefined) count(definition.rel);
    };
    scan(rel);
    visit(rel, () => {}, scan);
  };
  count(query.rel);
  return reads;
}
