// The operator /, which fails for a divisor of 0. https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#arithmetic_operators
import type { SqlExpression } from '../target/ast.ts';
import { bare, call, cast, iff, infix, lit } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { plainType } from '../target/types.ts';
import { quotient } from './decimal.ts';
import type { LowerCall } from './define.ts';
import { BY_ZERO, checkedQuotient, isDividedByZero } from './overflow.ts';

/** Integers divide to FLOAT64, as ClickHouse has it too. */
export function divide(left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  const { kind } = c.type;
  if (kind !== 'NUMERIC' && kind !== 'BIGNUMERIC') return checkedQuotient(bare(left), bare(right), c);
  const constant = c.constant(1);
  if (constant !== undefined && constant !== null && Number(constant) !== 0) return quotient(left, right, kind, c);
  // A decimal quotient is worked out for every row: 0 becomes NULL there. Of a constant, ClickHouse would take the whole check for that NULL.
  const divisor = isConstant(right)
    ? iff(infix('=', right, lit(0)), cast(lit(1), plainType(c.type)), right)
    : call('nullIf', right, lit(0));
  return c.failIf(isDividedByZero(left, bare(right)), BY_ZERO, quotient(left, divisor, kind, c));
}
