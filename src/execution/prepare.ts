// Makes the query of a request ready to run: a saved one, SQL that nobody has saved, or a caller's SQL over a saved query.
import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import { digest } from '../cache/json-memory.ts';
import { confirmId } from '../queries/catalog.ts';
import { readSavedQuery } from '../queries/read-query.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import { listsSavedQueries, type PrepareDependencies, type PreparedQuery, prepareQuery, readsNow, usesNow } from './prepared-query.ts';
import type { QueryRequest } from './request.ts';

/**
 * Returns the prepared query of a request. Throws QuernError: what the catalog, the header, the translator and prepareSandbox throw, errors in
 * `sql` with `sql` as their source, and `usage` for a limit above `max_rows`.
 */
export async function prepare(
  { query, sql, result, maxRows, names, remember }: Pick<QueryRequest, 'query' | 'sql' | 'result' | 'maxRows' | 'names' | 'remember'>,
  deps: PrepareDependencies,
): Promise<PreparedQuery> {
  const prepared = await prepareUnlimited({ query, sql, result }, names === undefined ? deps : { ...deps, names });
  await remember?.();
  if (maxRows === undefined) return prepared;
  if (maxRows <= prepared.maxRows) return { ...prepared, maxRows };
  throw new QuernError('usage', `--max-rows ${maxRows} is more than ${prepared.name} allows: max_rows is ${prepared.maxRows}`, {
    hint: 'raise max_rows in the header of the query',
  });
}

function prepareUnlimited(
  { query, sql, result }: Pick<QueryRequest, 'query' | 'sql' | 'result'>,
  deps: PrepareDependencies,
): Promise<PreparedQuery> {
  if (typeof query !== 'string') return prepareGiven(ofResult(query, result), deps);
  return sql === undefined ? prepareNamed(query, result, deps) : prepareWith(sql, query, deps);
}

const ofResult = (query: SavedQuery, result: number | undefined): SavedQuery => (result === undefined ? query : { ...query, result });

/** What names mean to a caller, and which saved queries there are, is in no version. */
const prepareGiven = (query: SavedQuery, deps: PrepareDependencies): Promise<PreparedQuery> =>
  deps.names !== undefined || listsSavedQueries(query)
    ? prepareQuery(query, deps)
    : rememberedOr(query, deps, () => prepareQuery(query, deps));

/** Returns the prepared query of the query with that name, UUID or path. */
async function prepareNamed(reference: string, result: number | undefined, deps: PrepareDependencies): Promise<PreparedQuery> {
  const file = deps.catalog.find(reference);
  const prepared = await rememberedOr([file.source, result], deps, async () => {
    const query = ofResult(await readSavedQuery(file.source, file.name), result);
    confirmId(file, query.id);
    return prepareQuery(query, deps);
  });
  confirmId(file, prepared.id);
  return prepared;
}

/** Returns what was prepared of `what` before if nothing it depends on has changed, and otherwise what `make` prepares. A failure is not remembered. */
async function rememberedOr(
  what: SavedQuery | readonly unknown[],
  { catalog, sources, preparedQueries }: PrepareDependencies,
  make: () => Promise<PreparedQuery>,
): Promise<PreparedQuery> {
  const key = digest(JSON.stringify([what, (await sources.versionOf([])).value]));
  const remembered = await preparedQueries?.read(key);
  if (remembered !== undefined && usesNow(remembered, catalog) && (await readsNow(remembered, sources))) return remembered;
  const prepared = await make();
  await preparedQueries?.write(key, prepared);
  return prepared;
}

async function prepareWith(sql: SourceText, reference: string, deps: PrepareDependencies): Promise<PreparedQuery> {
  const { prepareSandbox } = await import('./sandbox.ts');
  try {
    return await prepareSandbox(reference, sql.text, deps);
  } catch (error) {
    if (!(error instanceof QuernError) || error.details.source?.text !== sql.text) throw error;
    throw new QuernError(error.code, error.message, { ...error.details, source: sql });
  }
}
