// Makes the rows that a difference needs few: a query over a table becomes one over literals, or over as few rows as show it.

import { literal } from './literal.ts';
import type { Table } from './outcome.ts';
import type { Shows } from './shrink.ts';
import { leaf, type Node, nodesOf, replaced, textOf } from './tree.ts';

/** The names of columns that a text has outside of quotes. */
export function columnsIn(text: string, { columns }: Table): readonly string[] {
  const words = new Set(text.replace(/'(?:\\.|[^'\\])*'/g, '').match(/\b[a-z_]\w*\b/g));
  return columns.filter(({ name }) => words.has(name)).map(({ name }) => name);
}

/** `FROM t1` as the rows with these numbers, of the columns that are read. */
export function literalRows(table: Table, names: readonly string[], rows: Table['rows']): string {
  const wanted = table.columns.flatMap(({ name, type }, at) => (names.includes(name) ? [{ name, type, at }] : []));
  const row = (values: Table['rows'][number], named: boolean): string =>
    `SELECT ${wanted.map(({ name, type, at }) => `${literal(type, values[at] ?? null)}${named ? ` AS ${name}` : ''}`).join(', ')}`;
  return `(${rows.map((values, at) => row(values, at === 0)).join(' UNION ALL ')})`;
}

/** The query over literals of one row, two, or all; as it is where it shows the difference over a table only. */
export async function withoutTable(query: Node, table: Table, shows: Shows): Promise<Node> {
  const from = nodesOf(query).find(({ parts }) => parts.length === 1 && parts[0] === ` FROM ${table.name}`);
  if (from === undefined) return query;
  const names = columnsIn(textOf(query), table);
  const single = table.rows.map((row) => [row]);
  for (const rows of [
    ...single,
    ...single.slice(1).map(([row], at) => [...(single[at] ?? []), ...(row === undefined ? [] : [row])]),
    table.rows,
  ]) {
    const next = replaced(query, from, leaf(` FROM ${literalRows(table, names, rows)}`));
    if (await shows(next)) return next;
  }
  return query;
}
