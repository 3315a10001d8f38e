// Values of columns that are rarely there, and functions of them: each row is what BigQuery's reference implementation gives.
import { expect, test } from 'vitest';
import { testExpressions } from '../../support/expression-rows.ts';
import { refusal } from '../../support/query-rows.ts';

const over = (expression: string, values: string): string =>
  `(SELECT STRING_AGG(IFNULL(CAST(${expression} AS STRING), 'NULL'), ' ' ORDER BY o) FROM UNNEST([${values}]) x WITH OFFSET o)`;
const overJson = (expression: string, values: string): string => over(`TO_JSON_STRING(${expression})`, values);
const old = "TIMESTAMP '1900-01-01 00:00:00', '1905-12-31 18:38:49', '2000-01-01 00:00:00'";
const WIDE = [
  '{"a":123456789012345678901234567890,"b":"q"}',
  '{"c":{"d":[99999999999999999999, null,"x y"]},"b":"\\\\"18446744073709551616\\\\""}',
  'x 123456789012345678901234567890',
  '{"a":1.50,"b":-18446744073709551616}',
  '{"a":1}',
]
  .map((text) => `'${text}'`)
  .concat('NULL', "''")
  .join(', ');
const least = '-9223372036854775808';

testExpressions(
  {
    'widths of FORMAT from values': [
      [over("FORMAT('%0*d', x, 7)", '4, -4, 0, 1'), null, '0007 7    7 7'],
      [over("FORMAT('%+0*d', 5, x)", '3, -3'), null, '+0003 -0003'],
      [over("FORMAT('%0*.1f|%#0*x|%0*s', x, 1.25, x, 10, x, 'z')", '6, -6'), null, '0001.2|0x000a|     z 1.2   |0xa   |z     '],
      [over("FORMAT('%0*f', 6, x)", "1.5, CAST('-inf' AS FLOAT64)"), null, '1.500000   -inf'],
      ["FORMAT('%0*d|', -5, 3)", null, '3    |'],
    ],
    'what is not asked for does not fail': [
      [over('IFNULL(x, DIV(1, 0 * x))', '1, 2'), null, '1 2'],
      [over('COALESCE(x, MOD(5, x - x), 7)', '1, NULL'), null, '1 7'],
    ],
    'seconds of the day, before 1970 too': [
      [
        over(
          "CAST(x AS STRING FORMAT 'SSSSS')",
          "TIMESTAMP '1969-12-31 23:59:59.999999', '1955-04-01 00:00:00.5', '2024-01-01 00:01:00.9'",
        ),
        null,
        '86399 00000 00060',
      ],
    ],
    'seconds of texts have six digits at most': [
      [over('SAFE_CAST(x AS TIME)', "'12:34:56.123456', '12:34:56.1234567', '12:34:56.123456000'"), null, '12:34:56.123456 NULL NULL'],
      [
        over('SAFE_CAST(x AS TIMESTAMP)', "'2024-01-01 12:34:56.1234567Z', '2024-01-01 12:34:56.5Z'"),
        null,
        'NULL 2024-01-01 12:34:56.500+00',
      ],
      [over('SAFE_CAST(x AS DATETIME)', "'2024-01-01 12:34:56.123456789', '2024-01-01 12:34:56.5'"), null, 'NULL 2024-01-01 12:34:56.500'],
      ["SAFE_CAST('12:34:56.1234567' AS TIME)", null, null],
      [over('SAFE_CAST(x AS TIME)', "'12:34:60', '24:00:60'"), null, '12:35:00 NULL'],
    ],
    'averages of BIGNUMERIC are rounded': [
      [
        "(SELECT CONCAT(AVG(x), ' ', AVG(DISTINCT -x)) FROM UNNEST([BIGNUMERIC '1', 0.5, 0.5, 0.5, 0.5, -0.5]) x)",
        null,
        '0.41666666666666666666666666666666666667 -0.33333333333333333333333333333333333333',
      ],
      ["(SELECT CAST(AVG(x) AS STRING) FROM UNNEST([BIGNUMERIC '-1', 0, 0, NULL]) x)", null, '-0.33333333333333333333333333333333333333'],
      ["(SELECT CAST(AVG(x) AS STRING) FROM UNNEST([BIGNUMERIC '-2', 0, 0, NULL]) x)", null, '-0.66666666666666666666666666666666666667'],
    ],
    'variances of the largest NUMERICs': [
      [
        "(SELECT VAR_POP(x) BETWEEN 9.99e57 AND 1.01e58 FROM UNNEST([NUMERIC '99999999999999999999999999999', NUMERIC '-99999999999999999999999999999', NULL]) x)",
        null,
        1,
      ],
    ],
    'edges of ranges': [
      [
        "(SELECT STRING_AGG(IFNULL(REGEXP_SUBSTR(u, 'b.', INSTR(b'a', b'a', 2, 1), DATE_DIFF(DATETIME(x), DATETIME '2024-03-31 01:30:00', MINUTE)), 'NULL'), ' ' ORDER BY id) FROM (SELECT 1 AS id, CAST(NULL AS STRING) AS u, CAST(NULL AS TIMESTAMP) AS x UNION ALL SELECT 2, 'ABC', CAST(NULL AS TIMESTAMP)))",
        null,
        'NULL NULL',
      ],
      [over('SAFE_CAST(CAST(x AS FLOAT64) AS NUMERIC)', "'-1e29', '1.1e29', '0.5'"), null, '-99999999999999991433150857216 NULL 0.5'],
      [over("RPAD('ab', SAFE_CAST(x AS INT64), 'c')", "'4', 'x', '0'"), null, 'abcc NULL '],
      [over("SAFE.LPAD('ab', DATE_DIFF(x, DATE '2026-01-02', DAY))", "DATE '2026-01-05', NULL, DATE '1999-01-01'"), null, ' ab NULL NULL'],
    ],
    'a year may have a fifth digit, which makes it too large or begins it with zeros': [
      [over("SAFE.PARSE_DATE('%Y %j', x)", "'65536', '2024 6', '02024 6', '20246'"), null, 'NULL 2024-01-06 2024-01-06 NULL'],
      [over("SAFE.PARSE_DATE('%Y-%m-%d', x)", "'02024-1-5', '12345-1-5'"), null, '2024-01-05 NULL'],
      [over("SAFE.PARSE_DATE('%Y%m%d', x)", "'20240115', '202401150'"), null, '2024-01-15 NULL'],
      [over("SAFE.PARSE_DATE('%F', x)", "'02024-1-2', '2024-1-2'"), null, 'NULL 2024-01-02'],
    ],
    'a FLOAT64 in an array of JSON is read, though ClickHouse writes it as an integer beyond 64 bits': [
      [
        over("JSON_VALUE(x, '$.a[0]')", `'{"a":[1e20]}', '{"a":[-2.5e20]}', '{"a":["1e20"]}'`),
        null,
        '100000000000000000000 -250000000000000000000 1e20',
      ],
      ["SAFE_CAST(JSON_VALUE(TO_JSON([1e20]), '$[0]') AS FLOAT64) = 1e20", null, 1],
      [over("JSON_VALUE(TO_JSON([x, '[']), '$[0]')", "'5', '[6', NULL"), null, '5 [6 NULL'],
    ],
    'from position 1 on an empty text is searched, too': [
      ["(SELECT STRING_AGG(IFNULL(REGEXP_EXTRACT('', 'a*', i), 'NULL'), ' ' ORDER BY i) FROM UNNEST([1, 2]) AS i)", null, ' NULL'],
      ["(SELECT REGEXP_EXTRACT(b'', b'', i) FROM UNNEST([1]) AS i) = b''", null, 1],
    ],
    'TIME reads a text as a time of a day': [
      ["CAST(SAFE.TIME('2024-02-29 12:34:56.789') AS STRING)", null, '12:34:56.789'],
      ["CAST(TIME(TIMESTAMP '2024-02-29 12:34:56+01', 'UTC') AS STRING)", null, '11:34:56'],
    ],
    'a zone stands behind a time of day only, and a space in front of a name only': [
      [
        over(
          'SAFE_CAST(x AS TIMESTAMP)',
          "'2024-01-02 03:04:05 Z', '2024-01-02 03:04:05 +01', '2024-01-02Z', '2024-01-02+01', '2024-01-02 UTC', '2024-01-02 03:04:05.'",
        ),
        null,
        'NULL NULL NULL NULL NULL NULL',
      ],
      [
        over(
          'SAFE_CAST(x AS TIMESTAMP)',
          "'2024-01-02 +01', '2024-01-02 03:04:05UTC', '2024-01-02 03:04:05-1:30', '2024-01-02 03:04:05 UTC', '2024-01-02 03:04:05z '",
        ),
        null,
        '2024-01-01 23:00:00+00 NULL 2024-01-02 04:34:05+00 2024-01-02 03:04:05+00 NULL',
      ],
      ["SAFE_CAST('2024-01-02 03:04:05 Z' AS TIMESTAMP)", null, null],
      ["SAFE_CAST('2024-01-02Z ' AS TIMESTAMP)", null, null],
      ["STRING(TIMESTAMP '2024-01-02 03:04:05Z', '+130')", null, '2024-01-02 16:04:05+13'],
      [over('SAFE_CAST(x AS TIME)', "'03:04:05.', '03:04:05.5'"), null, 'NULL 03:04:05.500'],
    ],
    'NaN has no sign in texts': [
      [
        "(SELECT FORMAT('%g %G %10.2f %+e %010.1f', x, x, x, x, x) FROM (SELECT CAST('-inf' AS FLOAT64) * -0.0 AS x))",
        null,
        'nan NAN        nan +nan        nan',
      ],
      [over("FORMAT('%g', x * CAST('inf' AS FLOAT64))", '0.0, -0.0, -1.5'), null, 'nan nan -inf'],
    ],
    'slices that begin far behind the array': [
      [over('TO_JSON_STRING(ARRAY_SLICE([1, 2, 3], x, -8))', '9223372036854775807, 2, -9'), null, '[] [] []'],
      ['ARRAY_LENGTH(ARRAY_SLICE([1, 2, 3], 9223372036854775807, -8))', null, 0],
      [over('TO_JSON_STRING(ARRAY_SLICE([1, 2, 3], x, -2))', '1, 3, -9, 9223372036854775807'), null, '[2] [] [1,2] []'],
    ],
    'a column divided by the least INT64': [
      [over(`MOD(x, ${least})`, `100, -1, ${least}, NULL`), null, '100 -1 0 NULL'],
      [over(`DIV(x, ${least})`, `100, -1, ${least}, NULL`), null, '0 0 1 NULL'],
    ],
    'what stands in rows of NULLs is not computed': [
      ['(SELECT COUNT(ARRAY_SUM(GENERATE_ARRAY(x, x))) FROM (SELECT 1.5 AS x UNION ALL SELECT NULL))', null, 1],
      [over('ARRAY_SUM(GENERATE_ARRAY(1, 2, x))', '1, NULL'), null, '3 NULL'],
      [
        "(SELECT COUNT(ARRAY_SUM(SAFE.GENERATE_ARRAY(1.0, 2.0, x))) FROM (SELECT 1.0 AS x UNION ALL SELECT 0.0 UNION ALL SELECT NULL UNION ALL SELECT CAST('inf' AS FLOAT64)))",
        null,
        1,
      ],
      [over("ARRAY_SUM(SAFE.GENERATE_ARRAY(NUMERIC '1', 2, x))", "NUMERIC '1', 0, NULL"), null, '3 NULL NULL'],
      [over(`SUBSTR(x, 3, IF(x IS NULL, ${least}, 2))`, "'abcdef', NULL"), null, 'cd NULL'],
      [over(`LEFT(x, IF(x IS NULL, ${least}, 2))`, "'abcdef', NULL"), null, 'ab NULL'],
    ],
    'nothing is left of a FLOAT64 that is cut above its digits': [
      [over('ROUND(x, -1000)', "CAST('-inf' AS FLOAT64), CAST('nan' AS FLOAT64), 5.5, NULL"), null, '0 0 0 NULL'],
      [over('TRUNC(x, -400)', "CAST('-inf' AS FLOAT64), CAST('nan' AS FLOAT64), 5.5, NULL"), null, '0 0 0 NULL'],
    ],
    'arrays of a document that is NULL in each row': [
      ["ARRAY_LENGTH(JSON_VALUE_ARRAY(JSON_SET(JSON '1e300', CAST(NULL AS STRING), 'a')))", null, null],
      ["ARRAY_LENGTH(JSON_QUERY_ARRAY(JSON_SET(JSON '1e300', CAST(NULL AS STRING), 'a')))", null, null],
    ],
    'series of months end on days that all of them have': [
      [
        "TO_JSON_STRING(GENERATE_DATE_ARRAY(DATE '1969-12-31', DATE '1970-12-30', INTERVAL 2 MONTH))",
        null,
        '["1969-12-31","1970-02-28","1970-04-28","1970-06-28","1970-08-28","1970-10-28","1970-12-28"]',
      ],
      [
        overJson("GENERATE_DATE_ARRAY(x, DATE '2024-06-30', INTERVAL 2 MONTH)", "DATE '2023-12-31', '2024-02-29', '2024-03-01', NULL"),
        null,
        '["2023-12-31","2024-02-29","2024-04-29","2024-06-29"] ["2024-02-29","2024-04-29","2024-06-29"] ["2024-03-01","2024-05-01"] null',
      ],
      [
        overJson("GENERATE_DATE_ARRAY(x, DATE '2023-12-01', INTERVAL -1 MONTH)", "DATE '2024-03-31'"),
        null,
        '["2024-03-31","2024-02-29","2024-01-29","2023-12-29"]',
      ],
      [
        overJson("GENERATE_DATE_ARRAY(DATE '2020-02-29', DATE '2024-12-31', INTERVAL x YEAR)", '2, 4, NULL'),
        null,
        '["2020-02-29","2022-02-28","2024-02-28"] ["2020-02-29","2024-02-29"] null',
      ],
    ],
    'arrays of SAFE functions are NULL where these fail': [
      [over('ARRAY_LENGTH(SAFE.GENERATE_ARRAY(1, 5, x))', '1, 0, NULL'), null, '5 NULL NULL'],
      [over('ARRAY_LENGTH(SAFE.GENERATE_ARRAY(1.0, 2.0, x))', "CAST('nan' AS FLOAT64), CAST('inf' AS FLOAT64), 0.5"), null, 'NULL NULL 3'],
      [over('ARRAY_FIRST(SAFE.GENERATE_ARRAY(1, 5, x))', '2, 0'), null, '1 NULL'],
      [
        over("ARRAY_LENGTH(SAFE.GENERATE_DATE_ARRAY(DATE '2024-01-01', DATE '2024-03-01', INTERVAL x DAY))", '30, 0, NULL'),
        null,
        '3 NULL NULL',
      ],
      [
        over("ARRAY_LENGTH(SAFE.GENERATE_DATE_ARRAY(DATE '2024-01-01', DATE '2024-03-01', INTERVAL x MONTH))", '-1, 0, 2'),
        null,
        '0 NULL 2',
      ],
      ['ARRAY_FIRST(SAFE.GENERATE_DATE_ARRAY(CAST(NULL AS DATE), CAST(NULL AS DATE)))', null, null],
      [overJson('ARRAY_CONCAT([1], SAFE.TO_CODE_POINTS(x))', "b'a', NULL"), null, '[1,97] null'],
      [over('CODE_POINTS_TO_STRING(SAFE.TO_CODE_POINTS(x))', "'a', NULL"), null, 'a NULL'],
      [over("ARRAY_LENGTH(SAFE.ARRAY_REVERSE(SPLIT(x, ',')))", "'a,b', NULL"), null, '2 NULL'],
    ],
    'texts of times when offsets of zones had seconds': [
      [over("STRING(x, 'Asia/Kolkata')", old), null, '1900-01-01 05:21:00+05:21 1905-12-31 23:59:49+05:21 2000-01-01 05:30:00+05:30'],
      [
        over("FORMAT_TIMESTAMP('%T_%Ez_%s', x, 'Asia/Kolkata')", old),
        null,
        '05:21:00_+05:21_-2208988800 23:59:49_+05:21_-2019705671 05:30:00_+05:30_946684800',
      ],
      [over("FORMAT_TIMESTAMP('%x|%E*S', x, 'America/St_Johns')", old), null, '12/31/99|00 12/31/05|49 12/31/99|00'],
      [over("CAST(x AS STRING FORMAT 'HH24:MI:SS' AT TIME ZONE 'Europe/Paris')", old), null, '00:09:00 18:47:49 01:00:00'],
      [over("EXTRACT(SECOND FROM x AT TIME ZONE 'Asia/Kolkata')", old), null, '10 59 0'],
      [over("FORMAT_TIMESTAMP('%T', x, 'Europe/Berlin')", old), null, '01:00:00 19:38:49 01:00:00'],
      ["FORMAT_TIMESTAMP('%Z', TIMESTAMP '2024-01-01 00:00:00', '-00:30')", null, 'UTC-0030'],
      ["FORMAT_TIMESTAMP('%Z', TIMESTAMP '2024-01-01 00:00:00', 'Asia/Kolkata')", null, 'UTC+0530'],
    ],
    'months are added to days, whatever the fraction of a second before 1970': [
      [
        over(
          'DATETIME_ADD(x, INTERVAL 1 MONTH)',
          "DATETIME '1950-01-30 23:59:59.5', '1948-02-29 23:59:59.999999', '2024-01-31 23:59:59.5', NULL",
        ),
        null,
        '1950-02-28 23:59:59.500 1948-03-29 23:59:59.999999 2024-02-29 23:59:59.500 NULL',
      ],
      [over('x - MAKE_INTERVAL(0, 10)', "DATETIME '1969-12-30 23:59:59.5'"), null, '1969-02-28 23:59:59.500'],
    ],
    'integers beyond 64 bits in JSON': [
      [over("JSON_VALUE(x, '$.a')", WIDE), null, '123456789012345678901234567890 NULL NULL 1.50 1 NULL NULL'],
      [over("JSON_VALUE(x, '$.b')", WIDE), null, 'q "18446744073709551616" NULL -18446744073709551616 NULL NULL NULL'],
      [over("JSON_QUERY(x, '$.c')", WIDE), null, 'NULL {"d":[99999999999999999999,null,"x y"]} NULL NULL NULL NULL NULL'],
      [
        over("ARRAY_TO_STRING(JSON_QUERY_ARRAY(x, '$.c.d'), ',', '-')", WIDE),
        null,
        'NULL 99999999999999999999,null,"x y" NULL NULL NULL NULL NULL',
      ],
      [
        over("ARRAY_TO_STRING(JSON_VALUE_ARRAY(x, '$.c.d'), ',', '-')", WIDE),
        null,
        'NULL 99999999999999999999,-,x y NULL NULL NULL NULL NULL',
      ],
      [`JSON_VALUE('{"a":-99999999999999999999}', '$.a')`, null, '-99999999999999999999'],
      [
        over(
          "JSON_VALUE(PARSE_JSON(x, wide_number_mode => 'round'), '$.b')",
          `'{"a":100000000000000000000,"b":1}', '{"a":1e20,"b":2}', '{"b":-1e30}'`,
        ),
        null,
        '1 2 -1e30',
      ],
      [over('FLOAT64(PARSE_JSON(x).b)', `'{"a":1e20,"b":3}', '{"a":[1]}'`), null, '3 NULL'],
    ],
    'a zone that changed its clocks at 00:01': [
      [
        over("TIMESTAMP(x, 'America/St_Johns')", "DATETIME '2000-01-01 00:00:00.000001', '2000-07-02 00:00:00'"),
        null,
        '2000-01-01 03:30:00.000001+00 2000-07-02 02:30:00+00',
      ],
      [over("TIMESTAMP_TRUNC(x, QUARTER, 'America/St_Johns')", "TIMESTAMP '2009-11-15 00:00:00'"), null, '2009-10-01 02:30:00+00'],
    ],
    'powers, logarithms and digits': [
      [over('POW(x, x)', '5e-324'), null, '1'],
      [over('POW(x, x + 63.5)', "CAST('-inf' AS FLOAT64)"), null, '0'],
      ["(SELECT CAST(MAX(POW(x, y)) AS STRING) FROM UNNEST([CAST('-inf' AS FLOAT64)]) x, UNNEST([63.0]) y)", null, '-inf'],
      [over('POW(x, 1.0)', '5e-324, -5e-324'), null, '4.94065645841247e-324 -4.94065645841247e-324'],
      ['(SELECT ROUND(MAX(POW(x, y)) * 1e280, 6) FROM UNNEST([1e-310]) x, UNNEST([0.9]) y)', null, 10],
      [over('SAFE.POW(x, -1.0)', '5e-324'), null, 'NULL'],
      ['(SELECT ROUND(MAX(POW(x, 0.1)) * 1e33) FROM UNNEST([5e-324]) x)', null, 5],
      ["(SELECT STRING_AGG(CAST(SQRT(x) AS STRING), ' ' ORDER BY x) FROM UNNEST([4.0, 1.0]) AS x)", null, '1 2'],
      [over("LOG(CAST('-inf' AS FLOAT64), x)", 'NULL, 2.0'), null, 'NULL nan'],
      [over('TRUNC(x, 1)', '2.3, -2.3, 1.15, 1e300, 5'), null, '2.2 -2.2 1.1 1e+300 5'],
      [over('TRUNC(x, 9)', '1e-7, 2.3, 0.29'), null, '9.9e-08 2.299999999 0.289999999'],
      [over('TRUNC(x, 2)', '8.41, 4.35, -0.0001'), null, '8.41 4.34 0'],
      [over("ROUND(NUMERIC '-2.5', x)", `9223372036854775807, ${least}, 0`), null, '-2.5 0 -3'],
      ["CAST(TRUNC(NUMERIC '-2.5', 9223372036854775807) AS STRING)", null, '-2.5'],
      [
        over('CAST(x AS BIGNUMERIC)', '9223.372036854775, -9223.372036854775'),
        null,
        '9223.37203685477470571640878915786743164063 -9223.37203685477470571640878915786743164063',
      ],
    ],
    'times and numbers inside of texts': [
      ["SAFE.TIMESTAMP('1900-01-01 00:00:00+00', 'Australia/Lord_Howe')", null, null],
      [
        over("SAFE.TIMESTAMP(x, 'Asia/Kolkata')", "'2024-01-01 00:00:00+00', '2024-01-01 05:30:00', '2024-01-01 00:00:00Z'"),
        null,
        'NULL 2024-01-01 00:00:00+00 NULL',
      ],
      [
        over(
          'JSON_TYPE(JSON_ARRAY(x))',
          "NUMERIC '99999999999999999999999999999', NUMERIC '18446744073709551615', NUMERIC '-9223372036854775809', NUMERIC '1.5'",
        ),
        null,
        'array array array array',
      ],
      [
        over(
          "TO_JSON_STRING(JSON_OBJECT('a', x))",
          "NUMERIC '18446744073709551615', NUMERIC '-9223372036854775808', NUMERIC '1.5', NUMERIC '-3'",
        ),
        null,
        '{"a":18446744073709551615} {"a":-9223372036854775808} {"a":1.5} {"a":-3}',
      ],
      ["TO_HEX(ARRAY_TO_STRING([b'a', b'b'], FROM_BASE64('YQ')))", null, '616162'],
      [overJson('GENERATE_ARRAY(x, x)', '1e21, 0.5'), null, '[1e+21] [0.5]'],
      [`JSON_VALUE('{"a":18446744073709551615}', '$.a')`, null, '18446744073709551615'],
    ],
    'places and lengths in texts that may be NULL': [
      [
        `(SELECT STRING_AGG(IFNULL(SUBSTR(s, n, n), 'NULL'), ' ') FROM UNNEST([STRUCT(CAST(NULL AS STRING) AS s, ${least} AS n)]))`,
        null,
        'NULL',
      ],
      [
        `(SELECT STRING_AGG(IFNULL(LEFT(s, n), IFNULL(RIGHT(s, n), 'NULL'))) FROM UNNEST([STRUCT(CAST(NULL AS STRING) AS s, ${least} AS n)]))`,
        null,
        'NULL',
      ],
      [over("INSTR(x, 'a', 1, 0)", 'CAST(NULL AS STRING)'), null, 'NULL'],
      [over("REGEXP_EXTRACT(x, 'x*', 3)", "'ab', 'éé', 'abc', 'xxx'"), null, 'NULL   x'],
      ["REGEXP_EXTRACT('😀x', r'(a*)', 3)", null, ''],
      ["REGEXP_EXTRACT('éé', 'x*', 5)", null, null],
      ["REGEXP_INSTR('éé', 'x*', 4)", null, 4],
      ["SAFE.REGEXP_EXTRACT('a', '', 12, 0)", null, null],
      [over('SOUNDEX(x)', "'abab', 'Honeyman', 'Tymczak', 'Pfister', '😀babc'"), null, 'a100 H500 T520 P236 b200'],
    ],
    'delimiters and characters of each row': [
      [overJson("SPLIT('a,b|c', x)", "',', '|', '', NULL, 'z'"), null, '["a","b|c"] ["a,b","c"] ["a",",","b","|","c"] null ["a,b|c"]'],
      ["TO_JSON_STRING(SPLIT('abc', LOWER(CAST(NULL AS STRING))))", null, 'null'],
      [
        overJson("ARRAY_TO_STRING(SPLIT(b'a\\xffb\\x00c', x), b'|')", "b'\\xff', b'\\x00', b'', NULL"),
        null,
        '"YXxiAGM=" "Yf9ifGM=" "YXz/fGJ8AHxj" null',
      ],
      ["TO_HEX(ARRAY_FIRST(SPLIT(b'a', NET.SAFE_IP_FROM_STRING('0.0.0.0'))))", null, '61'],
      ["SAFE.REGEXP_EXTRACT('a', '.', 0)", null, null],
      [
        "[SAFE.REGEXP_CONTAINS('a', 'a\\\\'), REGEXP_CONTAINS('\\\\', r'^\\\\$'), REGEXP_CONTAINS(b'\\xff', b'\\\\x{ff}')]",
        null,
        [null, true, true],
      ],
      ["SAFE.STRING(TIMESTAMP '2020-01-01', 'ß')", null, null],
      ['STRING(CURRENT_TIMESTAMP(), CAST(NULL AS STRING))', null, null],
      ["TO_HEX(SAFE.REGEXP_REPLACE(b'a', b'a', b'\\xc3\\xa9'))", null, 'c3a9'],
      [
        over("TO_HEX(REPLACE(x, b'\\xc3', b'A'))", "b'', NULL, b'\\xc3\\xa9', b'a', b'a\\x00', b'a', b'\\xc3', b''"),
        null,
        ' NULL 41a9 61 6100 61 41 ',
      ],
      [over("TRANSLATE(x, x, 'é2')", "'ab', 'xyz', '', NULL"), null, 'é2 é2  NULL'],
      [over("TRANSLATE('abcé', 'aé', x)", "'1', '12', '', NULL"), null, '1bc 1bc2 bc NULL'],
      [over("TO_HEX(TRANSLATE(b'abc', x, b'12'))", "b'ca', b'', NULL"), null, '326231 616263 NULL'],
    ],
  },
  [
    ['(SELECT CORR(x, -x) FROM UNNEST([1e15, 1e154, 1.0]) x)', 'the query failed: the correlation of such large numbers is not supported'],
    [
      over('SAFE_CAST(x AS DATETIME)', "'2024-12-31 23:59:60.5', 'x'"),
      'the query failed: the leap second inside the text is not supported',
    ],
    [over('SAFE_CAST(x AS TIME)', "'x', '23:59:60.000001'"), 'the query failed: the leap second inside the text is not supported'],
    ['(SELECT CORR(x, x) FROM UNNEST([-1.7e308, 1.7e308]) x)', 'the query failed: the correlation of such large numbers is not supported'],
    [
      '(SELECT COVAR_POP(x, x) FROM UNNEST([-1.7e308, 1.7e308]) x)',
      'the query failed: the covariance of such large numbers is not supported',
    ],
  ],
);

