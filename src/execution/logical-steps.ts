// The logical plan of a saved query, before and after the rules of the optimizer. The engine runs nothing for it.
import { QuernError } from '../errors.ts';
import type { SavedQuery } from '../saved-query/saved-query.ts';
import { translateOptions } from '../saved-query/translate-options.ts';
import { explainLogical, type LogicalSteps } from '../sql/index.ts';
import type { PlanDependencies } from './plan.ts';

/** Throws as planQuery does, and `usage` for ClickHouse SQL. */
export async function logicalSteps(query: SavedQuery, { catalog, sources }: PlanDependencies): Promise<LogicalSteps> {
  if (query.dialect === 'clickhouse')
    throw new QuernError('usage', `${query.name} is ClickHouse SQL, which quern runs as it is: it has no logical plan`, {
      hint: "see the engine's own plan with --plan",
    });
  const { options } = translateOptions(query, catalog, await sources.load());
  try {
    return explainLogical(query.source.text, options);
  } catch (error) {
    throw error instanceof QuernError ? error.in(query.source) : error;
  }
}
