// Which FLOAT64 values can be neither NaN nor infinite: numbers in JSON, conversions of integers, and what is computed from them (BigQuery's
// arithmetic fails instead of leaving the range). For them MIN, MAX, ORDER BY and GROUP BY need no care for NaN.
import { recordLayoutOf } from '../layouts/index.ts';
import type { AnyDefinition } from '../logical/function.ts';
import type { Column, Expr, LogicalPlan } from '../logical/nodes.ts';
import { learnFrom } from '../logical/walk.ts';

/** Whether `expr` is finite (or NULL), given the ids of columns known to be. Types other than FLOAT64 are. */
export function isFiniteValue(expr: Expr, columns: ReadonlySet<number>): boolean {
  if (expr.type.kind !== 'FLOAT64') return true;
  const finite = (e: Expr | null): boolean => e === null || isFiniteValue(e, columns);
  switch (expr.kind) {
    case 'literal':
      return expr.value === null || (typeof expr.value === 'number' && Number.isFinite(expr.value));
    case 'column':
      return columns.has(expr.column.id);
    case 'record_field':
      return true;
    case 'cast':
      // Text may say NaN, and so may an undeclared field, which is text.
      return !['STRING', 'DYNAMIC', 'JSON'].includes(expr.operand.type.kind) && finite(expr.operand);
    case 'case':
      return expr.whens.every((w) => finite(w.then)) && finite(expr.otherwise);
    case 'call':
      return expr.fn.finite === true && expr.args.every(finite);
    case 'subquery':
      return columns.has(expr.column.id);
    default:
      return false;
  }
}

/** Ids of the FLOAT64 columns that hold finite values only. */
export function finiteColumns(query: LogicalPlan): ReadonlySet<number> {
  const finite = new Set<number>();
  const add = (column: Column, known: boolean): void => {
    if (known && column.type.kind === 'FLOAT64') finite.add(column.id);
  };
  // A relation may read columns that are made further on in the walk.
  learnFrom(query, finite, (rel, definedBy) => {
    switch (rel.kind) {
      case 'source_scan':
        for (const { column, part, from } of rel.columns) add(column, part.kind === 'path' && recordLayoutOf(from.read)?.finite === true);
        break;
      case 'cte_scan':
        for (const [i, column] of rel.columns.entries()) add(column, finite.has(definedBy(rel)[i]?.id ?? 0));
        break;
      case 'project':
        for (const { column, value } of rel.items) add(column, isFiniteValue(value, finite));
        break;
      case 'aggregate':
        for (const { column, value } of rel.keys) add(column, isFiniteValue(value, finite));
        for (const { column, call } of rel.aggregates) add(column, finiteCall(call, finite));
        break;
      case 'window':
        for (const { column, call } of rel.items) add(column, finiteCall(call, finite));
        break;
      case 'set_operation':
        for (const [i, column] of rel.columns.entries())
          add(
            column,
            rel.inputs.every((input) => finite.has(input.columns[i]?.id ?? 0)),
          );
        break;
      default:
    }
  });
  return finite;
}

function finiteCall(call: { readonly fn: AnyDefinition; readonly args: readonly (Expr | null)[] }, columns: ReadonlySet<number>) {
  return call.fn.finite === true && call.args.every((a) => a === null || isFiniteValue(a, columns));
}
