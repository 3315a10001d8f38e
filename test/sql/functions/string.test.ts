// What string functions become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    'case, length, concatenation': [
      ["CONCAT('a', 'b', 'c')", "concat('a', 'b', 'c')", 'abc'],
      ["CONCAT('a', CAST(NULL AS STRING))", "CAST(NULL, 'Nullable(String)')", null],
      ["LOWER('ÀB')", "lowerUTF8('ÀB')", 'àb'],
      ["UPPER('straße')", "upperUTF8('straße')", 'STRASSE'],
      ["TO_HEX(UPPER(b'ab\\xff'))", "lower(hex(upper('ab\\xff')))", '4142ff'],
      ["LENGTH('héé')", "toInt64(lengthUTF8('héé'))", 3],
      ["LENGTH(b'\\xd0\\xb0')", "toInt64(length('\\xd0\\xb0'))", 2],
      ['LENGTH(CAST(NULL AS STRING))', "CAST(NULL, 'Nullable(Int64)')", null],
      ["BYTE_LENGTH('hé')", "toInt64(length('hé'))", 3],
      ["CHAR_LENGTH('hé')", "toInt64(lengthUTF8('hé'))", 2],
      ["REVERSE('hé')", "reverseUTF8('hé')", 'éh'],
      ["REPEAT('ab', 2)", "repeat('ab', 2)", 'abab'],
      ["REPEAT('ab', 0)", "repeat('ab', 0)", ''],
    ],
    'beginnings and ends': [
      ["STARTS_WITH('abc', 'ab')", "startsWith('abc', 'ab')", 1],
      ["STARTS_WITH('abc', NULL)", "CAST(NULL, 'Nullable(Bool)')", null],
      ["ENDS_WITH('abc', 'b')", "endsWith('abc', 'b')", 0],
    ],
    'replacement and splitting': [
      ["REPLACE('banana', 'an', 'x')", "replaceAll('banana', 'an', 'x')", 'bxxa'],
      ["REPLACE('abc', '', 'x')", "replaceAll('abc', '', 'x')", 'abc'],
      ["SPLIT('a,b,,c')", "if('a,b,,c' IS NULL, [], splitByString(',', 'a,b,,c'))", ['a', 'b', '', 'c']],
      ["SPLIT('', ',')", "if('' IS NULL, [], splitByString(',', ''))", ['']],
      ["SPLIT('hé', '')", "if('hé' IS NULL, [], if('hé' = '', [''], extractAll('hé', '.')))", ['h', 'é']],
      ["SPLIT(CAST(NULL AS STRING), ',')", "CAST([], 'Array(Nullable(String))')", []],
      [
        "TRANSLATE('abcde', 'ad', 'x')",
        "if('abcde' IS NULL, NULL, arrayStringConcat(arrayMap(character -> transform(character, ['a', 'd'], ['x', ''], character), extractAll('abcde', '.'))))",
        'xbce',
      ],
      [
        "INITCAP('heLLo wORLD-x')",
        "if('heLLo wORLD-x' IS NULL, NULL, arrayStringConcat(arrayMap((character, before) -> multiIf(position(' \\t\\n\\x0b\\f\\r[](){}/|<>!?@\"^#$&~_,.:;*%+-', character) > 0, character, before = '' OR position(' \\t\\n\\x0b\\f\\r[](){}/|<>!?@\"^#$&~_,.:;*%+-', before) > 0, upperUTF8(character), lowerUTF8(character)), extractAll('heLLo wORLD-x', '.'), if(empty(extractAll('heLLo wORLD-x', '.')), extractAll('heLLo wORLD-x', '.'), arrayPushFront(arrayPopBack(extractAll('heLLo wORLD-x', '.')), '')))))",
        'Hello World-X',
      ],
      [
        "INITCAP('a.b', '.')",
        "if('a.b' IS NULL, NULL, arrayStringConcat(arrayMap((character, before) -> multiIf(position('.', character) > 0, character, before = '' OR position('.', before) > 0, upperUTF8(character), lowerUTF8(character)), extractAll('a.b', '.'), if(empty(extractAll('a.b', '.')), extractAll('a.b', '.'), arrayPushFront(arrayPopBack(extractAll('a.b', '.')), '')))))",
        'A.B',
      ],
    ],
    'parts by position': [
      ["SUBSTR('héllo', 2, 3)", "substringUTF8('héllo', 2, 3)", 'éll'],
      ["SUBSTR('hello', -3)", "substringUTF8('hello', -3)", 'llo'],
      ["SUBSTR('hello', -9, 2)", "substringUTF8('hello', if(-9 < -toInt64(lengthUTF8('hello')), 1, -9), 2)", 'he'],
      ["SUBSTR('hello', 0, 2)", "substringUTF8('hello', 1, 2)", 'he'],
      ["SUBSTR('hello', 9)", "substringUTF8('hello', 9)", ''],
      ["SUBSTR(b'abc', 2)", "substring('abc', 2)", 'bc'],
      ["LEFT('héllo', 2)", "substringUTF8('héllo', 1, 2)", 'hé'],
      ["RIGHT('héllo', 2)", "rightUTF8('héllo', 2)", 'lo'],
      ["RIGHT('ab', 9)", "rightUTF8('ab', 9)", 'ab'],
    ],
    positions: [
      ["STRPOS('héllo', 'l')", "toInt64(positionUTF8('héllo', 'l'))", 3],
      ["STRPOS('abc', 'x')", "toInt64(positionUTF8('abc', 'x'))", 0],
      ["INSTR('banana', 'an')", "toInt64(positionUTF8('banana', 'an'))", 2],
      [
        "INSTR('banana', 'ana', 1, 2)",
        "if(false, NULL, arrayElement(arrayFilter(start -> substringUTF8('banana', start, lengthUTF8('ana')) = 'ana', range(1, toInt64(lengthUTF8('banana')) + 1 + 0)), 2))",
        4,
      ],
      [
        "INSTR('banana', 'an', -1)",
        "if(false, NULL, arrayElement(arrayFilter(start -> substringUTF8('banana', start, lengthUTF8('an')) = 'an', range(toInt64(lengthUTF8('banana')) + -1 + 1 + 0, toInt64(0), toInt64(-1))), 1))",
        4,
      ],
      [
        "INSTR('banana', 'an', -4)",
        "if(false, NULL, arrayElement(arrayFilter(start -> substringUTF8('banana', start, lengthUTF8('an')) = 'an', range(toInt64(lengthUTF8('banana')) + -4 + 1 + 0, toInt64(0), toInt64(-1))), 1))",
        2,
      ],
      [
        "CONTAINS_SUBSTR('Blue House', 'blue')",
        "if(isValidASCII('Blue House'), positionCaseInsensitive('Blue House', 'blue') > 0, position(normalizeUTF8NFKCCasefold('Blue House'), 'blue') > 0)",
        1,
      ],
    ],
    'trimming and padding': [
      [
        "TRIM('  a b\\t')",
        "if(isValidASCII(' a b\\t'), trimBoth(' a b\\t', ' \\t\\n\\x0b\\f\\r'), replaceRegexpAll(' a b\\t', '^[\\\\s\\\\v\\\\x{85}\\\\p{Z}]+|[\\\\s\\\\v\\\\x{85}\\\\p{Z}]+$', ''))",
        'a b',
      ],
      [
        "TRIM('\\u00a0é\\u2003')",
        "if(isValidASCII(' é '), trimBoth(' é ', ' \\t\\n\\x0b\\f\\r'), replaceRegexpAll(' é ', '^[\\\\s\\\\v\\\\x{85}\\\\p{Z}]+|[\\\\s\\\\v\\\\x{85}\\\\p{Z}]+$', ''))",
        'é',
      ],
      ["LTRIM('xxaxx', 'x')", "trimLeft('xxaxx', 'x')", 'axx'],
      [
        "RTRIM('àéà', 'à')",
        "if(arrayFirstIndex(character -> position('à', character) = 0, extractAll('àéà', '.')) = 0, '', substringUTF8('àéà', 1, arrayLastIndex(character -> position('à', character) = 0, extractAll('àéà', '.')) - 1 + 1))",
        'àé',
      ],
      ["TRIM(b'abxab', b'ab')", "trimBoth('abxab', 'ab')", 'x'],
      ["TRIM('a', CAST(NULL AS STRING))", "CAST(NULL, 'Nullable(String)')", null],
      ["LPAD('ab', 5, 'xy')", "leftPadUTF8('ab', 5, 'xy')", 'xyxab'],
      ["RPAD('hé', 4)", "rightPadUTF8('hé', 4, ' ')", 'hé  '],
      ["LPAD('abc', 2)", "leftPadUTF8('abc', 2, ' ')", 'ab'],
    ],
    'characters by number': [
      [
        "ASCII('abc')",
        "if(toUInt8(if(reinterpretAsUInt8(substring('abc', 1, 1)) > 127, 'ASCII: the first character is not ASCII', '0')) = 0, toInt64(ascii('abc')), NULL)",
        97,
      ],
      [
        "UNICODE('éa')",
        "if('éa' = '', 0, multiIf(toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 1, 1))) < 128, toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 1, 1))), toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 1, 1))) < 224, (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 1, 1))) - 192) * 64 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 2, 1))) - 128) * 1, toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 1, 1))) < 240, (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 1, 1))) - 224) * 4096 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 2, 1))) - 128) * 64 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 3, 1))) - 128) * 1, (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 1, 1))) - 240) * 262144 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 2, 1))) - 128) * 4096 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 3, 1))) - 128) * 64 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('éa', 1, 1), 4, 1))) - 128) * 1))",
        233,
      ],
      [
        "UNICODE('')",
        "if('' = '', 0, multiIf(toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 1, 1))) < 128, toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 1, 1))), toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 1, 1))) < 224, (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 1, 1))) - 192) * 64 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 2, 1))) - 128) * 1, toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 1, 1))) < 240, (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 1, 1))) - 224) * 4096 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 2, 1))) - 128) * 64 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 3, 1))) - 128) * 1, (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 1, 1))) - 240) * 262144 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 2, 1))) - 128) * 4096 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 3, 1))) - 128) * 64 + (toInt64(reinterpretAsUInt8(substring(substringUTF8('', 1, 1), 4, 1))) - 128) * 1))",
        0,
      ],
      [
        'CHR(1078)',
        "if(toUInt8(if(1078 < 0 OR 1078 > 1114111 OR 1078 >= 55296 AND 1078 <= 57343, 'CHR: there is no such character', '0')) = 0, multiIf(1078 < 128, char(1078), 1078 < 2048, char(intDiv(1078, 64) + 192, intDiv(1078, 1) % 64 + 128), 1078 < 65536, char(intDiv(1078, 4096) + 224, intDiv(1078, 64) % 64 + 128, intDiv(1078, 1) % 64 + 128), char(intDiv(1078, 262144) + 240, intDiv(1078, 4096) % 64 + 128, intDiv(1078, 64) % 64 + 128, intDiv(1078, 1) % 64 + 128)), NULL)",
        'ж',
      ],
      [
        "TO_CODE_POINTS('aж€')",
        "if('aж€' IS NULL, [], arrayMap(character -> multiIf(toInt64(reinterpretAsUInt8(substring(character, 1, 1))) < 128, toInt64(reinterpretAsUInt8(substring(character, 1, 1))), toInt64(reinterpretAsUInt8(substring(character, 1, 1))) < 224, (toInt64(reinterpretAsUInt8(substring(character, 1, 1))) - 192) * 64 + (toInt64(reinterpretAsUInt8(substring(character, 2, 1))) - 128) * 1, toInt64(reinterpretAsUInt8(substring(character, 1, 1))) < 240, (toInt64(reinterpretAsUInt8(substring(character, 1, 1))) - 224) * 4096 + (toInt64(reinterpretAsUInt8(substring(character, 2, 1))) - 128) * 64 + (toInt64(reinterpretAsUInt8(substring(character, 3, 1))) - 128) * 1, (toInt64(reinterpretAsUInt8(substring(character, 1, 1))) - 240) * 262144 + (toInt64(reinterpretAsUInt8(substring(character, 2, 1))) - 128) * 4096 + (toInt64(reinterpretAsUInt8(substring(character, 3, 1))) - 128) * 64 + (toInt64(reinterpretAsUInt8(substring(character, 4, 1))) - 128) * 1), if('aж€' = '', emptyArrayString(), extractAll('aж€', '.'))))",
        [97, 1078, 8364],
      ],
      [
        "TO_CODE_POINTS(b'\\x00\\xff')",
        "if('\\x00\\xff' IS NULL, [], arrayMap(character -> toInt64(reinterpretAsUInt8(character)), if('\\x00\\xff' = '', emptyArrayString(), splitByString('', '\\x00\\xff'))))",
        [0, 255],
      ],
      [
        'CODE_POINTS_TO_STRING([97, 1078, 8364, 128512])',
        "if(has([toInt64(97), toInt64(1078), toInt64(8364), toInt64(128512)], NULL), NULL, if(toUInt8(if(arrayExists(code_2 -> code_2 < 0 OR code_2 > 1114111 OR code_2 >= 55296 AND code_2 <= 57343, [toInt64(97), toInt64(1078), toInt64(8364), toInt64(128512)]), 'CODE_POINTS_TO_STRING: there is no such character', '0')) = 0, arrayStringConcat(arrayMap(code -> multiIf(code < 128, char(code), code < 2048, char(intDiv(code, 64) + 192, intDiv(code, 1) % 64 + 128), code < 65536, char(intDiv(code, 4096) + 224, intDiv(code, 64) % 64 + 128, intDiv(code, 1) % 64 + 128), char(intDiv(code, 262144) + 240, intDiv(code, 4096) % 64 + 128, intDiv(code, 64) % 64 + 128, intDiv(code, 1) % 64 + 128)), [toInt64(97), toInt64(1078), toInt64(8364), toInt64(128512)])), NULL))",
        'aж€😀',
      ],
      [
        'TO_HEX(CODE_POINTS_TO_BYTES([65, 255]))',
        "lower(hex(if(has([toInt64(65), toInt64(255)], NULL), NULL, if(toUInt8(if(arrayExists(code_2 -> code_2 < 0 OR code_2 > 255, [toInt64(65), toInt64(255)]), 'CODE_POINTS_TO_BYTES: a byte is 0 to 255', '0')) = 0, arrayStringConcat(arrayMap(code -> char(code), [toInt64(65), toInt64(255)])), NULL))))",
        '41ff',
      ],
      [
        "SOUNDEX('Ashcraft')",
        "if(upper(replaceRegexpAll('Ashcraft', '[^A-Za-z]+', '')) = '', '', substring(concat(substring(upper(replaceRegexpAll('Ashcraft', '[^A-Za-z]+', '')), 1, 1), replaceAll(substring(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(translate(replaceRegexpAll(upper(replaceRegexpAll('Ashcraft', '[^A-Za-z]+', '')), '(.)[HW]+', '\\\\1'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01230120022455012623010202'), '1+', '1'), '2+', '2'), '3+', '3'), '4+', '4'), '5+', '5'), '6+', '6'), 2), '0', ''), '000'), 1, 4))",
        'A261',
      ],
      ["EDIT_DISTANCE('kitten', 'sitting')", "toInt64(editDistanceUTF8('kitten', 'sitting'))", 3],
      [
        "EDIT_DISTANCE('abc', 'xyz', 2)",
        "if(toUInt8(if(2 < 0, 'EDIT_DISTANCE: max_distance is negative', '0')) = 0, least(toInt64(editDistanceUTF8('abc', 'xyz')), toInt64(2)), NULL)",
        2,
      ],
      ["NORMALIZE('e\\u0301')", "normalizeUTF8NFC('é')", 'é'],
      ["NORMALIZE_AND_CASEFOLD('ÉA')", "normalizeUTF8NFC(caseFoldUTF8(normalizeUTF8NFC('ÉA')))", 'éa'],
    ],
  },
  [
    [
      "REPEAT('a', -1)",
      "Code: 6. DB::Exception: Cannot parse string 'REPEAT: the count is negative' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception: In scope WITH if(toUInt8(if(toInt64(-1) < 0, 'REPEAT: the count is negative', '0')) = 0, repeat('a', -1), NULL) AS x_2 SELECT x_2 AS x. (CANNOT_PARSE_TEXT)",
    ],
    [
      "SUBSTR('abc', 1, -1)",
      "Code: 6. DB::Exception: Cannot parse string 'SUBSTR: the length is negative' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception: In scope WITH if(toUInt8(if(-1 < 0, 'SUBSTR: the length is negative', '0')) = 0, substringUTF8('abc', 1, -1), NULL) AS x_2 SELECT x_2 AS x. (CANNOT_PARSE_TEXT)",
    ],
    [
      "LEFT('abc', -1)",
      "Code: 6. DB::Exception: Cannot parse string 'LEFT: the length is negative' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception: In scope WITH if(toUInt8(if(-1 < 0, 'LEFT: the length is negative', '0')) = 0, substringUTF8('abc', 1, -1), NULL) AS x_2 SELECT x_2 AS x. (CANNOT_PARSE_TEXT)",
    ],
    [
      "INSTR('abc', 'a', 0)",
      "Code: 6. DB::Exception: Cannot parse string 'INSTR: the position is 0 or the occurrence is not positive' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception: In scope WITH if(toUInt8(if(0 = 0, 'INSTR: the position is 0 or the occurrence is not positive', '0')) = 0, if(false, NULL, arrayElement(arrayFilter(start -> (substringUTF8('abc', start, lengthUTF8('a')) = 'a'), range(((toInt64(lengthUTF8('abc')) + 0) + 1) + 0, toInt64(0), toInt64(-1))), 1)), NULL) AS x_2 SELECT x_2 AS x. (CANNOT_PARSE_TEXT)",
    ],
    [
      "LPAD('a', 2, '')",
      "Code: 6. DB::Exception: Cannot parse string 'the padding pattern is empty' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception: In scope WITH if(toUInt8(if('' = '', 'the padding pattern is empty', '0')) = 0, leftPadUTF8('a', 2, ''), NULL) AS x_2 SELECT x_2 AS x. (CANNOT_PARSE_TEXT)",
    ],
    [
      'CHR(55296)',
      "Code: 6. DB::Exception: Cannot parse string 'CHR: there is no such character' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception: In scope WITH if(toUInt8(if((55296 < 0) OR (55296 > 1114111) OR ((55296 >= 55296) AND (55296 <= 57343)), 'CHR: there is no such character', '0')) = 0, multiIf(55296 < 128, char(55296), 55296 < 2048, char(intDiv(55296, 64) + 192, (intDiv(55296, 1) % 64) + 128), 55296 < 65536, char(intDiv(55296, 4096) + 224, (intDiv(55296, 64) % 64) + 128, (intDiv(55296, 1) % 64) + 128), char(intDiv(55296, 262144) + 240, (intDiv(55296, 4096) % 64) + 128, (intDiv(55296, 64) % 64) + 128, (intDiv(55296, 1) % 64) + 128)), NULL) AS x_2 SELECT x_2 AS x. (CANNOT_PARSE_TEXT)",
    ],
    [
      "ASCII('é')",
      "Code: 6. DB::Exception: Cannot parse string 'ASCII: the first character is not ASCII' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception: In scope WITH if(toUInt8(if(reinterpretAsUInt8(substring('é', 1, 1)) > 127, 'ASCII: the first character is not ASCII', '0')) = 0, toInt64(ascii('é')), NULL) AS x_2 SELECT x_2 AS x. (CANNOT_PARSE_TEXT)",
    ],
    ["TRANSLATE('abc', 'aa', 'b')", 'TRANSLATE: a character to replace is there twice'],
    [
      'CODE_POINTS_TO_BYTES([256])',
      "Code: 6. DB::Exception: Cannot parse string 'CODE_POINTS_TO_BYTES: a byte is 0 to 255' as UInt8: syntax error at begin of string. Note: there are toUInt8OrZero and toUInt8OrNull functions, which returns zero/NULL instead of throwing exception. (CANNOT_PARSE_TEXT)",
    ],
    ["NORMALIZE('a', NFX)", 'NFX is no normalization mode'],
  ],
);
