// What INTERVAL values become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    'constructors and text': [
      ['INTERVAL 90 MINUTE', null, '0-0 0 1:30:0'],
      ["INTERVAL '1-2 3 4:5:6.7' YEAR TO SECOND", null, '1-2 3 4:5:6.700'],
      ['INTERVAL -13 MONTH', null, '-1-1 0 0:0:0'],
      ['MAKE_INTERVAL(day => 3, second => -6)', null, '0-0 3 -0:0:6'],
      ["CAST('P1Y2M3DT4H' AS INTERVAL)", null, '1-2 3 4:0:0'],
      ["SAFE_CAST('soon' AS INTERVAL)", null, null],
      ['CAST(INTERVAL 1 DAY AS STRING)', null, '0-0 1 0:0:0'],
      ['[INTERVAL 1 DAY, NULL]', null, ['0-0 1 0:0:0', null]],
      ['STRUCT(INTERVAL 1 DAY AS i)', null, ['0-0 1 0:0:0']],
      ["INTERVAL LENGTH('ab') HOUR", null, '0-0 0 2:0:0'],
      ['INTERVAL CAST(NULL AS INT64) HOUR', null, null],
    ],
    'arithmetic and comparison': [
      ["DATE '2026-03-08' - DATE '2026-02-08'", null, '0-0 28 0:0:0'],
      ["TIMESTAMP '2026-03-08 01:00:00' - TIMESTAMP '2026-03-07 00:00:00'", null, '0-0 0 25:0:0'],
      ["DATETIME '2026-03-08 01:00:00' - DATETIME '2026-03-07 00:00:00'", null, '0-0 1 1:0:0'],
      ["TIME '01:00:00' - TIME '02:30:00'", null, '0-0 0 -1:30:0'],
      ['INTERVAL 1 MONTH + INTERVAL 2 DAY', null, '0-1 2 0:0:0'],
      ['INTERVAL 1 MONTH * 20', null, '1-8 0 0:0:0'],
      ['INTERVAL 2 HOUR / 4', null, '0-0 0 0:30:0'],
      ['-INTERVAL 2 HOUR', null, '0-0 0 -2:0:0'],
      ["DATETIME '2024-01-31 00:00:00' + INTERVAL '0-1 1' YEAR TO DAY", null, '2024-03-01 00:00:00.000000'],
      ['INTERVAL 1 MONTH = INTERVAL 30 DAY', null, 1],
      ['INTERVAL 1 YEAR > INTERVAL 360 DAY', null, 0],
      ['INTERVAL 1 DAY IN (INTERVAL 24 HOUR)', null, 1],
      ['CAST(NULL AS INTERVAL) < INTERVAL 1 DAY', null, null],
    ],
    'parts and justification': [
      ['EXTRACT(MONTH FROM INTERVAL -13 MONTH)', null, -1],
      ['EXTRACT(MILLISECOND FROM INTERVAL 1234567 MICROSECOND)', null, 234],
      ["JUSTIFY_HOURS(INTERVAL '-1 25:0:0' DAY TO SECOND)", null, '0-0 0 1:0:0'],
      ['JUSTIFY_DAYS(INTERVAL 35 DAY)', null, '0-1 5 0:0:0'],
      ["JUSTIFY_INTERVAL(INTERVAL '29 49:0:0' DAY TO SECOND)", null, '0-1 1 1:0:0'],
    ],
  },
  [
    ['MAKE_INTERVAL(10001)', 'the query failed: the interval is longer than 10000 years'],
    ['MAKE_INTERVAL(1, 1, -1, -9223372036854775808)', 'the query failed: the interval is longer than 10000 years'],
    [
      '(SELECT MAKE_INTERVAL(x, 1, -1, -9223372036854775808) FROM UNNEST([1]) x)',
      'the query failed: the interval is longer than 10000 years',
    ],
    ['INTERVAL 1 MONTH / 0', 'the query failed: division by zero'],
    ["CAST('soon' AS INTERVAL)", "'soon' is not an INTERVAL"],
    ["TIME_ADD(TIME '12:00:00', INTERVAL 1 DAY)", 'a TIME takes hours and shorter parts only'],
  ],
);
