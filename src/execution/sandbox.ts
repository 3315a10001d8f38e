// The sandbox of a saved query: a caller's SQL that reads the query's WITH tables and nothing else.
import { QuernError } from '../errors.ts';
import { confirmId } from '../saved-query/catalog.ts';
import type { SavedQuery } from '../saved-query/saved-query.ts';
import { type Plan, type PlanDependencies, planQuery } from './plan.ts';

interface SandboxRules {
  /** Whether callers may send SQL; by default what the header says. */
  readonly enabled?: (query: SavedQuery) => boolean;
  /** The caller must learn nothing of rows that the WITH tables leave out, not even from an error. */
  readonly secret?: boolean;
}

/**
 * The engine may look at a condition of the caller's before one of the saved query's, and fail at a row that the latter leaves out: it tells
 * that there is such a row. Conditions of WHERE are taken in the order in which they stand, the saved query's first, unless some of them become PREWHERE.
 */
const IN_ORDER = { optimize_move_to_prewhere: 0, short_circuit_function_evaluation: 'enable' } as const;

/** Room for every query that a person writes; translating one takes time in which a server answers nobody else. */
const MAX_LENGTH = 32_768;

/**
 * The plan of `sql`, a BigQuery query, in place of the SELECT of the saved query named by `reference`. It has the saved query's name,
 * parameters, limits and TTL. Throws QuernError: what preparePlan throws, with `sql` as the source of errors in the caller's text, and
 * `parameter` when the saved query takes no SQL.
 */
export async function planSandbox(reference: string, sql: string, deps: PlanDependencies, rules: SandboxRules = {}): Promise<Plan> {
  const { parseSavedQuery } = await import('../saved-query/header/header.ts');
  const file = deps.catalog.find(reference);
  const query = parseSavedQuery(file.source, file.name);
  confirmId(file, query.id);
  return planSandboxedQuery(query, sql, deps, rules);
}

/** The same for a saved query that is parsed. */
export async function planSandboxedQuery(query: SavedQuery, sql: string, deps: PlanDependencies, rules: SandboxRules = {}): Promise<Plan> {
  const { enabled = ({ sandbox }) => sandbox, secret = false } = rules;
  if (!enabled(query)) {
    throw new QuernError('parameter', `${query.name} takes no SQL from callers`, { hint: 'allow it in its header: sandbox: enabled' });
  }
  if (query.dialect === 'clickhouse') {
    throw new QuernError('unsupported', `${query.name} is ClickHouse SQL, whose tables callers cannot be held to`, {
      hint: 'write it in the BigQuery dialect',
    });
  }
  if (sql.length > MAX_LENGTH) {
    throw new QuernError('parameter', `the SQL for ${query.name} has ${sql.length} characters`, {
      hint: `send at most ${MAX_LENGTH}; long lists of values fit into a pattern or a range`,
    });
  }
  // The rows of whatever callers ask are not worth being kept warm.
  const { warmingSeconds: _, ...plan } = await planQuery(query, deps, sql);
  return secret ? { ...plan, settings: { ...plan.settings, ...IN_ORDER } } : plan;
}
