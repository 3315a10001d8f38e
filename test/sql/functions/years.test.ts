// Dates and times over all of BigQuery's years, 0001 to 9999.
import { testExpressions } from '../../support/expression-rows.ts';

const OUTSIDE = 'the result is outside 0001-01-01 to 9999-12-31';
const BEGINS_OUTSIDE = 'the query failed: the bucket begins outside the years 0001 to 9999';
const LEADS_OUT = 'the query failed: the interval leads outside the range of dates';
const of = (expression: string, ...rows: string[]): string => `(SELECT MAX(${expression}) FROM UNNEST([${rows.join(', ')}]) AS x)`;

testExpressions(
  {
    literals: [
      ["DATE '9999-12-31'", null, '9999-12-31'],
      ["DATE '0001-01-01'", null, '0001-01-01'],
      ["CAST(DATETIME '0001-01-01 00:00:00' AS STRING)", null, '0001-01-01 00:00:00'],
      ["CAST(TIMESTAMP '9999-12-31 23:59:59.999999+00' AS STRING)", null, '9999-12-31 23:59:59.999999+00'],
      ["DATE '2299-12-31'", "toDate32('2299-12-31')", '2299-12-31'],
    ],
    buckets: [
      [of("DATE_BUCKET(x, INTERVAL 2 DAY, DATE '0001-01-02')", "DATE '0001-01-03'"), null, '0001-01-02'],
      [of("DATE_BUCKET(x, INTERVAL 2 MONTH, DATE '0001-02-01')", "DATE '0001-04-03'"), null, '0001-04-01'],
      [
        of("CAST(DATETIME_BUCKET(x, INTERVAL 1 MONTH, DATETIME '0001-02-01 00:00:00') AS STRING)", "DATETIME '0001-01-01 00:00:00'"),
        null,
        '0001-01-01 00:00:00',
      ],
      [of('CAST(TIMESTAMP_BUCKET(x, INTERVAL 7 DAY) AS STRING)', "TIMESTAMP '0001-01-07 23:00:00'"), null, '0001-01-07 00:00:00+00'],
      ["CAST(TIMESTAMP('0001-01-01 00:00:00', '-01') AS STRING)", null, '0001-01-01 01:00:00+00'],
    ],
    comparisons: [
      ["DATE '9999-12-31' > DATE '2299-12-31'", null, 1],
      ["DATE '0001-01-01' = DATE '1900-01-01'", null, false],
      ["DATE '9999-12-31' IN (DATE '2299-12-31', DATE '9999-12-31')", null, 1],
      [of('x', "DATE '0001-01-01'", "DATE '9999-12-31'", "DATE '2026-01-01'"), null, '9999-12-31'],
      ["(SELECT COUNT(DISTINCT x) FROM UNNEST([DATE '0001-01-01', DATE '1899-12-31', DATE '1900-01-01']) AS x)", null, 3],
    ],
    parts: [
      ["EXTRACT(ISOYEAR FROM DATE '0001-01-01')", null, 1],
      ["EXTRACT(DAYOFYEAR FROM DATE '2299-12-31')", null, 365],
      ["EXTRACT(DAYOFWEEK FROM DATE '9999-12-31')", null, 6],
      ["DATE_TRUNC(DATE '1500-05-28', QUARTER)", null, '1500-04-01'],
      ["LAST_DAY(DATE '9999-12-31', YEAR)", null, '9999-12-31'],
      ["LAST_DAY(DATE '2024-02-10', QUARTER)", null, '2024-03-31'],
      ["CAST(DATETIME_TRUNC(DATETIME '9999-12-31 23:59:59.999999', HOUR) AS STRING)", null, '9999-12-31 23:00:00'],
      ["FORMAT_DATE('%E4Y-%m-%d %j', DATE '2299-12-31')", null, '2299-12-31 365'],
    ],
    differences: [
      ["DATE_DIFF(DATE '9999-12-31', DATE '0001-01-01', DAY)", null, 3652058],
      ["DATE_DIFF(DATE '9999-12-31', DATE '0001-01-01', MONTH)", null, 119987],
      ["DATE_DIFF(DATE '2026-01-15', DATE '0001-01-01', ISOWEEK)", null, 105661],
      ["DATE_DIFF(DATE '1970-01-05', DATE '1969-12-28', ISOWEEK)", null, 2],
      ["DATETIME_DIFF(DATETIME '9999-12-31 23:59:59', DATETIME '2026-01-02 03:04:05', SECOND)", null, 251634977754],
    ],
    sums: [
      ["DATE_ADD(DATE '2299-12-31', INTERVAL 1 DAY)", null, '2300-01-01'],
      ["DATE_SUB(DATE '9999-12-31', INTERVAL 9998 YEAR)", null, '0001-12-31'],
      [of('DATE_ADD(x, INTERVAL 1 DAY)', "DATE '9999-12-30'"), null, '9999-12-31'],
      ["SAFE.DATE_ADD(DATE '9999-12-31', INTERVAL 1 DAY)", null, null],
      ["CAST(DATETIME_SUB(DATETIME '9999-12-31 23:59:59.999999', INTERVAL 1 MICROSECOND) AS STRING)", null, '9999-12-31 23:59:59.999998'],
      ["DATE '1899-12-31' + 1", null, '1900-01-01'],
    ],
    constructors: [
      ['DATE(9999, 12, 31)', null, '9999-12-31'],
      ['DATE(1600, 2, 29)', null, '1600-02-29'],
      [of('DATE(x, 2, 28)', '1', '1500'), null, '1500-02-28'],
      ['SAFE.DATE(10000, 1, 1)', null, null],
      ['CAST(DATETIME(1, 1, 1, 23, 59, 59) AS STRING)', null, '0001-01-01 23:59:59'],
      ['DATE_FROM_UNIX_DATE(2932896)', null, '9999-12-31'],
      ['UNIX_MICROS(TIMESTAMP_MICROS(-62135596800000000))', null, -62135596800000000n],
      ['SAFE.TIMESTAMP_SECONDS(253402300800)', null, null],
      ["PARSE_DATE('%Y-%m-%d', '0001-01-01')", null, '0001-01-01'],
      ["PARSE_DATE('%Y %j', '9999 365')", null, '9999-12-31'],
      [of('CAST(x AS DATE)', "'9999-12-31'"), null, '9999-12-31'],
      [of('SAFE_CAST(x AS DATE)', "'0000-01-01'"), null, null],
      ["CAST('0001-01-01' AS DATE)", null, '0001-01-01'],
    ],
    'the clock before 1970': [
      ["TIME(DATETIME '1969-12-31 23:59:59.999999')", null, '23:59:59.999999'],
      ["CAST(TIMESTAMP '1899-12-31 23:59:59.999999+00' AS TIME)", null, '23:59:59.999999'],
    ],
  },
  [
    ["DATE_ADD(DATE '9999-12-31', INTERVAL 1 DAY)", OUTSIDE],
    ["DATE_SUB(DATE '0001-01-30', INTERVAL 1 MONTH)", OUTSIDE],
    ["TIMESTAMP_ADD(TIMESTAMP '9999-12-31 23:59:59.999999+00', INTERVAL 1 MICROSECOND)", OUTSIDE],
    [of('DATE_ADD(x, INTERVAL 1 DAY)', "DATE '9999-12-31'"), LEADS_OUT],
    [of('DATE_SUB(x, INTERVAL 1 MONTH)', "DATE '0001-01-30'"), LEADS_OUT],
    [of('DATETIME_ADD(x, INTERVAL 1 SECOND)', "DATETIME '9999-12-31 23:59:59'"), LEADS_OUT],
    [of("DATE_ADD(DATE '9990-01-30', INTERVAL x YEAR)", '10'), LEADS_OUT],
    [of('x + 1', "DATE '9999-12-31'"), LEADS_OUT],
    ["DATE_BUCKET(DATE '0001-01-01', INTERVAL 2 DAY, DATE '0001-01-02')", BEGINS_OUTSIDE],
    ["DATE_BUCKET(DATE '0001-01-01', INTERVAL 10000 YEAR, DATE '9999-12-31')", BEGINS_OUTSIDE],
    [of('DATE_BUCKET(x, INTERVAL 7 DAY)', "DATE '0001-01-06'"), BEGINS_OUTSIDE],
    [of("DATETIME_BUCKET(x, INTERVAL 3 HOUR, DATETIME '9999-12-31 23:59:59.999999')", "DATETIME '0001-01-01 00:00:00'"), BEGINS_OUTSIDE],
    [of("DATETIME_BUCKET(x, INTERVAL 1 MONTH, DATETIME '0001-02-01 00:00:01')", "DATETIME '0001-01-01 00:00:00'"), BEGINS_OUTSIDE],
    ["TIMESTAMP_BUCKET(TIMESTAMP '0001-01-01 00:00:00+00', INTERVAL 2 DAY, TIMESTAMP '0001-01-02 00:00:00+00')", BEGINS_OUTSIDE],
    ["TIMESTAMP('0001-01-01 00:00:00', '+01')", 'the result is, or may be, outside 0001-01-01 to 9999-12-31'],
    ["DATE_TRUNC(DATE '0001-01-05', WEEK)", 'the result is, or may be, outside 0001-01-01 to 9999-12-31'],
    ["FORMAT_DATE('%Y', DATE '0999-01-01')", 'years before 1000 are formatted with %E4Y only'],
  ],
);
