// Where an argument is NULL the result is: nothing is checked of the others, and what a column has in the NULL's place is not read.
import { testExpressions } from '../../support/expression-rows.ts';

/** The expression over a row whose `t`, `b` and `n` are NULL, and another. */
const over = (expression: string): string =>
  `ARRAY(SELECT ${expression} FROM UNNEST([STRUCT(1 AS id, CAST(NULL AS STRING) AS t, CAST(NULL AS BYTES) AS b, CAST(NULL AS INT64) AS n), (2, '2024-01-02', b'ab', 4)]) ORDER BY id)`;

testExpressions(
  {
    'bad arguments beside a NULL': [
      [over('LEFT(t, id * 4 - 5)'), null, [null, '202']],
      [over("INSTR(t, '2', -1, 2)"), null, [null, 3]],
      [over("INSTR('banana', 'a', n * 0 - 1, id)"), null, [null, 4]],
      [over("INSTR(b, b'b', -1)"), null, [null, 2]],
      ["INSTR(NET.SAFE_IP_FROM_STRING('1.2'), b'', -1, 2)", null, null],
      [over("FORMAT('%p', PARSE_JSON(SUBSTR(t, 1, 1)))"), null, [null, '2']],
      [over('RIGHT(t, id * 4 - 5)'), null, [null, '-02']],
      [over('LPAD(t, id * 5 - 8)'), null, [null, '20']],
      [over('REPEAT(t, id - 2)'), null, [null, '']],
      [over("INSTR(t, '0', id - 1)"), null, [null, 2]],
      [over('NET.IP_NET_MASK(n, id * 40 - 50) IS NULL'), null, [1, 0]],
      [over('NET.IP_NET_MASK(n, 40 - id * 10) IS NULL'), null, [1, 0]],
      [over('n / (id - 1)'), null, [null, 4]],
      [over('n << (id - 2)'), null, [null, 4]],
    ],
    'texts that are read': [
      [over('CAST(CAST(t AS DATE) AS STRING)'), null, [null, '2024-01-02']],
      [over('CAST(CAST(t AS DATETIME) AS STRING)'), null, [null, '2024-01-02 00:00:00']],
      [over('UNIX_SECONDS(CAST(t AS TIMESTAMP))'), null, [null, 1704153600]],
      [over("UNIX_SECONDS(TIMESTAMP(t, 'Europe/Paris'))"), null, [null, 1704150000]],
      [over("NET.IP_TO_STRING(NET.IP_FROM_STRING(IF(t IS NULL, t, '10.1.2.3')))"), null, [null, '10.1.2.3']],
      [over("JSON_TYPE(PARSE_JSON('7', wide_number_mode => IF(t IS NULL, t, 'round')))"), null, [null, 'number']],
    ],
    'values that are not asked for': [
      [over("IFNULL(n, CAST(t || 'x' AS INT64) + CAST(t AS INT64))"), null, [null, 4]],
      [over("COALESCE(id, CAST('a' || CAST(id AS STRING) AS INT64))"), null, [1, 2]],
      [over("COALESCE(n, 10 - id, CAST('a' || CAST(id AS STRING) AS INT64))"), null, [9, 4]],
    ],
    'arrays by numbers that may be NULL': [
      [over('ARRAY_LENGTH(IFNULL(ARRAY_SLICE([7, 8, 9], n - 3, 5), []))'), null, [0, 2]],
      [over('ARRAY_LENGTH(IFNULL(ARRAY_SLICE([7, 8, 9], 0, n), []))'), null, [0, 3]],
      [over('ARRAY_LENGTH(IFNULL(ARRAY_SLICE([7, 8, 9], id - 9, 9223372036854775805 + id), []))'), null, [3, 3]],
      [over('ARRAY_SUM(GENERATE_ARRAY(id, 5, n))'), null, [null, 2]],
      [over('ARRAY_SUM(SAFE.GENERATE_ARRAY(1, 3, n - 4))'), null, [null, null]],
    ],
    'half of the day': [[over("FORMAT_TIMESTAMP('%P', SAFE_CAST(t || ' 13:00:00' AS TIMESTAMP))"), null, [null, 'pm']]],
    'bytes by bytes of the row': [
      [over("TO_HEX(TRIM(b'\\xffab\\xff', b || b'\\xff'))"), null, [null, '']],
      [over("TO_HEX(LTRIM(b'acab\\xff', b))"), null, [null, '636162ff']],
      [over("TO_HEX(RTRIM(b'\\xffcab', b))"), null, [null, 'ff63']],
      [over("ASCII(b || b'x')"), null, [null, 97]],
    ],
  },
  [
    [over('LEFT(t, 1 - id)'), 'the query failed: LEFT: the length is negative'],
    [over("IFNULL(n, CAST('a' || CAST(id AS STRING) AS INT64))"), 'the query failed: CAST: the text is not an INT64'],
    [over('n / (2 - id)'), 'the query failed: division by zero'],
    [over("CAST(REPLACE(t, '01-02', '02-30') AS DATE)"), 'the query failed: the text is not a DATE'],
    [over("CAST(t || ' 1' AS DATE)"), 'the query failed: the text is not a DATE'],
    [over("ASCII('é' || t)"), 'the query failed: ASCII: the first character is not ASCII'],
  ],
);
