// The number of LIMIT and OFFSET. ClickHouse takes a negative one for the last rows, and NULL for none.
import type { Expr } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, failIf, infix, lit } from '../target/build.ts';
import { lowerExpr } from './expression.ts';
import type { Environment, Lowering } from './lowering.ts';

/** Literals are looked at by the analysis; of a parameter only a run tells. */
export function lowerRowCount(count: Expr, clause: 'LIMIT' | 'OFFSET', env: Environment, l: Lowering): SqlExpression {
  const value = lowerExpr(count, env, l);
  if (count.kind === 'literal') return value;
  const unfit = call('ifNull', infix('<', value, lit(0)), lit(true));
  const checked = call('assumeNotNull', failIf(unfit, `${clause} is negative or NULL`, value));
  l.onLowered?.(count, checked);
  return checked;
}
