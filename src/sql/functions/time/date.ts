// DATE functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/date_functions
import { FIRST_DAY, isStoredEverywhere, LAST_DAY, parseDate } from '../../base/civil.ts';
import { withinAYear } from '../../base/number-range.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { inYears } from '../held-years.ts';
import { strict } from '../strict.ts';
import { dateOf } from './civil-fields.ts';
import { ALL_PARTS, DATE_PARTS, partAt, refuseEdges, startDate } from './date-part.ts';
import { difference, shifted } from './difference.ts';
import { textToDate, textToTimestamp } from './text-time.ts';
import { byAge, steady, UTC_ZONE, wallClock, zoneOf } from './time-zone.ts';
import { truncateTimestamp } from './timestamp.ts';

/** The date that a TIMESTAMP, DATETIME or text shows. */
function toDate(value: SqlExpression, zoneText: SqlExpression | undefined, c: LowerCall): SqlExpression {
  switch (c.typeOf(0).kind) {
    case 'STRING': {
      // Also texts of timestamps are read, in UTC.
      const text = { constant: c.constant(0), safe: c.safe, span: c.args[0]?.span ?? { start: 0, end: 0 } };
      const plain = typeof text.constant === 'string' && parseDate(text.constant) !== undefined;
      return plain ? textToDate(value, text) : call('toDate32', textToTimestamp(value, UTC_ZONE, text));
    }
    case 'TIMESTAMP': {
      const zone = zoneOf(c.args[1], zoneText, c.safe);
      if (zone.kind !== 'utc') refuseEdges(c, 'ZONE');
      const clock = call('toDate32', wallClock(value, zone));
      return zone.kind === 'name' ? byAge(value, zone, () => clock, call('toDate32', steady(value, zone.name), zone.name)) : clock;
    }
    case 'DATETIME':
      return call('toDate32', value);
    default:
      return value;
  }
}

function truncateDate(value: SqlExpression, part: string, c: LowerCall): SqlExpression {
  refuseEdges(c, part);
  return part === 'DAY' ? value : startDate(value, part);
}

const LAST_DAY_PARTS = DATE_PARTS.filter((p) => p !== 'DAY');

/** The day before the next part begins. */
function lastDay(value: SqlExpression, part: string, c: LowerCall): SqlExpression {
  refuseEdges(c, part, 'end');
  if (part === 'MONTH') return call('toLastDayOfMonth', value);
  const start = startDate(value, part);
  if (part.includes('WEEK')) return call('addDays', start, lit(6));
  if (part === 'ISOYEAR') return call('subtractDays', startDate(call('addDays', start, lit(371)), part), lit(1));
  return call('toLastDayOfMonth', call('addMonths', start, lit(part === 'YEAR' ? 11 : 2)));
}

export const date = (): Family => ({
  DATE: strict(
    'year INT64, month INT64, day INT64 -> DATE | value DATE -> DATE | value TIMESTAMP, [zone STRING] -> DATE | value DATETIME -> DATE | value STRING -> DATE',
    ({ year, month, day }, c) => (c.typeOf(0).kind === 'INT64' ? dateOf([year, month, day], c) : toDate(year, month, c)),
    { nullForNullOnly: true },
  ),
  DATE_TRUNC: strict(
    'value TIMESTAMP, part PART, [zone STRING] -> TIMESTAMP | value DATE, part PART -> DATE | value DATETIME, part PART -> DATETIME',
    ({ value, zone }, c) =>
      c.typeOf(0).kind === 'DATE'
        ? truncateDate(value, partAt(c, 1, DATE_PARTS, 'DATE_TRUNC'), c)
        : truncateTimestamp(value, partAt(c, 1, ALL_PARTS, 'DATE_TRUNC'), zoneOf(c.args[2], zone, c.safe), c),
    { range: withinAYear, cutsTime: true },
  ),
  DATE_ADD: shifted(1, 'DATE', 'DATETIME', 'TIMESTAMP'),
  DATE_SUB: shifted(-1, 'DATE', 'DATETIME', 'TIMESTAMP'),
  DATE_DIFF: difference('DATE_DIFF', 'DATE', 'DATETIME', 'TIMESTAMP'),
  LAST_DAY: strict('value DATE, [part PART] -> DATE | value DATETIME, [part PART] -> DATE', ({ value }, c) =>
    lastDay(value, c.args[1] === null || c.args[1] === undefined ? 'MONTH' : partAt(c, 1, LAST_DAY_PARTS, 'LAST_DAY'), c),
  ),
  UNIX_DATE: strict('value DATE -> INT64', ({ value }) => call('toInt64', value), { range: [-3e6, 3e6] }),
  DATE_FROM_UNIX_DATE: strict('days INT64 -> DATE', ({ days }, c) => {
    const known = c.constant(0);
    const made = call('addDays', call('toDate32', lit('1970-01-01')), bare(days));
    if (typeof known === 'bigint' && isStoredEverywhere(Number(known))) return made;
    return inYears(days, [lit(FIRST_DAY), lit(LAST_DAY)], [lit(-25_567), lit(120_529)], made, c);
  }),
});
