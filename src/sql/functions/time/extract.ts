// EXTRACT. https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#extract
import type { SqlExpression } from '../../target/ast.ts';
import { call, infix, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { ALL_PARTS, DATE_PARTS, firstWeekday, onFirstDay, partAt, refuseEdges, TIME_PARTS } from './date-part.ts';
import { extractInterval } from './interval.ts';
import { byAge, wallClock, zoneOf } from './time-zone.ts';

const FIELDS: Readonly<Record<string, string>> = {
  YEAR: 'toYear',
  ISOYEAR: 'toISOYear',
  QUARTER: 'toQuarter',
  MONTH: 'toMonth',
  ISOWEEK: 'toISOWeek',
  DAY: 'toDayOfMonth',
  DAYOFYEAR: 'toDayOfYear',
  HOUR: 'toHour',
  MINUTE: 'toMinute',
  SECOND: 'toSecond',
  MILLISECOND: 'toMillisecond',
};
const DAY_FIELDS = ['DAYOFWEEK', 'DAYOFYEAR'];

/** One field of a date or a wall clock. */
function field(value: SqlExpression, part: string, isDate: boolean, ...zone: readonly SqlExpression[]): SqlExpression {
  const name = FIELDS[part];
  // ClickHouse 26.7 counts one day less for the last day whose Date32 it can write as text.
  if (part === 'DAYOFYEAR' && isDate) return call('toInt64', call('toDayOfYear', call('toDateTime64', value, lit(6), lit('UTC'))));
  if (name !== undefined) return call('toInt64', call(name, value, ...zone));
  if (part === 'DAYOFWEEK') return call('toInt64', call('toDayOfWeek', value, lit(3), ...zone));
  if (part === 'MICROSECOND') return call('toInt64', call('positiveModulo', call('toUnixTimestamp64Micro', value), lit(1_000_000)));
  return weekOfYear(value, firstWeekday(part), zone);
}

/** Weeks counted from the first `first` weekday of the year; the days before it are week 0. */
function weekOfYear(value: SqlExpression, first: number, zone: readonly SqlExpression[]): SqlExpression {
  // ClickHouse's modes: 0 and 5 are weeks from Sunday and from Monday. https://clickhouse.com/docs/sql-reference/functions/date-time-functions#toWeek
  if (first <= 1) return call('toInt64', call('toWeek', value, lit(first === 0 ? 0 : 5), ...zone));
  const intoWeek = call('positiveModulo', infix('-', call('toDayOfWeek', value, lit(2), ...zone), lit(first)), lit(7));
  return call('toInt64', call('intDiv', infix('-', infix('+', call('toDayOfYear', value, ...zone), lit(6)), intoWeek), lit(7)));
}

function extract(value: SqlExpression, zoneText: SqlExpression | undefined, c: LowerCall): SqlExpression {
  switch (c.typeOf(1).kind) {
    case 'DATE':
      return field(value, partAt(c, 0, [...DATE_PARTS, ...DAY_FIELDS], 'EXTRACT from a DATE'), true);
    case 'INTERVAL':
      return extractInterval(value, c);
    case 'TIME':
      return field(onFirstDay(value), partAt(c, 0, TIME_PARTS, 'EXTRACT from a TIME'), false);
    default: {
      const part = partAt(c, 0, [...ALL_PARTS, ...DAY_FIELDS], 'EXTRACT');
      const zone = zoneOf(c.args[2], zoneText, c.safe);
      if (zone.kind !== 'utc') refuseEdges(c, 'ZONE', 'start', 1);
      return zone.kind === 'name' && part !== 'MICROSECOND'
        ? byAge(value, zone, () => field(wallClock(value, zone), part, false), field(value, part, false, zone.name))
        : field(wallClock(value, zone), part, false);
    }
  }
}

export const extraction = (): Family => ({
  EXTRACT: strict(
    'part PART, value TIMESTAMP, [zone STRING] -> INT64 | part PART, value DATE -> INT64 | part PART, value DATETIME -> INT64 | part PART, value TIME -> INT64 | part PART, value INTERVAL -> INT64',
    ({ value, zone }, c) => extract(value, zone, c),
    { range: [-1e9, 1e9] },
  ),
});
