// What DATE, DATETIME and TIME functions become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    dates: [
      [
        'DATE(2026, 2, 28)',
        "if(toUInt8(if(2 < 1 OR 2 > 12 OR 28 < 1 OR toDayOfMonth(makeDate32(2026, 2, 28)) != 28, 'there is no such day', '0')) = 0, makeDate32(2026, 2, 28), NULL)",
        '2026-02-28',
      ],
      [
        'SAFE.DATE(2026, 2, 29)',
        'if(2 < 1 OR 2 > 12 OR 29 < 1 OR toDayOfMonth(makeDate32(2026, 2, 29)) != 29, NULL, makeDate32(2026, 2, 29))',
        null,
      ],
      ['DATE(2026, CAST(NULL AS INT64), 1)', "CAST(NULL, 'Nullable(Date32)')", null],
      [
        "DATE(TIMESTAMP '2026-03-08 03:00:00', 'America/New_York')",
        "toDate32(toDateTime64('2026-03-08 03:00:00.000000', 6, 'UTC'), 'America/New_York')",
        '2026-03-07',
      ],
      ["DATE('2026-3-8')", "toDate32('2026-03-08')", '2026-03-08'],
      ["DATE_TRUNC(DATE '2026-03-08', QUARTER)", "toStartOfQuarter(toDate32('2026-03-08'))", '2026-01-01'],
      ["DATE_ADD(DATE '2024-01-31', INTERVAL 1 MONTH)", "addMonths(toDate32('2024-01-31'), 1)", '2024-02-29'],
      ["DATE_SUB(DATE '2024-02-29', INTERVAL 1 YEAR)", "subtractYears(toDate32('2024-02-29'), 1)", '2023-02-28'],
      [
        "DATE_DIFF(DATE '2026-03-08', DATE '2026-03-07', WEEK)",
        "intDiv(dateDiff('day', toStartOfWeek(toDate32('2026-03-07'), 0), toStartOfWeek(toDate32('2026-03-08'), 0)), 7)",
        1,
      ],
      [
        "DATE_DIFF(DATE '2026-03-08', DATE '2026-03-07', WEEK(MONDAY))",
        "intDiv(dateDiff('day', toStartOfWeek(toDate32('2026-03-07'), 1), toStartOfWeek(toDate32('2026-03-08'), 1)), 7)",
        0,
      ],
      [
        "DATE_DIFF(DATE '2027-01-03', DATE '2026-12-31', ISOYEAR)",
        "toInt64(toISOYear(toDate32('2027-01-03'))) - toInt64(toISOYear(toDate32('2026-12-31')))",
        0,
      ],
      ["LAST_DAY(DATE '2024-02-10')", "toLastDayOfMonth(toDate32('2024-02-10'))", '2024-02-29'],
      ["LAST_DAY(DATE '2026-03-10', WEEK(MONDAY))", "addDays(toStartOfWeek(toDate32('2026-03-10'), 1), 6)", '2026-03-15'],
      ["UNIX_DATE(DATE '1969-12-31')", "toInt64(toDate32('1969-12-31'))", -1],
      ['DATE_FROM_UNIX_DATE(-1)', "addDays(toDate32('1970-01-01'), -1)", '1969-12-31'],
      [
        "GENERATE_DATE_ARRAY(DATE '2024-01-31', DATE '2024-04-30', INTERVAL 1 MONTH)",
        null,
        ['2024-01-31', '2024-02-29', '2024-03-29', '2024-04-29'],
      ],
      ["GENERATE_DATE_ARRAY(DATE '2026-01-01', CAST(NULL AS DATE))", null, []],
      [
        "DATE_BUCKET(DATE '2026-03-08', INTERVAL 2 DAY)",
        "subtractDays(toDate32('2026-03-08'), positiveModulo(dateDiff('day', toDate32('1950-01-01'), toDate32('2026-03-08')), toInt64(2)))",
        '2026-03-07',
      ],
      ["DATE '2026-03-08' + 1", "addDays(toDate32('2026-03-08'), toInt64(1))", '2026-03-09'],
      ['DATE_TRUNC(CAST(NULL AS DATE), MONTH)', "CAST(NULL, 'Nullable(Date32)')", null],
    ],
    'wall clocks': [
      ['DATETIME(2026, 3, 8, 12, 30, 0)', null, '2026-03-08 12:30:00.000000'],
      ["DATETIME(TIMESTAMP '2026-03-08 12:00:00', 'America/New_York')", null, '2026-03-08 08:00:00.000000'],
      [
        "DATETIME(DATE '2026-03-08', TIME '12:30:00')",
        "addMicroseconds(toDateTime64(toDate32('2026-03-08'), 6, 'UTC'), toUnixTimestamp64Micro(toDateTime64(toTime64('12:30:00.000000', 6), 6, 'UTC')))",
        '2026-03-08 12:30:00.000000',
      ],
      [
        "DATETIME_TRUNC(DATETIME '2026-03-08 12:34:56', MINUTE)",
        "toStartOfMinute(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC'))",
        '2026-03-08 12:34:00.000000',
      ],
      [
        "DATETIME_ADD(DATETIME '2024-01-31 10:00:00', INTERVAL 1 MONTH)",
        "addMonths(toDateTime64('2024-01-31 10:00:00.000000', 6, 'UTC'), 1)",
        '2024-02-29 10:00:00.000000',
      ],
      ["DATETIME_SUB(DATETIME '2024-03-31 10:00:00', INTERVAL 1 MONTH)", null, '2024-02-29 10:00:00.000000'],
      [
        "DATETIME_DIFF(DATETIME '2026-03-08 00:00:00', DATETIME '2026-03-07 23:59:59', DAY)",
        "dateDiff('day', toDateTime64('2026-03-07 23:59:59.000000', 6, 'UTC'), toDateTime64('2026-03-08 00:00:00.000000', 6, 'UTC'))",
        1,
      ],
      [
        "DATETIME_BUCKET(DATETIME '2021-02-28 00:00:00', INTERVAL 1 MONTH, DATETIME '1950-01-31 00:00:01')",
        null,
        '2021-01-31 00:00:01.000000',
      ],
    ],
    "each other's types": [
      ["DATETIME_SUB(TIMESTAMP '2026-03-08 00:30:00', INTERVAL 1 HOUR)", null, '2026-03-07 23:30:00.000000'],
      ["DATETIME_ADD(TIMESTAMP '2026-03-08 00:30:00', INTERVAL 1 DAY) > TIMESTAMP '2026-03-09 00:00:00'", null, 1],
      ["DATETIME_DIFF(TIMESTAMP '2026-03-08 00:00:00', TIMESTAMP '2026-03-07 23:59:59', DAY)", null, 0],
      ["TIMESTAMP_ADD(DATETIME '2024-01-31 10:00:00', INTERVAL 1 MONTH)", null, '2024-02-29 10:00:00.000000'],
      ["TIMESTAMP_SUB(DATETIME '2024-03-31 10:00:00', INTERVAL 1 YEAR) < DATETIME '2023-04-01 00:00:00'", null, 1],
      ["TIMESTAMP_DIFF(DATETIME '2026-03-08 00:00:00', DATETIME '2026-03-07 23:59:59', DAY)", null, 1],
      ["TIMESTAMP_DIFF(DATETIME '2026-03-01 00:00:00', DATETIME '2026-02-28 23:59:59', MONTH)", null, 1],
      ["FORMAT_DATETIME('%F %H', TIMESTAMP '2026-03-08 12:34:56')", null, '2026-03-08 12'],
      ["FORMAT_TIMESTAMP('%F %T', DATETIME '2026-03-08 12:34:56')", null, '2026-03-08 12:34:56'],
    ],
    'times of the day': [
      [
        'TIME(12, 30, 15)',
        "if(toUInt8(if(12 < 0 OR 12 > 23 OR (30 < 0 OR 30 > 59) OR (15 < 0 OR 15 > 60), 'there is no such time', '0')) = 0, toTime64(12 * 3600 + 30 * 60 + 15, 6), NULL)",
        '12:30:15.000000',
      ],
      ["TIME(TIMESTAMP '2026-03-08 12:00:00', 'Asia/Kolkata')", null, '17:30:00.000000'],
      [
        "TIME_TRUNC(TIME '12:34:56.789', HOUR)",
        "toTime64(toStartOfHour(toDateTime64(toTime64('12:34:56.789000', 6), 6, 'UTC')), 6)",
        '12:00:00.000000',
      ],
      [
        "TIME_ADD(TIME '23:30:00', INTERVAL 45 MINUTE)",
        "toTime64(addMinutes(toDateTime64(toTime64('23:30:00.000000', 6), 6, 'UTC'), 45), 6)",
        '00:15:00.000000',
      ],
      [
        "TIME_SUB(TIME '00:00:00', INTERVAL 1 MILLISECOND)",
        "toTime64(addMilliseconds(toDateTime64(toTime64('00:00:00.000000', 6), 6, 'UTC'), 86399999), 6)",
        '23:59:59.999000',
      ],
      [
        "TIME_DIFF(TIME '12:00:00', TIME '11:59:59', HOUR)",
        "dateDiff('hour', toDateTime64(toTime64('11:59:59.000000', 6), 6, 'UTC'), toDateTime64(toTime64('12:00:00.000000', 6), 6, 'UTC'))",
        1,
      ],
    ],
    parts: [
      ["EXTRACT(DAYOFWEEK FROM DATE '2026-03-08')", "toInt64(toDayOfWeek(toDate32('2026-03-08'), 3))", 1],
      ["EXTRACT(WEEK FROM DATE '2026-01-03')", "toInt64(toWeek(toDate32('2026-01-03'), 0))", 0],
      [
        "EXTRACT(WEEK(TUESDAY) FROM DATE '2026-03-08')",
        "toInt64(intDiv(toDayOfYear(toDate32('2026-03-08')) + 6 - positiveModulo(toDayOfWeek(toDate32('2026-03-08'), 2) - 2, 7), 7))",
        9,
      ],
      ["EXTRACT(ISOWEEK FROM DATE '2027-01-01')", "toInt64(toISOWeek(toDate32('2027-01-01')))", 53],
      [
        "EXTRACT(HOUR FROM TIMESTAMP '2026-03-08 12:00:00' AT TIME ZONE 'America/New_York')",
        "toInt64(toHour(toDateTime64('2026-03-08 12:00:00.000000', 6, 'UTC'), 'America/New_York'))",
        8,
      ],
      [
        "EXTRACT(MICROSECOND FROM DATETIME '1950-03-08 12:00:00.123456')",
        "toInt64(positiveModulo(toUnixTimestamp64Micro(toDateTime64('1950-03-08 12:00:00.123456', 6, 'UTC')), 1000000))",
        123456,
      ],
      ["EXTRACT(MINUTE FROM TIME '12:34:56')", "toInt64(toMinute(toDateTime64(toTime64('12:34:56.000000', 6), 6, 'UTC')))", 34],
      [
        "EXTRACT(DATE FROM TIMESTAMP '2026-03-08 03:00:00' AT TIME ZONE '-05:00')",
        "toDate32(subtractSeconds(toDateTime64('2026-03-08 03:00:00.000000', 6, 'UTC'), 18000))",
        '2026-03-07',
      ],
      ['EXTRACT(YEAR FROM CAST(NULL AS DATE))', "CAST(NULL, 'Nullable(Int64)')", null],
    ],
    casts: [
      ["CAST('2026-3-8' AS DATE)", "toDate32('2026-03-08')", '2026-03-08'],
      ["SAFE_CAST('2026-02-30' AS DATE)", "CAST(NULL, 'Nullable(Date32)')", null],
      ["CAST('23:59:60' AS TIME)", "toTime64('00:00:00.000000', 6)", '00:00:00.000000'],
      [
        "CAST(TIMESTAMP '2026-03-08 12:00:00.5' AS STRING)",
        "concat(replaceRegexpOne(toString(toDateTime64('2026-03-08 12:00:00.500000', 6, 'UTC')), '(\\\\.000)?000$', ''), '+00')",
        '2026-03-08 12:00:00.500+00',
      ],
      [
        "CAST(DATETIME '2026-03-08 12:00:00.000120' AS STRING)",
        "replaceRegexpOne(toString(toDateTime64('2026-03-08 12:00:00.000120', 6, 'UTC')), '(\\\\.000)?000$', '')",
        '2026-03-08 12:00:00.000120',
      ],
      ["CAST(TIME '12:00:00' AS STRING)", "replaceRegexpOne(toString(toTime64('12:00:00.000000', 6)), '(\\\\.000)?000$', '')", '12:00:00'],
      ["CAST('2026-03-08 02:30:00 America/New_York' AS TIMESTAMP)", null, '2026-03-08 07:30:00.000000'],
      ["CAST(TIMESTAMP '2026-03-08 12:00:00' AS DATE)", "toDate32(toDateTime64('2026-03-08 12:00:00.000000', 6, 'UTC'))", '2026-03-08'],
    ],
  },
  [
    ['DATE(2026, 2, 29)', 'the query failed: there is no such day'],
    ["DATE_ADD(DATE '2026-01-01', INTERVAL 1 HOUR)", 'hours and shorter parts can’t be added to a DATE'],
    ['TIME(24, 0, 0)', 'the query failed: there is no such time'],
    ["EXTRACT(HOUR FROM DATE '2026-03-08')", 'EXTRACT from a DATE does not take the date part HOUR'],
    ["CAST('2026-02-30' AS DATE)", "'2026-02-30' is not a DATE"],
    ["DATE_BUCKET(DATE '2026-03-08', INTERVAL 0 DAY)", 'the width of buckets must be a positive interval in one unit'],
  ],
);
