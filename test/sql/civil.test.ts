// Which texts are dates, times and intervals, and what they say.
import { expect, test } from 'vitest';
import { datetimeText, parseDate, parseDatetime, parseTime, parseTimestamp } from '../../src/sql/base/civil.ts';
import { parseInterval } from '../../src/sql/base/interval.ts';

const shown = (micros: bigint | undefined): string | undefined => (micros === undefined ? undefined : datetimeText(micros));

test.each([
  ['1970-01-02', 1],
  ['1969-12-31', -1],
  ['2024-2-29', 19782],
  ['2023-02-29', undefined],
  ['2024-13-01', undefined],
  ['20240101', undefined],
  [' 2024-01-01', undefined],
])('the date %j is day %s', (text, day) => {
  expect(parseDate(text)).toBe(day);
});

test.each([
  ['1:2:3', 3_723_000_000n],
  ['23:59:59.999999', 86_399_999_999n],
  ['23:59:59.9999999', undefined],
  ['23:59:60', 0n],
  ['12:59:60.5', 46_800_000_000n],
  ['24:00:00', undefined],
  ['12:30', undefined],
])('the time %j is %s microseconds into the day', (text, micros) => {
  expect(parseTime(text)).toBe(micros);
});

test.each([
  ['2026-03-08', '2026-03-08 00:00:00.000000'],
  ['2026-03-08T1:02:03.5', '2026-03-08 01:02:03.500000'],
  ['2026-03-08t01:02:03', '2026-03-08 01:02:03.000000'],
  ['2026-03-08 23:59:60', '2026-03-09 00:00:00.000000'],
  ['2026-03-08 23:59:60.5', '2026-03-09 00:00:00.000000'],
  ['2026-03-08 01:02:03Z', undefined],
])('the wall clock %j shows %s', (text, expected) => {
  expect(shown(parseDatetime(text))).toBe(expected);
});

test.each([
  ['2026-03-08 12:00:00', '', '2026-03-08 12:00:00.000000'],
  ['2026-03-08T12:00:00z', 'Z', '2026-03-08 12:00:00.000000'],
  ['2026-03-08 12:00:00 UTC', 'Z', '2026-03-08 12:00:00.000000'],
  ['2026-03-08 12:00:00+5:30', 'Z', '2026-03-08 06:30:00.000000'],
  ['2026-03-08 -08', 'Z', '2026-03-08 08:00:00.000000'],
  ['2026-03-08 12:00:00+1:3', 'Z', '2026-03-08 10:57:00.000000'],
  ['2026-03-08 12:00:00-130', 'Z', '2026-03-09 01:00:00.000000'],
  ['2026-03-08 12:00:00 UTC+01', 'Z', '2026-03-08 11:00:00.000000'],
  ['2026-03-08 23:59:60.5', '', '2026-03-09 00:00:00.500000'],
  ['2026-03-08 12:34:60.000001+01', 'Z', '2026-03-08 11:35:00.000001'],
  ['2026-03-08 12:00:00 Europe/Berlin', 'Europe/Berlin', '2026-03-08 12:00:00.000000'],
])('the timestamp %j has the zone %j and the time %s', (text, zone, expected) => {
  const parsed = parseTimestamp(text);
  expect([parsed?.zone, shown(parsed?.micros)]).toEqual([zone, expected]);
});

test.each([
  '2026-03-08 12:00:00+15',
  '2026-03-08 12:00:00+05:60',
  '2026-03-08 12:00:00Europe/Berlin',
  '2026-03-08 12:00:00 Z',
  '2026-03-08 12:00:00 +01',
  '2026-03-08 12:00:00Z ',
  '2026-03-08 12:00:00.Z',
  '2026-03-08Z',
  '2026-03-08-08',
  '2026-03-08 UTC',
  '2026-03-08 Europe/Berlin',
  '2026-03-08 ',
])('%j is no timestamp', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test.each([
  ['1-2', { months: 14n, days: 0n, micros: 0n }],
  ['-1-2 3 -4:5:6.7', { months: -14n, days: 3n, micros: -14_706_700_000n }],
  ['3 4:5:6', { months: 0n, days: 3n, micros: 14_706_000_000n }],
  ['P1Y-2M3W4DT5H-6M7.5S', { months: 10n, days: 25n, micros: 17_647_500_000n }],
  ['PT1H2M', { months: 0n, days: 0n, micros: 3_720_000_000n }],
  ['1', undefined],
  ['P', undefined],
  ['P1', undefined],
])('the interval %j is %o', (text, value) => {
  expect(parseInterval(text)).toEqual(value);
});
