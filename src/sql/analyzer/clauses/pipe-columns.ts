// The pipe operators that change columns and leave rows alone: SELECT, EXTEND, WINDOW, SET, DROP, RENAME, AS.

import { fail } from '../../base/fail.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { asFrom, type Output } from '../analyzed.ts';
import type { Context } from '../context.ts';
import { rowValue, tablesOf, visibleColumns, withoutNames } from '../names/visible-columns.ts';
import { createProjection } from '../projection.ts';
import { createWindows } from './group.ts';
import { inPipe, newRows, type PipeRows } from './pipe-rows.ts';
import { showItems } from './select.ts';
import { analyzeItems } from './select-items.ts';

type Pipe<K extends ast.PipeOperator['kind']> = Extract<ast.PipeOperator, { readonly kind: K }>;

const windowsOf = (windows: ast.Select['windows']): Context['windows'] =>
  new Map(windows.map((w) => [w.name.name.toLowerCase(), w.window]));

/** Applies SELECT: the items are the only columns left, and tables lose their names. */
export function selectColumns(pipe: Pipe<'pipe_select'>, rows: PipeRows, outer: Context): PipeRows {
  const context: Context = { ...inPipe(rows, outer, 'SELECT'), windows: windowsOf(pipe.windows) };
  const windows = createWindows(context.analysis);
  const items = analyzeItems(pipe, rows.tables, context).map((i) => ({ ...i, value: windows.move(i.value) }));
  const input = windows.finish(rows.rel);
  const shown = asFrom(showItems(pipe, { input, items, order: [] }, context), null);
  return pipe.distinct ? newRows(shown) : { ...shown, order: rows.order, sorted: rows.sorted && input === rows.rel };
}

/** Applies EXTEND and WINDOW: the items follow the columns there are. */
export function addColumns(pipe: Pipe<'pipe_extend' | 'pipe_window'>, rows: PipeRows, outer: Context): PipeRows {
  const context: Context = { ...inPipe(rows, outer, 'EXTEND'), windows: windowsOf(pipe.windows) };
  const items = analyzeItems({ items: pipe.items, span: pipe.span, as: null }, rows.tables, context);
  const { rel, columns, aliases } = visibleColumns(rows, context);
  const added = computed(rel, items, context);
  const names = items.map((i) => i.name);
  const tables = tablesOf({ columns: [...columns, ...added.columns], aliases: withoutNames(aliases, names) });
  return { ...rows, rel: added.rel, tables, sorted: rows.sorted && !added.windowed };
}

/** Applies SET: columns get new values in their places; `t.x` keeps the old one. */
export function replaceColumns(pipe: Pipe<'pipe_set'>, rows: PipeRows, outer: Context): PipeRows {
  const context = inPipe(rows, outer, 'SET');
  const values = pipe.items.map(({ column, value }) => ({ name: column.name, value: analyzeExpr(value, context) }));
  const { rel, columns, aliases } = visibleColumns(rows, context);
  const targets = pipe.items.map((i) => i.column);
  const places = placesOf(targets, columns, 'SET');
  const added = computed(rel, values, context);
  const replaced = columns.map((c, i): Output => {
    const at = places.indexOf(i);
    return at < 0 ? c : { name: c.name, column: added.columns[at]?.column ?? c.column };
  });
  const names = values.map((v) => v.name);
  const tables = tablesOf({ columns: replaced, aliases: withoutNames(aliases, names) });
  return { ...rows, rel: added.rel, tables, sorted: rows.sorted && !added.windowed };
}

export function dropColumns(pipe: Pipe<'pipe_drop'>, rows: PipeRows, context: Context): PipeRows {
  const { rel, columns, aliases } = visibleColumns(rows, context);
  const places = placesOf(pipe.columns, columns, 'DROP');
  const kept = columns.filter((_c, i) => !places.includes(i));
  if (kept.length === 0) fail('type', pipe.span, 'DROP would leave no columns');
  const names = pipe.columns.map((c) => c.name);
  return { ...rows, rel, tables: tablesOf({ columns: kept, aliases: withoutNames(aliases, names) }) };
}

export function renameColumns(pipe: Pipe<'pipe_rename'>, rows: PipeRows, context: Context): PipeRows {
  const { rel, columns, aliases } = visibleColumns(rows, context);
  const targets = pipe.columns.map((c) => c.from);
  const places = placesOf(targets, columns, 'RENAME');
  const renamed = columns.map((c, i): Output => ({ ...c, name: pipe.columns[places.indexOf(i)]?.to.name ?? c.name }));
  const names = pipe.columns.flatMap((c) => [c.from.name, c.to.name]);
  return { ...rows, rel, tables: tablesOf({ columns: renamed, aliases: withoutNames(aliases, names) }) };
}

/** Applies AS: one name for all columns there are, in place of the tables' own. */
export function nameRows(pipe: Pipe<'pipe_as'>, rows: PipeRows, context: Context): PipeRows {
  const { name } = pipe.alias;
  const value = rowValue(rows);
  if (value !== undefined) return { ...rows, tables: [{ name, columns: [], value: value.column }] };
  const { rel, columns } = visibleColumns(rows, context);
  return { ...rows, rel, tables: [{ name, columns, value: null }] };
}

/** Returns the relation with a new column for each value. */
function computed(
  rel: PipeRows['rel'],
  items: readonly { readonly name: string; readonly value: Expr }[],
  { analysis }: Context,
): { readonly rel: PipeRows['rel']; readonly columns: readonly Output[]; readonly windowed: boolean } {
  const windows = createWindows(analysis);
  const projection = createProjection(analysis);
  const columns = items.map(({ name, value }) => ({ name, column: projection.add(name, windows.move(value)) }));
  const input = windows.finish(rel);
  return { rel: projection.finish(input), columns, windowed: input !== rel };
}

/** Returns the positions of the named columns; each must be there exactly once. */
function placesOf(names: readonly ast.Identifier[], columns: readonly Output[], operator: string): readonly number[] {
  const places: number[] = [];
  for (const { name, span } of names) {
    const found = columns.flatMap((c, i) => (c.name.toLowerCase() === name.toLowerCase() ? [i] : []));
    const [place] = found;
    if (place === undefined)
      return fail('unknown-column', span, `${operator}: there is no column ${name}`, `the columns are ${listed(columns)}`);
    if (found.length > 1) fail('unknown-column', span, `${operator}: ${name} is ambiguous, ${found.length} columns have that name`);
    if (places.includes(place)) fail('type', span, `${operator} names ${name} twice`);
    places.push(place);
  }
  return places;
}

const listed = (columns: readonly Output[]): string => columns.flatMap((c) => (c.name === '' ? [] : [c.name])).join(', ');
