// What FORMAT becomes and gives.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    'whole numbers': [
      ["FORMAT('%d items', 5)", "concat(toString(toInt64(5)), ' items')", '5 items'],
      ["FORMAT('%05d', -42)", "printf('%05d', toInt64(-42))", '-0042'],
      ["FORMAT('%+d', 5)", "printf('%+d', toInt64(5))", '+5'],
      [
        'FORMAT("%\'d", 1234567)',
        "concat(if(toInt64(1234567) < 0, '-', ''), '', reverse(trimRight(replaceRegexpAll(reverse(printf('%u', abs(toInt64(1234567)))), '(.{3})', '\\\\1,'), ',')))",
        '1,234,567',
      ],
      ["FORMAT('%x', -30)", "concat(if(toInt64(-30) < 0, '-', ''), '', printf('%x', abs(toInt64(-30))))", '-1e'],
      ["FORMAT('%#o', 30)", "concat(if(toInt64(30) < 0, '-', ''), '0', printf('%o', abs(toInt64(30))))", '036'],
      ["FORMAT('%*d', 6, 42)", "printf('%6d', toInt64(42))", '    42'],
    ],
    fractions: [
      ["FORMAT('%.2f', 1.235)", "printf('%.2f', 1.235)", '1.24'],
      [
        'FORMAT("%\'.2f", 1234567.0)',
        "concat(if(1234567.0 < 0, '-', ''), '', if(length(extract(printf('%.2f', abs(1234567.0)), '^[0-9]+')) < 4, printf('%.2f', abs(1234567.0)), concat(reverse(trimRight(replaceRegexpAll(reverse(extract(printf('%.2f', abs(1234567.0)), '^[0-9]+')), '(.{3})', '\\\\1,'), ',')), substring(printf('%.2f', abs(1234567.0)), length(extract(printf('%.2f', abs(1234567.0)), '^[0-9]+')) + 1))))",
        '1,234,567.00',
      ],
      ["FORMAT('%e', 5.0)", "printf('%e', 5.0)", '5.000000e+00'],
      ["FORMAT('%g', 1e20)", "printf('%g', 100000000000000000000.0)", '1e+20'],
      [
        "FORMAT('%.3f', NUMERIC '1.5')",
        "concat(if(toDecimal128('1.5', 9) < 0, '-', ''), '', toDecimalString(abs(round(toDecimal128('1.5', 9), 3)), 3))",
        '1.500',
      ],
      ["FORMAT('%8.2f|', 1.5)", "printf('%8.2f|', 1.5)", '    1.50|'],
    ],
    text: [
      ["FORMAT('%s-%s', 'a', 'b')", "concat('a', '-', 'b')", 'a-b'],
      [
        "FORMAT('%5s|%-5s|', 'é', 'b')",
        "concat(leftPadUTF8('é', greatest(lengthUTF8('é'), 5), ' '), '|', rightPadUTF8('b', greatest(lengthUTF8('b'), 5), ' '), '|')",
        '    é|b    |',
      ],
      ["FORMAT('%.2s', 'héllo')", "substringUTF8('héllo', 1, 2)", 'hé'],
      ["FORMAT('100%%')", "'100%'", '100%'],
      ["FORMAT('%s', CAST(NULL AS STRING))", "CAST(NULL, 'Nullable(String)')", null],
    ],
    'any value': [
      ["FORMAT('%t', DATE '2026-01-02')", "if(toDate32('2026-01-02') IS NULL, 'NULL', toString(toDate32('2026-01-02')))", '2026-01-02'],
      [
        "FORMAT('%T', DATE '2026-01-02')",
        "if(toDate32('2026-01-02') IS NULL, 'NULL', concat('DATE \"', toString(toDate32('2026-01-02')), '\"'))",
        'DATE "2026-01-02"',
      ],
      [
        "FORMAT('%t', CAST(NULL AS INT64))",
        "if(CAST(NULL, 'Nullable(Int64)') IS NULL, 'NULL', CAST(CAST(NULL, 'Nullable(Int64)'), 'Nullable(String)'))",
        'NULL',
      ],
      ["FORMAT('%T', \"it's\")", null, '"it\'s"'],
      [
        "FORMAT('%T', [1, 2])",
        "concat('[', arrayStringConcat(arrayMap(item -> if(item IS NULL, 'NULL', CAST(item, 'Nullable(String)')), [toInt64(1), toInt64(2)]), ', '), ']')",
        '[1, 2]',
      ],
      [
        "FORMAT('%t', STRUCT(1, 'a'))",
        "if((toInt64(1), 'a') IS NULL, 'NULL', concat('(', if(toInt64(1) IS NULL, 'NULL', CAST(1, 'Nullable(String)')), ', ', if('a' IS NULL, 'NULL', 'a'), ')'))",
        '(1, a)',
      ],
      ["FORMAT('%T', 15.0)", null, '15.0'],
      ["FORMAT('%T', b'a\\xff')", null, 'b"a\\xff"'],
      ["FORMAT('%t|%T', b'\\t\\n\\r\\\\', b'\\t\\n\\r\\\\')", null, '\\x09\\x0a\\x0d\\\\|b"\\x09\\x0a\\x0d\\\\"'],
      ["FORMAT('%t|%T', b'`\\'\"', b'`\\'\"')", null, '\\`\\\'\\"|b"`\'\\""'],
    ],
  },
  [
    ["FORMAT('%d', 'a')", '%d in FORMAT does not take a STRING'],
    ["FORMAT('%d')", 'FORMAT has more elements than the 0 values given'],
    ["FORMAT('a', 1)", 'FORMAT has 0 elements for 1 values'],
    ["FORMAT('%y', 1)", '%y is not an element of FORMAT'],
    ["FORMAT('%s', 5)", '%s in FORMAT does not take a INT64'],
  ],
);
