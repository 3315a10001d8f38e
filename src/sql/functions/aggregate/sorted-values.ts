// The values of a group as one sorted array, for what ClickHouse's quantile functions can't do: texts, dates, NaN and NULL.
import type { SqlExpression } from '../../target/ast.ts';
import { call, isNull, NULL } from '../../target/build.ts';
import type { LowerAggregateCall } from '../define.ts';

/** BigQuery sorts NULL first, then NaN; arraySort puts NaN last. */
export function sortedValues(value: SqlExpression, c: LowerAggregateCall, withNulls: boolean): SqlExpression {
  const plain = call('arraySort', c.aggregate('groupArray', [value]));
  const numbers = c.finite(0)
    ? plain
    : call('arrayRotateRight', plain, c.aggregate('count', [], { where: call('isNaN', value), distinct: false }));
  if (!withNulls) return numbers;
  const nulls = c.aggregate('count', [], { where: isNull(value), distinct: false });
  return call('arrayConcat', call('arrayWithConstant', nulls, NULL), numbers);
}

/** Types that quantileExact takes. */
const RANKED: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'BOOL', 'DATETIME', 'TIMESTAMP']);

/** True if quantileExact, which leaves out NULL and NaN, ranks the values as BigQuery does. */
export const ranksPlainly = (c: LowerAggregateCall, withNulls: boolean): boolean =>
  !withNulls && c.finite(0) && RANKED.has(c.typeOf(0).kind);
