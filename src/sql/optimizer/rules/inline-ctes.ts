// A CTE that is read once is written where it is read; one that nothing reads is dropped.
// ClickHouse expands CTEs at every reference anyway, so nothing is computed more often than before.
import type { Column, CteDefinition, CteScan, Expr, LogicalPlan, Rel } from '../../logical/nodes.ts';
import { mapPlan, renameColumns, rewriteExpr, rewriteRel, visit, visitRels } from '../../logical/walk.ts';
import { constantRow } from '../column-origin.ts';
import type { Rule } from '../rule.ts';

export const inlineCtes: Rule = { name: 'inline-ctes', changes: () => ({ plan: inlined }) };

function inlined(plan: LogicalPlan): LogicalPlan {
  const reads = countReads(plan);
  const read = plan.ctes.filter((c) => reads.has(c.id));
  const once = new Map<number, CteDefinition>(read.filter((c) => reads.get(c.id) === 1 && !c.recursive).map((c) => [c.id, c]));
  const constants = constantRows(read);
  const renamed = new Map<number, Column>();
  const written = new Map<number, Rel>();
  const replace = (rel: Rel): Rel =>
    rewriteRel(rel, (r) => {
      if (r.kind !== 'cte_scan') return r;
      const row = constants.get(r.cte);
      if (row !== undefined) return constantScan(r, row);
      const definition = once.get(r.cte);
      if (definition === undefined) return r;
      for (const [i, column] of r.columns.entries()) renamed.set(column.id, definition.columns[i] ?? column);
      return written.get(r.cte) ?? definition.rel;
    });
  // In the order in which they read each other: the CTEs that a CTE reads are written out in it first.
  for (const { id, rel } of once.values()) written.set(id, replace(rel));
  const resolve = (column: Column): Column => {
    let at = column;
    for (let next = renamed.get(at.id); next !== undefined; next = renamed.get(at.id)) at = next;
    if (at !== column) renamed.set(column.id, at);
    return at;
  };
  const kept = read.filter((c) => !once.has(c.id) && !constants.has(c.id));
  const { rel, outputs, ctes } = mapPlan({ ...plan, ctes: kept }, replace);
  return {
    rel: renameColumns(rel, resolve),
    outputs: outputs.map((o) => ({ ...o, column: resolve(o.column) })),
    ctes: ctes.map((c) => ({ ...c, rel: renameColumns(c.rel, resolve), columns: c.columns.map(resolve) })),
  };
}

/** Returns the CTEs that are one row of constants, with the value of each column. They are written wherever they are read, however often. */
function constantRows(ctes: readonly CteDefinition[]): ReadonlyMap<number, readonly Expr[]> {
  const rows = new Map<number, readonly Expr[]>();
  for (const { id, rel, columns, recursive } of ctes) {
    // A constant CTE may read constant CTEs before it.
    const known = rewriteRel(rel, (r) => {
      const row = r.kind === 'cte_scan' ? rows.get(r.cte) : undefined;
      return r.kind === 'cte_scan' && row !== undefined ? constantScan(r, row) : r;
    });
    const projections = recursive ? undefined : constantRow(known);
    if (projections === undefined) continue;
    const values = new Map<number, Expr>();
    const substitute = (e: Expr): Expr => (e.kind === 'column' ? (values.get(e.column.id) ?? e) : e);
    for (const { items } of projections) for (const { column, value } of items) values.set(column.id, rewriteExpr(value, substitute));
    const row = columns.map((c) => values.get(c.id)).filter((v) => v !== undefined);
    if (row.every(isShort)) rows.set(id, row);
  }
  return rows;
}

/** Constants that are written wherever they are read must not grow from CTE to CTE. */
const MAX_CONSTANT = 500;

function isShort(value: Expr): boolean {
  let nodes = 0;
  visit(value, () => {
    nodes++;
  });
  return nodes <= MAX_CONSTANT;
}

function constantScan(scan: CteScan, row: readonly Expr[]): Rel {
  const items = scan.columns.flatMap((column, i) => {
    const value = row[i];
    return value === undefined ? [] : [{ column, value }];
  });
  return { kind: 'project', input: { kind: 'one_row' }, items };
}

/** Counts how often each CTE is read by the query and by the CTEs that it reads in turn. */
function countReads({ rel, ctes }: LogicalPlan): ReadonlyMap<number, number> {
  const reads = new Map<number, number>();
  const definitions = new Map<number, CteDefinition>();
  for (const cte of ctes) definitions.set(cte.id, cte);
  const waiting = [rel];
  for (let root = waiting.pop(); root !== undefined; root = waiting.pop()) {
    visitRels({ root }, (r) => {
      if (r.kind !== 'cte_scan') return;
      const before = reads.get(r.cte) ?? 0;
      reads.set(r.cte, before + 1);
      const definition = definitions.get(r.cte);
      if (before === 0 && definition !== undefined) waiting.push(definition.rel);
    });
  }
  return reads;
}
