// The operator /, which fails for a divisor of 0. https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#arithmetic_operators
import type { SqlExpression } from '../target/ast.ts';
import { bare, call, cast, iff, infix, isNotNull, lit, writtenAs } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import { plainType } from '../target/types.ts';
import { quotient } from './decimal.ts';
import type { LowerCall } from './define.ts';
import { calledQuotient, checkedQuotient } from './overflow.ts';

/** Integers divide to FLOAT64, as ClickHouse has it too. */
export function divide(left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  const kind = c.type.kind;
  const decimal = kind === 'NUMERIC' || kind === 'BIGNUMERIC';
  const divided = decimal ? quotient(left, right, kind, c) : checkedQuotient(bare(left), bare(right), c);
  const constant = c.constant(1);
  if (constant !== undefined && constant !== null && Number(constant) !== 0) return divided;
  // NULL / 0 is NULL.
  const zero = infix('=', bare(right), lit(0));
  const fails = c.constant(0) === undefined || c.constant(0) === null ? infix('AND', zero, isNotNull(left)) : zero;
  // A decimal quotient is worked out for every row: 0 becomes NULL there. Of a constant, ClickHouse would take the whole check for that NULL.
  const divisor = isConstant(right) ? iff(zero, cast(lit(1), plainType(c.type)), right) : call('nullIf', right, lit(0));
  const check = c.failIf(fails, 'division by zero', decimal ? quotient(left, divisor, kind, c) : divided);
  return kind === 'FLOAT64' ? writtenAs(check, calledQuotient(bare(left), bare(right), c)) : check;
}
