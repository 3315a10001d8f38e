// Results at the edges of types, positions and patterns: each row is what BigQuery's reference implementation gives, each failure an error of its own
// or a refusal in place of a wrong row.
import { testExpressions } from '../../support/expression-rows.ts';

const over = (expression: string, values: string): string =>
  `CAST((SELECT STRING_AGG(${expression}, '|') FROM UNNEST([${values}]) x) AS STRING)`;

testExpressions(
  {
    '^ and \\b look at the whole text, wherever the search begins': [
      [over("CAST(REGEXP_INSTR(x, '^b', 2) AS STRING)", "'abcab', 'xab'"), null, '0|0'],
      ["REGEXP_EXTRACT('xyzabc', '^abc', 4)", null, null],
    ],
    'names behind texts of times that are no zones': [
      [
        over(
          "IFNULL(CAST(SAFE_CAST(CONCAT('2020-01-01 00:00:00', x) AS TIMESTAMP) AS STRING), 'NULL')",
          "' UTC', ' GMT', ' utc', ' PST', ' europe/berlin', ' foo'",
        ),
        null,
        '2020-01-01 00:00:00+00|2020-01-01 00:00:00+00|NULL|NULL|NULL|NULL',
      ],
      ["SAFE_CAST('2020-01-01 00:00:00 Nowhere/Zone' AS TIMESTAMP)", null, null],
      ["SAFE.TIMESTAMP('2020-01-01 00:00:00 foo')", null, null],
      ["CAST(SAFE_CAST('2020-01-01 00:00:00 Europe/Berlin' AS TIMESTAMP) AS STRING)", null, '2019-12-31 23:00:00+00'],
    ],
    'backslashes in patterns': [
      ["CAST((SELECT LOGICAL_AND('axb' LIKE p) FROM UNNEST([r'\\a%', r'a\\x_']) p) AS STRING)", null, 'true'],
      ["CAST((SELECT LOGICAL_OR(r'a\\b' LIKE p) FROM UNNEST([r'a\\b', r'a\\%']) p) AS STRING)", null, 'false'],
      ["r'a\\b' LIKE r'a\\\\b'", null, 1],
      ["'ab' LIKE r'\\a%'", null, 1],
      ["'ab' LIKE ANY UNNEST([r'\\a%'])", null, true],
      ["b'\\xff' LIKE b'_'", null, 1],
      ["b'a\\xff\\xfeb' LIKE b'a%b'", null, 1],
    ],
    'sums of arrays': [
      ["CAST(ARRAY_SUM([BIGNUMERIC '1', 2]) AS STRING)", null, '3'],
      ['CAST(ARRAY_SUM(ARRAY<BIGNUMERIC>[]) AS STRING)', null, null],
      ['CAST(SAFE.ARRAY_SUM([9223372036854775807, 1]) AS STRING)', null, null],
      ['CAST(ARRAY_SUM([9223372036854775807, 1, -1]) AS STRING)', null, '9223372036854775807'],
      ['CAST(ARRAY_SUM([IEEE_DIVIDE(1, 0), NULL]) AS STRING)', null, 'inf'],
    ],
    'series at the ends': [
      ["TO_JSON_STRING(GENERATE_DATE_ARRAY('9999-12-30', '9999-12-31'))", null, '["9999-12-30","9999-12-31"]'],
      [
        'TO_JSON_STRING(GENERATE_ARRAY(9223372036854775800, 9223372036854775806, 3))',
        null,
        '["9223372036854775800","9223372036854775803","9223372036854775806"]',
      ],
    ],
    'leap seconds': [
      ['CAST(TIME(12, 59, 60) AS STRING)', null, '13:00:00'],
      ['CAST(TIME(23, 59, 60) AS STRING)', null, '00:00:00'],
      [over('CAST(TIME(12, 59, x) AS STRING)', '59, 60'), null, '12:59:59|13:00:00'],
      ['CAST(DATETIME(2020, 12, 31, 23, 59, 60) AS STRING)', null, '2021-01-01 00:00:00'],
      ['CAST(SAFE.TIME(12, 59, 61) AS STRING)', null, null],
    ],
    'what cannot be seen in FORMAT': [["FORMAT('%T', 'a\\x0c\\x00é\\n\\x7f')", null, '"a\\x0c\\x00é\\n\\x7f"']],
    'positions of JSON arrays': [["ARRAY_LENGTH(JSON_VALUE_ARRAY(PARSE_JSON('[1]')[-10]))", null, null]],
    'zeros and points of FORMAT': [
      ['FORMAT("%.2f|%e|%+.1f|%\'.2f", -0.0, -0.0, -0.0, -0.0)', null, '0.00|0.000000e+00|+0.0|0.00'],
      ["FORMAT('%t|%T', -0.0, 0.0)", null, '-0.0|0.0'],
      ["FORMAT('%.0f|%#.0f', NUMERIC '-5', NUMERIC '5')", null, '-5|5.'],
    ],
    'zones before 1970': [
      [
        over("CAST(DATETIME(TIMESTAMP(x), 'Europe/London') AS STRING)", "'1968-02-18 01:00:00', '1955-06-01 22:30:00'"),
        null,
        '1968-02-18 01:00:00|1955-06-01 23:30:00',
      ],
      [over("FORMAT_TIMESTAMP('%F %T %z', TIMESTAMP(x), 'Europe/London')", "'1968-02-18 01:00:00'"), null, '1968-02-18 01:00:00 +0000'],
      [
        over("CAST(DATETIME(TIMESTAMP(x), 'Pacific/Honolulu') AS STRING)", "'1940-02-18 01:00:00', '2024-02-18 01:00:00'"),
        null,
        '1940-02-17 14:30:00|2024-02-17 15:00:00',
      ],
      [
        over('CAST(TIMESTAMP_BUCKET(TIMESTAMP(x), INTERVAL 1 SECOND) AS STRING)', "'1969-12-31 23:59:59.5'"),
        null,
        '1969-12-31 23:59:59+00',
      ],
      [
        over("CAST(TIMESTAMP_TRUNC(TIMESTAMP(x), DAY, 'America/St_Johns') AS STRING)", "'2024-11-03 12:00:00'"),
        null,
        '2024-11-03 02:30:00+00',
      ],
    ],
    'intervals of NULL': [
      ['CAST((SELECT INTERVAL x YEAR * 3 FROM UNNEST([CAST(NULL AS INT64)]) x) AS STRING)', null, null],
      ['CAST((SELECT SUM(INTERVAL x YEAR) FROM UNNEST([1, NULL, 2]) x) AS STRING)', null, '3-0 0 0:0:0'],
      ['CAST((SELECT SUM(INTERVAL x YEAR) FROM UNNEST([CAST(NULL AS INT64)]) x) AS STRING)', null, null],
    ],
  },
  [
    [
      over("CAST(SAFE_CAST(CONCAT('2020-01-01 00:00:00', x) AS TIMESTAMP) AS STRING)", "' Europe/Berlin'"),
      'the query failed: the time zone inside the text is not supported',
    ],
    ["CAST('2020-01-01 00:00:00 Nowhere/Zone' AS TIMESTAMP)", "'2020-01-01 00:00:00 Nowhere/Zone' is not a TIMESTAMP"],
    [over('CAST(ARRAY_SUM([x, 1]) AS STRING)', '9223372036854775807'), 'the query failed: a value is out of the range of INT64'],
    [over('CAST(ARRAY_SUM([x, x]) AS STRING)', '1.7e308'), 'the query failed: ARRAY_SUM: the result is out of range'],
    [
      over('CAST(ARRAY_SUM([x, x]) AS STRING)', "NUMERIC '99999999999999999999999999999'"),
      'the query failed: ARRAY_SUM: the result is out of range',
    ],
    [over('TO_JSON_STRING(GENERATE_ARRAY(1, 7, x))', '0'), 'the query failed: GENERATE_ARRAY: the step is 0'],
    [over('CAST(INTERVAL x YEAR * 3000 AS STRING)', '9'), 'the query failed: the interval is longer than 10000 years'],
    [over('CAST(INTERVAL 1 YEAR * x AS STRING)', '9223372036854775807'), 'the query failed: the interval is longer than 10000 years'],
    [over('CAST(INTERVAL x YEAR AS STRING)', '9223372036854775807'), 'the query failed: the interval is longer than 10000 years'],
    [over('CAST(INTERVAL x YEAR + INTERVAL x YEAR AS STRING)', '9000'), 'the query failed: the interval is longer than 10000 years'],
    ['CAST((SELECT SUM(INTERVAL x YEAR) FROM UNNEST([9000, 9000]) x) AS STRING)', 'the query failed: SUM: the result is out of range'],
    [
      over("CAST(TIMESTAMP_TRUNC(TIMESTAMP(x), WEEK, 'America/St_Johns') AS STRING)", "'2006-10-29 14:00:00'"),
      'the query failed: America/St_Johns changed its clocks at 00:01 from 1987-04-04 to 2011-03-22, which ClickHouse cannot follow',
    ],
    ['DATETIME(9999, 12, 31, 23, 59, 60)', 'the query failed: there is no such date and time'],
    [
      "EXTRACT(YEAR FROM TIMESTAMP '9999-12-31 23:00:00+00' AT TIME ZONE 'Asia/Tokyo')",
      'the result is, or may be, outside 0001-01-01 to 9999-12-31',
    ],
    [
      "FORMAT_TIMESTAMP('%F', TIMESTAMP '9999-12-31 23:00:00+00', 'Asia/Tokyo')",
      'the result is, or may be, outside 0001-01-01 to 9999-12-31',
    ],
    ["STRING(TIMESTAMP '0001-01-01 00:00:00+00', 'America/New_York')", 'the result is, or may be, outside 0001-01-01 to 9999-12-31'],
  ],
);
