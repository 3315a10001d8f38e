// What formatting and parsing of dates and times become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    formatting: [
      [
        "FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%S', TIMESTAMP '2026-03-08 12:34:56')",
        "formatDateTime(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC'), '%Y-%m-%dT%H:%i:%S')",
        '2026-03-08T12:34:56',
      ],
      ["FORMAT_TIMESTAMP('%d/%b/%Y:%H:%M:%S %z', TIMESTAMP '2026-03-08 12:34:56', 'America/New_York')", null, '08/Mar/2026:08:34:56 -0400'],
      ["FORMAT_TIMESTAMP('%Z %Ez', TIMESTAMP '2026-03-08 12:34:56', 'Asia/Kolkata')", null, 'UTC+0530 +05:30'],
      [
        "FORMAT_TIMESTAMP('%E3S', TIMESTAMP '2026-03-08 12:34:56.789')",
        "substring(formatDateTime(toDateTime64('2026-03-08 12:34:56.789000', 6, 'UTC'), '%S.%f'), 1, 6)",
        '56.789',
      ],
      [
        "FORMAT_TIMESTAMP('%E*S', TIMESTAMP '2026-03-08 12:34:56.700')",
        "trimRight(trimRight(formatDateTime(toDateTime64('2026-03-08 12:34:56.700000', 6, 'UTC'), '%S.%f'), '0'), '.')",
        '56.7',
      ],
      [
        "FORMAT_TIMESTAMP('%s', TIMESTAMP '2026-03-08 12:34:56.7')",
        "toString(toInt64(floor(toDecimal128(toDateTime64('2026-03-08 12:34:56.700000', 6, 'UTC'), 6))))",
        '1772973296',
      ],
      [
        "FORMAT_DATE('%A, %e %B %Y, week %V of %G', DATE '2026-03-08')",
        "concat(formatDateTime(toDate32('2026-03-08'), '%W, '), leftPad(toString(toDayOfMonth(toDate32('2026-03-08'))), 2, ' '), formatDateTime(toDate32('2026-03-08'), ' %M %Y, week %V of %G'))",
        'Sunday,  8 March 2026, week 10 of 2026',
      ],
      ["FORMAT_DATE('%H %Q', DATE '2026-03-08')", "formatDateTime(toDate32('2026-03-08'), '%%H %Q')", '%H 1'],
      [
        "FORMAT_DATETIME('%I:%M %p', DATETIME '2026-03-08 12:34:56')",
        "formatDateTime(toDateTime64('2026-03-08 12:34:56.000000', 6, 'UTC'), '%I:%i %p')",
        '12:34 PM',
      ],
      [
        "FORMAT_TIME('%k:%M', TIME '01:02:03')",
        "concat(leftPad(toString(toHour(toDateTime64(toTime64('01:02:03.000000', 6), 6, 'UTC'))), 2, ' '), formatDateTime(toDateTime64(toTime64('01:02:03.000000', 6), 6, 'UTC'), ':%i'))",
        ' 1:02',
      ],
      ["FORMAT_DATE('%F', CAST(NULL AS DATE))", "CAST(NULL, 'Nullable(String)')", null],
      [
        "FORMAT_DATE('100%% %U', DATE '2026-03-08')",
        "concat(formatDateTime(toDate32('2026-03-08'), '100%% '), leftPad(toString(toWeek(toDate32('2026-03-08'), 0)), 2, '0'))",
        '100% 10',
      ],
    ],
    'casts with a format': [
      [
        "CAST(DATE '2026-03-08' AS STRING FORMAT 'Day, DD MON YYYY')",
        "concat(formatDateTime(toDate32('2026-03-08'), '%W, %d '), upper(formatDateTime(toDate32('2026-03-08'), '%b')), formatDateTime(toDate32('2026-03-08'), ' %Y'))",
        'Sunday, 08 MAR 2026',
      ],
      ["CAST(DATE '2299-12-31' AS STRING FORMAT 'DDD/YY')", null, '365/99'],
      ["CAST(DATE '1969-02-03' AS STRING FORMAT 'DDD')", null, '034'],
      [
        "CAST(TIMESTAMP '2026-03-08 12:34:56.789' AS STRING FORMAT 'YYYY-MM-DD HH24:MI:SS.FF3 TZH:TZM' AT TIME ZONE 'Asia/Kolkata')",
        null,
        '2026-03-08 18:04:56.789 +05:30',
      ],
      [
        "CAST(TIME '13:05:00' AS STRING FORMAT 'HH12:MI a.m.')",
        "concat(formatDateTime(toDateTime64(toTime64('13:05:00.000000', 6), 6, 'UTC'), '%I:%i '), if(toDateTime64(toTime64('13:05:00.000000', 6), 6, 'UTC') IS NULL, NULL, if(toHour(toDateTime64(toTime64('13:05:00.000000', 6), 6, 'UTC')) < 12, 'a.m.', 'p.m.')))",
        '01:05 p.m.',
      ],
    ],
    parsing: [
      ["PARSE_TIMESTAMP('%Y-%m-%d %H:%M:%S', '2026-03-08 12:34:56')", null, '2026-03-08 12:34:56.000000'],
      ["PARSE_TIMESTAMP('%d/%b/%Y:%H:%M:%S %z', '08/Mar/2026:12:34:56 -0700')", null, '2026-03-08 19:34:56.000000'],
      ["PARSE_TIMESTAMP('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-03-08T12:34:56.789Z')", null, '2026-03-08 12:34:56.789000'],
      ["PARSE_DATETIME('%E1S%M', '4.321')", null, '1970-01-01 00:21:04.300000'],
      ["PARSE_TIMESTAMP('%F %T', '2026-03-08 02:30:00', 'America/New_York')", null, '2026-03-08 07:30:00.000000'],
      ["PARSE_TIMESTAMP('%s', '1772971200')", null, '2026-03-08 12:00:00.000000'],
      ["PARSE_DATE('%Y%m%d', '20260308')", null, '2026-03-08'],
      ["PARSE_DATE('%B %e, %y', 'March  8, 26')", null, '2026-03-08'],
      ["PARSE_DATE('%Y-%j', '2026-067')", null, '2026-03-08'],
      ["SAFE.PARSE_DATE('%F', '2026-02-30')", null, null],
      ["SAFE.PARSE_DATE('%m%d', '308')", null, null],
      ["PARSE_DATE('%F', CAST(NULL AS STRING))", null, null],
      ["PARSE_DATETIME('%Y Q%Q %H', '2018 Q3 15')", null, '2018-07-01 15:00:00.000000'],
      ["PARSE_TIME('%I:%M %p', '12:05 am')", null, '00:05:00.000000'],
      ["PARSE_TIME('%H:%M:%S', '23:59:60')", null, '00:00:00.000000'],
      ["CAST('08.03.2026 1:05 P.M.' AS DATETIME FORMAT 'DD.MM.YYYY HH12:MI A.M.')", null, '2026-03-08 13:05:00.000000'],
      ["SAFE_CAST('x' AS DATE FORMAT 'YYYY-MM-DD')", null, null],
    ],
  },
  [
    ["PARSE_DATE('%F', '2026-02-30')", 'the query failed: the text does not match the format of this DATE, or there is no such DATE'],
    ["PARSE_DATE('%H', '12')", 'this format has elements that a DATE does not have'],
    ["PARSE_DATE('%m%d', '308')", 'the query failed: the text does not match the format of this DATE, or there is no such DATE'],
    ["FORMAT_DATE(CAST(RAND() AS STRING), DATE '2026-03-08')", 'the format must be a constant'],
    ["CAST('3' AS DATE FORMAT 'MM')", 'a FORMAT without year and month is not supported'],
  ],
);
