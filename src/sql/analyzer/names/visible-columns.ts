// What `SELECT *` would show of a FROM clause, as plain columns: where columns are added, replaced, dropped and renamed one by one.
import type { Expr, Rel } from '../../logical/nodes.ts';
import type { AnalyzedFrom, AnalyzedQuery, Output } from '../analyzed.ts';
import type { Context } from '../context.ts';
import { type RangeVariable, starColumns } from './scope.ts';

interface VisibleColumns {
  readonly rel: Rel;
  /** Visible by their bare names, in order. */
  readonly columns: readonly Output[];
  /** Tables and rows whose columns are still visible behind their names: `t.x` is what it was, whatever became of `x`. */
  readonly aliases: readonly RangeVariable[];
}

export function visibleColumns({ rel, tables }: AnalyzedFrom, context: Context): VisibleColumns {
  const items: { column: Output['column']; value: Expr }[] = [];
  const columns = starColumns(tables, { start: 0, end: 0 }).map(({ name, value }): Output => {
    if (value.kind === 'column') return { name, column: value.column };
    const column = context.analysis.newColumn(name === '' ? 'column' : name, value.type);
    items.push({ column, value });
    return { name, column };
  });
  return {
    rel: items.length === 0 ? rel : { kind: 'project', input: rel, items },
    columns,
    aliases: tables.filter((t) => t.name !== null),
  };
}

/** The rows as those of a query: a value table stays one, anything else is its columns. */
export function queryOf(from: AnalyzedFrom, context: Context): AnalyzedQuery {
  const value = rowValue(from);
  if (value !== undefined) return { rel: from.rel, outputs: [value], value: true };
  const { rel, columns } = visibleColumns(from, context);
  return { rel, outputs: columns, value: false };
}

/** The one value that each row is, where nothing else is visible. */
export function rowValue({ tables }: Pick<AnalyzedFrom, 'tables'>): Output | undefined {
  const [only, ...others] = tables;
  return only !== undefined && only.value !== null && only.columns.length === 0 && others.length === 0
    ? { name: only.name ?? '', column: only.value }
    : undefined;
}

/** The same as the tables of a FROM clause. */
export function tablesOf({ columns, aliases }: Pick<VisibleColumns, 'columns' | 'aliases'>): readonly RangeVariable[] {
  return [{ name: null, columns, value: null }, ...aliases.map((a) => ({ ...a, hidden: new Set(ownNames(a)) }))];
}

/** Names that `*` shows of a table, and by which its columns are visible without its own name. */
function ownNames({ name, columns, value }: RangeVariable): readonly string[] {
  const own = value === null ? [] : value.type.kind === 'STRUCT' ? value.type.fields.map((f) => f.name ?? '') : [name ?? ''];
  return [...columns.map((c) => c.name), ...own].map((n) => n.toLowerCase());
}

/** The aliases that are left when columns of these names come to be: a name has one meaning. */
export function withoutNames(aliases: readonly RangeVariable[], names: readonly string[]): readonly RangeVariable[] {
  const taken = new Set(names.map((n) => n.toLowerCase()));
  return aliases.filter((a) => a.name === null || !taken.has(a.name.toLowerCase()));
}