test('what cannot be right is refused', () => {
  expect(refusal("SELECT TIME('2024-02-29 12:34:56+01')")).toContain('TIME of a text with a time zone is not translated');
  expect(refusal("SELECT ARRAY_LENGTH(SAFE.INT64_ARRAY(JSON '[1]'))")).toContain('whether this array is NULL');
  expect(refusal("SELECT REGEXP_EXTRACT_ALL(b'a', ARRAY_TO_STRING([b'ABc'], b'a', b'a'))")).toContain(
    'one regular expression for all rows',
  );
  expect(refusal("SELECT REGEXP_EXTRACT(x, ARRAY_LAST(['A', 'B'])) FROM UNNEST(['a']) AS x")).toContain(
    'one regular expression for all rows',
  );
  expect(refusal("SELECT REGEXP_CONTAINS('a', 'a\\\\')")).toContain('ends with a backslash');
  expect(refusal("SELECT REGEXP_CONTAINS(b'a', b'\\\\x{100}')")).toContain('a character beyond 255');
  expect(refusal("SELECT REGEXP_CONTAINS(b'a', b'\\\\400')")).toContain('a character beyond 255');
  expect(refusal("SELECT GENERATE_ARRAY(NUMERIC '5', NUMERIC '10', NUMERIC '0')")).toContain('the step of GENERATE_ARRAY is 0');
  expect(refusal("SELECT REGEXP_EXTRACT('a', '.', 0)")).toContain('positions start at 1, so 0 is not one');
  expect(refusal(`SELECT PARSE_JSON('{"a":18446744073709551616}')`)).toContain('integers beyond 64 bits');
});

test('a SAFE function whose array would be NULL for each row is refused', () => {
  expect(refusal("SELECT ARRAY_LENGTH(SAFE.REGEXP_EXTRACT_ALL(x, '(a)(b)')) FROM UNNEST(['ab']) AS x")).toContain(
    'more than one capturing group',
  );
});
