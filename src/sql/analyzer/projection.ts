// Columns for values: a value that is a column stays that column, any other becomes a new column of one projection.
import type { Column, Expr, Rel } from '../logical/nodes.ts';
import type { Analysis } from './context.ts';

export function createProjection({ newColumn }: Analysis) {
  const items: { readonly column: Column; readonly value: Expr }[] = [];
  const add = (name: string, value: Expr): Column => {
    const column = newColumn(name || 'column', value.type);
    items.push({ column, value });
    return column;
  };
  return {
    /** Returns a new column for the value. */
    add,
    /** Returns a column for the value: its own if it is one. */
    columnOf: (name: string, value: Expr): Column => (value.kind === 'column' ? value.column : add(name, value)),
    /** Returns the relation with the new columns. */
    finish: (rel: Rel): Rel => (items.length === 0 ? rel : { kind: 'project', input: rel, items }),
  };
}
