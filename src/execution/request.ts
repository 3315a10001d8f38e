// What is asked of a saved query, whoever asks and wherever its rows go.

import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import type { CacheMode } from '../cache/cache.ts';
import { instantAt, readTimestamp, TIMESTAMP_FORMS } from '../queries/instant.ts';
import { readArguments } from '../queries/parameters.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import type { SourceDefinition } from '../sources/definition.ts';
import { INSTANT_PARAMETER } from '../sql/translation.ts';
import type { ExecutionRequest } from './execute.ts';
import { type PrepareDependencies, type PreparedQuery, prepare, prepareQuery } from './prepared-query.ts';

export interface QueryRequest {
  /** Name, UUID or path of a saved query, one that no file holds, or a prepared query made before. */
  readonly query: string | SavedQuery | PreparedQuery;
  /** Files that the query names by their paths: see filesAmong of services.ts. */
  readonly files?: readonly SourceDefinition[] | undefined;
  /** SQL in place of the query's own SELECT; for a query whose sandbox is enabled. */
  readonly sql?: SourceText | undefined;
  /** As given: text, JSON values, or lists for repeated flags. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The instant of CURRENT_TIMESTAMP(): a timestamp as parameters take it. Default: now. */
  readonly asOf?: string | undefined;
  /** Fewer rows than the query's own bound. */
  readonly maxRows?: number | undefined;
  /** What the cache has to do with it, where rows may come from there. Default: `use`. */
  readonly cache?: CacheMode | undefined;
  readonly maxAgeSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The prepared query that is asked for. Throws what prepare and prepareSandbox throw, errors in `sql` with `sql` as their source, and `usage`
 * for a limit above `max_rows`.
 */
export async function prepareRequested(
  { query, sql, maxRows }: Pick<QueryRequest, 'query' | 'sql' | 'maxRows'>,
  deps: PrepareDependencies,
): Promise<PreparedQuery> {
  const prepared = await preparedOf({ query, sql }, deps);
  if (maxRows === undefined) return prepared;
  if (maxRows <= prepared.maxRows) return { ...prepared, maxRows };
  throw new QuernError('usage', `--max-rows ${maxRows} is more than ${prepared.name} allows: max_rows is ${prepared.maxRows}`, {
    hint: 'raise max_rows in the header of the query',
  });
}

function preparedOf(
  { query, sql }: Pick<QueryRequest, 'query' | 'sql'>,
  deps: PrepareDependencies,
): PreparedQuery | Promise<PreparedQuery> {
  if (typeof query !== 'string') return isPrepared(query) ? query : prepareQuery(query, deps);
  return sql === undefined ? prepare(query, deps) : preparedWith(sql, query, deps);
}

const isPrepared = (query: SavedQuery | PreparedQuery): query is PreparedQuery => 'bound' in query;

async function preparedWith(sql: SourceText, reference: string, deps: PrepareDependencies): Promise<PreparedQuery> {
  const { prepareSandbox } = await import('./sandbox.ts');
  try {
    return await prepareSandbox(reference, sql.text, deps);
  } catch (error) {
    if (!(error instanceof QuernError) || error.details.source?.text !== sql.text) throw error;
    throw new QuernError(error.code, error.message, { ...error.details, source: sql });
  }
}

/**
 * The values of a request, for the prepared query that it asks for; `asOf` in canonical form, where one was given. Throws what readArguments
 * throws, and `usage` for an invalid `asOf`.
 */
export function readRequest(
  prepared: PreparedQuery,
  request: Pick<QueryRequest, 'arguments' | 'asOf' | 'signal'>,
  { now }: { readonly now: () => number },
): ExecutionRequest & { readonly asOf: string | undefined } {
  const values = readArguments(prepared.parameters, request.arguments, prepared.name);
  const asOf = request.asOf === undefined ? undefined : readAsOf(request.asOf, prepared);
  return { arguments: values, asOf, instant: asOf ?? instantAt(now()), signal: request.signal };
}

/** Throws `usage` for what is no time, or would change nothing. */
function readAsOf(text: string, prepared: PreparedQuery): string {
  const instant = readTimestamp(text);
  if (instant === undefined) throw new QuernError('usage', `--as-of ${JSON.stringify(text)} is not ${TIMESTAMP_FORMS}`, {});
  if (prepared.dialect === 'clickhouse' && !readsInstant(prepared)) {
    throw new QuernError('usage', `${prepared.name} is ClickHouse SQL that reads the clock itself, so --as-of would change nothing`, {
      hint: `use {${INSTANT_PARAMETER}:DateTime64(6, 'UTC')} in its SQL for the current time`,
    });
  }
  return instant;
}

/** Whether the rows depend on CURRENT_TIMESTAMP(). */
export const readsInstant = ({ bound }: Pick<PreparedQuery, 'bound'>): boolean => bound.some(({ name }) => name === INSTANT_PARAMETER);
