// What is read without the translator is read as the translator would write it.
import { expect, test } from 'vitest';
import { selectAs } from '../../../src/sources/loaded/stored-select.ts';
import { typeOfStored } from '../../../src/sources/loaded/stored-table.ts';
import { plainValue } from '../../../src/store/own/plain-values.ts';

const translated = (found: string) => {
  const read = typeOfStored({ name: 'a b', type: found });
  if (!('type' in read)) throw new Error(read.unread);
  const { sql } = selectAs('FILE', [{ name: 'a b', type: found }], [{ name: 'a b', type: read.type }]);
  return { type: read.type, sql: /^SELECT\s+(.*) AS v0\s+FROM FILE AS \w+$/s.exec(sql.replace(/input_\w+/g, 'r'))?.[1] };
};

test.each(
  ['Int8', 'Int16', 'Int32', 'Int64', 'UInt8', 'UInt16', 'UInt32', 'Float32', 'Float64', 'Bool', 'String', 'Date', 'Date32']
    .concat(['DateTime', "DateTime('UTC')", 'DateTime64(3)', "DateTime64(6, 'UTC')", "DateTime64(9, 'UTC')"])
    .map((name) => `Nullable(${name})`)
    .concat('LowCardinality(Nullable(String))'),
)('%s', (found) => {
  const { type, sql } = translated(found);
  expect(plainValue('r', 'a b', found, type)).toBe(sql);
});

test.each(['Time64(6)', 'UInt64', 'Decimal(38, 9)', 'FixedString(3)', 'JSON', 'UUID'])('%s is left to the translator', (name) => {
  const { type } = translated(`Nullable(${name})`);
  expect(plainValue('r', 'a b', `Nullable(${name})`, type)).toBeUndefined();
});

test('a column that is declared to be of another type is left to the translator', () => {
  expect(plainValue('r', 'a', 'Nullable(Int64)', { kind: 'TIMESTAMP' })).toBeUndefined();
  expect(plainValue('r', 'a', 'Nullable(String)', { kind: 'JSON' })).toBeUndefined();
});
