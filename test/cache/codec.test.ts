// Values survive the cache exactly.
import { expect, test } from 'vitest';
import type { Value } from '../../src/base/result.ts';
import { decodeValue, type Encoded, encodeValue } from '../../src/cache/codec.ts';

const through = (value: Value): Value => decodeValue(JSON.parse(JSON.stringify(encodeValue(value))) as Encoded);

test.each<[string, Value]>([
  ['NULL', null],
  ['booleans', [true, false]],
  ['integers beyond 2^53', [9007199254740993n, -9223372036854775808n, 18446744073709551615n, 0n]],
  ['floats that JSON cannot say', [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 5e-324, 0.1]],
  ['strings of any characters', ['', '\0\u001f\u007f"\\\n\u2028', 'naïve 日本 🙂', '\ud800 alone', '{"$bigint":"1"}', '$bigint']],
  ['nested arrays', [[], [[]], [null, [1n, [-0]]]]],
  ['records', { a: 1, b: { c: [{ d: 2n }] } }],
  ['records whose fields look like the encoding', [{ $bigint: '1' }, { $float: 'NaN' }, { $$bigint: 2n }, { $: 1 }, { '': '' }]],
  ['a record with one field that begins with a dollar', { $x: Number.NaN }],
])('%s come back as they were', (_, value) => {
  expect(through(value)).toStrictEqual(value);
});

test('a field called __proto__ stays a field', () => {
  const value = JSON.parse('{"__proto__": 1, "a": {"__proto__": [2]}}') as Value;
  const back = through([value, 1n]) as readonly { readonly [field: string]: Value }[];
  expect(JSON.stringify(back[0])).toBe('{"__proto__":1,"a":{"__proto__":[2]}}');
  expect(Object.getPrototypeOf(back[0])).toBe(Object.prototype);
});

test('values that JSON can say are not copied', () => {
  const value: Value = [['a', 1, null, { b: [true] }]];
  expect(encodeValue(value)).toBe(value);
});
