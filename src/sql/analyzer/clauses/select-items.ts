// The SELECT list: stars expanded, names found.

import { fail } from '../../base/fail.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { Context } from '../context.ts';
import { impliedName } from '../names/implied-name.ts';
import { fieldsOrSelf, type RangeVariable, starColumns, starOf } from '../names/scope.ts';

export interface SelectedItem {
  /** '' for an expression without a name. */
  readonly name: string;
  readonly value: Expr;
  /** True if the name was written with AS: later clauses may use it. */
  readonly aliased: boolean;
}

export function analyzeItems(
  select: Pick<ast.Select, 'items' | 'span' | 'as'>,
  tables: readonly RangeVariable[],
  context: Context,
): readonly SelectedItem[] {
  return select.items.flatMap((item) => (item.kind === 'star_item' ? expandStar(item, tables, context) : [analyzeItem(item, context)]));
}

function analyzeItem(item: ast.ExprItem, context: Context): SelectedItem {
  const value = analyzeExpr(item.value, context);
  const name = item.alias?.name ?? impliedName(item.value) ?? '';
  return { name, value, aliased: item.alias !== null };
}

function expandStar(item: ast.StarItem, tables: readonly RangeVariable[], context: Context): readonly SelectedItem[] {
  const all = starSource(item, tables, context);
  for (const { name, span } of item.except) {
    if (!all.some((c) => c.name.toLowerCase() === name.toLowerCase())) fail('unknown-column', span, `* has no column ${name} to leave out`);
  }
  const except = new Set(item.except.map((e) => e.name.toLowerCase()));
  const replace = new Map(item.replace.map((r) => [(r.alias?.name ?? '').toLowerCase(), r] as const));
  for (const [name, r] of replace) {
    if (!all.some((c) => c.name.toLowerCase() === name)) fail('unknown-column', r.span, `* has no column ${name} to replace`);
  }
  const kept = all.filter((c) => !except.has(c.name.toLowerCase()));
  if (kept.length === 0) fail('type', item.span, '* leaves no columns');
  return kept.map(({ name, value }) => {
    const replacement = replace.get(name.toLowerCase());
    return { name, value: replacement === undefined ? value : analyzeExpr(replacement.value, context), aliased: false };
  });
}

function starSource(
  item: ast.StarItem,
  tables: readonly RangeVariable[],
  context: Context,
): readonly { readonly name: string; readonly value: Expr }[] {
  if (item.of === null) {
    if (tables.length === 0) fail('type', item.span, '* needs a FROM clause');
    return starColumns(tables, item.span);
  }
  const single = item.of.kind === 'path' && item.of.parts.length === 1 ? item.of.parts[0]?.name.toLowerCase() : undefined;
  const table = single === undefined ? undefined : tables.find((t) => t.name?.toLowerCase() === single);
  // The offset of an element is no part of it.
  if (table !== undefined) return starOf(table.value === null ? table : { ...table, columns: [] }, item.span);
  const value = analyzeExpr(item.of, context);
  if (value.type.kind !== 'STRUCT') fail('type', item.span, `.* needs a table or a struct, not ${value.type.kind}`);
  return fieldsOrSelf(null, value, item.span);
}
