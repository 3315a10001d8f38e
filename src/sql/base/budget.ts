// How much work one translation may be. Work is counted in steps, not measured: a text is translated, or refused, on every machine alike.
import { QuernError } from '../../base/errors.ts';

/** Steps that are left to the translation that runs; translations do not overlap, and everything that walks a tree takes from it. */
let left = Number.POSITIVE_INFINITY;

/** A step is a look at one node of a tree: 50 to 100 nanoseconds. Throws QuernError `too-complex`, without a place, when none are left. */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw tooMuchWork();
}

/** What `action` gives, if it takes no more than that many steps. */
export function withSteps<T>(steps: number, action: () => T): T {
  const before = left;
  const given = Math.min(before, steps);
  left = given;
  try {
    return action();
  } finally {
    left = before - (given - left);
  }
}

function tooMuchWork(): QuernError {
  return new QuernError('too-complex', 'this query takes too long to translate: too many of its parts depend on each other', {
    hint: 'split it, name the columns you need instead of *, and compare with IN or a pattern instead of many conditions',
  });
}
