import { expect, test } from 'vitest';
import { difference, sameValue } from '../../scripts/differential/compare.ts';
import { judge } from '../../scripts/differential/judge.ts';
import type { Outcome } from '../../scripts/differential/outcome.ts';
import type { Row } from '../../src/base/result.ts';
import { arrayOf, FLOAT64, INT64, JSON_TYPE, NUMERIC, STRING, TIMESTAMP, type Type } from '../../src/sql/base/types.ts';

const rows = (types: readonly Type[], ...values: readonly Row[]): Extract<Outcome, { kind: 'rows' }> => ({
  kind: 'rows',
  types,
  rows: values,
});
const unordered = { ordered: false };

test('values are equal by their type', () => {
  expect(sameValue(INT64, 9007199254740993n, 9007199254740993n)).toBe(true);
  expect(sameValue(INT64, 2n, 2)).toBe(true);
  expect(sameValue(FLOAT64, Number.NaN, Number.NaN)).toBe(true);
  expect(sameValue(FLOAT64, 0.1 + 0.2, 0.3)).toBe(true);
  expect(sameValue(FLOAT64, 0.3000001, 0.3)).toBe(false);
  expect(sameValue(FLOAT64, Infinity, -Infinity)).toBe(false);
  expect(sameValue(NUMERIC, '1.50', '1.5')).toBe(true);
  expect(sameValue(STRING, '', null)).toBe(false);
  expect(sameValue(TIMESTAMP, '1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000001Z')).toBe(false);
  expect(sameValue(JSON_TYPE, '{"a":1,"b":2}', '{"b":2,"a":1.0}')).toBe(true);
  expect(sameValue(arrayOf(INT64), null, [])).toBe(true);
  expect(sameValue(arrayOf(INT64), [1n, null], [1, null])).toBe(true);
});

test('rows are compared in order only where the query fixes it', () => {
  const [left, right] = [rows([INT64], [1n], [2n], [2n]), rows([INT64], [2], [1], [2])];
  expect(difference(left, right, unordered)).toBeUndefined();
  expect(difference(left, right, { ordered: true })).toBe('row 1: (2), not (1)');
  expect(difference(left, rows([INT64], [1], [1], [2]), unordered)).toBe('no row (2); left over: (1)');
  expect(difference(left, rows([INT64], [1]), unordered)).toBe('1 rows, not 3');
  expect(difference(left, rows([FLOAT64], [1], [2], [2]), unordered)).toBe('column 1 is FLOAT64, not INT64');
});

test('outcomes are judged', () => {
  const one = rows([INT64], [1n]);
  const verdict = (expected: Outcome, got: Outcome): string => judge(expected, got, unordered).class;
  expect(verdict(one, one)).toBe('same');
  expect(verdict(one, rows([INT64], [2n]))).toBe('wrong');
  expect(verdict({ kind: 'error', message: 'overflow' }, one)).toBe('rows-where-error');
  expect(verdict({ kind: 'error', message: 'overflow' }, { kind: 'error', message: 'too large' })).toBe('same');
  expect(verdict(one, { kind: 'engine', message: 'NOT_IMPLEMENTED' })).toBe('engine-error');
  expect(verdict(one, { kind: 'died', message: 'the shard does not respond' })).toBe('server-died');
  expect(verdict({ kind: 'error', message: 'overflow' }, { kind: 'died', message: 'the shard does not respond' })).toBe('same');
  expect(verdict(one, { kind: 'error', message: 'out of range' })).toBe('error-where-rows');
  expect(verdict(one, { kind: 'refused', code: 'unsupported', message: 'not here' })).toBe('refused');
  expect(verdict({ kind: 'unable', message: 'it crashes' }, one)).toBe('reference-unable');
});
