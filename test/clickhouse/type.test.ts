// ClickHouse's types as trees.
import { expect, test } from 'vitest';
import { bareType, isNullable, isText, literalArgument, readType } from '../../src/clickhouse/type.ts';

/** The tree as text: what was understood. */
const shown = (text: string): string => {
  const show = (type: ReturnType<typeof readType>): string =>
    type.args.length === 0
      ? type.name
      : `${type.name}<${type.args.map(({ name, type: of }) => `${name === null ? '' : `${name}: `}${show(of)}`).join('; ')}>`;
  return show(readType(text));
};

test.each([
  ['String', 'String'],
  ["DateTime64(6, 'UTC')", "DateTime64<6; 'UTC'>"],
  ['Tuple(a String, `b c` Array(Int8))', 'Tuple<a: String; b c: Array<Int8>>'],
  ['Tuple(String, Nullable(Int64))', 'Tuple<String; Nullable<Int64>>'],
  ["Enum8('a' = 1, 'b, (' = 2)", "Enum8<'a' = 1; 'b, (' = 2>"],
  ['JSON(a.`b c` Int64, max_dynamic_paths=8, SKIP x)', 'JSON<a.b c: Int64; max_dynamic_paths=8; SKIP: x>'],
  ['Map(LowCardinality(String), String)', 'Map<LowCardinality<String>; String>'],
  ['SimpleAggregateFunction(sum, Int64)', 'SimpleAggregateFunction<sum; Int64>'],
])('%s is read as %s', (text, tree) => {
  expect(shown(text)).toBe(tree);
});

test('what is inside of Nullable and LowCardinality is the bare type', () => {
  expect(bareType(readType('LowCardinality(Nullable(FixedString(3)))')).text).toBe('FixedString(3)');
  expect(['LowCardinality(Nullable(String))', 'Array(Nullable(String))'].map((text) => isNullable(readType(text)))).toEqual([true, false]);
  expect(['LowCardinality(Nullable(String))', 'FixedString(3)'].map((text) => isText(readType(text)))).toEqual([true, false]);
});

test('literals stand without quotes', () => {
  const type = readType("DateTime64(6, 'Europe/Paris')");
  expect([literalArgument(type, 0), literalArgument(type, 1), literalArgument(type, 2)]).toEqual(['6', 'Europe/Paris', '']);
});
