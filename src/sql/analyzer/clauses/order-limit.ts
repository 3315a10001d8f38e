// ORDER BY and LIMIT.
import { fail } from '../../base/fail.ts';
import { INT64 } from '../../base/types.ts';
import type { Expr, OrderItem, Rel } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { callFunction } from '../calls/call-function.ts';
import { coerce, resolveDynamic } from '../calls/coerce.ts';
import { type Context, within, withNames } from '../context.ts';
import { columnRef, EMPTY_SCOPE, withoutColumns } from '../names/scope.ts';
import { orderable } from './keys.ts';

/** Returns the direction of an order; GoogleSQL puts NULLs first when ascending, last when descending. */
export const directionOf = ({ descending, nulls }: Pick<ast.OrderItem, 'descending' | 'nulls'>) => ({
  descending,
  nullsFirst: nulls === null ? !descending : nulls === 'FIRST',
});

export const analyzeOrderItem = (item: ast.OrderItem, context: Context): OrderItem =>
  collated(item, { value: orderable(resolveDynamic(analyzeExpr(item.value, context))), ...directionOf(item) });

/** Returns the order with the collation that is written behind its key. */
export function collated({ collate, span }: ast.OrderItem, order: OrderItem): OrderItem {
  if (collate === null) return order;
  if (collate.kind !== 'string_literal' || collate.value.toLowerCase() !== 'und:ci')
    fail('unsupported', collate.span, "the only collation that is translated is 'und:ci'", IGNORE_CASE);
  const { kind } = order.value.type;
  if (kind !== 'STRING') fail('type', span, `COLLATE is for STRING, and this is ${kind}`);
  return { ...order, value: callFunction('$collated', [order.value], span) };
}

const IGNORE_CASE = 'to ignore case, order by LOWER(text)';

/** Texts that differ in their case alone are equal in BigQuery, and one after the other in ClickHouse: a key behind them would not count. */
export function refuseEarlierCollate(items: readonly ast.OrderItem[]): void {
  const earlier = items.slice(0, -1).find(({ collate }) => collate !== null);
  if (earlier !== undefined) fail('unsupported', earlier.span, 'COLLATE is translated for the last key of ORDER BY only', IGNORE_CASE);
}

/** Analyzes the order of an aggregate, a window or a pipe. */
export function analyzeOrderItems(items: readonly ast.OrderItem[], context: Context): readonly OrderItem[] {
  const other = items.find(({ collate }) => collate !== null);
  if (other !== undefined) fail('unsupported', other.span, 'COLLATE is translated in ORDER BY of a query only', IGNORE_CASE);
  return items.map((item) => analyzeOrderItem(item, context));
}

/** Analyzes ORDER BY over a body that is not a SELECT: it takes output names and positions only. */
export function orderByOutputs(query: AnalyzedQuery, orderBy: readonly ast.OrderItem[], context: Context): Rel {
  if (orderBy.length === 0) return query.rel;
  refuseEarlierCollate(orderBy);
  const names = new Map<string, Expr>();
  for (const { name, column } of query.outputs) if (name !== '') names.set(name.toLowerCase(), columnRef(column, { start: 0, end: 0 }));
  const inner = withNames(within(context, { ...EMPTY_SCOPE, parent: context.scope }), names);
  const items = orderBy.map((item): OrderItem => {
    const output = atPosition(item.value, query.outputs);
    if (output === undefined) return analyzeOrderItem(item, inner);
    return collated(item, { value: orderable(resolveDynamic(columnRef(output.column, item.value.span))), ...directionOf(item) });
  });
  return { kind: 'order_limit', input: query.rel, orderBy: items, limit: null, offset: null };
}

/** Returns the item at the position that `node` is, as in `ORDER BY 2`; undefined if it is none. */
export function atPosition<T>(node: ast.Expr, items: readonly T[]): T | undefined {
  if (node.kind !== 'int_literal') return undefined;
  const item = items[Number(node.value) - 1];
  if (item === undefined)
    fail('type', node.span, `there is no column ${node.value} in the SELECT list`, `positions go from 1 to ${items.length}`);
  return item;
}

export function withLimit(query: AnalyzedQuery, limit: ast.Expr | null, offset: ast.Expr | null, context: Context): AnalyzedQuery {
  if (limit === null) return query;
  const count = (node: ast.Expr, clause: string): Expr => {
    const value = coerce(analyzeExpr(node, within(context, withoutColumns(context.scope))), INT64, clause);
    if (value.kind === 'literal' && (value.value === null || (typeof value.value === 'bigint' && value.value < 0n)))
      fail('type', node.span, `${clause} must be 0 or more, not ${value.value ?? 'NULL'}`);
    if (value.kind !== 'literal' && value.kind !== 'parameter' && value.kind !== 'cast')
      fail('type', node.span, `${clause} takes a number or a parameter`);
    return value;
  };
  const limited = { limit: count(limit, 'LIMIT'), offset: offset === null ? null : count(offset, 'OFFSET') };
  if (query.rel.kind === 'order_limit' && query.rel.limit === null) return { ...query, rel: { ...query.rel, ...limited } };
  return { ...query, rel: { kind: 'order_limit', input: query.rel, orderBy: [], ...limited } };
}
