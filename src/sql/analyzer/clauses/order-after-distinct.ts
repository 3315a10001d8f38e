// ORDER BY after SELECT DISTINCT: its keys are computed from the columns of the distinct rows.
import { fail } from '../../base/fail.ts';
import type { Expr, OrderItem } from '../../logical/nodes.ts';
import { exprKey, mapChildren } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import type { Output } from '../analyzed.ts';
import { resolveDynamic } from '../calls/coerce.ts';
import { columnRef } from '../names/scope.ts';
import type { SelectedItem } from './select-items.ts';

interface DistinctRows {
  readonly select: Pick<ast.Select, 'as' | 'span'>;
  readonly items: readonly SelectedItem[];
  /** The items as they are shown: one struct for SELECT AS STRUCT. */
  readonly shaped: readonly SelectedItem[];
  readonly outputs: readonly Output[];
}

/** Computes the keys; `around` are the ids of the columns of the queries around, which are the same for all rows. */
export function orderAfterDistinct(order: readonly OrderItem[], rows: DistinctRows, around: ReadonlySet<number>): readonly OrderItem[] {
  const shown = shownAgain(rows);
  return order.map((o) => ({ ...o, value: afterDistinct(o.value, shown, around) }));
}

/** Returns the values that distinct rows still have, by their keys; those of SELECT AS STRUCT are fields of the one struct. */
function shownAgain({ select, items, shaped, outputs }: DistinctRows): ReadonlyMap<string, Expr> {
  const shown = new Map<string, Expr>();
  const add = (value: Expr, again: Expr): void => {
    for (const key of [exprKey(value), exprKey(resolveDynamic(value))]) if (!shown.has(key)) shown.set(key, again);
  };
  for (const [at, { value }] of shaped.entries()) {
    const output = outputs[at];
    if (output !== undefined) add(value, columnRef(output.column, value.span));
  }
  const [row] = outputs;
  if (select.as !== 'STRUCT' || row === undefined) return shown;
  const of = columnRef(row.column, select.span);
  const fields = row.column.type.kind === 'STRUCT' ? row.column.type.fields : [];
  for (const [index, { value }] of items.entries())
    add(value, { kind: 'field', of, index, type: fields[index]?.type ?? value.type, span: value.span });
  return shown;
}

/** Computes a key of ORDER BY from the distinct rows, and from columns of the queries around. */
function afterDistinct(value: Expr, shown: ReadonlyMap<string, Expr>, around: ReadonlySet<number>): Expr {
  const again = shown.get(exprKey(value));
  if (again !== undefined) return again;
  if (value.kind === 'subquery' || (value.kind === 'column' && !around.has(value.column.id)))
    return fail('type', value.span, 'ORDER BY after SELECT DISTINCT can use only what SELECT returns', 'add it to the SELECT list');
  return mapChildren(value, { expr: (part) => afterDistinct(part, shown, around), rel: (rel) => rel });
}
