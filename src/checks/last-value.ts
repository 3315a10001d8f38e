// The value that an assertion had in the run before, and how far the one of now is from it.
import type { AssertionDefinition } from '../queries/check-definition.ts';
import type { Distance } from '../queries/header/rules.ts';
import type { Check } from './check.ts';
import type { PastRun } from './history.ts';
import type { LastValue } from './outcome.ts';

export type LastValueOf = (check: Check, assertion: AssertionDefinition) => LastValue | undefined;

/** Compares runs over the same data: `place` is the store or the server. */
export function lastValues(runs: readonly PastRun[], place: string): LastValueOf {
  const values = new Map<string, LastValue>();
  for (const { at, checks, place: there } of runs) {
    if (there !== place) continue;
    for (const { query, params, assertions } of checks)
      for (const { name, value } of assertions) if (value !== undefined) values.set(identity(query, params, name), { value, at });
  }
  return ({ query, arguments: given }, { name }) => values.get(identity(query.name, given, name));
}

const identity = (query: string, params: Readonly<Record<string, unknown>>, assertion: string): string =>
  JSON.stringify([query, Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)), assertion]);

/** Near enough. From 0 no share leads anywhere else. */
export function isWithin(value: number, last: number, { amount, percent }: Distance): boolean {
  return Math.abs(value - last) <= (percent ? (Math.abs(last) * amount) / 100 : amount);
}
