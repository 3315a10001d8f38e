// The conditions that AND joins.
import type { Expr } from './resolved.ts';

export function splitConjunction(condition: Expr): readonly Expr[] {
  if (condition.kind !== 'call' || condition.fn.name !== '$and') return [condition];
  return condition.args.flatMap((a) => (a === null ? [] : splitConjunction(a)));
}
