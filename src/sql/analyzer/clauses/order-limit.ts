// ORDER BY and LIMIT.
import { fail } from '../../base/fail.ts';
import { INT64 } from '../../base/types.ts';
import type { Expr, OrderItem, Rel } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { AnalyzedQuery, Output } from '../analyzed.ts';
import { coerce, resolveDynamic } from '../calls/coerce.ts';
import { type Context, within, withNames } from '../context.ts';
import { columnRef, EMPTY_SCOPE, withoutColumns } from '../names/scope.ts';
import { orderable } from './keys.ts';

/** Resolves ORDER BY; GoogleSQL puts NULLs first when ascending, last when descending. */
export function analyzeOrderItems(items: readonly ast.OrderItem[], context: Context): readonly OrderItem[] {
  return items.map((item) => {
    if (item.collate !== null) fail('unsupported', item.span, 'COLLATE is not supported', 'to ignore case, order by LOWER(text)');
    const value = resolveDynamic(analyzeExpr(item.value, context));
    return {
      value: orderable(value),
      descending: item.descending,
      nullsFirst: item.nulls === null ? !item.descending : item.nulls === 'FIRST',
    };
  });
}

/** ORDER BY over a body that is not a SELECT: output names and positions only. */
export function orderByOutputs(query: AnalyzedQuery, orderBy: readonly ast.OrderItem[], context: Context): Rel {
  if (orderBy.length === 0) return query.rel;
  const names = new Map<string, Expr>();
  for (const { name, column } of query.outputs) if (name !== '') names.set(name.toLowerCase(), columnRef(column, { start: 0, end: 0 }));
  const inner = withNames(within(context, { ...EMPTY_SCOPE, parent: context.scope }), names);
  const items = orderBy.map((item): OrderItem => {
    const position = outputAt(item.value, query.outputs);
    const [ordered] = analyzeOrderItems(
      [{ ...item, value: position === undefined ? item.value : { kind: 'null_literal', span: item.value.span } }],
      inner,
    );
    if (ordered === undefined) throw new RangeError('one item in, one item out');
    return position === undefined ? ordered : { ...ordered, value: orderable(resolveDynamic(position)) };
  });
  return { kind: 'order_limit', input: query.rel, orderBy: items, limit: null, offset: null };
}

/** `ORDER BY 2`: the output at that position. */
function outputAt(value: ast.Expr, outputs: readonly Output[]): Expr | undefined {
  if (value.kind !== 'int_literal') return undefined;
  const output = outputs[Number(value.value) - 1];
  if (output === undefined)
    return fail('type', value.span, `there is no column ${value.value} in the SELECT list`, `positions go from 1 to ${outputs.length}`);
  return columnRef(output.column, value.span);
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
