// The conditions that AND joins.
import { spend } from '../budget.ts';
import type { Expr } from '../resolved.ts';

export function conjuncts(condition: Expr): readonly Expr[] {
  spend(1);
  if (condition.kind !== 'call' || condition.fn.name !== '$and') return [condition];
  return condition.args.flatMap((a) => (a === null ? [] : conjuncts(a)));
}
