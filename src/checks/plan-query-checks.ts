// Finds what is wrong with the checks in the header of a saved query, without running any.
import type { QuernError } from '../base/errors.ts';
import type { RunDependencies } from '../execution/run.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import { ownChecks } from './collect.ts';
import { planCheck } from './plan-check.ts';

/** Throws only what is no fault of the checks. */
export async function planQueryChecks(query: SavedQuery, deps: RunDependencies, signal: AbortSignal): Promise<readonly QuernError[]> {
  const errors: QuernError[] = [];
  for (const check of ownChecks(query)) {
    const plan = await planCheck(check, {}, deps, signal);
    if (!('check' in plan)) errors.push(...plan);
  }
  return errors;
}
