// The sandbox of a saved query: a caller's SQL that reads the query's WITH tables and nothing else.
import { QuernError } from '../base/errors.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import type { TranslateCallers } from './callers-text.ts';
import { IN_ORDER, type PrepareDependencies, type PreparedQuery, prepareQuery } from './prepared-query.ts';

interface SandboxRules {
  /** Returns whether callers may send SQL. Default: as the header says. */
  readonly enabled?: (query: SavedQuery) => boolean;
  /** The caller must learn nothing of rows that the WITH tables leave out, not even from an error. */
  readonly secret?: boolean;
  /** Translates callers' SQL. Default: in this thread. */
  readonly translate?: TranslateCallers | undefined;
}

/** Room for every query that a person writes. */
const MAX_LENGTH = 32_768;

/**
 * The prepared query of `sql`, a BigQuery query, in place of the SELECT of the saved query named by `reference`. It has the saved query's name,
 * parameters, limits and TTL. Throws QuernError: what prepare throws, with `sql` as the source of errors in the caller's text, and
 * `parameter` when the saved query takes no SQL.
 */
export async function prepareSandbox(
  reference: string,
  sql: string,
  deps: PrepareDependencies,
  rules: SandboxRules = {},
): Promise<PreparedQuery> {
  const { findSavedQuery } = await import('../queries/find-query.ts');
  return prepareSandboxed(findSavedQuery(reference, deps.catalog), sql, deps, rules);
}

/** The same for a saved query that is parsed. */
export async function prepareSandboxed(
  query: SavedQuery,
  sql: string,
  deps: PrepareDependencies,
  rules: SandboxRules = {},
): Promise<PreparedQuery> {
  const { enabled = ({ sandbox }) => sandbox, secret = false, translate } = rules;
  if (!enabled(query)) {
    throw new QuernError('parameter', `${query.name} does not accept SQL from callers`, {
      hint: 'allow it in its header: sandbox: enabled',
    });
  }
  if (query.dialect === 'clickhouse') {
    throw new QuernError('unsupported', `${query.name} is ClickHouse SQL, in which callers cannot be limited to its tables`, {
      hint: 'write it in the BigQuery dialect',
    });
  }
  if (sql.length > MAX_LENGTH) {
    throw new QuernError('parameter', `the SQL for ${query.name} has ${sql.length} characters`, {
      hint: `send at most ${MAX_LENGTH}; replace a long list of values with a pattern or a range`,
    });
  }
  // The rows of whatever callers ask are not worth being kept warm.
  const { warmingSeconds: _, ...prepared } = await prepareQuery(query, deps, { sql, translate });
  return secret ? { ...prepared, settings: { ...prepared.settings, ...IN_ORDER } } : prepared;
}
