// Products and quotients of decimals: ClickHouse cuts digits and changes the scale, BigQuery rounds half away from zero to the type's scale.
// https://clickhouse.com/docs/sql-reference/data-types/decimal
import type { SqlExpression } from '../target/ast.ts';
import { call, iff, infix, isNull, lit, NULL } from '../target/build.ts';

type DecimalKind = 'NUMERIC' | 'BIGNUMERIC';

/** Back in the type's own scale; too large a value fails. */
const settled = (value: SqlExpression, kind: DecimalKind): SqlExpression =>
  kind === 'NUMERIC'
    ? call('toDecimal128', call('round', value, lit(9)), lit(9))
    : call('toDecimal256', call('round', value, lit(38)), lit(38));

const wide = (value: SqlExpression, scale: number): SqlExpression => call('toDecimal256', value, lit(scale));

export function product(left: SqlExpression, right: SqlExpression, kind: DecimalKind): SqlExpression {
  if (kind === 'NUMERIC') return settled(infix('*', wide(left, 9), right), kind);
  return settled(call('multiplyDecimal', left, right, lit(39)), kind);
}

/** The divisor must not be 0. Nine digits more than the result decide its rounding. */
export function quotient(left: SqlExpression, right: SqlExpression, kind: DecimalKind): SqlExpression {
  if (kind === 'NUMERIC') return settled(infix('/', wide(left, 18), right), kind);
  // divideDecimal takes the 0 that stands in a NULL's place for a divisor.
  const divided = call('divideDecimal', left, call('ifNull', right, wide(lit(1), 38)), lit(39));
  return iff(isNull(right), NULL, settled(divided, kind));
}

/** The BIGNUMERIC that has no counterpart above zero: ClickHouse gives it for its own negative and magnitude. */
export const LEAST_BIGNUMERIC = call('reinterpret', call('toInt256', lit(String(-(2n ** 255n)))), lit('Decimal(76, 38)'));
