// The budget of one translation, counted in steps and not in time, so that a text is translated, or refused, on every machine alike.
import { QuernError } from '../../base/errors.ts';

/** The steps left to the running translation. Translations do not overlap, and everything that walks a tree takes from it. */
let left = Number.POSITIVE_INFINITY;

/** Takes steps from the budget: looking at one node of a tree, 50 to 100 nanoseconds, is one. Throws QuernError `too-complex`, without a place, when none are left. */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0)
    throw new QuernError('too-complex', 'this query takes too long to translate: too many of its parts depend on each other', {
      hint: 'split it, name the columns you need instead of *, and compare with IN or a pattern instead of many conditions',
    });
}

/** Calls `action`, which may take that many steps at most. */
export function withSteps<T>(steps: number, action: () => T): T {
  const before = left;
  const granted = Math.min(before, steps);
  left = granted;
  try {
    return action();
  } finally {
    left = before - (granted - left);
  }
}
