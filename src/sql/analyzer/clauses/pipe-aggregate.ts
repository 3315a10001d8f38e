// The pipe operator AGGREGATE: grouping keys, then aggregates, and the order that they may have.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/pipe-syntax#aggregate_pipe_operator

import { fail } from '../../base/fail.ts';
import type { OrderItem } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { resolveDynamic } from '../calls/coerce.ts';
import { type Context, withNames } from '../context.ts';
import { impliedName } from '../names/implied-name.ts';
import { columnRef } from '../names/scope.ts';
import { createGrouping, hasAggregate } from './group.ts';
import { analyzeGroupBy } from './group-by.ts';
import { orderable } from './keys.ts';
import { directionOf } from './order-limit.ts';
import { inPipe, type PipeRows } from './pipe-rows.ts';
import { columnsOf, showItems } from './select.ts';
import { analyzeItems, type SelectedItem } from './select-items.ts';

type PipeAggregate = Extract<ast.PipeOperator, { readonly kind: 'pipe_aggregate' }>;

/** A key as the query writes it, with its name. */
interface WrittenKey {
  readonly name: string;
  readonly order: ast.OrderItem | null;
}

export function aggregateRows(pipe: PipeAggregate, rows: PipeRows, outer: Context): PipeRows {
  const context: Context = { ...inPipe(rows, outer, 'AGGREGATE'), noAggregates: null, noWindows: 'the pipe operator AGGREGATE' };
  const items = analyzeItems({ items: pipe.items, span: pipe.span, as: null }, rows.tables, context);
  for (const { value } of items) {
    if (!hasAggregate(value))
      fail('type', value.span, 'AGGREGATE takes aggregate functions', 'put other expressions after GROUP BY, or compute them with EXTEND');
  }
  refusePositions(pipe.groupBy);
  // Keys see columns only: there are no aliases of a SELECT list here.
  const grouped = analyzeGroupBy(pipe.groupBy, [], withNames(context, new Map()));
  const { keys, groupingSets, written } = grouped;
  const grouping = createGrouping(context.analysis, { ...grouped, derived: new Set() }, columnsOf(rows.tables, rows.names));
  const aggregates = items.map((i): SelectedItem => ({ ...i, value: grouping.move(i.value) }));
  const writtenKeys = (pipe.groupBy?.items ?? []).flatMap(keysOf);
  // A key that several grouping sets name is one column; one that a plain list names twice is two.
  const shownKeys = written.flatMap((at, i): { key: number; item: WrittenKey }[] => {
    const item = writtenKeys[i];
    return item === undefined || (groupingSets !== null && written.indexOf(at) !== i) ? [] : [{ key: at, item }];
  });
  const keyItems = shownKeys.map(({ key, item }): SelectedItem => {
    const column = keys[key]?.column;
    if (column === undefined) throw new RangeError('a written key is a key');
    return { name: item.name, value: columnRef(column, pipe.span), aliased: false };
  });
  const input = grouping.finish(rows.rel);
  const shown = showItems(
    { as: null, distinct: false, span: pipe.span },
    { input, items: [...keyItems, ...aggregates], order: [] },
    context,
  );

  const directions = [
    ...shownKeys.map(({ item }) => item.order ?? (pipe.orderGroups ? ASCENDING : null)),
    ...pipe.items.map((i) => i.order),
  ];
  const order = directions.flatMap((direction, i): OrderItem[] => {
    const column = shown.outputs[i]?.column;
    if (direction === null || column === undefined) return [];
    return [{ value: orderable(resolveDynamic(columnRef(column, pipe.span))), ...directionOf(direction) }];
  });
  return { rel: shown.rel, tables: [{ name: null, columns: shown.outputs, value: null }], names: new Map(), order, sorted: false };
}

const ASCENDING = { descending: false, nulls: null } as const;

function keysOf(item: ast.GroupingItem): readonly WrittenKey[] {
  const named = (value: ast.Expr): WrittenKey => ({ name: impliedName(value) ?? '', order: null });
  switch (item.kind) {
    case 'expr':
      return [{ name: item.alias?.name ?? impliedName(item.value) ?? '', order: item.order }];
    case 'set':
      return item.items.map(named);
    case 'rollup':
    case 'cube':
      return item.items.flat().map(named);
    case 'grouping_sets':
      return item.items.flatMap(keysOf);
  }
}

function refusePositions(groupBy: ast.GroupBy | null): void {
  if (groupBy === null) return;
  if (groupBy.all) fail('unsupported', groupBy.span, 'GROUP BY ALL has no SELECT list to take keys from in a pipe', 'name the keys');
  for (const item of groupBy.items) {
    if (item.kind === 'expr' && item.value.kind === 'int_literal')
      fail('type', item.span, 'GROUP BY in a pipe does not take positions', 'write the expression itself');
  }
}
