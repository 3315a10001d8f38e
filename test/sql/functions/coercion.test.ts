// What CAST makes of types with parameters, what joins as text, and how decimals round: each row is what BigQuery's reference implementation gives.
import { testExpressions } from '../../support/expression-rows.ts';

/** The value for each of the values, so that no constant is folded. */
const over = (expression: string, values: string): string =>
  `CAST((SELECT STRING_AGG(CAST(${expression} AS STRING), '|') FROM UNNEST([${values}]) x) AS STRING)`;

testExpressions(
  {
    'CONCAT and || cast to text': [
      ["CONCAT('a', 1, 2.5, TRUE, NUMERIC '3.10', BIGNUMERIC '4')", null, 'a12.5true3.14'],
      ["CONCAT('at ', DATE '2020-01-02')", null, 'at 2020-01-02'],
      [
        "CONCAT(TIMESTAMP '2020-01-01 00:00:00+00', '/', DATETIME '2020-01-01 00:00:00')",
        null,
        '2020-01-01 00:00:00+00/2020-01-01 00:00:00',
      ],
      ["CONCAT(TIME '01:02:03', INTERVAL 1 DAY)", null, '01:02:030-0 1 0:0:0'],
      ['CONCAT(1, 2) || 1 || 2', null, '1212'],
      ['CONCAT(1)', null, '1'],
      ['CONCAT(SAFE_CAST(TRUE AS INT64))', null, '1'],
      ["CONCAT(CAST('nan' AS FLOAT64), 1e20)", null, 'nan1e+20'],
      ["CONCAT('a', NULL)", null, null],
      [over("'n' || x", '1, 2'), null, 'n1|n2'],
      [over("x || '%'", '0.5, 2'), null, '0.5%|2%'],
    ],
    'numbers that are written out beside decimals': [
      [over("FORMAT('%T', x * 0.1)", "NUMERIC '3', -1"), null, 'NUMERIC "0.3"|NUMERIC "-0.1"'],
      [over("FORMAT('%T', 1.5 - x)", "BIGNUMERIC '1', 2"), null, 'BIGNUMERIC "0.5"|BIGNUMERIC "-0.5"'],
      [over("FORMAT('%T', SAFE_DIVIDE(x, -2.5))", "NUMERIC '1', 2"), null, 'NUMERIC "-0.4"|NUMERIC "-0.8"'],
      ["FORMAT('%T', (SELECT SUM(x * 0.1) FROM UNNEST([NUMERIC '1', 2, 1]) AS x))", null, 'NUMERIC "0.4"'],
      [over("FORMAT('%T', x * (0.1 + 0.2))", "NUMERIC '1'"), null, '0.30000000000000004'],
      [over("FORMAT('%T', 2 * 0.1 * x)", "NUMERIC '1', 2"), null, '0.2|0.4'],
      [over("FORMAT('%T', x + 0.5)", '1, 2'), null, '1.5|2.5'],
      ["FORMAT('%T', GENERATE_ARRAY(0, 1, 0.5))", null, '[0.0, 0.5, 1.0]'],
      ["FORMAT('%T', NUMERIC '1' - 0.0000000001)", null, 'NUMERIC "1"'],
      [over("FORMAT('%T', ROUND(x * 1.005, 2))", "NUMERIC '100', 1"), null, 'NUMERIC "100.5"|NUMERIC "1.01"'],
    ],
    'NUMERIC(p, s)': [
      ['CAST(CAST(123.456 AS NUMERIC(5, 2)) AS STRING)', null, '123.46'],
      ["CAST(CAST('1.005' AS NUMERIC(10, 2)) AS STRING)", null, '1.01'],
      ['CAST(CAST(12345.6 AS DECIMAL(5)) AS STRING)', null, '12346'],
      ["CAST(CAST('-2.345' AS BIGNUMERIC(5, 2)) AS STRING)", null, '-2.35'],
      ['CAST(CAST(NULL AS NUMERIC(3, 1)) AS STRING)', null, null],
      [over('CAST(x AS NUMERIC(3, 3))', "'0.1234', '-.9994'"), null, '0.123|-0.999'],
      [
        over('CAST(x AS BIGNUMERIC(38))', "BIGNUMERIC '99999999999999999999999999999999999999', -12.5"),
        null,
        '99999999999999999999999999999999999999|-13',
      ],
    ],
    'STRING(n) and BYTES(n)': [
      ["CAST('äbc' AS STRING(3))", null, 'äbc'],
      ["TO_HEX(CAST(b'abc' AS BYTES(3)))", null, '616263'],
      ['CAST(123 AS STRING(3))', null, '123'],
      ['CAST(NULL AS STRING(3))', null, null],
    ],
    'the rounding mode of ROUND': [
      [over("ROUND(x, 0, 'ROUND_HALF_EVEN')", "NUMERIC '2.5', 3.5, -2.5"), null, '2|4|-2'],
      [over("ROUND(x, 0, 'ROUND_HALF_AWAY_FROM_ZERO')", "NUMERIC '2.5', 3.5, -2.5"), null, '3|4|-3'],
      [over("ROUND(x, 2, 'ROUND_HALF_EVEN')", "NUMERIC '0.005', 0.015, -0.025, 0.0250001"), null, '0|0.02|-0.02|0.03'],
      ["CAST(ROUND(BIGNUMERIC '-1.25', 1, 'ROUND_HALF_EVEN') AS STRING)", null, '-1.2'],
      ["CAST(ROUND(25, -1, 'ROUND_HALF_EVEN') AS STRING)", null, '20'],
    ],
  },
  [
    ["CONCAT(TRUE, b'a')", 'CONCAT does not take (BOOL, BYTES)'],
    ["CONCAT('a', JSON '1')", 'CONCAT does not take (STRING, JSON)'],
    ["'a' || [1]", 'operator || does not take (STRING, ARRAY<INT64>)'],
    ['CAST(12345.6 AS NUMERIC(4, 1))', 'the query failed: CAST: the value is out of range for NUMERIC(4, 1), which goes up to 999.9'],
    ["SAFE_CAST('abc' AS STRING(2))", 'the query failed: CAST: the value is longer than STRING(2)'],
    ["CAST('a' AS STRING(0))", 'the length of STRING must be 1 or more'],
    ["CAST('a' AS STRING(1, 2))", 'STRING takes fewer parameters'],
    ['CAST(1 AS NUMERIC(40))', 'the precision of NUMERIC with 0 digits behind the point is 1 to 29'],
    ['CAST(1 AS NUMERIC(3, 5))', 'the precision of NUMERIC with 5 digits behind the point is 5 to 34'],
    ['CAST(1 AS NUMERIC(30, 10))', 'NUMERIC has at most 9 digits after the point'],
    ['CAST(1 AS INT64(3))', 'INT64 takes no parameters'],
    ["ROUND(2.5, 0, 'ROUND_HALF_EVEN')", 'a rounding mode works only with NUMERIC and BIGNUMERIC'],
    ["ROUND(NUMERIC '2.5', 0, 'half')", 'ROUND does not know this rounding mode'],
  ],
);
