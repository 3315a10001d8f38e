// Queries: WITH, the body, ORDER BY and LIMIT.
import type * as ast from '../ast.ts';
import type { Column, Expr, OrderItem, Rel } from '../resolved.ts';
import { INT64 } from '../types.ts';
import { analyzeOrderItems, orderable } from './call.ts';
import { coerce, settle } from './coerce.ts';
import { type Context, within, withNames } from './context.ts';
import { analyzeCtes } from './ctes.ts';
import { depthWithin } from './depth.ts';
import { analyzeExpr } from './expression.ts';
import { fail } from './fail.ts';
import { analyzeFrom, rangeVariable } from './from.ts';
import { analyzePipes } from './pipe.ts';
import { columnRef, EMPTY_SCOPE } from './scope.ts';
import { analyzeSelect } from './select.ts';
import { analyzeSetOperation } from './set-operation.ts';

export interface Output {
  /** '' for an expression without a name. */
  readonly name: string;
  readonly column: Column;
}

export interface AnalyzedQuery {
  readonly rel: Rel;
  readonly outputs: readonly Output[];
  /** SELECT AS STRUCT or AS VALUE: the one output is the row. */
  readonly value: boolean;
}

export function analyzeQuery(query: ast.Query, outer: Context): AnalyzedQuery {
  const analyzed = analyzeWhole(query, outer);
  depthWithin(analyzed.rel, query.span, outer.analysis.depths);
  return analyzed;
}

function analyzeWhole(query: ast.Query, outer: Context): AnalyzedQuery {
  const context: Context = { ...outer, ctes: analyzeCtes(query, outer), windows: new Map() };
  // FROM at the start of pipes keeps the names of its tables for them.
  if (query.body.kind === 'from' && query.pipes.length > 0)
    return analyzePipes(analyzeFrom(query.body.from, context), [], query.pipes, context);
  const analyzed = analyzeBody(query.body, context, query.orderBy);
  const ordered = query.body.kind === 'select' ? analyzed : { ...analyzed, rel: orderByOutputs(analyzed, query.orderBy, context) };
  const limited = withLimit(ordered, query.limit, query.offset, context);
  if (query.pipes.length === 0) return limited;
  const { rel, outputs, value } = limited;
  const sorted = rel.kind === 'order_limit' ? rel.orderBy : [];
  return analyzePipes({ rel, tables: [rangeVariable(null, outputs, value)], names: new Map() }, sorted, query.pipes, context);
}

/** A body; ORDER BY is passed on to SELECT, which may order by what it does not show. */
export function analyzeBody(body: ast.QueryBody, context: Context, orderBy: readonly ast.OrderItem[] = []): AnalyzedQuery {
  switch (body.kind) {
    case 'select':
      return analyzeSelect(body, context, orderBy);
    case 'set_operation':
      return analyzeSetOperation(body, context);
    case 'query':
      return analyzeQuery(body, context);
    case 'from': {
      const { span } = body;
      const star: ast.StarItem = { kind: 'star_item', of: null, except: [], replace: [], span };
      const select: ast.Select = {
        kind: 'select',
        distinct: false,
        as: null,
        items: [star],
        from: body.from,
        where: null,
        groupBy: null,
        having: null,
        qualify: null,
        windows: [],
        span,
      };
      return analyzeSelect(select, context, orderBy);
    }
  }
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
    return position === undefined ? ordered : { ...ordered, value: orderable(settle(position)) };
  });
  return { kind: 'order_limit', input: query.rel, orderBy: items, limit: null, offset: null };
}

/** `ORDER BY 2`: the output at that position. */
export function outputAt(value: ast.Expr, outputs: readonly Output[]): Expr | undefined {
  if (value.kind !== 'int_literal') return undefined;
  const output = outputs[Number(value.value) - 1];
  if (output === undefined)
    return fail('type', value.span, `there is no column ${value.value} in the SELECT list`, `positions go from 1 to ${outputs.length}`);
  return columnRef(output.column, value.span);
}

export function withLimit(query: AnalyzedQuery, limit: ast.Expr | null, offset: ast.Expr | null, context: Context): AnalyzedQuery {
  if (limit === null) return query;
  const count = (node: ast.Expr, clause: string): Expr => {
    const value = coerce(analyzeExpr(node, within(context, EMPTY_SCOPE)), INT64, clause);
    if (value.kind === 'literal' && (value.value === null || (typeof value.value === 'bigint' && value.value < 0n)))
      fail('type', node.span, `${clause} can’t be ${value.value ?? 'NULL'}`);
    if (value.kind !== 'literal' && value.kind !== 'parameter' && value.kind !== 'cast')
      fail('type', node.span, `${clause} takes a number or a parameter`);
    return value;
  };
  const limited = { limit: count(limit, 'LIMIT'), offset: offset === null ? null : count(offset, 'OFFSET') };
  if (query.rel.kind === 'order_limit' && query.rel.limit === null) return { ...query, rel: { ...query.rel, ...limited } };
  return { ...query, rel: { kind: 'order_limit', input: query.rel, orderBy: [], ...limited } };
}
