// The checks of a project for a script: the report as plain data.

import { QuernError } from '../base/errors.ts';
import { checkProject } from '../checks/check-project.ts';
import { type CheckOutcome, countStates, reasonOf } from '../checks/outcome.ts';
import type { Services } from '../services.ts';
import type { QuernCheck, QuernCheckReport } from './answers.ts';
import type { QuernCheckOptions } from './options.ts';
import { rowObject } from './row-objects.ts';

/** Throws what checkAll throws: what is wrong with the checks, before any runs. An assertion that does not hold is in the report. */
export async function reportChecks(
  services: Services,
  references: readonly string[],
  { select = [], exclude = [], parameters = {}, asOf, useCache = false, jobs, rows = 5 }: QuernCheckOptions,
): Promise<QuernCheckReport> {
  for (const [name, value, least] of [['jobs', jobs, 1] as const, ['rows', rows, 0] as const])
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
      throw new QuernError('usage', `${name}: ${JSON.stringify(value)} is not a whole number from ${least}`);
  const { outcomes } = await checkProject(services, {
    references,
    select,
    exclude,
    params: parameters,
    asOf,
    useCache,
    jobs,
    failingRows: rows,
    onOutcome: async () => undefined,
  });
  const { passed, warned, failed, unknown } = countStates(outcomes);
  return { ok: failed + unknown === 0, passed, warned, failed, unknown, checks: outcomes.map(checkOf) };
}

function checkOf({ check, rows, elapsedMs, assertions }: CheckOutcome): QuernCheck {
  return {
    query: check.query.name,
    parameters: check.arguments,
    rows,
    elapsedMs,
    assertions: assertions.map((outcome) => ({
      name: outcome.assertion.name,
      severity: outcome.assertion.severity,
      state: outcome.state,
      reason: reasonOf(outcome, rows),
      ...(outcome.failingRows === undefined ? {} : { failingRows: outcome.failingRows }),
      ...(outcome.sample === undefined ? {} : { sample: outcome.sample.rows.map(rowObject(outcome.sample.columns)) }),
    })),
  };
}
