// CAST between dates, times and text. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import { fail } from '../analyze/fail.ts';
import type { Ch } from '../clickhouse/ast.ts';
import { call, cast, lit } from '../clickhouse/build.ts';
import type { CastRule, CastRules } from './cast-rule.ts';

export const UTC = lit('UTC');
const toText: CastRule = (value) => cast(value, 'Nullable(String)');

/** `2026-01-02 03:04:05.678901` with only as many decimals (0, 3, 6) as needed. */
function datetimeText(value: Ch, zone: Ch): Ch {
  const text = call('formatDateTime', value, lit('%Y-%m-%d %H:%i:%S.%f'), zone);
  return call('replaceRegexpOne', call('replaceRegexpOne', text, lit('\\.000000$'), lit('')), lit('(\\.\\d{3})000$'), lit('\\1'));
}

const isUtc = (zone: Ch): boolean => zone.kind === 'lit' && zone.value === 'UTC';

/** What a clock in `zone` shows at the instant, as a DATETIME. */
function wallClock(value: Ch, zone: Ch): Ch {
  return isUtc(zone) ? value : call('toDateTime64', call('toString', call('toTimeZone', value, zone)), lit(6), UTC);
}

export const TEMPORAL_CASTS: CastRules = {
  'STRING>DATE': (value, { safe }) => call(safe ? 'toDate32OrNull' : 'toDate32', value),
  'STRING>DATETIME': (value, { safe }) => call(safe ? 'parseDateTime64BestEffortOrNull' : 'parseDateTime64BestEffort', value, lit(6), UTC),
  'STRING>TIMESTAMP': (value, { safe, zone }) =>
    call(safe ? 'parseDateTime64BestEffortOrNull' : 'parseDateTime64BestEffort', value, lit(6), zone),
  'DATE>STRING': toText,
  'DATE>DATETIME': (value) => call('toDateTime64', value, lit(6), UTC),
  'DATE>TIMESTAMP': (value, { zone }) =>
    isUtc(zone)
      ? call('toDateTime64', value, lit(6), UTC)
      : call('toTimeZone', call('toDateTime64', call('toString', value), lit(6), zone), UTC),
  'DATETIME>STRING': (value) => datetimeText(value, UTC),
  'DATETIME>DATE': (value) => call('toDate32', value),
  'DATETIME>TIMESTAMP': (value, { zone }) =>
    isUtc(zone) ? value : call('toTimeZone', call('toDateTime64', call('toString', value), lit(6), zone), UTC),
  'DATETIME>TIME': (value) => call('toTime64', value, lit(6)),
  'TIMESTAMP>STRING': (value, { zone, span }) =>
    isUtc(zone)
      ? call('concat', datetimeText(value, UTC), lit('+00'))
      : fail('unsupported', span, 'a TIMESTAMP as text in a time zone is not supported', 'use FORMAT_TIMESTAMP'),
  'TIMESTAMP>DATE': (value, { zone }) => call('toDate32', call('toTimeZone', value, zone)),
  'TIMESTAMP>DATETIME': (value, { zone }) => (isUtc(zone) ? value : wallClock(value, zone)),
  'TIMESTAMP>TIME': (value, { zone }) => call('toTime64', wallClock(value, zone), lit(6)),
  'TIME>STRING': toText,
};
