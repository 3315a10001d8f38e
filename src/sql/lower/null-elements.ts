// Which arrays may have NULL elements: BigQuery computes with them, but does not return them. Only what makes them in the query itself counts:
// arrays of a source come as they are.
import { ref } from '../logical/build.ts';
import type { AggregateCall, Column, Expr, LogicalPlan, WindowCall } from '../logical/nodes.ts';
import { learnFrom } from '../logical/walk.ts';
import type { Type } from '../types.ts';

type Known = ReadonlySet<number>;
type NeverNull = (expr: Expr) => boolean;

/** Whether values of the type hold arrays: they are some, or structs with some. */
export const holdsArray = (type: Type): boolean =>
  type.kind === 'ARRAY' || (type.kind === 'STRUCT' && type.fields.some((field) => holdsArray(field.type)));

/** Ids of the columns whose arrays may have NULL elements. */
export function columnsWithNullElements(query: LogicalPlan, isNeverNull: NeverNull): Known {
  const found = new Set<number>();
  const add = (column: Column, may: boolean): void => {
    if (may && holdsArray(column.type)) found.add(column.id);
  };
  const called = (call: AggregateCall | WindowCall): boolean =>
    call.fn.nullElements === 'given'
      ? call.nulls !== 'IGNORE' && !call.args.every((arg) => isValue(arg, isNeverNull))
      : ofArrays(call.args);
  const ofArrays = (args: readonly (Expr | null)[]): boolean => args.some((arg) => arg !== null && may(arg));
  const may = (expr: Expr): boolean => mayHoldNull(expr, found, isNeverNull);
  learnFrom(query, found, (rel, definedBy) => {
    switch (rel.kind) {
      case 'cte_scan':
        for (const [i, column] of rel.columns.entries()) add(column, found.has(definedBy(rel)[i]?.id ?? 0));
        break;
      case 'project':
        for (const { column, value } of rel.items) add(column, may(value));
        break;
      case 'aggregate':
        for (const { column, call } of rel.aggregates) add(column, called(call));
        break;
      case 'window':
        for (const { column, call } of rel.items) add(column, called(call));
        break;
      case 'set_operation':
        for (const [i, column] of rel.columns.entries())
          add(
            column,
            rel.inputs.some((input) => found.has(input.columns[i]?.id ?? 0)),
          );
        break;
      default:
    }
  });
  return found;
}

function mayHoldNull(expr: Expr, columns: Known, isNeverNull: NeverNull): boolean {
  if (!holdsArray(expr.type)) return false;
  const may = (e: Expr | null): boolean => e !== null && mayHoldNull(e, columns, isNeverNull);
  switch (expr.kind) {
    case 'column':
      return columns.has(expr.column.id);
    case 'array':
      return !expr.elements.every((element) => isValue(element, isNeverNull) && !may(element));
    case 'struct':
      return expr.fields.some(may);
    case 'field':
      return may(expr.of);
    case 'subquery':
      return columns.has(expr.column.id) || (expr.mode === 'array' && !isNeverNull(ref(expr.column, expr)));
    case 'case':
      return expr.whens.some((w) => may(w.then)) || may(expr.otherwise);
    case 'cast':
      return may(expr.operand);
    case 'call':
      return expr.fn.nullElements === 'made' || expr.args.some(may);
    default:
      return false;
  }
}

const isValue = (expr: Expr | null, isNeverNull: NeverNull): boolean =>
  expr === null || (expr.kind === 'literal' ? expr.value !== null : expr.kind === 'struct' || expr.kind === 'instant' || isNeverNull(expr));
