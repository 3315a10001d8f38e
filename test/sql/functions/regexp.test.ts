// What regular expression functions become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    matching: [
      ["REGEXP_CONTAINS('/rest/v1', '^/rest')", "match('/rest/v1', '^/rest')", 1],
      ["REGEXP_CONTAINS('a\\nb', 'a.b')", "match('a\\nb', '(?-s)a.b')", 0],
      ["REGEXP_CONTAINS('a1', CONCAT('a', '[0-9]'))", "match('a1', 'a[0-9]')", 1],
      [
        "REGEXP_CONTAINS('a\\nb', REVERSE('b.a'))",
        "match('a\\nb', if(match(reverseUTF8('b.a'), '(^|[^\\\\\\\\])(\\\\\\\\\\\\\\\\)*\\\\.'), concat('(?-s)', reverseUTF8('b.a')), reverseUTF8('b.a')))",
        0,
      ],
      [
        "REGEXP_CONTAINS('ma.b', REVERSE('b.\\\\a'))",
        "match('ma.b', if(match(reverseUTF8('b.\\\\a'), '(^|[^\\\\\\\\])(\\\\\\\\\\\\\\\\)*\\\\.'), concat('(?-s)', reverseUTF8('b.\\\\a')), reverseUTF8('b.\\\\a')))",
        1,
      ],
      [
        "REGEXP_CONTAINS('manb', REVERSE('b.\\\\a'))",
        "match('manb', if(match(reverseUTF8('b.\\\\a'), '(^|[^\\\\\\\\])(\\\\\\\\\\\\\\\\)*\\\\.'), concat('(?-s)', reverseUTF8('b.\\\\a')), reverseUTF8('b.\\\\a')))",
        0,
      ],
      ["REGEXP_CONTAINS(NULL, 'a')", "CAST(NULL, 'Nullable(Bool)')", null],
      ["SAFE.REGEXP_CONTAINS('a', '[')", "CAST(NULL, 'Nullable(Bool)')", null],
      ["REGEXP_CONTAINS(b'\\xff', b'^.$')", "match('ÿ', '(?-s)^.$')", 1],
    ],
    extraction: [
      ["REGEXP_EXTRACT('user=42 x', 'user=([0-9]+)')", "nullIf(extract('user=42 x', 'user=([0-9]+)'), '')", '42'],
      ["REGEXP_EXTRACT('abc', 'x+')", "nullIf(extract('abc', 'x+'), '')", null],
      ["REGEXP_EXTRACT('abc', 'x*')", "if(match('abc', 'x*'), extract('abc', 'x*'), NULL)", ''],
      ["REGEXP_EXTRACT('abc', 'a(x?)')", "if(match('abc', 'a(x?)'), extract('abc', 'a(x?)'), NULL)", ''],
      ["REGEXP_EXTRACT('xyzabc', '^abc', 4)", "nullIf(extract('xyzabc', '^(?s:.{3,}?)(^abc)'), '')", null],
      ["REGEXP_EXTRACT('a1b2c3', '[a-z]([0-9])', 1, 2)", "arrayElementOrNull(extractAll('a1b2c3', '[a-z]([0-9])'), 2)", '2'],
      ["REGEXP_EXTRACT('aaa', 'aa', 2)", "nullIf(extract(substringUTF8('aaa', 2), 'aa'), '')", 'aa'],
      ["REGEXP_SUBSTR('héllo', '.{2}', 2)", "nullIf(extract(substringUTF8('héllo', 2), '(?-s).{2}'), '')", 'él'],
      [
        "TO_HEX(REGEXP_EXTRACT(b'\\xd1\\x89', b'.', 2))",
        "lower(hex(convertCharset(nullIf(extract(substringUTF8('Ñ', 2), '(?-s).'), ''), 'UTF-8', 'ISO-8859-1')))",
        '89',
      ],
      ["REGEXP_EXTRACT_ALL('a1b22', '[0-9]+')", "( SELECT if('a1b22' IS NULL, [], extractAll('a1b22', '[0-9]+')) AS value )", ['1', '22']],
      ["REGEXP_EXTRACT_ALL(CAST(NULL AS STRING), 'a')", "CAST([], 'Array(Nullable(String))')", []],
    ],
    replacement: [
      ["REGEXP_REPLACE('abc', '(b)', '[\\\\1]')", "replaceRegexpAll('abc', '(b)', '[\\\\1]')", 'a[b]c'],
      ["REGEXP_REPLACE('abc', '^', 'x')", "replaceRegexpOne('abc', '^', 'x')", 'xabc'],
      ["REGEXP_REPLACE('abc  ', '\\\\s*$', '')", "replaceRegexpOne('abc ', '\\\\s*$', '')", 'abc'],
      ["REGEXP_REPLACE('a.b', r'\\.', r'\\\\')", "replaceRegexpAll('a.b', '\\\\.', '\\\\\\\\')", 'a\\b'],
    ],
    positions: [
      [
        "REGEXP_INSTR('щцф', 'ц')",
        "if('щцф' IS NULL, NULL, if(empty(extractGroups('щцф', '^((?s:.{0,}?))(ц)')), toInt64(0), toInt64(lengthUTF8(arrayElement(extractGroups('щцф', '^((?s:.{0,}?))(ц)'), 1))) + 1))",
        2,
      ],
      [
        "REGEXP_INSTR('abcabc', 'a(b)c', 1, 2)",
        "if('abcabc' IS NULL, NULL, if(countMatches('abcabc', 'a(b)c') < 2, toInt64(0), if(empty(extractGroups('abcabc', '^((?s:.{0,}?)(?:(?:a(?:b)c)(?s:.*?)){1}a)(b)c')), toInt64(0), toInt64(lengthUTF8(arrayElement(extractGroups('abcabc', '^((?s:.{0,}?)(?:(?:a(?:b)c)(?s:.*?)){1}a)(b)c'), 1))) + 1)))",
        5,
      ],
      [
        "REGEXP_INSTR('abc', 'b+', 1, 1, 1)",
        "if('abc' IS NULL, NULL, if(empty(extractGroups('abc', '^((?s:.{0,}?))(b+)')), toInt64(0), toInt64(lengthUTF8(arrayElement(extractGroups('abc', '^((?s:.{0,}?))(b+)'), 1))) + 1 + lengthUTF8(arrayElement(extractGroups('abc', '^((?s:.{0,}?))(b+)'), 2))))",
        3,
      ],
      [
        "REGEXP_INSTR('abc', 'x')",
        "if('abc' IS NULL, NULL, if(empty(extractGroups('abc', '^((?s:.{0,}?))(x)')), toInt64(0), toInt64(lengthUTF8(arrayElement(extractGroups('abc', '^((?s:.{0,}?))(x)'), 1))) + 1))",
        0,
      ],
      [
        "REGEXP_INSTR(NULLIF('a', 'a'), 'a')",
        "if(if('a' = 'a', NULL, 'a') IS NULL, NULL, if(empty(extractGroups(if('a' = 'a', NULL, 'a'), '^((?s:.{0,}?))(a)')), toInt64(0), toInt64(lengthUTF8(arrayElement(extractGroups(if('a' = 'a', NULL, 'a'), '^((?s:.{0,}?))(a)'), 1))) + 1))",
        null,
      ],
      [
        "REGEXP_INSTR('xyzabc', '^abc', 4)",
        "if('xyzabc' IS NULL, NULL, if(empty(extractGroups('xyzabc', '^((?s:.{3,}?))(^abc)')), toInt64(0), toInt64(lengthUTF8(arrayElement(extractGroups('xyzabc', '^((?s:.{3,}?))(^abc)'), 1))) + 1))",
        0,
      ],
    ],
  },
  [
    ["REGEXP_CONTAINS('abc', '(')", 'a parenthesis or bracket of the regular expression lacks its partner'],
    ["REGEXP_EXTRACT('abc', '(a)(b)')", 'the regular expression has more than one capturing group'],
    ["REGEXP_EXTRACT_ALL('abc', 'a*')", 'REGEXP_EXTRACT_ALL with a regular expression that can match nothing is not supported'],
    ["REGEXP_REPLACE('abc', 'b*', 'x')", 'REGEXP_REPLACE with a regular expression that can match nothing is not supported'],
    ["REGEXP_REPLACE('abc', 'b', r'\\1')", 'there is no group 1 in the regular expression, it has 0'],
    ["REGEXP_REPLACE('abc', 'b', r'\\x')", 'a backslash in the replacement stands before a digit or another backslash'],
    ["REGEXP_INSTR('abc', 'b', 0)", 'the position of REGEXP_INSTR is 0'],
    ["REGEXP_EXTRACT('abc', 'b', 1, 0)", 'the query failed: REGEXP_EXTRACT: the occurrence is not positive'],
  ],
);
