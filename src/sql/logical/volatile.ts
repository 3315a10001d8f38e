// Functions that give another value at each call.
import type { Expr } from './nodes.ts';
import { visit } from './walk.ts';

export const isVolatile = (e: Expr): boolean => e.kind === 'call' && e.fn.volatile === true;

/** Returns true if such a call stands anywhere below `node`. */
export function holdsVolatile(node: object): boolean {
  let found = false;
  visit(node, (e) => {
    found ||= isVolatile(e);
  });
  return found;
}
