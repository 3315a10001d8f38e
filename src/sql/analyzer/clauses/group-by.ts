// GROUP BY: keys from expressions, positions and aliases; grouping sets as index sets.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#group_by_clause

import { spend } from '../../base/budget.ts';
import { fail } from '../../base/fail.ts';
import type { Aggregate, Expr } from '../../logical/nodes.ts';
import { columnsRead, exprKey } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { resolveDynamic } from '../calls/coerce.ts';
import { atPlace, type Context } from '../context.ts';
import { impliedName } from '../names/implied-name.ts';
import { type GroupedBy, hasAggregate, hasWindow } from './group.ts';
import { groupable } from './keys.ts';
import { atPosition } from './order-limit.ts';
import type { SelectedItem } from './select-items.ts';

interface WrittenGroups extends GroupedBy {
  /** The keys as the query writes them, from left to right, as positions in `keys`. */
  readonly written: readonly number[];
}

const MAX_SETS = 4096;

export function analyzeGroupBy(groupBy: ast.GroupBy | null, items: readonly SelectedItem[], context: Context): WrittenGroups {
  if (groupBy === null) return { keys: [], groupingSets: null, written: [], derived: new Set() };
  const keys: Aggregate['keys'][number][] = [];
  const positions = new Map<string, number>();
  const keyOf = (value: Expr, name: string): number => {
    const text = exprKey(value);
    const known = positions.get(text);
    if (known !== undefined) return known;
    keys.push({ column: context.analysis.newColumn(name, value.type), value });
    positions.set(text, keys.length - 1);
    return keys.length - 1;
  };
  if (groupBy.all) {
    for (const item of items)
      if (!hasAggregate(item.value) && !hasWindow(item.value) && item.value.kind !== 'literal')
        keyOf(groupable(item.value, 'GROUP BY'), item.name || 'key');
    return { keys, groupingSets: null, written: [...keys.keys()], derived: new Set() };
  }
  const written: number[] = [];
  const byItem = new Set<number>();
  const key = (node: ast.Expr): number => {
    const at = keyOf(...resolveKey(node, items, context));
    if (node.kind === 'int_literal' || node.kind === 'path') byItem.add(at);
    written.push(at);
    return at;
  };
  const sets = groupBy.items.map((item) => setsOf(item, key));
  if (groupBy.items.every((i) => i.kind === 'expr')) return { keys, groupingSets: null, written, derived: new Set() };
  const count = sets.reduce((product, { length }) => product * length, 1);
  if (count > MAX_SETS) fail('unsupported', groupBy.span, `this GROUP BY makes ${count} grouping sets, BigQuery allows ${MAX_SETS}`);
  const product = sets.reduce<readonly (readonly number[])[]>(
    (left, right) => left.flatMap((l) => right.map((r) => [...new Set([...l, ...r])])),
    [[]],
  );
  const columns = new Set(keys.flatMap((k) => (k.value.kind === 'column' ? [k.value.column.id] : [])));
  const derived = keys.flatMap(({ value }, i) => {
    const read = [...columnsRead(value)];
    return !byItem.has(i) && read.length > 0 && read.every((id) => columns.has(id)) ? [i] : [];
  });
  return { keys, groupingSets: product, written, derived: new Set(derived) };
}

/** Returns a key and its name: it is a position, an alias of the SELECT list, or an expression over FROM. */
function resolveKey(node: ast.Expr, items: readonly SelectedItem[], context: Context): [Expr, string] {
  const item = atPosition(node, items);
  if (item !== undefined) return [checkKey(item.value, node), item.name || 'key'];
  const single = node.kind === 'path' && node.parts.length === 1;
  // Only a bare name may mean an alias; inside an expression names are columns of FROM.
  const scope = single ? context.scope : (context.scope.parent ?? context.scope);
  const value = analyzeExpr(node, atPlace('GROUP BY', { ...context, scope }));
  return [checkKey(value, node), impliedName(node) ?? 'key'];
}

function checkKey(value: Expr, node: ast.Expr): Expr {
  if (hasAggregate(value))
    fail(
      'type',
      node.span,
      'GROUP BY can’t use an aggregate',
      'group by what the aggregate is computed from, or compute it in a subquery first',
    );
  if (hasWindow(value)) fail('type', node.span, 'GROUP BY can’t use a window function', 'compute it in a subquery first');
  return groupable(value.type.kind === 'DYNAMIC' ? value : resolveDynamic(value), 'GROUP BY');
}

/** Returns the grouping sets that one item stands for. */
function setsOf(item: ast.GroupingItem, key: (node: ast.Expr) => number): readonly (readonly number[])[] {
  switch (item.kind) {
    case 'expr':
      return [[key(item.value)]];
    case 'set':
      return [item.items.map(key)];
    case 'grouping_sets':
      return item.items.flatMap((i) => setsOf(i, key));
    case 'rollup': {
      const parts = item.items.map((group) => group.map(key));
      spend(parts.length ** 2 / 2);
      return Array.from({ length: parts.length + 1 }, (_, dropped) => parts.slice(0, parts.length - dropped).flat());
    }
    case 'cube': {
      const parts = item.items.map((group) => group.map(key));
      if (parts.length > 12) fail('too-complex', item.span, `CUBE over ${parts.length} keys makes too many grouping sets`);
      spend(2 ** parts.length * parts.length);
      return Array.from({ length: 2 ** parts.length }, (_, mask) =>
        parts.filter((_part, i) => (mask & (1 << (parts.length - 1 - i))) === 0).flat(),
      );
    }
  }
}
