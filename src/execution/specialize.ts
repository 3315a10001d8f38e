// A prepared query as it is run with given arguments.

import type { ArgumentValues } from '../queries/parameters.ts';
import type { PreparedQuery } from './prepared-query.ts';

/** `prepared` with the SQL, the settings and the bound parameters that these arguments need: the rows are the same. The cache knows the rows by the prepared query itself. */
export async function specializedFor(prepared: PreparedQuery, values: ArgumentValues): Promise<PreparedQuery> {
  const { statement, sql, bound: parameters, settings } = prepared;
  if (statement === undefined) return prepared;
  const { bind } = await import('../sql/compile/specialize.ts');
  const given = bind({ statement, sql, parameters, settings }, values, prepared);
  return { ...prepared, sql: given.sql, bound: given.parameters, settings: given.settings };
}
