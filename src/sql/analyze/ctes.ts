// WITH: common table expressions, in the order in which they read each other.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#with_clause
import type * as ast from '../ast.ts';
import type { Context, VisibleCte } from './context.ts';
import { depthOf } from './depth.ts';
import { fail } from './fail.ts';
import { analyzeQuery } from './query.ts';
import { analyzeRecursiveCte } from './recursive-cte.ts';

type Ctes = Pick<ast.Query, 'ctes' | 'recursive'>;

/** The CTEs visible behind this WITH clause. */
export function analyzeCtes({ ctes, recursive }: Ctes, outer: Context): ReadonlyMap<string, VisibleCte> {
  if (ctes.length === 0) return outer.ctes;
  const { analysis } = outer;
  const visible = new Map(outer.ctes);
  const own = new Set<string>();
  for (const { name } of ctes) {
    const key = name.name.toLowerCase();
    if (own.has(key)) fail('type', name.span, `WITH defines ${name.name} twice`, 'give one of them another name');
    own.add(key);
  }
  for (const cte of recursive ? inOrderOfUse(ctes) : ctes) {
    const key = cte.name.name.toLowerCase();
    const context: Context = { ...outer, ctes: visible };
    if (recursive && refersTo(cte.query, key)) {
      visible.set(key, analyzeRecursiveCte(cte, context));
      continue;
    }
    const { rel, outputs, value } = analyzeQuery(cte.query, context);
    if (cte.columns.length > 0 && cte.columns.length !== outputs.length) {
      fail('type', cte.name.span, `${cte.name.name} names ${cte.columns.length} columns and its query returns ${outputs.length}`);
    }
    const id = analysis.newCteId();
    analysis.ctes.push({ id, name: cte.name.name, rel, columns: outputs.map((o) => o.column), recursive: false });
    analysis.depths.ctes.set(id, depthOf(rel, analysis.depths));
    visible.set(key, { id, columns: outputs.map((o, i) => ({ name: cte.columns[i]?.name ?? o.name, column: o.column })), value });
  }
  return visible;
}

/** WITH RECURSIVE lets a CTE read one that is defined later. */
function inOrderOfUse(ctes: readonly ast.Cte[]): readonly ast.Cte[] {
  const ordered: ast.Cte[] = [];
  const place = (cte: ast.Cte, readers: readonly ast.Cte[]): void => {
    if (ordered.includes(cte)) return;
    if (readers.includes(cte)) {
      const chain = [...readers.slice(readers.indexOf(cte)), cte].map((c) => c.name.name).join(' → ');
      fail('unsupported', cte.name.span, `these WITH tables read each other: ${chain}`, 'only a table that reads itself can be recursive');
    }
    for (const other of ctes) {
      if (other !== cte && refersTo(cte.query, other.name.name.toLowerCase())) place(other, [...readers, cte]);
    }
    ordered.push(cte);
  };
  for (const cte of ctes) place(cte, []);
  return ordered;
}

/** Whether a table name equal to `name` stands anywhere in the query. */
function refersTo(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some((n) => refersTo(n, name));
  const shape = node as Readonly<Record<string, unknown>>;
  if (shape['kind'] === 'table_name') {
    const { parts } = node as ast.TableName;
    if (parts.length === 1 && parts[0]?.name.toLowerCase() === name) return true;
  }
  return Object.values(shape).some((value) => refersTo(value, name));
}
