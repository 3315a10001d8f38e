// Texts that are long, rare or no texts at all: each row is what BigQuery's reference implementation gives.
import { testExpressions } from '../../support/expression-rows.ts';

const over = (expression: string, values: string): string =>
  `(SELECT STRING_AGG(IFNULL(CAST(${expression} AS STRING), 'NULL'), '|' ORDER BY o) FROM UNNEST([${values}]) x WITH OFFSET o)`;

testExpressions(
  {
    cases: [
      ["INITCAP(r'a\\b c')", null, 'A\\B C'],
      ["INITCAP('a\\u00a0b\\u2028c\\u200bd')", null, 'A\u00a0B\u2028C\u200bd'],
      ["INITCAP('日本İi')", null, '日本ii'],
      ["TO_HEX(CAST(NORMALIZE_AND_CASEFOLD('ǰ') AS BYTES))", null, '6acc8c'],
      [over('NORMALIZE(SAFE_CAST(x AS STRING))', "b'\\xff', b'a'"), null, 'NULL|a'],
    ],
    hosts: [
      [
        over(
          'NET.HOST(x)',
          "'2024-02-29 12:34', 'http://a b.c/', '1http://b.c', r'http:\\\\a.b\\c/d', '://x', 'http://[::1', 'http://[::1]x:8'",
        ),
        null,
        '2024-02-29 12|a b.c|b.c|a.b|x|[::1|[::1]x',
      ],
      [
        over('NET.HOST(x)', "' https://user:pw@Example.COM:80/p?q#f ', 'mailto:a@b.c', '//b.c', 'a.b/c', 'https://[::1]:80/'"),
        null,
        'Example.COM|b.c|b.c|a.b|[::1]',
      ],
      [
        over('NET.HOST(x)', "'.5', '//..a..', 'http://.x.:80/', 'a..b', '.', 'http://../', '...a ...', '.[a:b]', 'x@..[a]', NULL"),
        null,
        '5|a.|x.|a..b|NULL|NULL|a .|[a|[a]|NULL',
      ],
    ],
    'a pattern with two groups is no error where the text is too short to be searched': [
      [over("SAFE.REGEXP_INSTR(x, r'(\\d)(\\d)?')", "'', '1', 'a', NULL"), null, '0|NULL|NULL|NULL'],
      [over("SAFE.REGEXP_INSTR(x, r'(\\d)?(\\d)?', 3, 2)", "'é', 'éa', '12', ''"), null, '0|NULL|0|0'],
      [over("SAFE.REGEXP_INSTR(x, b'(a)(b)', 2)", "b'1', b'', b'12', NULL"), null, '0|0|NULL|NULL'],
    ],
    'bytes that are no text': [
      [over("STRPOS(x, b'\\xc3')", "b'b', b'abc', b'\\xc3\\xa9', b'\\xc3', b'\\xff', b'a\\xc3', b''"), null, '0|0|1|1|0|2|0'],
      [over("INSTR(x, b'\\xc3', 2)", "b'\\xc3\\xc3', b'\\xc3', b'\\xff', b'a\\xc3'"), null, '2|0|0|2'],
    ],
    'references in replacements of plain texts': [
      [over("REGEXP_REPLACE(x, 'a', r'<\\0>')", "'abca', 'x'"), null, '<a>bc<a>|x'],
      [over("REGEXP_REPLACE(x, SUBSTR('ab', 1, 1), r'<\\0>')", "'abca', 'x'"), null, '<a>bc<a>|x'],
    ],
    'how long texts may become': [
      ["LENGTH(SAFE.REPEAT('abcd', 262144))", null, 1048576],
      ["SAFE.REPEAT('abcd', 262145)", null, null],
      ["REPEAT('', 9223372036854775807)", null, ''],
      [over("LENGTH(SAFE.LPAD('a', x, 'é'))", '3, 600000, 9007199254740993, -1'), null, '3|NULL|NULL|NULL'],
      [over('RPAD(x, -1)', 'CAST(NULL AS STRING)'), null, 'NULL'],
      [over("RPAD(x, 3, SAFE_CAST(FROM_BASE64('YQ==') AS STRING))", "'b'"), null, 'baa'],
    ],
    'a NULL among numbers of characters': [
      ['CODE_POINTS_TO_STRING([-1, NULL])', null, null],
      ['CODE_POINTS_TO_BYTES([256, NULL]) IS NULL', null, 1],
    ],
    'hexadecimal numbers': [
      [over('CAST(x AS FLOAT64)', "'0x1F', '-0X10', ' 0x0 ', '1e5', '0xffffffffffffffff'"), null, '31|-16|0|100000|1.8446744073709552e+19'],
      [over('SAFE_CAST(x AS FLOAT64)', "'0x', 'a0x1', '0x1g', 'inf'"), null, 'NULL|NULL|NULL|inf'],
      [over('LAX_FLOAT64(TO_JSON(x))', "'0x1F', 'x'"), null, '31|NULL'],
    ],
    'constants of JSON': [
      [
        'TO_JSON_STRING(PARSE_JSON(\'{"b":{"z":1,"y":2,"z":3},"a":[{"q":1,"p":1,"q":7}], "b":4, "":null, "k":"\\\\u0041"}\'))',
        null,
        '{"":null,"a":[{"p":1,"q":1}],"b":{"y":2,"z":1},"k":"A"}',
      ],
      [
        'TO_JSON_STRING(JSON \'[1.0, -0.0, 1e3, 1e300, 1e-7, 1e15, 0.0001, 100, "1:2"]\')',
        null,
        '[1.0,-0.0,1000.0,1e+300,1e-07,1e+15,0.0001,100,"1:2"]',
      ],
      ["SAFE.PARSE_JSON('[1,]') IS NULL", null, 1],
    ],
    'zones that are none': [
      ["SAFE.TIMESTAMP(DATE '2024-01-01', 'abc')", null, null],
      ["SAFE.TIMESTAMP_TRUNC(TIMESTAMP '2024-01-01', SECOND, 'abc')", null, null],
    ],
    'decimals that FLOAT64 writes alike are no wide numbers': [
      [
        "TO_JSON_STRING(TO_JSON([NUMERIC '-2.5', 0.1, 123456789012345.123456789], stringify_wide_numbers => TRUE))",
        null,
        '[-2.5,0.1,"123456789012345.123456789"]',
      ],
      ["TO_JSON_STRING(NUMERIC '0.1')", null, '"0.1"'],
    ],
  },
  [
    ["REPEAT('abcd', 262145)", 'the query failed: REPEAT: the text is longer than 1 MB'],
    [over("LENGTH(LPAD('a', x, 'é'))", '600000'), 'the query failed: the padded text is longer than 1 MB'],
    ['CODE_POINTS_TO_STRING([-1])', 'the query failed: CODE_POINTS_TO_STRING: there is no such character'],
  ],
);
