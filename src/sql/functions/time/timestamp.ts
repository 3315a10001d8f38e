// TIMESTAMP functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions

import { withinAYear } from '../../base/number-range.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, infix, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { inYears } from '../held-years.ts';
import { jsonString } from '../json/json-convert.ts';
import { strict } from '../strict.ts';
import { ALL_PARTS, partAt, refuseEdges, startDate, startTime, UTC, wholeSecond } from './date-part.ts';
import { difference, shifted } from './difference.ts';
import { textToTimestamp } from './text-time.ts';
import { shortText, timestampText } from './time-text.ts';
import { instantOf, midnight, steady, type Zone, zoneOf } from './time-zone.ts';

/** Start of the part as a clock in the zone sees it, as an instant. */
export function truncateTimestamp(time: SqlExpression, part: string, zone: Zone, c: LowerCall): SqlExpression {
  refuseEdges(c, zone.kind === 'utc' ? part : 'ZONE');
  if (zone.kind === 'null') return instantOf(time, zone);
  if (['SECOND', 'MILLISECOND', 'MICROSECOND'].includes(part)) return startTime(time, part);
  const value = wholeSecond(time, c);
  if (zone.kind === 'utc') return startTime(value, part);
  if (zone.kind === 'offset') return instantOf(startTime(call('addSeconds', value, lit(zone.seconds)), part), zone);
  if (part === 'HOUR' || part === 'MINUTE') {
    // By the offset at the instant, as BigQuery does; ClickHouse counts from midnight, which is another hour where half an hour was skipped.
    const offset = call('timeZoneOffset', call('toTimeZone', value, zone.name));
    return call('subtractSeconds', startTime(call('addSeconds', value, offset), part), offset);
  }
  if (part === 'DAY') return steady(call('toTimeZone', call('toStartOfDay', value, zone.name), UTC), zone.name);
  return midnight(startDate(value, part, zone.name), zone);
}

/** 1970 + `count` units, which must lie in the range that DateTime64 holds. */
function fromUnix(count: SqlExpression, unit: bigint, c: LowerCall): SqlExpression {
  const micros = unit === 1n ? count : infix('*', count, lit(unit));
  return inRange(count, unit, c, call('fromUnixTimestamp64Micro', micros, UTC));
}

/** 1900-01-01 and 2299-12-31 23:59:59 in seconds, 0001-01-01 and 9999-12-31 23:59:59. */
const FEW = [-2_208_988_800n, 10_413_791_999n] as const;
const ALL = [-62_135_596_800n, 253_402_300_799n] as const;

function inRange(count: SqlExpression, unit: bigint, c: LowerCall, value: SqlExpression): SqlExpression {
  const ends = ([first, last]: readonly [bigint, bigint]) => [(first * 1_000_000n) / unit, ((last + 1n) * 1_000_000n) / unit - 1n] as const;
  const [low, high] = ends(FEW);
  const [lowest, highest] = ends(ALL);
  const known = c.constant(0);
  if (typeof known === 'bigint' && known >= low && known <= high) return value;
  return inYears(count, [lit(lowest), lit(highest)], [lit(low), lit(high)], value, c);
}

export const timestamp = (): Family => ({
  TIMESTAMP: strict(
    'value STRING, [zone STRING] -> TIMESTAMP | value DATE, [zone STRING] -> TIMESTAMP | value DATETIME, [zone STRING] -> TIMESTAMP | value TIMESTAMP -> TIMESTAMP',
    ({ value, zone: zoneText }, c) => {
      const zone = zoneOf(c.args[1], zoneText, c.safe);
      if (zone.kind !== 'utc') refuseEdges(c, 'ZONE');
      switch (c.typeOf(0).kind) {
        case 'STRING':
          return textToTimestamp(value, zone, {
            constant: c.constant(0),
            safe: c.safe,
            span: c.args[0]?.span ?? { start: 0, end: 0 },
            zoneApart: zoneText !== undefined,
          });
        case 'DATE':
          return midnight(value, zone);
        case 'DATETIME':
          return instantOf(value, zone);
        default:
          return value;
      }
    },
    { nullForNullOnly: true, readsText: [0, 'timestamp'] },
  ),
  STRING: strict(
    'value TIMESTAMP, [zone STRING] -> STRING | value DATE -> STRING | value DATETIME -> STRING | value TIME -> STRING | value JSON -> STRING',
    ({ value, zone }, c) => {
      if (c.typeOf(0).kind === 'JSON') return jsonString(value, c);
      if (c.typeOf(0).kind === 'TIMESTAMP') {
        if (zoneOf(c.args[1], zone, c.safe).kind !== 'utc') refuseEdges(c, 'ZONE');
        return timestampText(value, zoneOf(c.args[1], zone, c.safe));
      }
      return c.typeOf(0).kind === 'DATE' ? call('toString', value) : shortText(value);
    },
  ),
  TIMESTAMP_TRUNC: strict(
    'value TIMESTAMP, part PART, [zone STRING] -> TIMESTAMP | value DATETIME, part PART -> DATETIME',
    ({ value, zone }, c) => truncateTimestamp(value, partAt(c, 1, ALL_PARTS, 'TIMESTAMP_TRUNC'), zoneOf(c.args[2], zone, c.safe), c),
    { range: withinAYear, cutsTime: true },
  ),
  TIMESTAMP_ADD: shifted(1, 'TIMESTAMP', 'DATETIME'),
  TIMESTAMP_SUB: shifted(-1, 'TIMESTAMP', 'DATETIME'),
  TIMESTAMP_DIFF: difference('TIMESTAMP_DIFF', 'TIMESTAMP', 'DATETIME'),
  // ClickHouse's own conversions round towards zero before 1970, the start of the second or millisecond rounds down.
  UNIX_SECONDS: strict('value TIMESTAMP -> INT64', ({ value }) => call('toUnixTimestamp64Second', startTime(value, 'SECOND')), {
    range: [-1e12, 1e12],
  }),
  UNIX_MILLIS: strict('value TIMESTAMP -> INT64', ({ value }) => call('toUnixTimestamp64Milli', startTime(value, 'MILLISECOND')), {
    range: [-1e15, 1e15],
  }),
  UNIX_MICROS: strict('value TIMESTAMP -> INT64', ({ value }) => call('toUnixTimestamp64Micro', value), { range: [-1e18, 1e18] }),
  TIMESTAMP_SECONDS: strict('count INT64 -> TIMESTAMP', ({ count }, c) => fromUnix(count, 1_000_000n, c)),
  TIMESTAMP_MILLIS: strict('count INT64 -> TIMESTAMP', ({ count }, c) => fromUnix(count, 1000n, c)),
  TIMESTAMP_MICROS: strict('count INT64 -> TIMESTAMP', ({ count }, c) => fromUnix(count, 1n, c)),
});
