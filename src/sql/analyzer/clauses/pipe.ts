// Pipe syntax: each operator takes the rows so far and gives new ones.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/pipe-syntax

import { fail } from '../../base/fail.ts';
import type { OrderItem, Rel } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeCondition, analyzeQuery } from '../analyze.ts';
import { type AnalyzedFrom, type AnalyzedQuery, asFrom, withDifferentNames } from '../analyzed.ts';
import { resolveDynamic } from '../calls/coerce.ts';
import type { Context } from '../context.ts';
import { depthWithin } from '../depth.ts';
import { columnRef } from '../names/scope.ts';
import { queryOf, rowValue, tablesOf, visibleColumns } from '../names/visible-columns.ts';
import { createProjection } from '../projection.ts';
import { analyzeCtes } from './ctes.ts';
import { joinWith } from './from.ts';
import { createWindows } from './group.ts';
import { groupable } from './keys.ts';
import { analyzeOrderItems, withLimit } from './order-limit.ts';
import { aggregateRows } from './pipe-aggregate.ts';
import { assertRows, behindAsserts } from './pipe-assert.ts';
import { addColumns, dropColumns, nameRows, renameColumns, replaceColumns, selectColumns } from './pipe-columns.ts';
import { inPipe, newRows, type PipeRows, sortedRel } from './pipe-rows.ts';
import { combine } from './set-operation.ts';
import { applyTableOperator } from './table-operator.ts';

type Pipe<K extends ast.PipeOperator['kind']> = Extract<ast.PipeOperator, { readonly kind: K }>;
type Analyzers = { readonly [K in ast.PipeOperator['kind']]: (pipe: Pipe<K>, rows: PipeRows, context: Context) => PipeRows };

const ANALYZERS: Analyzers = {
  pipe_select: selectColumns,
  pipe_extend: addColumns,
  pipe_window: addColumns,
  pipe_set: replaceColumns,
  pipe_drop: dropColumns,
  pipe_rename: renameColumns,
  pipe_as: nameRows,
  pipe_where: where,
  pipe_limit: ({ limit, offset }, rows, context) => ({
    ...rows,
    rel: withLimit({ rel: sortedRel(rows), outputs: [], value: false }, limit, offset, context).rel,
    sorted: true,
  }),
  pipe_aggregate: aggregateRows,
  pipe_distinct: distinctRows,
  pipe_order_by: orderBy,
  pipe_set_operation: setOperation,
  pipe_join: (pipe, rows, context) => newRows(withDifferentNames(joinWith(rows, pipe, context), pipe.right.span)),
  pipe_assert: assertRows,
  // The operators behind WITH see its tables: analyzePipes does that.
  pipe_with: (_pipe, rows) => rows,
  pivot: (pipe, rows, context) => newRows(applyTableOperator(pipe, rows, context)),
  unpivot: (pipe, rows, context) => newRows(applyTableOperator(pipe, rows, context)),
  tablesample: (pipe, rows, context) => newRows(applyTableOperator(pipe, rows, context)),
};

/** Applies `pipes` to the rows of `from`, which come in `order`. */
export function analyzePipes(
  from: AnalyzedFrom,
  order: readonly OrderItem[],
  pipes: readonly ast.PipeOperator[],
  outer: Context,
): AnalyzedQuery {
  // An ORDER BY without LIMIT waits until the rows leave the query or a LIMIT needs it.
  const waits = order.length > 0 && from.rel.kind === 'order_limit' && from.rel.limit === null;
  let rows: PipeRows = { ...from, rel: waits && from.rel.kind === 'order_limit' ? from.rel.input : from.rel, order, sorted: !waits };
  let context = outer;
  for (const pipe of pipes) {
    if (pipe.kind === 'pipe_with') context = { ...context, ctes: analyzeCtes({ ctes: pipe.ctes, recursive: false }, context) };
    rows = analyzePipe(pipe, rows, context);
    depthWithin(rows.rel, pipe.span, context.analysis.depths);
  }
  return queryOf({ ...rows, rel: sortedRel(rows) }, context);
}

function analyzePipe(pipe: ast.PipeOperator, rows: PipeRows, context: Context): PipeRows {
  // The table has an entry for each kind; TypeScript can't pair a kind with its own entry by itself.
  const analyze = ANALYZERS[pipe.kind] as (pipe: ast.PipeOperator, rows: PipeRows, context: Context) => PipeRows;
  return analyze(pipe, rows, context);
}

/** Applies WHERE, which may use window functions here; then it is a QUALIFY. */
function where({ condition }: Pipe<'pipe_where'>, rows: PipeRows, outer: Context): PipeRows {
  const windows = createWindows(outer.analysis);
  const moved = windows.move(analyzeCondition(condition, inPipe(rows, outer, 'WHERE'), 'WHERE'));
  const input = windows.finish(rows.rel);
  return { ...rows, rel: { kind: 'filter', input, condition: behindAsserts(input, moved) }, sorted: false };
}

function orderBy({ items }: Pipe<'pipe_order_by'>, rows: PipeRows, outer: Context): PipeRows {
  const position = items.find((i) => i.value.kind === 'int_literal');
  if (position !== undefined) fail('type', position.span, 'ORDER BY in a pipe does not take positions', 'write the name of the column');
  const windows = createWindows(outer.analysis);
  const order = analyzeOrderItems(items, inPipe(rows, outer, 'ORDER BY')).map((o) => ({ ...o, value: windows.move(o.value) }));
  return { ...rows, rel: windows.finish(rows.rel), order, sorted: false };
}

/** Applies DISTINCT: tables keep their names, as far as their columns are still there. */
function distinctRows({ span }: Pipe<'pipe_distinct'>, rows: PipeRows, context: Context): PipeRows {
  const value = rowValue(rows);
  const visible = value === undefined ? visibleColumns(rows, context) : { rel: rows.rel, columns: [value], aliases: [] };
  const projection = createProjection(context.analysis);
  const columns = visible.columns.map(({ name, column }) => ({
    name,
    column: projection.columnOf(name, groupable(resolveDynamic(columnRef(column, span)), 'DISTINCT')),
  }));
  const distinct = [...new Map(columns.map((c) => [c.column.id, c.column])).values()];
  const rel: Rel = { kind: 'distinct', input: projection.finish(visible.rel), columns: distinct };
  if (value !== undefined) return newRows(asFrom({ rel, outputs: columns, value: true }, value.name || null));
  const kept = new Set(distinct.map((c) => c.id));
  const aliases = visible.aliases
    .filter((a) => a.value === null || kept.has(a.value.id))
    .map((a) => ({ ...a, columns: a.columns.filter((c) => kept.has(c.column.id)) }));
  return newRows({ rel, tables: tablesOf({ columns, aliases }), names: new Map() });
}

function setOperation(pipe: Pipe<'pipe_set_operation'>, rows: PipeRows, context: Context): PipeRows {
  const first = { query: queryOf(rows, context), span: pipe.span };
  const others = pipe.queries.map((q) => ({ query: analyzeQuery(q, context), span: q.span }));
  return newRows(asFrom(combine(pipe, [first, ...others], context), null));
}
