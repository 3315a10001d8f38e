// Numbers at the ends of their types, with infinities among them and NULLs beside them: each row is what BigQuery's reference implementation gives.
import { testExpressions } from '../../support/expression-rows.ts';

const inf = "CAST('inf' AS FLOAT64)";
const over = (expression: string, values: string): string =>
  `(SELECT STRING_AGG(IFNULL(CAST(${expression} AS STRING), 'NULL'), '|' ORDER BY o) FROM UNNEST([${values}]) x WITH OFFSET o)`;
const MAX = '1.7976931348623157e308';

testExpressions(
  {
    'means and sums of floats': [
      [`ARRAY_AVG([${MAX}, 10, ${MAX}])`, null, 1.1984620899082105e308],
      [`CAST(ARRAY_AVG([1, ${inf}, 1]) AS STRING)`, null, 'nan'],
      [`CAST(ARRAY_AVG([1, ${inf}]) AS STRING)`, null, 'inf'],
      [`CAST(ARRAY_AVG([${inf}, NULL]) AS STRING)`, null, 'inf'],
      [`CAST(ARRAY_AVG([${inf}, ${inf}]) AS STRING)`, null, 'nan'],
      [`ARRAY_SUM([${MAX}, ${MAX}, -${MAX}])`, null, 1.7976931348623157e308],
    ],
    'series up to the ends': [
      [
        'TO_JSON_STRING(GENERATE_ARRAY(9223372036854775805, 9223372036854775807))',
        null,
        '["9223372036854775805","9223372036854775806","9223372036854775807"]',
      ],
      [
        "(SELECT STRING_AGG(TO_JSON_STRING(GENERATE_ARRAY(x, 9223372036854775807, 9223372036854775800)), ' ' ORDER BY o) FROM UNNEST([2, 7]) x WITH OFFSET o)",
        null,
        '[2,"9223372036854775802"] [7,"9223372036854775807"]',
      ],
      [
        "TO_JSON_STRING(GENERATE_ARRAY(BIGNUMERIC '5e38', BIGNUMERIC '-5.7e38', BIGNUMERIC '-5.0e38')[OFFSET(2)])",
        null,
        '"-500000000000000000000000000000000000000"',
      ],
      ["ARRAY_LENGTH(GENERATE_ARRAY(BIGNUMERIC '1', BIGNUMERIC '0.5', BIGNUMERIC '0.00000000000000000000000000000000000001'))", null, 0],
      [
        "ARRAY_LENGTH(GENERATE_ARRAY(NUMERIC '-99999999999999999999999999990', NUMERIC '99999999999999999999999999999', NUMERIC '99999999999999999999999999990'))",
        null,
        3,
      ],
      ['ARRAY_LENGTH(GENERATE_ARRAY(1e16, 1e16 + 4, 1.0))', null, 6],
      ['ARRAY_LENGTH(GENERATE_ARRAY(-1.7e308, 1.7e308, 1e308))', null, 2],
    ],
    'products and quotients of BIGNUMERIC': [
      [
        over('x * x', "BIGNUMERIC '12345678901234567890.123456789', -2.5"),
        null,
        '152415787532388367504953515625361987875.019051998750190521|6.25',
      ],
      [over("SAFE_MULTIPLY(x, BIGNUMERIC '1e38')", "BIGNUMERIC '6', -5, NULL"), null, 'NULL|-500000000000000000000000000000000000000|NULL'],
      [
        over("SAFE_DIVIDE(BIGNUMERIC '1', x)", "BIGNUMERIC '0.00000000000000000000000000000000000001', 7.25, 0, NULL"),
        null,
        '100000000000000000000000000000000000000|0.13793103448275862068965517241379310345|NULL|NULL',
      ],
      [over("SAFE_ADD(x, BIGNUMERIC '5e38')", "BIGNUMERIC '1e38', -1"), null, 'NULL|499999999999999999999999999999999999999'],
      [over('CAST(x AS FLOAT64)', "BIGNUMERIC '0.1', 0.3"), null, '0.1|0.3'],
      [
        over("SAFE.DIV(x, BIGNUMERIC '0.00000000000000000000000000000000000001')", "BIGNUMERIC '12345678901234567890.123456789', 2.5"),
        null,
        'NULL|250000000000000000000000000000000000000',
      ],
    ],
    'nothing fails beside a NULL': [
      [over("DIV(x, NUMERIC '0')", 'CAST(NULL AS NUMERIC)'), null, 'NULL'],
      [over('MOD(IF(x = 1, NULL, x), x - 1)', '1, 3'), null, 'NULL|1'],
      [over('DIV(IF(x = 1, NULL, x), x - 1)', '1, 3'), null, 'NULL|1'],
      [over('IF(x = 1, NULL, x) << (x - 2)', '1, 3'), null, 'NULL|6'],
      [over('x >> (-1)', 'CAST(NULL AS INT64)'), null, 'NULL'],
      ['CAST(NULL AS INT64) << (-1)', null, null],
      [over('CAST(NULLIF(x, x) AS INT64)', "BIGNUMERIC '1e30'"), null, 'NULL'],
    ],
    powers: [
      [over('SAFE.POW(100.25, x)', '9007199254740992.0, 1e15, -1e15'), null, 'NULL|NULL|0'],
      [over('SAFE.POW(x, -1000.5)', '-8.0, 1e300'), null, 'NULL|0'],
      [over('TRUNC(x, 5)', `${MAX}, -1.234567`), null, '1.7976931348623157e+308|-1.23456'],
    ],
    'what may fail is computed': [
      [over('x NOT BETWEEN 5 AND IF(x = 1, 7, CAST("8" AS INT64))', '1, 7'), null, 'true|false'],
      [over('x IN (1, CAST(x AS INT64))', "CAST('7' AS INT64), NULL"), null, 'true|NULL'],
    ],
    'NaN is in no array': [[over("x IN UNNEST([CAST('nan' AS FLOAT64), 0.5])", "CAST('nan' AS FLOAT64), 0.5"), null, 'false|true']],
    'infinities stay': [
      [`CAST(1e15 * ${inf} AS STRING)`, null, 'inf'],
      [`CAST(-${inf} / IFNULL(0.1, 0.0) AS STRING)`, null, '-inf'],
      [over(`LOG(x, ${inf})`, '-5, 0, 7'), null, 'nan|nan|nan'],
      [over('SAFE.LOG(5, x)', '-1, 1, 0'), null, 'NULL|NULL|NULL'],
    ],
  },
  [
    [
      "DIV(BIGNUMERIC '12345678901234567890.123456789', BIGNUMERIC '0.00000000000000000000000000000000000001')",
      'the query failed: DIV: the result is out of range',
    ],
    [over("x * BIGNUMERIC '1e38'", "BIGNUMERIC '6'"), 'the query failed: the result is out of the range of BIGNUMERIC'],
    [over('x << (-1)', '1'), 'the query failed: a shift by a negative number of bits'],
    [
      `ARRAY_LENGTH(GENERATE_ARRAY(1, CAST('nan' AS FLOAT64)))`,
      'the query failed: GENERATE_ARRAY: the step is 0 or infinite, or a number is NaN',
    ],
    [`ARRAY_LENGTH(GENERATE_ARRAY(5, 1, ${inf}))`, 'the query failed: GENERATE_ARRAY: the step is 0 or infinite, or a number is NaN'],
    [over('LENGTH(x) BETWEEN 5 AND CAST(x AS INT64)', "'q'"), 'the query failed: CAST: the text is not an INT64'],
    [over('LENGTH(x) IN (1, CAST(x AS INT64))', "'q'"), 'the query failed: CAST: the text is not an INT64'],
    [over('POW(x, 2)', '1e200'), 'the query failed: POW: the arguments are out of range'],
    [`ARRAY_SUM([${MAX}, ${MAX}])`, 'the query failed: ARRAY_SUM: the result is out of range'],
  ],
);
