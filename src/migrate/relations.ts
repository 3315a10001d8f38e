// Tables that were made of the rows of imported queries: who reads one of them reads the query here.
import { referencesOf } from '../queries/references.ts';
import { parse } from '../sql/index.ts';

interface Redirected {
  readonly sql: string;
  /** The tables whose queries are read now, with the names of these. */
  readonly read: ReadonlyMap<string, string>;
  /** The tables that are still read, since a WITH table hides the query. */
  readonly hidden: ReadonlyMap<string, string>;
}

/**
 * `` `my-proj.shop.orders` `` as `` `orders` ``, where that is the query whose rows the table held. `relations` are tables in lower case, with the
 * names of their queries. Throws `syntax`.
 */
export function redirected(
  sql: string,
  relations: ReadonlyMap<string, string>,
  hidden: ReadonlyMap<string, string> = new Map(),
): Redirected {
  const tables = referencesOf(parse(sql)).tables.flatMap(({ name, span }) => {
    const query = relations.get(name.toLowerCase());
    return query === undefined || hidden.has(name) ? [] : [{ name, span, query }];
  });
  const changed = tables
    .toReversed()
    .reduce((text, { span, query }) => `${text.slice(0, span.start)}\`${query}\`${text.slice(span.end)}`, sql);
  // A WITH table may have the name that a table has now.
  const inSight = new Set(tables.length === 0 ? [] : referencesOf(parse(changed)).tables.map(({ span }) => span.start));
  let shift = 0;
  const captured = tables.filter(({ span, query }) => {
    const start = span.start + shift;
    shift += query.length + 2 - (span.end - span.start);
    return !inSight.has(start);
  });
  if (captured.length > 0)
    return redirected(sql, relations, new Map([...hidden, ...captured.map(({ name, query }) => [name, query] as const)]));
  return { sql: changed, read: new Map(tables.map(({ name, query }) => [name, query])), hidden };
}
