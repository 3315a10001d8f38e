// Times before 1970 with a fraction of a second, and times at the end of BigQuery's years: each row is what its reference implementation gives.
import { testExpressions } from '../../support/expression-rows.ts';

const over = (expression: string, values: string): string =>
  `(SELECT STRING_AGG(IFNULL(CAST(${expression} AS STRING), 'NULL'), '|' ORDER BY o) FROM UNNEST([${values}]) x WITH OFFSET o)`;
const OLD = "TIMESTAMP '1969-12-31 23:59:59.999999', '1960-02-29 23:59:59.5', '2024-01-01 00:00:00.5'";

testExpressions(
  {
    'starts of parts and buckets': [
      [over('TIMESTAMP_TRUNC(x, MINUTE)', OLD), null, '1969-12-31 23:59:00+00|1960-02-29 23:59:00+00|2024-01-01 00:00:00+00'],
      [over('DATETIME_TRUNC(DATETIME(x), DAY)', OLD), null, '1969-12-31 00:00:00|1960-02-29 00:00:00|2024-01-01 00:00:00'],
      [over('DATE_TRUNC(x, MONTH)', OLD), null, '1969-12-01 00:00:00+00|1960-02-01 00:00:00+00|2024-01-01 00:00:00+00'],
      [over('TIMESTAMP_BUCKET(x, INTERVAL 5 SECOND)', OLD), null, '1969-12-31 23:59:55+00|1960-02-29 23:59:55+00|2024-01-01 00:00:00+00'],
      [over('DATETIME_BUCKET(DATETIME(x), INTERVAL 1 DAY)', OLD), null, '1969-12-31 00:00:00|1960-02-29 00:00:00|2024-01-01 00:00:00'],
      [over('TIMESTAMP_TRUNC(CAST(x AS TIMESTAMP), HOUR)', "'1969-12-31 23:59:59.5'"), null, '1969-12-31 23:00:00+00'],
      [
        'TIMESTAMP_TRUNC(TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 36500 DAY), MINUTE) <= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 36500 DAY)',
        null,
        1,
      ],
    ],
    'the last day': [
      [
        over('SAFE.TIMESTAMP_ADD(x, INTERVAL 1 DAY)', "TIMESTAMP '9999-12-31 12:00:00', '9999-12-30 12:00:00'"),
        null,
        'NULL|9999-12-31 12:00:00+00',
      ],
      [
        over('TIMESTAMP_SUB(IF(x = 1, NULL, TIMESTAMP "2024-01-01"), INTERVAL x MILLISECOND)', '1, 2'),
        null,
        'NULL|2023-12-31 23:59:59.998+00',
      ],
      [over('DATETIME(-1, 1, IF(x = 1, NULL, x), 0, 0, 0)', '1'), null, 'NULL'],
      [over('DATETIME_SUB(CAST(NULL AS DATETIME), INTERVAL x SECOND)', '-9223372036854775808'), null, 'NULL'],
    ],
    'steps longer than all years': [
      [
        over(
          '(SELECT COUNT(*) FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(TIMESTAMP "2024-01-01", TIMESTAMP "2024-01-02", INTERVAL x HOUR)))',
          '9223372036854775807, -9223372036854775807, 12',
        ),
        null,
        '1|0|3',
      ],
    ],
    'SAFE. and NULL arrays': [
      [over("ARRAY_LAST(SAFE.JSON_EXTRACT_STRING_ARRAY(PARSE_JSON(x), '$[0]'))", "'1', '[[\"a\"]]'"), null, 'NULL|a'],
      [over("ARRAY_INCLUDES_ANY(SAFE.REGEXP_EXTRACT_ALL(x, 'é'), ['é'])", "'aé', NULL"), null, 'true|NULL'],
      [over("ARRAY_TO_STRING(ARRAY_CONCAT([x], SAFE.SPLIT(x, ',')), '-')", "'a,b', NULL"), null, 'a,b-a-b|NULL'],
      ["ARRAY_TO_STRING(SAFE.JSON_VALUE_ARRAY(JSON '[1]', '$.z'), '')", null, null],
      ["TO_JSON_STRING(REGEXP_EXTRACT_ALL(MD5(CAST(NULL AS BYTES)), CAST(CONCAT('a', 'b') AS BYTES)))", null, 'null'],
    ],
  },
  [
    [
      over('TIMESTAMP_ADD(x, INTERVAL 1 DAY)', "TIMESTAMP '9999-12-31 12:00:00'"),
      'the query failed: the interval leads outside the range of dates',
    ],
    [over('x + INTERVAL 1 SECOND', "TIMESTAMP '9999-12-31 23:59:59.5'"), 'the query failed: the interval leads outside the range of dates'],
  ],
);
