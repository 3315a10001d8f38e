// What TIMESTAMP functions become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    'truncation keeps DateTime64 and plain functions': [
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56.789', HOUR)",
        "toDateTime64('2026-03-08 12:00:00.000000', 6, 'UTC')",
        '2026-03-08 12:00:00.000000',
      ],
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56.789123', MILLISECOND)",
        "toDateTime64('2026-03-08 12:34:56.789000', 6, 'UTC')",
        '2026-03-08 12:34:56.789000',
      ],
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56', WEEK)",
        "toDateTime64('2026-03-08 00:00:00.000000', 6, 'UTC')",
        '2026-03-08 00:00:00.000000',
      ],
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56', WEEK(TUESDAY))",
        "toDateTime64('2026-03-03 00:00:00.000000', 6, 'UTC')",
        '2026-03-03 00:00:00.000000',
      ],
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56', ISOYEAR)",
        "toDateTime64(toStartOfISOYear(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC')), 6, 'UTC')",
        '2025-12-29 00:00:00.000000',
      ],
      ['TIMESTAMP_TRUNC(CAST(NULL AS TIMESTAMP), DAY)', "CAST(NULL, 'Nullable(DateTime64(6, \\'UTC\\'))')", null],
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '1950-01-02 23:59:59.5', DAY)",
        "toDateTime64('1950-01-02 00:00:00.000000', 6, 'UTC')",
        '1950-01-02 00:00:00.000000',
      ],
    ],
    'truncation in a time zone': [
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56', DAY, 'America/New_York')",
        "toTimeZone(toStartOfDay(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC'), 'America/New_York'), 'UTC')",
        '2026-03-08 05:00:00.000000',
      ],
      ["TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56', HOUR, 'Asia/Kolkata')", null, '2026-03-08 12:30:00.000000'],
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56', MONTH, 'Europe/Berlin')",
        "toTimeZone(toDateTime64(toStartOfMonth(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC'), 'Europe/Berlin'), 6, 'Europe/Berlin'), 'UTC')",
        '2026-02-28 23:00:00.000000',
      ],
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08 12:34:56', HOUR, '+05:30')",
        "subtractSeconds(toStartOfHour(addSeconds(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC'), 19800)), 19800)",
        '2026-03-08 12:30:00.000000',
      ],
      ["TIMESTAMP_TRUNC(TIMESTAMP '2017-09-30 15:30:00', HOUR, 'Australia/Lord_Howe')", null, '2017-09-30 15:00:00.000000'],
      [
        "TIMESTAMP_TRUNC(TIMESTAMP '2018-11-04 12:00:00', DAY, 'America/Sao_Paulo')",
        "toTimeZone(toStartOfDay(toDateTime64('2018-11-04 12:00:00.000000', 6, 'UTC'), 'America/Sao_Paulo'), 'UTC')",
        '2018-11-04 03:00:00.000000',
      ],
    ],
    arithmetic: [
      [
        "TIMESTAMP_ADD(TIMESTAMP '2026-03-08 12:00:00', INTERVAL 90 MINUTE)",
        "toDateTime64('2026-03-08 13:30:00.000000', 6, 'UTC')",
        '2026-03-08 13:30:00.000000',
      ],
      [
        "TIMESTAMP_SUB(TIMESTAMP '2026-03-08 12:00:00', INTERVAL 7 DAY)",
        "toDateTime64('2026-03-01 12:00:00.000000', 6, 'UTC')",
        '2026-03-01 12:00:00.000000',
      ],
      [
        "TIMESTAMP_SUB(TIMESTAMP '2026-03-08 12:00:00', INTERVAL -3 HOUR)",
        "toDateTime64('2026-03-08 15:00:00.000000', 6, 'UTC')",
        '2026-03-08 15:00:00.000000',
      ],
      ["TIMESTAMP_ADD(TIMESTAMP '2026-03-08 12:00:00', INTERVAL LENGTH('abc') HOUR)", null, '2026-03-08 15:00:00.000000'],
      ["TIMESTAMP_ADD(TIMESTAMP '2026-03-08 12:00:00', INTERVAL CAST(NULL AS INT64) HOUR)", null, null],
      // A text is what the function is named after.
      ["TIMESTAMP_DIFF('2001-02-01 01:00:00', '2001-02-01 00:00:01', HOUR)", null, 0],
      ["DATETIME_DIFF('2001-02-01 01:00:00', '2001-02-01 00:00:01', HOUR)", null, 1],
      ["FORMAT('%T', TIMESTAMP_ADD('2001-02-01 01:00:00', INTERVAL 1 HOUR))", null, 'TIMESTAMP "2001-02-01 02:00:00+00"'],
      ["FORMAT('%T', TIMESTAMP_TRUNC('2001-02-01 01:02:03', HOUR))", null, 'TIMESTAMP "2001-02-01 01:00:00+00"'],
      ["FORMAT('%T', DATETIME_TRUNC('2001-02-01 01:02:03', HOUR))", null, 'DATETIME "2001-02-01 01:00:00"'],
      ["TIMESTAMP_DIFF(TIMESTAMP '2026-03-08 12:59:59', TIMESTAMP '2026-03-08 14:00:00', HOUR)", 'toInt64(-1)', -1],
      ["TIMESTAMP_DIFF(TIMESTAMP '2026-03-08 00:00:01', TIMESTAMP '2026-03-07 23:59:59', DAY)", 'toInt64(0)', 0],
    ],
    conversions: [
      ["TIMESTAMP(DATETIME '2026-03-08 02:30:00', 'America/New_York')", null, '2026-03-08 07:30:00.000000'],
      ["TIMESTAMP(DATETIME '2026-11-01 01:30:00', 'America/New_York')", null, '2026-11-01 05:30:00.000000'],
      [
        "TIMESTAMP(DATE '2026-03-08', 'Asia/Tokyo')",
        "toTimeZone(toDateTime64(toDate32('2026-03-08'), 6, 'Asia/Tokyo'), 'UTC')",
        '2026-03-07 15:00:00.000000',
      ],
      ["STRING(TIMESTAMP '2026-03-08 12:00:00', 'Pacific/Apia')", null, '2026-03-09 01:00:00+13'],
      ["TIMESTAMP(DATETIME '2026-03-09 01:00:00', 'Pacific/Apia')", null, '2026-03-08 12:00:00.000000'],
      ["TIMESTAMP('2026-1-8T2:3:4.5-08:00')", "toDateTime64('2026-01-08 10:03:04.500000', 6, 'UTC')", '2026-01-08 10:03:04.500000'],
      ["STRING(TIMESTAMP '2026-03-08 12:00:00.120', 'Asia/Kolkata')", null, '2026-03-08 17:30:00.120+05:30'],
      ["UNIX_SECONDS(TIMESTAMP '1969-12-31 23:59:59.5')", 'toInt64(-1)', -1],
      ["UNIX_MILLIS(TIMESTAMP '2026-03-08 12:00:00.120')", 'toInt64(1772971200120)', 1772971200120],
      ['TIMESTAMP_SECONDS(1772971200)', "toDateTime64('2026-03-08 12:00:00.000000', 6, 'UTC')", '2026-03-08 12:00:00.000000'],
      ['UNIX_MICROS(TIMESTAMP_MICROS(1500000))', null, 1500000],
      ['TIMESTAMP_MILLIS(CAST(NULL AS INT64))', "CAST(NULL, 'Nullable(DateTime64(6, \\'UTC\\'))')", null],
    ],
    'arrays and buckets': [
      [
        "GENERATE_TIMESTAMP_ARRAY(TIMESTAMP '2026-03-08 00:00:00', TIMESTAMP '2026-03-08 02:00:00', INTERVAL 1 HOUR)",
        null,
        ['2026-03-08 00:00:00.000000', '2026-03-08 01:00:00.000000', '2026-03-08 02:00:00.000000'],
      ],
      [
        "GENERATE_TIMESTAMP_ARRAY(TIMESTAMP '2026-03-08 02:00:00', TIMESTAMP '2026-03-08 00:00:00', INTERVAL -90 MINUTE)",
        null,
        ['2026-03-08 02:00:00.000000', '2026-03-08 00:30:00.000000'],
      ],
      [
        "TIMESTAMP_BUCKET(TIMESTAMP '2026-03-08 12:34:56', INTERVAL 5 MINUTE)",
        "toDateTime64(toStartOfInterval(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC'), toIntervalMinute(5)), 6, 'UTC')",
        '2026-03-08 12:30:00.000000',
      ],
      [
        "TIMESTAMP_BUCKET(TIMESTAMP '2026-03-08 12:34:56', INTERVAL 7 DAY)",
        "subtractMicroseconds(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC'), positiveModulo(dateDiff('microsecond', toDateTime64('1950-01-01 00:00:00', 6, 'UTC'), toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC')), toInt64(604800000000)))",
        '2026-03-08 00:00:00.000000',
      ],
    ],
  },
  [
    ["TIMESTAMP_ADD(TIMESTAMP '2026-03-08', INTERVAL 1 MONTH)", 'months and longer parts can’t be added to a TIMESTAMP'],
    ["TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08', DAYOFWEEK)", 'TIMESTAMP_TRUNC does not take the date part DAYOFWEEK'],
    ["TIMESTAMP('2026-13-01')", "'2026-13-01' is not a TIMESTAMP"],
    ["TIMESTAMP(DATETIME '2026-03-08', 'Mars')", "'Mars' is not a time zone"],
    ["TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08', SECOND, 'a_b')", "'a_b' is not a time zone"],
    ["FORMAT_TIMESTAMP('%s', TIMESTAMP '2026-03-08', 'America/NoSuch')", "'America/NoSuch' is not a time zone"],
    ["TIMESTAMP_TRUNC(TIMESTAMP '2026-03-08', DAY, CAST(RAND() AS STRING))", 'a time zone that differs from row to row is not supported'],
  ],
);
