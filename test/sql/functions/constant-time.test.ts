// Functions of dates and times over constants, whose values the translation knows, beside the same functions over rows, which the engine computes.
import { expect, test } from 'vitest';
import { translate } from '../../../src/sql/index.ts';
import { evaluate, useEngine } from '../../support/expression-rows.ts';

useEngine();

const WEEKS = ['WEEK', 'WEEK(TUESDAY)', 'WEEK(SATURDAY)', 'ISOWEEK'];
const CALENDAR = ['YEAR', 'QUARTER', 'MONTH', ...WEEKS, 'DAY'];
const CLOCK = ['HOUR', 'MINUTE', 'SECOND', 'MILLISECOND', 'MICROSECOND'];
const MONTHS = ['1 MONTH', '-13 MONTH', '2 QUARTER', '-1 YEAR'];
const DAYS = ['45 DAY', '-2 WEEK'];
const CLOCKS = ['90 MINUTE', '-25 HOUR', '1500 MILLISECOND', '-7 MICROSECOND'];

/** Calls over the columns a and b. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  DATE: [
    ...CALENDAR.flatMap((part) => [`DATE_TRUNC(a, ${part})`, `DATE_DIFF(a, b, ${part})`, `DATE_DIFF(b, a, ${part})`]),
    ...['YEAR', 'QUARTER', 'MONTH', ...WEEKS].map((part) => `LAST_DAY(a, ${part})`),
    ...[...MONTHS, ...DAYS].flatMap((interval) => [`DATE_ADD(a, INTERVAL ${interval})`, `DATE_SUB(a, INTERVAL ${interval})`]),
    'LAST_DAY(a)',
    'UNIX_DATE(a)',
    'DATE_FROM_UNIX_DATE(UNIX_DATE(a))',
    'DATETIME(a)',
    'TIMESTAMP(a)',
    "DATETIME(a, TIME '23:59:59.25')",
  ],
  DATETIME: [
    ...[...CALENDAR, ...CLOCK].flatMap((part) => [
      `DATETIME_TRUNC(a, ${part})`,
      `DATETIME_DIFF(a, b, ${part})`,
      `DATETIME_DIFF(b, a, ${part})`,
    ]),
    ...[...MONTHS, ...DAYS, ...CLOCKS].flatMap((interval) => [
      `DATETIME_ADD(a, INTERVAL ${interval})`,
      `DATETIME_SUB(a, INTERVAL ${interval})`,
    ]),
    'DATE(a)',
    'TIME(a)',
    'TIMESTAMP(a)',
    'LAST_DAY(a)',
  ],
  TIMESTAMP: [
    ...[...CALENDAR, ...CLOCK].map((part) => `TIMESTAMP_TRUNC(a, ${part})`),
    ...['DAY', ...CLOCK].flatMap((part) => [`TIMESTAMP_DIFF(a, b, ${part})`, `TIMESTAMP_DIFF(b, a, ${part})`]),
    ...[...DAYS, ...CLOCKS].flatMap((interval) => [`TIMESTAMP_ADD(a, INTERVAL ${interval})`, `TIMESTAMP_SUB(a, INTERVAL ${interval})`]),
    'UNIX_SECONDS(a)',
    'UNIX_MILLIS(a)',
    'UNIX_MICROS(a)',
    'TIMESTAMP_SECONDS(UNIX_SECONDS(a))',
    'TIMESTAMP_MILLIS(UNIX_MILLIS(a))',
    'TIMESTAMP_MICROS(UNIX_MICROS(a))',
    'DATE(a)',
    'DATETIME(a)',
    'TIME(a)',
  ],
  TIME: [
    ...CLOCK.flatMap((part) => [`TIME_TRUNC(a, ${part})`, `TIME_DIFF(a, b, ${part})`, `TIME_DIFF(b, a, ${part})`]),
    ...CLOCKS.flatMap((interval) => [`TIME_ADD(a, INTERVAL ${interval})`, `TIME_SUB(a, INTERVAL ${interval})`]),
  ],
};

const DATES = ['1970-01-01', '1969-12-31', '2024-02-29', '2023-12-31', '2024-12-30', '1931-05-31', '2200-03-01'];
const TIMES = ['00:00:00', '23:59:59.999999', '12:34:56.789012', '07:00:00.5'];
const LITERALS: readonly (readonly [kind: string, texts: readonly string[]])[] = [
  ['DATE', DATES],
  ['TIME', TIMES],
  ['DATETIME', DATES.map((date, i) => `${date} ${TIMES[i % TIMES.length]}`)],
  ['TIMESTAMP', DATES.map((date, i) => `${date} ${TIMES[(i + 1) % TIMES.length]}+00`)],
];

const PAIRS = LITERALS.flatMap(([kind, texts]) =>
  texts.map((text, i) => [kind, `${kind} '${text}'`, `${kind} '${texts[(i + 1) % texts.length]}'`] as const),
);

/** Texts of the values: one value for all calls. */
const listed = (calls: readonly string[]): string => `[${calls.map((call) => `CAST(${call} AS STRING)`).join(', ')}]`;

