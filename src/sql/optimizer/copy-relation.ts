// Copies a relation: the same rows in columns of their own.

import type { Column, Expr, Rel } from '../logical/nodes.ts';
import { columnsMade } from '../logical/properties/made.ts';
import { mapChildren, renameColumns, visit } from '../logical/walk.ts';
import type { RuleContext } from './rule.ts';

/** Gives every column that the relation makes, also inside its expressions, another id; `renamed` returns the copy of a column. */
export function copyRelation(rel: Rel, { newColumn }: Pick<RuleContext, 'newColumn'>): { rel: Rel; renamed: (column: Column) => Column } {
  const copies = new Map<number, Column>();
  const make = (column: Column): void => {
    if (!copies.has(column.id)) copies.set(column.id, newColumn(column.name, column.type));
  };
  visit(
    { rel },
    (e) => (e.kind === 'lambda' ? e.parameters.forEach(make) : undefined),
    (r) => columnsMade(r).forEach(make),
  );
  const renamed = (column: Column): Column => copies.get(column.id) ?? column;
  const expr = (e: Expr): Expr => {
    const mapped = mapChildren(e, { expr, rel: made });
    return mapped.kind === 'lambda' ? { ...mapped, parameters: mapped.parameters.map(renamed) } : mapped;
  };
  const made = (r: Rel): Rel => madeColumns(mapChildren(r, { expr, rel: made }), renamed);
  return { rel: renameColumns(made(rel), renamed), renamed };
}

function madeColumns(rel: Rel, renamed: (column: Column) => Column): Rel {
  const own = <T extends { readonly column: Column }>(items: readonly T[]): readonly T[] =>
    items.map((item) => ({ ...item, column: renamed(item.column) }));
  switch (rel.kind) {
    case 'source_scan':
      return { ...rel, columns: own(rel.columns) };
    case 'cte_scan':
    case 'set_operation':
      return { ...rel, columns: rel.columns.map(renamed) };
    case 'unnest':
      return {
        ...rel,
        element: renamed(rel.element),
        offset: rel.offset === null ? null : renamed(rel.offset),
        ...(rel.zipped === undefined ? {} : { zipped: rel.zipped.map((z) => ({ ...z, element: renamed(z.element) })) }),
      };
    case 'project':
      return { ...rel, items: own(rel.items) };
    case 'window':
      return { ...rel, items: own(rel.items) };
    case 'aggregate':
      return { ...rel, keys: own(rel.keys), aggregates: own(rel.aggregates), groupings: own(rel.groupings) };
    default:
      return rel;
  }
}
