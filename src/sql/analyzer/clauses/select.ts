// SELECT: the clauses in the order they take effect.

import { fail } from '../../base/fail.ts';
import { structOf, type Type } from '../../base/types.ts';
import type { Expr, OrderItem, Rel } from '../../logical/nodes.ts';
import { exprKey } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeCondition } from '../analyze.ts';
import type { AnalyzedQuery, Output } from '../analyzed.ts';
import { resolveDynamic } from '../calls/coerce.ts';
import { atPlace, type Context, inSubquery, scopeOf } from '../context.ts';
import type { Scope } from '../names/scope.ts';
import { createProjection } from '../projection.ts';
import { analyzeFrom } from './from.ts';
import { createGrouping, createWindows, hasAggregate, hasWindow } from './group.ts';
import { analyzeGroupBy } from './group-by.ts';
import { groupable } from './keys.ts';
import { orderAfterDistinct } from './order-after-distinct.ts';
import { analyzeOrderItem, atPosition, collated, directionOf, refuseEarlierCollate } from './order-limit.ts';
import { analyzeItems, type SelectedItem } from './select-items.ts';

/**
 * Returns the aliases of the SELECT list as names for GROUP BY, HAVING, QUALIFY and ORDER BY; they hide columns of FROM. Names that items have without AS
 * (`t.id`) count where no alias has them. https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#implicit_aliases
 */
function aliasScope(items: readonly SelectedItem[], scope: Scope): Scope {
  const names = new Map([...namesOf(items.filter((i) => !i.aliased)), ...namesOf(items.filter((i) => i.aliased))]);
  for (const [name, value] of names) if (value === null) names.delete(name);
  return { tables: [], names: names as ReadonlyMap<string, Expr>, parent: scope, aliases: true }; // the nulls are gone
}

/** Returns the items by their names; null where items of one name differ, so that only FROM can give it a meaning. */
function namesOf(items: readonly SelectedItem[]): ReadonlyMap<string, Expr | null> {
  const names = new Map<string, Expr | null>();
  for (const { name, value } of items) {
    const key = name.toLowerCase();
    const other = names.get(key);
    const same = other === undefined || (other !== null && exprKey(other) === exprKey(value));
    if (key !== '') names.set(key, same ? value : null);
  }
  return names;
}

export function analyzeSelect(select: ast.Select, outer: Context, orderBy: readonly ast.OrderItem[]): AnalyzedQuery {
  const { analysis } = outer;
  const from = analyzeFrom(select.from, outer);
  const scope = scopeOf(from, outer);
  const windows = new Map(select.windows.map((w) => [w.name.name.toLowerCase(), w.window]));
  const context: Context = { ...inSubquery(outer), scope, windows };
  let rel = from.rel;
  if (select.where !== null) {
    const condition = analyzeCondition(select.where, atPlace('WHERE', context), 'WHERE');
    rel = { kind: 'filter', input: rel, condition };
  }

  let items = analyzeItems(select, from.tables, context);
  const aliases = { ...context, scope: aliasScope(items, scope) };
  let having = select.having === null ? null : analyzeCondition(select.having, { ...aliases, noWindows: 'HAVING' }, 'HAVING');
  let qualify = select.qualify === null ? null : analyzeCondition(select.qualify, aliases, 'QUALIFY');
  refuseEarlierCollate(orderBy);
  let order = orderBy.map((item) => orderItem(item, items, aliases));

  const shown = [...items, ...order].map((i) => i.value);
  const everything = [...shown, having, qualify].filter((e) => e !== null);
  if (having !== null && select.groupBy === null && !shown.some(hasAggregate))
    fail(
      'type',
      select.having?.span ?? select.span,
      'HAVING needs GROUP BY or an aggregate function in the SELECT list',
      'filter rows with WHERE',
    );
  if (select.groupBy !== null || everything.some(hasAggregate)) {
    const grouped = analyzeGroupBy(select.groupBy, items, aliases);
    const grouping = createGrouping(analysis, grouped, columnsOf(from.tables, from.names));
    items = items.map((i) => ({ ...i, value: grouping.move(i.value) }));
    having = having === null ? null : grouping.move(having);
    qualify = qualify === null ? null : grouping.move(qualify);
    order = order.map((o) => ({ ...o, value: grouping.move(o.value) }));
    rel = grouping.finish(rel);
    if (having !== null) rel = { kind: 'filter', input: rel, condition: having };
  }

  const windowed = createWindows(analysis);
  items = items.map((i) => ({ ...i, value: windowed.move(i.value) }));
  if (qualify !== null) {
    if (!hasWindow(qualify) && !everything.some(hasWindow))
      fail('type', select.qualify?.span ?? select.span, 'QUALIFY needs a window function', 'filter with WHERE or HAVING');
    qualify = windowed.move(qualify);
  }
  order = order.map((o) => ({ ...o, value: windowed.move(o.value) }));
  rel = windowed.finish(rel);
  if (qualify !== null) rel = { kind: 'filter', input: rel, condition: qualify };

  return showItems(select, { input: rel, items, order }, context);
}

