// Functions that give another value at each call.
import type { Expr } from './nodes.ts';
import { contains, hasSubquery, holds } from './walk.ts';

export const isVolatile = (e: Expr): boolean => e.kind === 'call' && e.fn.volatile === true;

/** True if such a call stands anywhere below `node`. */
export const holdsVolatile = (node: object): boolean => holds(node, isVolatile);

/** True if the value is the same each time it is computed, and cheap to compute: without subqueries. */
export const isStable = (value: Expr): boolean => !hasSubquery(value) && !contains(value, isVolatile);
