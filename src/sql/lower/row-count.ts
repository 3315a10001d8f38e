// The number of LIMIT and OFFSET. ClickHouse reads a negative one as the last rows, and NULL as none.
import type { Expr } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';
import { bare, call, failIf, infix, lit } from '../target/build.ts';
import { lowerExpr } from './expression.ts';
import type { Environment, Lowering } from './lowering.ts';

/** The analysis checks literals; the value of a parameter is known only in a run. */
export function lowerRowCount(count: Expr, clause: 'LIMIT' | 'OFFSET', env: Environment, l: Lowering): SqlExpression {
  const value = lowerExpr(count, env, l);
  if (count.kind === 'literal') return bare(value);
  const unfit = call('ifNull', infix('<', value, lit(0)), lit(true));
  const checked = call('assumeNotNull', failIf(unfit, `${clause} is negative or NULL`, value));
  l.onLowered?.(count, checked);
  return checked;
}
