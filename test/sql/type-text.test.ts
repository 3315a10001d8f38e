// Types as people write them outside of SQL.
import { expect, test } from 'vitest';
import { readTypeText } from '../../src/sql/base/type-text.ts';
import { typeName } from '../../src/sql/base/types.ts';

test.each([
  ['int64', 'INT64'],
  [' Integer ', 'INT64'],
  ['float', 'FLOAT64'],
  ['NUMERIC(10, 2)', 'NUMERIC'],
  ['STRING(MAX)', 'STRING'],
  ['ARRAY<STRING>', 'ARRAY<STRING>'],
  ['array<struct<sku string(20), qty int64, tags array<string>>>', 'ARRAY<STRUCT<sku STRING, qty INT64, tags ARRAY<STRING>>>'],
  ['STRUCT<`a b` NUMERIC(5,2), c JSON>', 'STRUCT<a b NUMERIC, c JSON>'],
])('%s is %s', (text, name) => {
  const type = readTypeText(text);
  expect(type && typeName(type)).toBe(name);
});

test.each([
  '',
  'TEXT',
  'INT64(3)',
  'ARRAY<>',
  'ARRAY<ARRAY<INT64>>',
  'STRUCT<>',
  'STRUCT<INT64>',
  'STRUCT<a INT64, A STRING>',
  'STRUCT<a INT64',
  'ARRAY<INT64>>',
  'MAP<STRING, INT64>',
])('%j is no type', (text) => {
  expect(readTypeText(text)).toBeUndefined();
});
