// Which years ClickHouse holds: since 26.7 all of BigQuery's, before that 1900 to 2299. The SQL asks it, of constants, so that it costs nothing for rows.
import type { SqlExpression } from '../target/ast.ts';
import { call, failIf, iff, infix, lit, NULL, not } from '../target/build.ts';

/** True where all years are held. */
const HOLDS_ALL = infix('=', call('toYear', call('toDateTime64', lit('9999-12-31 00:00:00'), lit(6), lit('UTC'))), lit(9999));

/** `value`, which is a constant outside of 1900 to 2299. */
export const heldOutside = (value: SqlExpression): SqlExpression =>
  failIf(not(HOLDS_ALL), 'this version of ClickHouse holds dates from 1900 to 2299; 26.7 and newer hold 1 to 9999', value);

/** One constant where all years are held, another one elsewhere. */
export const byYears = (all: SqlExpression, few: SqlExpression): SqlExpression => iff(HOLDS_ALL, all, few);

/** `value` where `counted` lies between the ends of BigQuery's years, and fails where ClickHouse does not hold what BigQuery does. */
export function inYears(
  counted: SqlExpression,
  all: readonly [SqlExpression, SqlExpression],
  few: readonly [SqlExpression, SqlExpression],
  value: SqlExpression,
  { safe }: { readonly safe: boolean },
): SqlExpression {
  const beyond = (first: SqlExpression, last: SqlExpression): SqlExpression =>
    infix('OR', infix('<', counted, first), infix('>', counted, last));
  const held = beyond(byYears(all[0], few[0]), byYears(all[1], few[1]));
  if (!safe) return failIf(held, OUTSIDE, value);
  return iff(beyond(...all), NULL, failIf(held, OUTSIDE, value));
}

/** Date32 of a year, a month and a day that may be one too many; ClickHouse's makeDate32 has only the years from 1900 to 2299. */
export function dateOfAnyYear(year: SqlExpression, month: SqlExpression, day: SqlExpression): SqlExpression {
  const first = call('addYears', call('toDate32', lit('2000-01-01')), less(year, 2000));
  return call('addDays', call('addMonths', first, less(month, 1)), less(day, 1));
}

const less = (value: SqlExpression, by: number): SqlExpression =>
  value.kind === 'lit' ? lit(Number(value.value) - by) : infix('-', value, lit(by));

const OUTSIDE = 'the date is outside the years 0001 to 9999, or 1900 to 2299 before ClickHouse 26.7';
