// ORDER BY and LIMIT.
import { fail } from '../../base/fail.ts';
import { INT64 } from '../../base/types.ts';
import type { Expr, OrderItem, Rel } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { coerce, resolveDynamic } from '../calls/coerce.ts';
import { type Context, within, withNames } from '../context.ts';
import { columnRef, EMPTY_SCOPE, withoutColumns } from '../names/scope.ts';
import { orderable } from './keys.ts';

/** Returns the direction of an order; GoogleSQL puts NULLs first when ascending, last when descending. */
export const directionOf = ({ descending, nulls }: Pick<ast.OrderItem, 'descending' | 'nulls'>) => ({
  descending,
  nullsFirst: nulls === null ? !descending : nulls === 'FIRST',
});

export function analyzeOrderItem(item: ast.OrderItem, context: Context): OrderItem {
  refuseCollate(item);
  return { value: orderable(resolveDynamic(analyzeExpr(item.value, context))), ...directionOf(item) };
}

function refuseCollate({ collate, span }: ast.OrderItem): void {
  if (collate !== null) fail('unsupported', span, 'COLLATE is not supported', 'to ignore case, order by LOWER(text)');
}

export const analyzeOrderItems = (items: readonly ast.OrderItem[], context: Context): readonly OrderItem[] =>
  items.map((item) => analyzeOrderItem(item, context));

/** Analyzes ORDER BY over a body that is not a SELECT: it takes output names and positions only. */
export function orderByOutputs(query: AnalyzedQuery, orderBy: readonly ast.OrderItem[], context: Context): Rel {
  if (orderBy.length === 0) return query.rel;
  const names = new Map<string, Expr>();
  for (const { name, column } of query.outputs) if (name !== '') names.set(name.toLowerCase(), columnRef(column, { start: 0, end: 0 }));
  const inner = withNames(within(context, { ...EMPTY_SCOPE, parent: context.scope }), names);
  const items = orderBy.map((item): OrderItem => {
    const output = atPosition(item.value, query.outputs);
    if (output === undefined) return analyzeOrderItem(item, inner);
    refuseCollate(item);
    return { value: orderable(resolveDynamic(columnRef(output.column, item.value.span))), ...directionOf(item) };
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