function orderItem(item: ast.OrderItem, items: readonly SelectedItem[], aliases: Context): OrderItem {
  const at = atPosition(item.value, items);
  return at === undefined ? analyzeOrderItem(item, aliases) : collated(item, { value: resolveDynamic(at.value), ...directionOf(item) });
}

interface SelectedRows {
  readonly input: Rel;
  readonly items: readonly SelectedItem[];
  readonly order: readonly OrderItem[];
}

/** Adds the projection, DISTINCT and ORDER BY. */
export function showItems(
  select: Pick<ast.Select, 'as' | 'distinct' | 'span'>,
  { input, items, order }: SelectedRows,
  context: Context,
): AnalyzedQuery {
  const shaped = shape(select, items);
  // DISTINCT compares values, so undeclared fields become texts first.
  const settled = select.distinct ? shaped.map((i) => ({ ...i, value: resolveDynamic(i.value) })) : shaped;
  let { rel, outputs } = project(settled, input, context);
  let sorted = order;
  if (select.distinct) {
    for (const { value } of shaped) groupable(value, 'SELECT DISTINCT');
    const columns = [...new Map(outputs.map((o) => [o.column.id, o.column])).values()];
    rel = { kind: 'distinct', input: rel, columns };
    sorted = orderAfterDistinct(order, { select, items, shaped, outputs }, outerColumns(context.scope.parent));
  }
  if (sorted.length > 0) rel = { kind: 'order_limit', input: rel, orderBy: sorted, limit: null, offset: null };
  return { rel, outputs, value: select.as !== null };
}

/** Shapes the items: SELECT AS STRUCT makes one struct of them, AS VALUE takes the only one as the row. */
function shape(select: Pick<ast.Select, 'as' | 'span'>, items: readonly SelectedItem[]): readonly SelectedItem[] {
  if (select.as === null) return items;
  if (select.as === 'VALUE') {
    if (items.length !== 1) fail('type', select.span, `SELECT AS VALUE takes one item, not ${items.length}`);
    return items.map((i) => ({ ...i, name: '' }));
  }
  const values = items.map((i) => resolveDynamic(i.value));
  const type: Type = structOf(items.map((i, at) => ({ name: i.name === '' ? null : i.name, type: values[at]?.type ?? i.value.type })));
  return [{ name: '', aliased: false, value: { kind: 'struct', fields: values, type, span: select.span } }];
}

/**
 * Adds columns for the items. An item that is a column already stays that column, but for one shown before: each name is a column of its own to the
 * query around.
 */
function project(items: readonly SelectedItem[], input: Rel, context: Context): Pick<AnalyzedQuery, 'rel' | 'outputs'> {
  const projection = createProjection(context.analysis);
  // A column of a query around this one is a value here: it becomes a column of this query.
  const taken = new Set(outerColumns(context.scope.parent));
  const outputs = items.map(({ name, value }): Output => {
    if (value.kind !== 'column' || taken.has(value.column.id)) return { name, column: projection.add(name, value) };
    taken.add(value.column.id);
    return { name, column: value.column };
  });
  return { rel: projection.finish(input), outputs };
}

/** Returns the ids of the columns of the queries around this one. */
function outerColumns(scope: Scope | null): ReadonlySet<number> {
  const ids = new Set<number>();
  for (let at = scope; at !== null; at = at.parent) for (const id of columnsOf(at.tables, at.names)) ids.add(id);
  return ids;
}

/** Returns the ids of the columns that FROM provides. */
export function columnsOf(tables: Scope['tables'], names: Scope['names']): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const table of tables) {
    for (const { column } of table.columns) ids.add(column.id);
    if (table.value !== null) ids.add(table.value.id);
  }
  for (const value of names.values()) if (value.kind === 'column') ids.add(value.column.id);
  return ids;
}
