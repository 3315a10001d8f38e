// WITH: common table expressions, in the order in which they read each other.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#with_clause

import { spend } from '../../base/budget.ts';
import { fail } from '../../base/fail.ts';
import { freeColumns } from '../../logical/free-columns.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeQuery } from '../analyze.ts';
import { refuseColumnCount } from '../analyzed.ts';
import type { Context, VisibleCte } from '../context.ts';
import { depthWithin, MAX_DEPTH, refuseDeep } from '../depth.ts';
import type { Scope } from '../names/scope.ts';
import { analyzeRecursiveCte } from './recursive-cte.ts';

type Ctes = Pick<ast.Query, 'ctes' | 'recursive'>;

/** Returns the CTEs that are visible behind this WITH clause. */
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
    if (recursive && tableNames(cte.query).has(key)) {
      visible.set(key, analyzeRecursiveCte(cte, context, { ...context, ctes: analyzeCtes(cte.query, context) }));
      continue;
    }
    const { rel, outputs, value } = analyzeQuery(cte.query, context);
    refuseColumnCount(cte, outputs.length);
    const columns = outputs.map((o, i) => ({ name: cte.columns[i]?.name ?? o.name, column: o.column }));
    const id = analysis.newCteId();
    const outside = freeColumns(rel);
    if (outside.size > 0) {
      const parameters = parametersOf(outer.scope);
      if ([...outside.keys()].some((column) => !parameters.has(column)))
        fail(
          'unsupported',
          cte.name.span,
          `${cte.name.name} reads columns of an outer query`,
          'a WITH table can’t be correlated: write it as a subquery in FROM',
        );
      visible.set(key, { id, columns, value, inPlace: () => analyzeQuery(cte.query, context) });
      continue;
    }
    analysis.ctes.push({ id, name: cte.name.name, rel, columns: outputs.map((o) => o.column), recursive: false });
    analysis.depths.ctes.set(id, depthWithin(rel, cte.span, analysis.depths));
    visible.set(key, { id, columns, value });
  }
  return visible;
}

/** Returns the ids of the columns that stand for the parameters of the function whose body this is. */
function parametersOf(scope: Scope): ReadonlySet<number> {
  let at: Scope | null = scope;
  while (at !== null && at.closed === undefined) at = at.parent;
  return new Set([...(at?.names.values() ?? [])].flatMap((e) => (e.kind === 'column' ? [e.column.id] : [])));
}

/** Returns each CTE behind those that it reads: WITH RECURSIVE lets it read one that is defined later. */
function inOrderOfUse(ctes: readonly ast.Cte[]): readonly ast.Cte[] {
  const byName = new Map(ctes.map((cte) => [cte.name.name.toLowerCase(), cte]));
  const ordered = new Set<ast.Cte>();
  const place = (cte: ast.Cte, readers: readonly ast.Cte[]): void => {
    if (ordered.has(cte)) return;
    spend(readers.length);
    if (readers.includes(cte)) {
      const chain = [...readers.slice(readers.indexOf(cte)), cte].map((c) => c.name.name).join(' → ');
      fail('unsupported', cte.name.span, `these WITH tables read each other: ${chain}`, 'only a table that reads itself can be recursive');
    }
    if (readers.length > MAX_DEPTH) refuseDeep(cte.span);
    const read = new Set([...tableNames(cte.query)].flatMap((name) => byName.get(name) ?? []));
    for (const other of ctes) if (other !== cte && read.has(other)) place(other, [...readers, cte]);
    ordered.add(cte);
  };
  for (const cte of ctes) place(cte, []);
  return [...ordered];
}

const namesRead = new WeakMap<ast.Query, ReadonlySet<string>>();

/** Returns the names without dots that stand as tables anywhere in the query and mean one from around it, in lower case. */
function tableNames(query: ast.Query): ReadonlySet<string> {
  const known = namesRead.get(query);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const { ctes, ...rest } = query;
  const own = new Set(ctes.map((cte) => cte.name.name.toLowerCase()));
  const add = (read: ReadonlySet<string>, hidden: ReadonlySet<string>): void => {
    spend(read.size);
    for (const name of read) if (!hidden.has(name)) names.add(name);
  };
  const before = new Set<string>();
  for (const cte of ctes) {
    add(tableNames(cte.query), query.recursive ? own : before);
    before.add(cte.name.name.toLowerCase());
  }
  const look = (node: object): void => {
    spend(1);
    const kind = 'kind' in node ? node.kind : undefined;
    if (kind === 'query' && node !== rest && 'ctes' in node) {
      add(tableNames(node as ast.Query), own); // of that kind
      return;
    }
    if (kind === 'table_name') {
      const { parts } = node as ast.TableName; // of that kind
      const [first] = parts;
      if (parts.length === 1 && first !== undefined) add(new Set([first.name.toLowerCase()]), own);
    }
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) look(value);
  };
  look(rest);
  namesRead.set(query, names);
  return names;
}
