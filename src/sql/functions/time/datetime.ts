// DATETIME functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/datetime_functions
import { withinADay, withinAYear } from '../../base/number-range.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { datetimeOf } from './civil-fields.ts';
import { ALL_PARTS, onFirstDay, partAt, refuseEdges, UTC } from './date-part.ts';
import { difference, shifted } from './difference.ts';
import { textToDatetime } from './text-time.ts';
import { wallClock, zoneOf } from './time-zone.ts';
import { truncateTimestamp } from './timestamp.ts';

function toDatetime(value: SqlExpression, second: SqlExpression | undefined, c: LowerCall): SqlExpression {
  switch (c.typeOf(0).kind) {
    case 'STRING':
      return textToDatetime(value, { constant: c.constant(0), safe: c.safe, span: c.args[0]?.span ?? { start: 0, end: 0 } });
    case 'TIMESTAMP':
      if (zoneOf(c.args[1], second, c.safe).kind !== 'utc') refuseEdges(c, 'ZONE');
      return wallClock(value, zoneOf(c.args[1], second, c.safe));
    case 'DATE': {
      const midnight = call('toDateTime64', value, lit(6), UTC);
      return second === undefined ? midnight : call('addMicroseconds', midnight, timeMicros(second));
    }
    default:
      return value;
  }
}

/** Microseconds since midnight of a TIME. */
const timeMicros = (time: SqlExpression): SqlExpression => call('toUnixTimestamp64Micro', onFirstDay(time));

export const datetime = (): Family => ({
  DATETIME: strict(
    'year INT64, month INT64, day INT64, hour INT64, minute INT64, second INT64 -> DATETIME | value TIMESTAMP, [zone STRING] -> DATETIME | value DATE, [time TIME] -> DATETIME | value DATETIME -> DATETIME | value STRING -> DATETIME',
    ({ year, month, day, hour, minute, second }, c) =>
      c.typeOf(0).kind === 'INT64' ? datetimeOf([year, month, day], [hour, minute, second], c) : toDatetime(year, month, c),
    { range: (value, second) => (second === undefined ? withinADay(value) : undefined), readsText: [0, 'datetime'] },
  ),
  DATETIME_TRUNC: strict(
    'value TIMESTAMP, part PART, [zone STRING] -> TIMESTAMP | value DATETIME, part PART -> DATETIME',
    ({ value, zone }, c) => truncateTimestamp(value, partAt(c, 1, ALL_PARTS, 'DATETIME_TRUNC'), zoneOf(c.args[2], zone, c.safe), c),
    { range: withinAYear, cutsTime: true },
  ),
  DATETIME_ADD: shifted(1, 'DATETIME', 'TIMESTAMP'),
  DATETIME_SUB: shifted(-1, 'DATETIME', 'TIMESTAMP'),
  DATETIME_DIFF: difference('DATETIME_DIFF', 'DATETIME', 'TIMESTAMP'),
});
