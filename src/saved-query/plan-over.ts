// Plans of queries over the rows of a saved query: what quern itself asks of a result.
import type { QueryCatalog } from './catalog.ts';
import { type Plan, type PlanDependencies, planQuery } from './plan.ts';
import type { SavedQuery } from './saved-query.ts';

/** What FROM calls the rows. No source and no saved query can have that name. */
export const CHECKED_ROWS = '`checked rows`';
const TABLE = 'checked rows';
/** The name of the query's own text in errors. */
export const QUERY_OVER = 'query over rows';

/**
 * The plan of `sql`, a BigQuery query that reads CHECKED_ROWS: the rows of `query`, no more than its `max_rows` of them, in its order. It has
 * the parameters and limits of `query`, and a row limit of its own. Throws as planQuery does; a span in `sql` has QUERY_OVER as its source.
 */
export async function planOver(query: SavedQuery, sql: string, maxRows: number, deps: PlanDependencies): Promise<Plan> {
  const { parse } = await import('../sql/index.ts');
  const limited = withRows(query, parse(query.source.text).query.span.end);
  const catalog: QueryCatalog = {
    ...deps.catalog,
    named: (name) => (name === TABLE ? { name: TABLE, source: limited } : deps.catalog.named(name)),
  };
  const { name, id, ttlSeconds, limits, parameters } = query;
  const over: SavedQuery = {
    name,
    id,
    description: '',
    dialect: 'bigquery',
    maxRows,
    ttlSeconds,
    sandbox: false,
    redactPii: false,
    limits,
    parameters,
    source: { name: QUERY_OVER, text: sql },
  };
  return planQuery(over, { catalog, sources: deps.sources });
}

/** A pipe operator keeps the order of what it limits; a subquery would not. */
function withRows({ source, maxRows, id }: SavedQuery, end: number): SavedQuery['source'] {
  const text = `${source.text.slice(0, end)}\n|> limit ${maxRows}\n${source.text.slice(end)}`;
  // A draft has no header, without which a query cannot be read as a table.
  return { name: source.name, text: id === '' ? `/*---\nid: 00000000-0000-0000-0000-000000000000\n---*/\n${text}` : text };
}
