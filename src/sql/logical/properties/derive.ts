// Derives one property of the columns of a plan: what is known of one column may say something of another.
import { spend } from '../../base/budget.ts';
import type { Relations } from '../walk.ts';
import { type Made, madeIn } from './made.ts';

/** Nothing is known where it is undefined or false. */
export type Found<T> = T | false | undefined;

/** Adds to `known`, by the columns' ids, what `step` finds, until it finds nothing more: it may look at what is known already. */
export function derive<T>(plan: Relations, known: Map<number, T>, step: (made: Made) => Found<T>): ReadonlyMap<number, T> {
  const all = madeIn(plan);
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    spend(all.length);
    for (const made of all) {
      if (known.has(made.column.id)) continue;
      const found = step(made);
      if (found !== undefined && found !== false) known.set(made.column.id, found);
    }
  }
  return known;
}
