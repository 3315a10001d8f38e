// Bits of BYTES, and the names of types: each row is what BigQuery's reference implementation gives; BIT_AND and its kin over BYTES are GoogleSQL's own cases.
import { testExpressions } from '../../support/expression-rows.ts';

const over = (expression: string, values: string): string =>
  `CAST((SELECT STRING_AGG(IFNULL(TO_HEX(${expression}), 'NULL'), '|') FROM UNNEST([${values}]) x) AS STRING)`;
const PAIRS = "STRUCT(b'\\x01\\x83\\xff' AS x, b'\\xaa\\xbb\\xcc' AS y), (NULL, b'1'), (b'1', NULL), (b'', b'')";
const SHIFTED = "b'\\x01\\x83\\xff', b'\\xf0', NULL, b''";
const all = (call: string, values: string): string => `(SELECT TO_HEX(${call}) FROM UNNEST([${values}]) x)`;

testExpressions(
  {
    'byte by byte': [
      [over('x.x & x.y', PAIRS), null, '0083cc|NULL|NULL|'],
      [over('x.x | x.y', PAIRS), null, 'abbbff|NULL|NULL|'],
      [over('x.x ^ x.y', PAIRS), null, 'ab3833|NULL|NULL|'],
      [over('~x.x', PAIRS), null, 'fe7c00|NULL|ce|'],
    ],
    'as one number of fixed length': [
      [over('x << 9', SHIFTED), null, '07fe00|00|NULL|'],
      [over('x >> 9', SHIFTED), null, '0000c1|00|NULL|'],
      [over('x << 0', SHIFTED), null, '0183ff|f0|NULL|'],
      [over('x >> 16', SHIFTED), null, '000001|00|NULL|'],
      [over('x << 100', SHIFTED), null, '000000|00|NULL|'],
      ["TO_HEX(b'\\x80\\x01' >> 3)", null, '1000'],
    ],
    'over rows': [
      [all('BIT_AND(x)', "b'\\xf3\\x0f', NULL, b'\\x3f\\xff'"), null, '330f'],
      [all('BIT_OR(x)', "b'\\xf3\\x0f', NULL, b'\\x3f\\xff'"), null, 'ffff'],
      [all('BIT_XOR(x)', "b'\\xf3\\x0f', NULL, b'\\x3f\\xff'"), null, 'ccf0'],
      [all("BIT_AND(x, mode => 'PAD')", "b'\\x01\\x02', b'\\x01'"), null, '0100'],
      [all("BIT_XOR(x, mode => 'PAD')", "b'\\x01\\x02', b'\\x01', b'\\x01\\x02\\x03'"), null, '010003'],
      [all('BIT_OR(x)', "b'', b''"), null, ''],
      [all('BIT_OR(x)', 'CAST(NULL AS BYTES)'), null, null],
    ],
    TYPEOF: [
      ["TYPEOF(STRUCT(1 AS a, 'x'))", null, 'STRUCT<a INT64, STRING>'],
      ['TYPEOF([1.5])', null, 'ARRAY<FLOAT64>'],
      ['TYPEOF(NULL)', null, 'INT64'],
    ],
  },
  [
    ["b'1' & b'22'", 'the query failed: bitwise operators need BYTES of equal length'],
    [over('x & b"1"', "b'1', b'22'"), 'the query failed: bitwise operators need BYTES of equal length'],
    [all('BIT_XOR(x)', "b'1', b'22'"), 'the query failed: bitwise operators need BYTES of equal length'],
    [over('x << -1', "b'1'"), 'the query failed: a shift by a negative number of bits'],
    [all("BIT_XOR(x, mode => 'pad')", "b'1'"), "the mode must be 'STRICT' or 'PAD'"],
  ],
);
