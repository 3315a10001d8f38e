// PIVOT: rows become columns, one per value and aggregate. It is a GROUP BY over the remaining columns with aggregates that see only
// the rows of their value.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#pivot_operator

import { fail } from '../../base/fail.ts';
import { INT64 } from '../../base/types.ts';
import type { Aggregate, AggregateCall, Column, Expr } from '../../logical/nodes.ts';
import { columnsRead } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { AnalyzedFrom, Output } from '../analyzed.ts';
import { callFunction } from '../calls/call-function.ts';
import { resolveDynamic } from '../calls/coerce.ts';
import { type Context, within } from '../context.ts';
import { columnRef, type Scope } from '../names/scope.ts';
import { tablesOf, visibleColumns } from '../names/visible-columns.ts';
import { createProjection } from '../projection.ts';
import { groupable } from './keys.ts';
import { pivotColumnName } from './pivot-name.ts';

export function pivot(node: ast.Pivot, from: AnalyzedFrom, outer: Context): AnalyzedFrom {
  const { analysis } = outer;
  const visible = visibleColumns(from, outer);
  const scope: Scope = { tables: tablesOf(visible), names: new Map(), parent: outer.scope };
  const context: Context = { ...within(outer, scope), noAggregates: null, noWindows: 'PIVOT' };
  const calls = node.aggregates.map(({ call, alias }) => ({ call: aggregateOf(call, context), alias }));
  const input = resolveDynamic(analyzeExpr(node.input, { ...context, noAggregates: 'FOR of PIVOT' }));
  groupable(input, 'PIVOT');

  // Each column of the result reads the value that decides, so it becomes a column.
  const projection = createProjection(analysis);
  const decides = input.kind === 'column' ? input : columnRef(projection.add('pivoted', input), input.span);

  const read = columnsRead(input);
  for (const { call } of calls) columnsRead(call, read);
  const keys = visible.columns
    .filter((c) => !read.has(c.column.id))
    .map(({ name, column }) => {
      const value = groupable(resolveDynamic(columnRef(column, node.span)), 'PIVOT');
      return { name, value, column: analysis.newColumn(name === '' ? 'key' : name, value.type) };
    });

  const aggregates: { column: Column; call: AggregateCall }[] = [];
  const outputs: Output[] = keys.map(({ name, column }) => ({ name, column }));
  for (const { value, alias } of node.columns) {
    const wanted = analyzeExpr(value, { ...context, scope: { tables: [], names: new Map(), parent: null }, noAggregates: 'IN of PIVOT' });
    const test = isValue(decides, wanted, value.span);
    for (const { call, alias: prefix } of calls) {
      const name = pivotColumnName(wanted, alias?.name ?? null, prefix?.name ?? null);
      const column = analysis.newColumn(name, call.type);
      aggregates.push({ column, call: only(call, test) });
      outputs.push({ name, column });
    }
  }
  const grouped: Aggregate = {
    kind: 'aggregate',
    input: projection.finish(visible.rel),
    keys: keys.map(({ column, value }) => ({ column, value })),
    groupingSets: null,
    aggregates,
    groupings: [],
  };
  return { rel: grouped, tables: [{ name: node.alias?.name ?? null, columns: outputs, value: null }], names: new Map() };
}

/** Tests for a value of PIVOT. NULL and NaN are values here; comparing with a literal needs no care for them. */
function isValue(decides: Expr, wanted: Expr, span: Expr['span']): Expr {
  if (wanted.kind !== 'literal') return callFunction('$is_not_distinct', [decides, wanted], span);
  return wanted.value === null ? callFunction('$is_null', [decides], span) : callFunction('$equal', [decides, wanted], span);
}

function aggregateOf(node: ast.Expr, context: Context): AggregateCall {
  const value = analyzeExpr(node, context);
  if (value.kind !== 'aggregate') return fail('type', node.span, 'PIVOT takes aggregate functions', 'e.g. PIVOT(SUM(x) FOR y IN (1, 2))');
  const { call } = value;
  const name = call.fn.name;
  if (call.having !== null) return fail('unsupported', node.span, `${name} with HAVING ${call.having.which} in PIVOT is not supported`);
  // The other rows are hidden behind NULLs, which the aggregate must not see.
  if (call.nulls === 'RESPECT' || (call.fn.collects === 'all' && call.nulls !== 'IGNORE'))
    return fail(
      'unsupported',
      node.span,
      `${name} in PIVOT must ignore NULLs`,
      call.fn.takes.nulls ? `write ${name}(… IGNORE NULLS)` : 'use GROUP BY instead of PIVOT',
    );
  return call;
}

/** Returns the call over the rows for which `test` is true: its first argument is NULL for all others. */
function only(call: AggregateCall, test: Expr): AggregateCall {
  const [first, ...rest] = call.args;
  const value: Expr = first ?? { kind: 'literal', value: 1n, type: INT64, span: call.span };
  const hidden: Expr = { kind: 'case', whens: [{ when: test, then: value }], otherwise: null, type: value.type, span: value.span };
  return { ...call, args: [hidden, ...rest] };
}
