// Engine values become result values by GoogleSQL type; records of log events become arrays of records.
import { expect, test } from 'vitest';
import type { Value } from '../../src/base/result.ts';
import { type Json, parseJson, printJson } from '../../src/engine/lossless-json.ts';
import { decodeRecord, decodeRecords, decodeRows, decodeValue } from '../../src/execution/decode.ts';
import {
  arrayOf,
  BOOL,
  BYTES,
  DATE,
  DATETIME,
  DYNAMIC,
  FLOAT64,
  INT64,
  JSON_TYPE,
  NUMERIC,
  recordOf,
  STRING,
  structOf,
  TIME,
  TIMESTAMP,
  type Type,
} from '../../src/sql/base/types.ts';

const pair = structOf([
  { name: 'a', type: INT64 },
  { name: null, type: arrayOf(STRING) },
]);
const metadata = arrayOf(recordOf([]));

const CASES: readonly (readonly [string, Type, Json, Value])[] = [
  ['booleans from UInt8', BOOL, 1, true],
  ['booleans', BOOL, false, false],
  ['safe integers', INT64, 9007199254740991, 9007199254740991],
  ['integers as text', INT64, '12', 12],
  ['large integers', INT64, 9223372036854775807n, 9223372036854775807n],
  ['large integers as text', INT64, '-9223372036854775808', -9223372036854775808n],
  ['floats', FLOAT64, 0.1, 0.1],
  ['floats that look like large integers', FLOAT64, 100000000000000000000n, 1e20],
  ['not a number', FLOAT64, 'nan', Number.NaN],
  ['infinity', FLOAT64, '-inf', -Infinity],
  ['decimals', NUMERIC, '0.1000', '0.1000'],
  ['text', STRING, '12', '12'],
  ['numbers as text', STRING, 12, '12'],
  ['bytes', BYTES, 'AQI=', 'AQI='],
  ['dates', DATE, '2026-01-02', '2026-01-02'],
  ['datetimes without fraction', DATETIME, '2026-01-02 03:04:05.000000', '2026-01-02T03:04:05'],
  ['datetimes with milliseconds', DATETIME, '2026-01-02 03:04:05.120', '2026-01-02T03:04:05.120000'],
  ['timestamps', TIMESTAMP, '2026-01-02 03:04:05.678901', '2026-01-02T03:04:05.678901Z'],
  ['timestamps in nanoseconds', TIMESTAMP, '2026-01-02 03:04:05.678901999', '2026-01-02T03:04:05.678901Z'],
  ['times', TIME, '10:11:12.500000', '10:11:12.500000'],
  ['whole times', TIME, '10:11:12', '10:11:12'],
  ['JSON values', JSON_TYPE, { a: [1n] }, '{"a":[1]}'],
  ['fields of unknown type', DYNAMIC, true, 'true'],
  ['arrays', arrayOf(TIMESTAMP), ['2026-01-02 03:04:05', null], ['2026-01-02T03:04:05Z', null]],
  ['structs by position', pair, ['7', ['x']], [7, ['x']]],
  ['structs printed as objects', pair, { a: '7', b: ['x'] }, [7, ['x']]],
  ['NULL of any type', pair, null, null],
  ['NULL records', metadata, null, []],
  ['empty records', metadata, '', []],
];

test.each(CASES)('%s are decoded', (_, type, value, expected) => {
  expect(decodeValue(type, value)).toEqual(expected);
});

test('rows are decoded by position, missing cells are NULL', () => {
  const columns = [
    { name: 'a', type: INT64 },
    { name: 'a', type: STRING },
  ];
  expect(decodeRows(columns, { columns: [], rows: [['1', 'x'], ['2']], statistics: { elapsedMs: 0 } })).toEqual([
    [1, 'x'],
    [2, null],
  ]);
});

test('nested records become arrays, NULL fields and absent records go', () => {
  const text =
    '{"request":{"headers":{"user_agent":null},"path":"/a"},"response":{"status_code":null},"list":[1,null],"rows":[{"a":1},{"b":null}],"n":12345678901234567890}';
  const expected = { request: [{ path: '/a' }], list: [1, null], rows: [{ a: 1 }, {}], n: 12345678901234567890n };
  expect(decodeRecords(text)).toEqual([expected]);
  expect(decodeRecord(text)).toEqual(expected);
  expect(decodeRecords(`[${text},{}]`)).toEqual([expected, {}]);
});

test('a record that is there and empty stays, one that only has absent fields does not', () => {
  expect(decodeRecords('{"request":{},"response":{"status_code":null}}')).toEqual([{ request: [{}] }]);
  expect(decodeRecords('{"response":{"status_code":null}}')).toEqual([]);
  expect(decodeRecord('{"response":{"status_code":null}}')).toBe(null);
});

test.each([
  ['9007199254740993', 9007199254740993n],
  ['[-9007199254740993,1.5e3,"12345678901234567890",true,null]', [-9007199254740993n, 1500, '12345678901234567890', true, null]],
  ['{"a":{"b":12345678901234567890},"c\\"d":"\\u00e9\\\\"}', { a: { b: 12345678901234567890n }, 'c"d': 'é\\' }],
  ['0.30000000000000004', 0.1 + 0.2],
  [' { "a" : [ ] , "b" : { } , "n" : 1234567890123456789 } ', { a: [], b: {}, n: 1234567890123456789n }],
])('%s keeps its digits', (text, value) => {
  expect(parseJson(text)).toEqual(value);
  expect(parseJson(printJson(value))).toEqual(value);
});

test('text that is not JSON is refused, also beside long integers', () => {
  for (const text of ['', '{', '[1,]', '[12345678901234567890,]', '{"a":12345678901234567890', '12345678901234567890 x']) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});
