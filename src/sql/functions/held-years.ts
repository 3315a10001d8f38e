// Which years ClickHouse holds: since 26.7 all of BigQuery's, before that 1900 to 2299. The SQL asks it, of constants, so that it costs nothing for rows.
import type { SqlExpression } from '../target/ast.ts';
import { call, failIf, iff, infix, lit, NULL, not } from '../target/build.ts';
import { defineHelper } from '../target/helpers.ts';

/** True where all years are held. */
export const holdsAllYears = defineHelper('holds_all_years', [], () =>
  infix('=', call('toYear', call('toDateTime64', lit('9999-12-31 00:00:00'), lit(6), lit('UTC'))), lit(9999)),
);

/** `value`, which is a constant outside of 1900 to 2299. */
export const heldOutside = (value: SqlExpression): SqlExpression =>
  failIf(not(holdsAllYears()), 'this version of ClickHouse holds dates from 1900 to 2299; 26.7 and newer hold 1 to 9999', value);

/** One constant where all years are held, another one elsewhere. */
export const byYears = (all: SqlExpression, few: SqlExpression): SqlExpression => iff(holdsAllYears(), all, few);

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
  const held = iff(holdsAllYears(), beyond(...all), beyond(...few));
  if (!safe) return failIf(held, OUTSIDE, value);
  return iff(beyond(...all), NULL, failIf(held, OUTSIDE, value));
}

/** The same, NULL where it would fail, for values that fail where they are NULL; with `safe` they do not, and years that ClickHouse lacks still fail. */
export const whereHeld: typeof inYears = (counted, all, few, value, { safe }) => {
  if (safe) return inYears(counted, all, few, value, { safe });
  const held = iff(holdsAllYears(), between(counted, ...all), between(counted, ...few));
  return iff(held, value, NULL);
};

/** Date32 of a year, a month and a day; NULL if there is no such day, or ClickHouse does not hold it. */
export const dateOrNull = defineHelper('date_or_null', ['_year', '_month', '_day'], (year, month, day) => {
  const date = dateOfAnyYear(year, month, day);
  const digits = infix('+', infix('+', infix('*', lit(10_000), year), infix('*', lit(100), month)), day);
  // Of a year that is not held ClickHouse makes the nearest one that is.
  return iff(infix('AND', infix('=', call('toYYYYMMDD', date), digits), infix('>', year, lit(0))), date, NULL);
});

const between = (value: SqlExpression, first: SqlExpression, last: SqlExpression): SqlExpression =>
  infix('AND', infix('>=', value, first), infix('<=', value, last));

/** Date32 of a year, a month and a day that may be one too many; ClickHouse's makeDate32 has only the years from 1900 to 2299. */
export const dateOfAnyYear = defineHelper('date_of', ['_year', '_month', '_day'], (year, month, day) => {
  const less = (value: SqlExpression, by: number): SqlExpression => infix('-', value, lit(by));
  const first = call('addYears', call('toDate32', lit('2000-01-01')), less(year, 2000));
  return call('addDays', call('addMonths', first, less(month, 1)), less(day, 1));
});

const OUTSIDE = 'the date is outside the years 0001 to 9999, or 1900 to 2299 before ClickHouse 26.7';
