// A plan as it is run with given arguments.

import type { ArgumentValues } from '../saved-query/parameters.ts';
import type { StatementTree } from '../sql/translation.ts';
import type { Plan } from './plan.ts';

/** Of plans from the memory on disk, once they are read. */
const trees = new WeakMap<Plan, StatementTree>();

/** `plan` with the SQL and the bound parameters that these arguments need: the rows are the same. The cache knows the rows by the plan itself. */
export async function withArguments(plan: Plan, values: ArgumentValues): Promise<Plan> {
  if (plan.statement === undefined) return plan;
  const { readStatement, sqlForArguments } = await import('../sql/for-arguments.ts');
  const statement = typeof plan.statement === 'string' ? (trees.get(plan) ?? readStatement(plan.statement)) : plan.statement;
  trees.set(plan, statement);
  const { sql, parameters } = sqlForArguments({ statement, sql: plan.sql, parameters: plan.bound }, values);
  return { ...plan, sql, bound: parameters };
}
