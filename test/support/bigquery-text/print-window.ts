// Writes windows and ORDER BY as BigQuery text.
import type { FrameBound, OrderItem, Select, WindowRef } from '../../../src/sql/syntax/ast.ts';
import { printExpr, printExprs } from './print-expression.ts';
import { printName } from './print-name.ts';

/** `ORDER BY …`, or nothing. */
export function printOrderBy(items: readonly OrderItem[]): string {
  return items.length === 0 ? '' : `ORDER BY ${items.map(printOrderItem).join(', ')}`;
}

export function printOrderItem(item: OrderItem): string {
  const collate = item.collate === null ? '' : ` COLLATE ${printExpr(item.collate)}`;
  return `${printExpr(item.value)}${collate}${printDirection(item)}`;
}

/** ` ASC`, ` DESC NULLS FIRST` and the like; nothing where there is no order. */
export function printDirection(order: OrderItem | null): string {
  if (order === null) return '';
  return ` ${order.descending ? 'DESC' : 'ASC'}${order.nulls === null ? '' : ` NULLS ${order.nulls}`}`;
}

export function printWindow(window: WindowRef): string {
  const base = window.base === null ? '' : printName(window.base);
  if (window.bare) return base;
  const parts = [
    base,
    window.partitionBy.length === 0 ? '' : `PARTITION BY ${printExprs(window.partitionBy)}`,
    printOrderBy(window.orderBy),
    window.frame === null ? '' : `${window.frame.unit} BETWEEN ${printBound(window.frame.start)} AND ${printBound(window.frame.end)}`,
  ];
  return `(${parts.filter((part) => part !== '').join(' ')})`;
}

function printBound({ kind, offset }: FrameBound): string {
  const words = kind.replace('_', ' ').toUpperCase();
  return offset === null ? words : `${printExpr(offset)} ${words}`;
}

/** ` WINDOW name AS (…)`, or nothing. */
export function printWindowClause(windows: Select['windows']): string {
  return windows.length === 0
    ? ''
    : ` WINDOW ${windows.map(({ name, window }) => `${printName(name)} AS ${printWindow(window)}`).join(', ')}`;
}
