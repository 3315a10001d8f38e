// A branch that is not taken must not fail: the engine is told so where a row may fail, and only there, since that takes time.
import { expect, test } from 'vitest';
import { createdTables } from '../../../src/sources/created-tables.ts';
import { translate } from '../../../src/sql/index.ts';

const sources = createdTables('CREATE TABLE t (i Int64, f Nullable(Float64), s String, p String) ENGINE = Memory');

test.each([
  ['i BETWEEN 10 AND 500', false],
  ["CASE WHEN i < 0 THEN 'low' WHEN s LIKE '%x' THEN UPPER(s) ELSE 'high' END", false],
  ["COALESCE(NULLIF(s, ''), 'none')", false],
  ['IF(i != 0, 100 / i, 0)', true],
  ['IF(i < 9, i + 1, 0)', true],
  ["IF(REGEXP_CONTAINS(s, r'^[0-9]+$'), CAST(s AS INT64), 0)", true],
  ['IF(i = 1, s LIKE p, FALSE)', true],
])('%s: %s', (expression, isForced) => {
  const { settings } = translate(`SELECT ${expression} AS x FROM t`, { sources });
  expect(settings['short_circuit_function_evaluation']).toBe(isForced ? 'force_enable' : undefined);
});
