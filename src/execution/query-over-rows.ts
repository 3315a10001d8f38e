// Prepared queries of queries over the rows of a saved query: what quern itself asks of a result.

import type { EngineColumn } from '../engine/engine.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import { DRAFT, type SavedQuery } from '../queries/saved-query.ts';
import type { Sources } from '../sources/kind.ts';
import { bareDefinition } from '../sources/source-definition.ts';
import { sourceFromTable } from '../sources/table/table-source.ts';
import { openExecution } from './execute.ts';
import { type PrepareDependencies, type PreparedQuery, prepareQuery } from './prepared-query.ts';
import { readRunOptions } from './request.ts';
import type { RunDependencies } from './run.ts';

/** The name of the rows in FROM. No source and no saved query can have it. */
export const CHECKED_ROWS = '`checked rows`';
const TABLE = 'checked rows';
/** The same in ClickHouse SQL. */
const CTE = 'quern_checked_rows';
/** The name of the query's own text in errors. */
export const QUERY_OVER = 'query over rows';

export interface SavedRows {
  readonly query: SavedQuery;
  /** Present for ClickHouse SQL, whose columns only the engine knows. */
  readonly described?: { readonly prepared: PreparedQuery; readonly columns: readonly EngineColumn[] };
}

/** The rows of a query called with `given`. Asks the engine for the columns of ClickHouse SQL; throws as executePrepared does. */
export async function savedRows(
  query: SavedQuery,
  prepared: PreparedQuery,
  { given, signal }: { readonly given: Readonly<Record<string, unknown>>; readonly signal: AbortSignal },
  deps: RunDependencies,
): Promise<SavedRows> {
  if (prepared.dialect === 'bigquery') return { query };
  const request = readRunOptions(prepared, { arguments: given, signal }, deps);
  const { rows } = await (await openExecution(prepared, request, deps)).ask(`DESCRIBE TABLE (\n${prepared.sql}\n)`);
  return { query, described: { prepared, columns: rows.map(([column, type]) => ({ name: String(column), type: String(type) })) } };
}

/**
 * The prepared query of `sql`, a BigQuery query that reads CHECKED_ROWS: the rows of a saved query, no more than its `max_rows` of them, in its order.
 * It has the parameters and limits of that query, and a row limit of its own. Throws as prepareQuery does; a span in `sql` has QUERY_OVER as
 * its source.
 */
export async function prepareOver(
  { query, described }: SavedRows,
  sql: string,
  maxRows: number,
  deps: PrepareDependencies,
): Promise<PreparedQuery> {
  const { name, id, ttlSeconds, limits, parameters } = query;
  const over: SavedQuery = {
    ...DRAFT,
    name,
    id,
    maxRows,
    ttlSeconds,
    limits,
    parameters: described === undefined ? parameters : [],
    source: { name: QUERY_OVER, text: sql },
  };
  if (described !== undefined) return overClickHouse(over, query, described, deps);
  const { parse } = await import('../sql/index.ts');
  const limited = withRows(query, parse(query.source.text).query.span.end);
  const catalog: QueryCatalog = {
    ...deps.catalog,
    named: (wanted) => (wanted === TABLE ? { name: TABLE, source: limited } : deps.catalog.named(wanted)),
  };
  return prepareQuery(over, { catalog, sources: deps.sources });
}

/** A pipe operator keeps the order of what it limits; a subquery would not. */
function withRows({ source, maxRows, id }: SavedQuery, end: number): SavedQuery['source'] {
  const text = `${source.text.slice(0, end)}\n|> limit ${maxRows}\n${source.text.slice(end)}`;
  // A draft has no header, without which a query cannot be read as a table.
  return { name: source.name, text: id === '' ? `/*---\nid: 00000000-0000-0000-0000-000000000000\n---*/\n${text}` : text };
}

/** ClickHouse SQL cannot be part of BigQuery SQL: its rows are a table with the columns that the engine names. */
async function overClickHouse(
  over: SavedQuery,
  { maxRows }: SavedQuery,
  { prepared, columns }: NonNullable<SavedRows['described']>,
  deps: PrepareDependencies,
): Promise<PreparedQuery> {
  const rows = sourceFromTable(bareDefinition(TABLE, { table: CTE }), columns);
  const sources: Sources = {
    ...deps.sources,
    async resolve(names) {
      const known = await deps.sources.resolve([...names].filter((name) => name !== TABLE));
      return { names: known.names, find: (name) => (name === TABLE ? rows : known.find(name)) };
    },
  };
  // Its SQL is but the end of what is run.
  const {
    statement: _,
    ownLimit: __,
    ...asked
  } = await prepareQuery(over, {
    catalog: deps.catalog,
    sources,
  });
  const names = new Set(prepared.bound.map(({ name }) => name));
  return {
    ...asked,
    parameters: prepared.parameters,
    sql: `WITH ${CTE} AS (\nSELECT * FROM (\n${prepared.sql}\n) LIMIT ${maxRows}\n)\nSELECT * FROM (\n${asked.sql}\n)`,
    bound: [...prepared.bound, ...asked.bound.filter(({ name }) => !names.has(name))],
    settings: { ...asked.settings, ...prepared.settings },
    sources: asked.sources.filter((name) => name !== TABLE),
  };
}
