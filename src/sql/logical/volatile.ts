// Functions that give another value at each call.
import type { Expr } from './nodes.ts';
import { contains, hasSubquery, visit } from './walk.ts';

export const isVolatile = (e: Expr): boolean => e.kind === 'call' && e.fn.volatile === true;

/** Returns true if such a call stands anywhere below `node`. */
export function holdsVolatile(node: object): boolean {
  let found = false;
  visit(node, (e) => {
    found ||= isVolatile(e);
  });
  return found;
}

/** Returns true if the value is the same each time it is worked out, and cheaply so: without subqueries. */
export const isStable = (value: Expr): boolean => !hasSubquery(value) && !contains(value, isVolatile);
