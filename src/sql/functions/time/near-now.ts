// Times that are surely of our age: made of the current time and constants, or of events, which have one of when they were recorded.
import type { Expr } from '../../logical/nodes.ts';
import type { LowerCall } from '../define.ts';

/** Made of the current time and constants. */
export function isNearNow(expr: Expr): boolean {
  if (expr.kind === 'instant') return true;
  if (expr.kind === 'cast') return isNearNow(expr.operand);
  if (expr.kind !== 'call') return false;
  const [value, ...others] = expr.args;
  return value !== null && value !== undefined && isNearNow(value) && others.every((arg) => arg === null || isConstantArgument(arg));
}

const isConstantArgument = (expr: Expr): boolean =>
  expr.kind === 'literal' ||
  expr.kind === 'date_part' ||
  (expr.kind === 'call' && expr.fn.name === '$interval' && expr.args[0]?.kind === 'literal');

/** Whether the argument `at` is surely no time before 1970 that has a fraction of a second. */
export function isSurelyWhole(c: LowerCall, at: number): boolean {
  const known = c.constant(at);
  if (typeof known === 'bigint') return known >= 0n || known % 1_000_000n === 0n;
  const [low = Number.NEGATIVE_INFINITY] = c.range(at) ?? [];
  const arg = c.args[at];
  return low >= 0 || (arg !== null && arg !== undefined && isNearNow(arg));
}
