// Dates and clock times from their fields, with every field checked: ClickHouse would roll 31 February over into March.
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, iff, infix, isNotNull, isNull, lit } from '../../target/build.ts';
import type { LowerCall } from '../define.ts';
import { dateOfAnyYear, inYears } from '../held-years.ts';
import { UTC } from './date-part.ts';

const bareFields = ([a, b, c]: readonly [SqlExpression, SqlExpression, SqlExpression]): readonly [
  SqlExpression,
  SqlExpression,
  SqlExpression,
] => [bare(a), bare(b), bare(c)];

const outside = (value: SqlExpression, low: number, high: number): SqlExpression =>
  infix('OR', infix('<', value, lit(low)), infix('>', value, lit(high)));

/** Years that BigQuery has and ClickHouse has not fail also under SAFE. Beside a NULL field no year does. */
function inKnownYears(year: SqlExpression, c: LowerCall, fields: readonly SqlExpression[], value: SqlExpression): SqlExpression {
  if (isEverywhere(c)) return value;
  const [first, ...more] = fields.filter((_, i) => i > 0 && c.constant(i) === undefined).map(isNull);
  const anyNull = first && more.reduce((any, test) => infix('OR', any, test), first);
  return inYears(anyNull === undefined ? year : iff(anyNull, lit(2000), year), [lit(1), lit(9999)], [lit(1900), lit(2299)], value, c);
}

/** The year, the first argument, is a constant that every ClickHouse holds. */
function isEverywhere(c: LowerCall): boolean {
  const known = c.constant(0);
  return typeof known === 'bigint' && known >= 1900n && known <= 2299n;
}

const madeDate = (year: SqlExpression, month: SqlExpression, day: SqlExpression, c: LowerCall): SqlExpression =>
  isEverywhere(c) ? call('makeDate32', year, month, day) : dateOfAnyYear(year, month, day);

/** DATE of year, month and day; a day that does not exist is an error. */
export function dateOf(fields: readonly [SqlExpression, SqlExpression, SqlExpression], c: LowerCall): SqlExpression {
  const [year, month, day] = bareFields(fields);
  const made = madeDate(year, month, day, c);
  const wrong = [outside(month, 1, 12), infix('<', day, lit(1)), infix('!=', call('toDayOfMonth', made), day)];
  return inKnownYears(year, c, fields, c.failIf(anyOf(wrong, c, fields), 'there is no such day', made));
}

/** TIME of hour, minute and second. */
export function timeOf(fields: readonly [SqlExpression, SqlExpression, SqlExpression], c: LowerCall): SqlExpression {
  const [hour, minute, second] = bareFields(fields);
  const wrong = [outside(hour, 0, 23), outside(minute, 0, 59), outside(second, 0, LEAP)];
  const known = c.constant(2);
  const seconds = infix('+', infix('+', infix('*', hour, lit(3600)), infix('*', minute, lit(60))), second);
  // A leap second is the next one, and after the last comes midnight.
  const inDay = typeof known === 'bigint' && known < LEAP ? seconds : infix('%', seconds, lit(86_400));
  return c.failIf(anyOf(wrong, c, fields), 'there is no such time', call('toTime64', inDay, lit(6)));
}

/** The second that clocks count when the earth is late. */
const LEAP = 60;

/** DATETIME of all six fields. */
export function datetimeOf(
  date: readonly [SqlExpression, SqlExpression, SqlExpression],
  clock: readonly [SqlExpression, SqlExpression, SqlExpression],
  c: LowerCall,
): SqlExpression {
  const [year, month, day] = bareFields(date);
  const [hour, minute, second] = bareFields(clock);
  const seconds = infix('+', infix('+', infix('*', hour, lit(3600)), infix('*', minute, lit(60))), second);
  const known = c.constant(5);
  const hasLeap = typeof known !== 'bigint' || known >= LEAP;
  const first = (): SqlExpression => call('toDateTime64', madeDate(year, month, day, c), lit(6), UTC);
  const made =
    isEverywhere(c) && !hasLeap
      ? call('makeDateTime64', year, month, day, hour, minute, second, lit(0), lit(6), UTC)
      : call('addSeconds', first(), seconds);
  const wrong = [
    outside(month, 1, 12),
    infix('<', day, lit(1)),
    outside(hour, 0, 23),
    outside(minute, 0, 59),
    outside(second, 0, LEAP),
    ...(hasLeap
      ? [infix('AND', infix('=', second, lit(LEAP)), infix('AND', infix('=', year, lit(9999)), infix('=', month, lit(12))))]
      : []),
    infix('!=', call('toDayOfMonth', hasLeap ? madeDate(year, month, day, c) : made), day),
  ];
  return inKnownYears(year, c, [...date, ...clock], c.failIf(anyOf(wrong, c, [...date, ...clock]), 'there is no such date and time', made));
}

/** Tests the fields where none of them is NULL: a NULL field makes the result NULL, whatever the others are. */
function anyOf(tests: readonly SqlExpression[], c: LowerCall, fields: readonly SqlExpression[]): SqlExpression {
  const any = tests.reduce((left, test) => infix('OR', left, test));
  const nullable = fields.filter((_, i) => c.constant(i) === undefined);
  return nullable.length === 0
    ? any
    : infix(
        'AND',
        nullable.map(isNotNull).reduce((all, test) => infix('AND', all, test)),
        any,
      );
}
