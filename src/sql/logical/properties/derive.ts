// Derives one property of the columns of a plan, where that of one column may follow from that of another.
import { spend } from '../../base/budget.ts';
import type { Relations } from '../walk.ts';
import { type Made, madeIn } from './made.ts';

/** The result of looking for a property: undefined or false where nothing is known. */
export type Found<T> = T | false | undefined;

/** Adds what `step` finds to `known`, by the columns' ids, until it finds nothing more: it may look at `known`. */
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
