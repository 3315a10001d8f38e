// What array, encoding and network functions become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    arrays: [
      ['ARRAY_SUM([1, 2, 3])', null, 6],
      ['ARRAY_AVG([1, 2, 6])', null, 3],
      ['ARRAY_MIN([3, 1, NULL])', null, 1],
      ['ARRAY_MAX([1, 3, 2])', null, 3],
      ['ARRAY_LENGTH([1, NULL])', "toInt64(length([toInt64(1), CAST(NULL, 'Nullable(Int64)')]))", 2],
      ['ARRAY_CONCAT([1], [2, 3])', 'arrayConcat([toInt64(1)], [toInt64(2), toInt64(3)])', [1, 2, 3]],
      ['ARRAY_REVERSE([1, 2, 3])', 'arrayReverse([toInt64(1), toInt64(2), toInt64(3)])', [3, 2, 1]],
      ["ARRAY_TO_STRING(['a', NULL, 'b'], '-')", "arrayStringConcat(['a', CAST(NULL, 'Nullable(String)'), 'b'], '-')", 'a-b'],
      [
        "ARRAY_TO_STRING(['a', NULL, 'b'], '-', '?')",
        "arrayStringConcat(arrayMap(item -> ifNull(item, '?'), ['a', CAST(NULL, 'Nullable(String)'), 'b']), '-')",
        'a-?-b',
      ],
      ['GENERATE_ARRAY(1, 5)', 'range(toInt64(1), toInt64(5) + toInt64(1))', [1, 2, 3, 4, 5]],
      ['GENERATE_ARRAY(10, 1, -4)', 'range(toInt64(10), toInt64(1) - toInt64(1), toInt64(-4))', [10, 6, 2]],
      ['GENERATE_ARRAY(0.5, 2.0, 0.5)', null, [0.5, 1, 1.5, 2]],
      ['ARRAY(SELECT x * 2 FROM UNNEST(GENERATE_ARRAY(0, 1, 0.25)) AS x ORDER BY x)', null, [0, 0.5, 1, 1.5, 2]],
      ['GENERATE_ARRAY(5, 1)', 'range(toInt64(5), toInt64(1) + toInt64(1))', []],
      ['GENERATE_ARRAY(1, NULL)', "CAST([], 'Array(Nullable(Int64))')", []],
      [
        'ARRAY_FIRST([7, 8])',
        "if(toUInt8(if(empty([toInt64(7), toInt64(8)]), 'ARRAY_FIRST: the array is empty', '0')) = 0, arrayElementOrNull([toInt64(7), toInt64(8)], 1), NULL)",
        7,
      ],
      [
        'ARRAY_LAST([7, 8])',
        "if(toUInt8(if(empty([toInt64(7), toInt64(8)]), 'ARRAY_LAST: the array is empty', '0')) = 0, arrayElementOrNull([toInt64(7), toInt64(8)], -1), NULL)",
        8,
      ],
      [
        'ARRAY_SLICE([1, 2, 3, 4], 1, -2)',
        'arraySlice([toInt64(1), toInt64(2), toInt64(3), toInt64(4)], greatest(if(toInt64(1) < 0, toInt64(1) + toInt64(length([toInt64(1), toInt64(2), toInt64(3), toInt64(4)])), toInt64(1)), toInt64(0)) + 1, greatest(if(toInt64(-2) < 0, toInt64(-2) + toInt64(length([toInt64(1), toInt64(2), toInt64(3), toInt64(4)])), toInt64(-2)) - greatest(if(toInt64(1) < 0, toInt64(1) + toInt64(length([toInt64(1), toInt64(2), toInt64(3), toInt64(4)])), toInt64(1)), toInt64(0)) + 1, toInt64(0)))',
        [2, 3],
      ],
    ],
    lambdas: [
      ['ARRAY_FILTER([1, 2, 3], e -> e > 1)', 'arrayFilter(e -> e > 1, [toInt64(1), toInt64(2), toInt64(3)])', [2, 3]],
      [
        "ARRAY_FILTER(['a', 'b'], (e, i) -> i > 0)",
        "arrayFilter((e, i) -> i > 0, ['a', 'b'], arrayMap(i -> toInt64(i) - 1, arrayEnumerate(['a', 'b'])))",
        ['b'],
      ],
      [
        'ARRAY_TRANSFORM([1, 2], (e, i) -> e * 10 + i)',
        "arrayMap((e, i) -> e * 10 + i - throwIf(ifNull(e < -922337203685477580 OR e > 922337203685477580 OR bitAnd(bitXor(e * 10, e * 10 + i), bitXor(i, e * 10 + i)) < 0, false), 'the result of + or * is out of the range of INT64'), [toInt64(1), toInt64(2)], arrayMap(i -> toInt64(i) - 1, arrayEnumerate([toInt64(1), toInt64(2)])))",
        [10, 21],
      ],
      ['ARRAY_INCLUDES([1, 2], 2)', 'if(toInt64(2) IS NULL, NULL, has([toInt64(1), toInt64(2)], toInt64(2)))', 1],
      ['ARRAY_INCLUDES([1, 2], e -> e > 2)', 'arrayExists(e -> e > 2, [toInt64(1), toInt64(2)])', 0],
      [
        'ARRAY_INCLUDES_ANY([1, 2], [2, 3])',
        'hasAny(arrayFilter(item -> item IS NOT NULL, [toInt64(1), toInt64(2)]), arrayFilter(item_2 -> item_2 IS NOT NULL, [toInt64(2), toInt64(3)]))',
        1,
      ],
      [
        'ARRAY_INCLUDES_ALL([1, 2], [2, 3])',
        'hasAll(arrayFilter(item -> item IS NOT NULL, [toInt64(1), toInt64(2)]), [toInt64(2), toInt64(3)]) AND NOT has([toInt64(2), toInt64(3)], NULL)',
        0,
      ],
    ],
    'encodings and hashes': [
      ["TO_HEX(b'\\x00\\xff')", "lower(hex('\\x00\\xff'))", '00ff'],
      [
        "TO_HEX(FROM_HEX('0aF'))",
        "lower(hex(if(toUInt8(if(NOT match('0aF', '^[0-9a-fA-F]*$'), 'FROM_HEX: the text is not in that encoding', '0')) = 0, unhex('0aF'), NULL)))",
        '00af',
      ],
      ["TO_BASE64(b'abc')", "base64Encode('abc')", 'YWJj'],
      ["TO_HEX(FROM_BASE64('YWJj'))", null, '616263'],
      ["TO_BASE32(b'abc')", "base32Encode('abc')", 'MFRGG==='],
      ["TO_HEX(MD5('a'))", "lower(hex(substring(MD5('a'), 1)))", '0cc175b9c0f1b6a831c399e269772661'],
      ["TO_HEX(SHA1('a'))", "lower(hex(substring(SHA1('a'), 1)))", '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
      ["TO_HEX(SHA256('a'))", "lower(hex(substring(SHA256('a'), 1)))", 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
      [
        "CAST(FARM_FINGERPRINT('abc') AS STRING)",
        "CAST(reinterpretAsInt64(farmFingerprint64('abc')), 'Nullable(String)')",
        '2640714258260161385',
      ],
      ["SAFE.FROM_HEX('zz')", "if(NOT match('zz', '^[0-9a-fA-F]*$'), NULL, unhex('zz'))", null],
      ["CAST(b'abc' AS STRING FORMAT 'HEX')", "lower(hex('abc'))", '616263'],
      [
        "CAST('616263' AS BYTES FORMAT 'hex')",
        "if(toUInt8(if('616263' IS NOT NULL AND NOT match('616263', '^([0-9a-fA-F]{2})*$'), 'CAST: the value does not match FORMAT', '0')) = 0, unhex('616263'), NULL)",
        'abc',
      ],
      [
        "SAFE_CONVERT_BYTES_TO_STRING(b'a\\xff')",
        "if(NOT isValidUTF8('a\\xff'), arrayStringConcat(arrayMap(piece -> if(lengthUTF8(piece) = 1 AND piece >= '', '�', convertCharset(piece, 'UTF-8', 'ISO-8859-1')), extractAll(convertCharset('a\\xff', 'ISO-8859-1', 'UTF-8'), '(?:[\\\\x{00}-\\\\x{7f}]|[\\\\x{c2}-\\\\x{df}][\\\\x{80}-\\\\x{bf}]|\\\\x{e0}[\\\\x{a0}-\\\\x{bf}][\\\\x{80}-\\\\x{bf}]|[\\\\x{e1}-\\\\x{ec}\\\\x{ee}\\\\x{ef}][\\\\x{80}-\\\\x{bf}]{2}|\\\\x{ed}[\\\\x{80}-\\\\x{9f}][\\\\x{80}-\\\\x{bf}]|\\\\x{f0}[\\\\x{90}-\\\\x{bf}][\\\\x{80}-\\\\x{bf}]{2}|[\\\\x{f1}-\\\\x{f3}][\\\\x{80}-\\\\x{bf}]{3}|\\\\x{f4}[\\\\x{80}-\\\\x{8f}][\\\\x{80}-\\\\x{bf}]{2})+|[\\\\x{80}-\\\\x{ff}]'))), 'a\\xff')",
        'a�',
      ],
    ],
    addresses: [
      [
        "NET.IP_TO_STRING(NET.IP_FROM_STRING('10.1.2.3'))",
        "if(throwIf(ifNull(NOT length(if(toUInt8(if(multiIf(isIPv4String('10.1.2.3'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('10.1.2.3'))), 8, '0')), isIPv6String('10.1.2.3'), substring(IPv6StringToNumOrDefault('10.1.2.3'), 1), NULL) IS NULL, 'NET.IP_FROM_STRING: the text is not an IP address', '0')) = 0, multiIf(isIPv4String('10.1.2.3'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('10.1.2.3'))), 8, '0')), isIPv6String('10.1.2.3'), substring(IPv6StringToNumOrDefault('10.1.2.3'), 1), NULL), NULL)) IN (4, 16), false), 'NET.IP_TO_STRING: an address has 4 or 16 bytes') = 0, if(length(if(toUInt8(if(multiIf(isIPv4String('10.1.2.3'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('10.1.2.3'))), 8, '0')), isIPv6String('10.1.2.3'), substring(IPv6StringToNumOrDefault('10.1.2.3'), 1), NULL) IS NULL, 'NET.IP_FROM_STRING: the text is not an IP address', '0')) = 0, multiIf(isIPv4String('10.1.2.3'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('10.1.2.3'))), 8, '0')), isIPv6String('10.1.2.3'), substring(IPv6StringToNumOrDefault('10.1.2.3'), 1), NULL), NULL)) = 4, IPv4NumToString(reinterpretAsUInt32(reverse(if(toUInt8(if(multiIf(isIPv4String('10.1.2.3'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('10.1.2.3'))), 8, '0')), isIPv6String('10.1.2.3'), substring(IPv6StringToNumOrDefault('10.1.2.3'), 1), NULL) IS NULL, 'NET.IP_FROM_STRING: the text is not an IP address', '0')) = 0, multiIf(isIPv4String('10.1.2.3'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('10.1.2.3'))), 8, '0')), isIPv6String('10.1.2.3'), substring(IPv6StringToNumOrDefault('10.1.2.3'), 1), NULL), NULL)))), IPv6NumToString(toFixedString(substring(if(toUInt8(if(multiIf(isIPv4String('10.1.2.3'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('10.1.2.3'))), 8, '0')), isIPv6String('10.1.2.3'), substring(IPv6StringToNumOrDefault('10.1.2.3'), 1), NULL) IS NULL, 'NET.IP_FROM_STRING: the text is not an IP address', '0')) = 0, multiIf(isIPv4String('10.1.2.3'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('10.1.2.3'))), 8, '0')), isIPv6String('10.1.2.3'), substring(IPv6StringToNumOrDefault('10.1.2.3'), 1), NULL), NULL), 1, 16), 16))), NULL)",
        '10.1.2.3',
      ],
      ["NET.IP_TO_STRING(NET.IP_TRUNC(NET.IP_FROM_STRING('10.1.2.3'), 16))", null, '10.1.0.0'],
      [
        'TO_HEX(NET.IP_NET_MASK(4, 20))',
        "lower(hex(if(throwIf(ifNull(NOT 4 IN (4, 16) OR (20 < 0 OR 20 > 4 * 8), false), 'NET.IP_NET_MASK: the lengths are out of range') = 0, unbin(rightPad(repeat('1', 20), toUInt32(4 * 8), '0')), NULL)))",
        'fffff000',
      ],
      [
        "NET.IPV4_TO_INT64(b'\\x00\\x00\\x01\\x00')",
        "if(toUInt8(if(length('\\x00\\x00\\x01\\x00') != 4, 'NET.IPV4_TO_INT64: the address does not have 4 bytes', '0')) = 0, toInt64(reinterpretAsUInt32(reverse('\\x00\\x00\\x01\\x00'))), NULL)",
        256,
      ],
      [
        'NET.IP_TO_STRING(NET.IPV4_FROM_INT64(256))',
        "if(throwIf(ifNull(NOT length(unhex(leftPad(hex(bitAnd(toInt64(256), 4294967295)), 8, '0'))) IN (4, 16), false), 'NET.IP_TO_STRING: an address has 4 or 16 bytes') = 0, if(length(unhex(leftPad(hex(bitAnd(toInt64(256), 4294967295)), 8, '0'))) = 4, IPv4NumToString(reinterpretAsUInt32(reverse(unhex(leftPad(hex(bitAnd(toInt64(256), 4294967295)), 8, '0'))))), IPv6NumToString(toFixedString(substring(unhex(leftPad(hex(bitAnd(toInt64(256), 4294967295)), 8, '0')), 1, 16), 16))), NULL)",
        '0.0.1.0',
      ],
      [
        "NET.SAFE_IP_FROM_STRING('x')",
        "multiIf(isIPv4String('x'), unhex(leftPad(hex(toUInt32(IPv4StringToNumOrDefault('x'))), 8, '0')), isIPv6String('x'), substring(IPv6StringToNumOrDefault('x'), 1), NULL)",
        null,
      ],
      ["NET.HOST('https://user@www.example.com:8080/path?x')", null, 'www.example.com'],
      ["NET.HOST('/path')", null, null],
    ],
  },
  [
    ["FROM_HEX('zz')", 'the query failed: FROM_HEX: the text is not in that encoding'],
    ["FROM_BASE64('====')", 'the query failed: FROM_BASE64: the text is not valid base64'],
    ['GENERATE_ARRAY(1, 5, 0)', 'the step of GENERATE_ARRAY is 0'],
    ['ARRAY_FIRST(CAST([] AS ARRAY<INT64>))', 'the query failed: ARRAY_FIRST: the array is empty'],
    ["NET.IP_FROM_STRING('x')", 'the query failed: NET.IP_FROM_STRING: the text is not an IP address'],
    ['NET.IP_NET_MASK(3, 0)', 'the query failed: NET.IP_NET_MASK: the lengths are out of range'],
  ],
);
