// Finds comparisons of an expression that a rule looks for with values that are the same for all rows.
import type { Expr, FunctionCall } from '../logical/nodes.ts';

/** An expression compared with one value, or with the two of BETWEEN. */
interface Comparison<T> {
  readonly found: T;
  /** The comparison with the expression on the left. */
  readonly name: string;
  readonly value: Expr;
  readonly to?: Expr;
}

export interface Wanted<T> {
  readonly find: (expr: Expr | null | undefined) => T | undefined;
  readonly constant: (expr: Expr) => boolean;
}

export function comparisonOf<T>({ fn, args }: FunctionCall, { find, constant }: Wanted<T>): Comparison<T> | undefined {
  const [left, right, third] = args;
  if (left == null || right == null) return undefined;
  const turned = find(left) === undefined;
  const found = find(turned ? right : left);
  const value = turned ? left : right;
  if (found === undefined || !constant(value)) return undefined;
  if (fn.name === '$between') return turned || third == null || !constant(third) ? undefined : { found, name: fn.name, value, to: third };
  return fn.turned === undefined ? undefined : { found, name: turned ? fn.turned : fn.name, value };
}
