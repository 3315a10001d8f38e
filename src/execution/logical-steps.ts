// The logical plan of a saved query, before and after the rules of the optimizer. The engine runs nothing for it.
import { QuernError } from '../base/errors.ts';
import { translateOptions } from '../queries/expand.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import { explainBuckets, explainLogical, type LogicalSteps } from '../sql/index.ts';
import type { PrepareDependencies } from './prepared-query.ts';

interface PlanSteps extends LogicalSteps {
  /** The buckets of time to which the rows belong, or why there are none. */
  readonly buckets: ReturnType<typeof explainBuckets>;
}

/** Throws as prepareQuery does, and `usage` for ClickHouse SQL. */
export async function logicalSteps(query: SavedQuery, { catalog, sources }: PrepareDependencies): Promise<PlanSteps> {
  if (query.dialect === 'clickhouse')
    throw new QuernError('usage', `${query.name} is ClickHouse SQL, which quern runs as it is, so it has no logical plan`, {
      hint: "see the engine's own plan with --plan",
    });
  const { options } = await translateOptions(query, catalog, sources);
  try {
    const { text } = query.source;
    return { ...explainLogical(text, options), buckets: explainBuckets(text, options) };
  } catch (error) {
    throw error instanceof QuernError ? error.in(query.source) : error;
  }
}
