// CAST between dates, times and text. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import { call, lit } from '../clickhouse/build.ts';
import { clockOf, UTC } from '../functions/date-part.ts';
import { textToDate, textToDatetime, textToTime, textToTimestamp } from '../functions/text-time.ts';
import { shortText, timestampText } from '../functions/time-text.ts';
import { instantOf, midnight, wallClock, type Zone, zoneOf } from '../functions/time-zone.ts';
import type { CastContext, CastRules } from './cast-rule.ts';

const zoneIn = ({ zoneArg, zone }: CastContext): Zone => zoneOf(zoneArg, zone);

export const TEMPORAL_CASTS: CastRules = {
  'STRING>DATE': textToDate,
  'STRING>DATETIME': textToDatetime,
  'STRING>TIME': textToTime,
  'STRING>TIMESTAMP': (value, context) => textToTimestamp(value, zoneIn(context), context),
  'DATE>STRING': (value) => call('toString', value),
  'DATE>DATETIME': (value) => call('toDateTime64', value, lit(6), UTC),
  'DATE>TIMESTAMP': (value, context) => midnight(value, zoneIn(context)),
  'DATETIME>STRING': shortText,
  'DATETIME>DATE': (value) => call('toDate32', value),
  'DATETIME>TIMESTAMP': (value, context) => instantOf(value, zoneIn(context)),
  'DATETIME>TIME': clockOf,
  'TIMESTAMP>STRING': (value, context) => timestampText(value, zoneIn(context)),
  'TIMESTAMP>DATE': (value, context) => call('toDate32', wallClock(value, zoneIn(context))),
  'TIMESTAMP>DATETIME': (value, context) => wallClock(value, zoneIn(context)),
  'TIMESTAMP>TIME': (value, context) => clockOf(wallClock(value, zoneIn(context))),
  'TIME>STRING': shortText,
};
