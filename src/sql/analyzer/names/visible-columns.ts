// The columns that `SELECT *` would show of a FROM clause, as plain columns: where columns are added, replaced, dropped and renamed one by one.
import type { Rel } from '../../logical/nodes.ts';
import type { AnalyzedFrom, AnalyzedQuery, Output } from '../analyzed.ts';
import type { Context } from '../context.ts';
import { createProjection } from '../projection.ts';
import { columnRef, fieldsOrSelf, type RangeVariable, starColumns } from './scope.ts';

interface VisibleColumns {
  readonly rel: Rel;
  /** The columns that are visible by their bare names, in order. */
  readonly columns: readonly Output[];
  /** The tables and rows whose columns are still visible behind their names: `t.x` keeps its meaning, whatever becomes of `x`. */
  readonly aliases: readonly RangeVariable[];
}

export function visibleColumns({ rel, tables }: AnalyzedFrom, context: Context): VisibleColumns {
  const projection = createProjection(context.analysis);
  const columns = starColumns(tables, { start: 0, end: 0 }).map(({ name, value }) => ({ name, column: projection.columnOf(name, value) }));
  return { rel: projection.finish(rel), columns, aliases: tables.filter((t) => t.name !== null) };
}

/** Returns the rows as those of a query: a value table stays one, anything else becomes its columns. */
export function queryOf(from: AnalyzedFrom, context: Context): AnalyzedQuery {
  const value = rowValue(from);
  if (value !== undefined) return { rel: from.rel, outputs: [value], value: true };
  const { rel, columns } = visibleColumns(from, context);
  return { rel, outputs: columns, value: false };
}

/** Returns the one value that each row is, where nothing else is visible. */
export function rowValue({ tables }: Pick<AnalyzedFrom, 'tables'>): Output | undefined {
  const [only, ...others] = tables;
  return only !== undefined && only.value !== null && only.columns.length === 0 && others.length === 0
    ? { name: only.name ?? '', column: only.value }
    : undefined;
}

/** Returns visible columns as the tables of a FROM clause. */
export function tablesOf({ columns, aliases }: Pick<VisibleColumns, 'columns' | 'aliases'>): readonly RangeVariable[] {
  return [{ name: null, columns, value: null }, ...aliases.map((a) => ({ ...a, hidden: new Set(ownNames(a)) }))];
}

/** Returns the names that `*` shows of a table, by which its columns are visible without its own name. */
function ownNames({ name, columns, value }: RangeVariable): readonly string[] {
  const own = value === null ? [] : fieldsOrSelf(name, columnRef(value, { start: 0, end: 0 }), { start: 0, end: 0 });
  return [...columns, ...own].map((n) => n.name.toLowerCase());
}

/** Returns the aliases that are left once columns have these names: a name has one meaning. */
export function withoutNames(aliases: readonly RangeVariable[], names: readonly string[]): readonly RangeVariable[] {
  const taken = new Set(names.map((n) => n.toLowerCase()));
  return aliases.filter((a) => a.name === null || !taken.has(a.name.toLowerCase()));
}
