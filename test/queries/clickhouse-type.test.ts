// How columns of ClickHouse SQL are shown.
import { expect, test } from 'vitest';
import { googleType } from '../../src/queries/clickhouse/type.ts';
import { typeName } from '../../src/sql/base/types.ts';

test.each([
  ['UInt64', 'INT64'],
  ['Nullable(Int8)', 'INT64'],
  ['LowCardinality(Nullable(String))', 'STRING'],
  ["Enum8('a, (b' = 1)", 'STRING'],
  ['UUID', 'STRING'],
  ['FixedString(3)', 'STRING'],
  ['Nullable(Nothing)', 'STRING'],
  ['Bool', 'BOOL'],
  ['Float32', 'FLOAT64'],
  ['Int256', 'BIGNUMERIC'],
  ['Decimal(18, 2)', 'NUMERIC'],
  ['Decimal(76, 20)', 'BIGNUMERIC'],
  ['Date32', 'DATE'],
  ['DateTime', 'TIMESTAMP'],
  ["DateTime('UTC')", 'TIMESTAMP'],
  ["DateTime('Europe/Berlin')", 'DATETIME'],
  ["DateTime64(3, 'UTC')", 'TIMESTAMP'],
  ["DateTime64(3, 'Asia/Tokyo')", 'DATETIME'],
  ['DateTime64(9)', 'TIMESTAMP'],
  ['Time64(6)', 'TIME'],
  ['IntervalDay', 'INT64'],
  ['Map(String, UInt8)', 'JSON'],
  ['JSON(a Int64)', 'JSON'],
  ['Array(Array(Nullable(String)))', 'ARRAY<ARRAY<STRING>>'],
  ['Tuple(UInt8, Nullable(String))', 'STRUCT<INT64, STRING>'],
  ["Tuple(a Array(Tuple(x Int8)), `b c` DateTime('UTC'))", 'STRUCT<a ARRAY<STRUCT<x INT64>>, b c TIMESTAMP>'],
  ['Nested(a Int8, b String)', 'ARRAY<STRUCT<a INT64, b STRING>>'],
  ['SimpleAggregateFunction(sum, Float64)', 'FLOAT64'],
  ['Point', 'STRUCT<FLOAT64, FLOAT64>'],
])('%s is %s', (clickhouse, google) => {
  expect(typeName(googleType(clickhouse))).toBe(google);
});