const over = (calls: readonly string[], a: string, b: string): readonly string[] =>
  calls.map((call) => call.replace(/\b[ab]\b(?!')/g, (name) => (name === 'a' ? a : b)));

test.each(PAIRS)('%s: calls of %s and %s', async (kind, a, b) => {
  const calls = CALLS[kind] ?? [];
  const rows = await evaluate(`(SELECT ${listed(calls)} FROM UNNEST([STRUCT(${a} AS a, ${b} AS b)]))`);
  const constants = over(calls, a, b);
  expect(await evaluate(listed(constants))).toEqual(rows);
  for (const call of constants)
    expect(translate(`SELECT ${call}`).sql).not.toMatch(/dateDiff|add\w+\(|subtract|toStartOf|toLastDay|toUnix|fromUnix|makeDate/);
});

test('fields make dates and times, and what no field makes fails as over rows', async () => {
  expect(
    await evaluate('[CAST(DATE(2024, 2, 29) AS STRING), CAST(DATETIME(2024, 2, 29, 23, 5, 1) AS STRING), CAST(TIME(7, 0, 59) AS STRING)]'),
  ).toEqual(['2024-02-29', '2024-02-29 23:05:01', '07:00:59']);
  await expect(evaluate('DATE(2023, 2, 29)')).rejects.toThrow('there is no such day');
  await expect(evaluate('TIME(24, 0, 0)')).rejects.toThrow('there is no such time');
  expect(() => translate("SELECT DATE_ADD(DATE '9999-12-31', INTERVAL 1 DAY)")).toThrow('outside 0001-01-01 to 9999-12-31');
});

/** Calls with ? for the text, which is a constant and then a row's. */
const PARSED: readonly (readonly [call: string, text: string, value: string])[] = [
  ["PARSE_DATE('%Y%m%d', ?)", "'20081225'", '2008-12-25'],
  ["PARSE_DATE('%A %b %e %Y', ?)", "'thursday DEC 25 2008'", '2008-12-25'],
  ["PARSE_DATE('%m/%d/%y', ?)", "' 12/25/69 '", '1969-12-25'],
  ["PARSE_DATE('%j %Y', ?)", "'366 2024'", '2024-12-31'],
  ["PARSE_DATE('%s', ?)", "'-1'", '1969-12-31'],
  ["PARSE_DATETIME('%F %I:%M:%S %p', ?)", "'2018-08-19 12:05:06 am'", '2018-08-19 00:05:06'],
  ["PARSE_DATETIME('%F %H:%M:%S', ?)", "'2016-12-31 23:59:60'", '2017-01-01 00:00:00'],
  ["PARSE_DATETIME('%Q', ?)", "'3'", '1970-07-01 00:00:00'],
  ["PARSE_TIME('%H:%M:%E6S', ?)", "'07:08:09.123456'", '07:08:09.123456'],
  ["PARSE_TIMESTAMP('%c', ?)", "'Thu Dec 25 07:30:00 2008'", '2008-12-25 07:30:00+00'],
  ["PARSE_TIMESTAMP('%FT%T%Ez', ?)", "'2008-12-25T07:30:00+05:30'", '2008-12-25 02:00:00+00'],
  ["PARSE_TIMESTAMP('%FT%T%z', ?)", "'2008-12-25T07:30:00-0830'", '2008-12-25 16:00:00+00'],
  ["CAST(? AS DATE FORMAT 'YYYYMMDD')", "'20201225'", '2020-12-25'],
];

test.each(PARSED)('%s of %s is known', async (call, text, value) => {
  const known = call.replace('?', text);
  expect(await evaluate(`CAST(${known} AS STRING)`)).toBe(value);
  expect(await evaluate(`(SELECT CAST(${call.replace('?', 'x')} AS STRING) FROM UNNEST([${text}]) AS x)`)).toBe(value);
  expect(translate(`SELECT ${known}`).sql).not.toContain('extractGroups');
});

test.each([
  ["PARSE_DATE('%Y%m%d', '20081325')", 'does not match the format'],
  ["PARSE_DATE('%F', '2023-02-29')", 'does not match the format'],
  ["PARSE_TIMESTAMP('%FT%T%z', '2008-12-25T07:30:00-1430')", 'does not match the format'],
])('%s fails', async (call, message) => {
  await expect(evaluate(call)).rejects.toThrow(message);
  expect(await evaluate(`SAFE.${call}`)).toBeNull();
});
