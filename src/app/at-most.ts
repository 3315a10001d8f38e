// A plan with a row limit of the caller's, within the query's own.
import { QuernError } from '../errors.ts';
import type { Plan } from '../execution/plan.ts';

/** Throws `usage` for a limit above `max_rows`. */
export function atMost(plan: Plan, maxRows: number | undefined): Plan {
  if (maxRows === undefined) return plan;
  if (maxRows <= plan.maxRows) return { ...plan, maxRows };
  throw new QuernError('usage', `--max-rows ${maxRows} is above the bound of ${plan.name}, max_rows: ${plan.maxRows}`, {
    hint: 'raise max_rows in the header of the query',
  });
}
