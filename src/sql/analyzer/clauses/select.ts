// SELECT: the clauses in the order they take effect.

import { fail } from '../../base/fail.ts';
import { BOOL, structOf, type Type } from '../../base/types.ts';
import type { Expr, OrderItem, Rel } from '../../logical/nodes.ts';
import { exprKey } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeCondition, analyzeExpr } from '../analyze.ts';
import type { AnalyzedQuery, Output } from '../analyzed.ts';
import { coerce, resolveDynamic } from '../calls/coerce.ts';
import { type Context, within } from '../context.ts';
import type { Scope } from '../names/scope.ts';
import { analyzeFrom } from './from.ts';
import { createGrouping, createWindows, hasAggregate, hasWindow } from './group.ts';
import { analyzeGroupBy } from './group-by.ts';
import { groupable } from './keys.ts';
import { orderAfterDistinct } from './order-after-distinct.ts';
import { analyzeOrderItems } from './order-limit.ts';
import { analyzeItems, type SelectedItem } from './select-items.ts';

/**
 * Aliases of the SELECT list as names for GROUP BY, HAVING, QUALIFY and ORDER BY; they hide columns of FROM. Names that items have without AS
 * (`t.id`) count where no alias has them. https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#implicit_aliases
 */
function aliasScope(items: readonly SelectedItem[], scope: Scope): Scope {
  const names = new Map([...namesOf(items.filter((i) => !i.aliased)), ...namesOf(items.filter((i) => i.aliased))]);
  for (const [name, value] of names) if (value === null) names.delete(name);
  return { tables: [], names: names as ReadonlyMap<string, Expr>, parent: scope, aliases: true }; // the nulls are gone
}

/** null: items of this name differ, so that only FROM can give it a meaning. */
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
  const scope: Scope = { tables: from.tables, names: from.names, parent: outer.scope };
  const windows = new Map(select.windows.map((w) => [w.name.name.toLowerCase(), w.window]));
  const context: Context = { ...within(outer, scope), windows, noAggregates: null, noWindows: null };
  let rel = from.rel;
  if (select.where !== null) {
    const condition = analyzeCondition(select.where, { ...context, noAggregates: 'WHERE', noWindows: 'WHERE' }, 'WHERE');
    rel = { kind: 'filter', input: rel, condition };
  }

  let items = analyzeItems(select, from.tables, context);
  const aliases = { ...context, scope: aliasScope(items, scope) };
  let having = select.having === null ? null : analyzeCondition(select.having, { ...aliases, noWindows: 'HAVING' }, 'HAVING');
  let qualify = select.qualify === null ? null : coerce(analyzeExpr(select.qualify, aliases), BOOL, 'the condition of QUALIFY');
  let order = orderBy.map((item) => orderItem(item, items, aliases));

  const everything = [
    ...items.map((i) => i.value),
    ...order.map((o) => o.value),
    ...(having === null ? [] : [having]),
    ...(qualify === null ? [] : [qualify]),
  ];
  const shown = [...items.map((i) => i.value), ...order.map((o) => o.value)];
  if (having !== null && select.groupBy === null && !shown.some(hasAggregate))
    fail(
      'type',
      select.having?.span ?? select.span,
      'HAVING needs GROUP BY or an aggregate function in the SELECT list',
      'filter rows with WHERE',
    );
  if (select.groupBy !== null || everything.some(hasAggregate)) {
    const grouped = analyzeGroupBy(select.groupBy, items, aliases);
    const grouping = createGrouping(analysis, grouped.keys, columnsOf(from.tables, from.names), grouped.derived);
    items = items.map((i) => ({ ...i, value: grouping.move(i.value) }));
    having = having === null ? null : grouping.move(having);
    qualify = qualify === null ? null : grouping.move(qualify);
    order = order.map((o) => ({ ...o, value: grouping.move(o.value) }));
    rel = grouping.finish(rel, grouped.groupingSets);
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

  return showItems(select, rel, items, order, context);
}

function orderItem(item: ast.OrderItem, items: readonly SelectedItem[], aliases: Context): OrderItem {
  if (item.value.kind !== 'int_literal') {
    const [analyzed] = analyzeOrderItems([item], aliases);
    if (analyzed === undefined) throw new RangeError('one item in, one item out');
    return analyzed;
  }
  const at = items[Number(item.value.value) - 1];
  if (at === undefined)
    return fail(
      'type',
      item.value.span,
      `there is no column ${item.value.value} in the SELECT list`,
      `positions go from 1 to ${items.length}`,
    );
  return {
    value: resolveDynamic(at.value),
    descending: item.descending,
    nullsFirst: item.nulls === null ? !item.descending : item.nulls === 'FIRST',
  };
}

/** Projection, DISTINCT and ORDER BY. */
export function showItems(
  select: Pick<ast.Select, 'as' | 'distinct' | 'span'>,
  input: Rel,
  items: readonly SelectedItem[],
  order: readonly OrderItem[],
  context: Context,
): AnalyzedQuery {
  const shaped = shape(select, items);
  const { outputs, computed } = project(shaped, context, select.distinct);
  let rel: Rel = computed.length === 0 ? input : { kind: 'project', input, items: computed };
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

/** SELECT AS STRUCT makes one struct of the items; AS VALUE takes the only item as the row. */
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
 * Columns for the items; an item that is a column already stays that column, but for one shown before: each name is a column of its own to the
 * query around. DISTINCT compares values, so undeclared fields are settled first.
 */
function project(
  items: readonly SelectedItem[],
  context: Context,
  distinct: boolean,
): { outputs: readonly Output[]; computed: Extract<Rel, { kind: 'project' }>['items'] } {
  const computed: { column: Output['column']; value: Expr }[] = [];
  const taken = new Set(outerColumns(context.scope.parent));
  const outputs = items.map(({ name, value: given }): Output => {
    const value = distinct ? resolveDynamic(given) : given;
    // A column of a query around this one is a value here: it becomes a column of this query.
    if (value.kind === 'column' && !taken.has(value.column.id)) {
      taken.add(value.column.id);
      return { name, column: value.column };
    }
    const column = context.analysis.newColumn(name === '' ? 'column' : name, value.type);
    computed.push({ column, value });
    return { name, column };
  });
  return { outputs, computed };
}

/** Ids of the columns of the queries around this one. */
function outerColumns(scope: Scope | null): ReadonlySet<number> {
  const ids = new Set<number>();
  for (let at = scope; at !== null; at = at.parent) for (const id of columnsOf(at.tables, at.names)) ids.add(id);
  return ids;
}

/** Ids of the columns that FROM provides. */
export function columnsOf(tables: Scope['tables'], names: Scope['names']): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const table of tables) {
    for (const { column } of table.columns) ids.add(column.id);
    if (table.value !== null) ids.add(table.value.id);
  }
  for (const value of names.values()) if (value.kind === 'column') ids.add(value.column.id);
  return ids;
}
