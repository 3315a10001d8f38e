import { expect, test } from 'vitest';
import { judge } from '../../scripts/differential/judge.ts';
import { knownReason } from '../../scripts/differential/known.ts';
import type { Outcome } from '../../scripts/differential/outcome.ts';
import type { Value } from '../../src/result.ts';
import { BOOL } from '../../src/sql/types.ts';

const rows = (value: Value): Outcome => ({ kind: 'rows', types: [BOOL], rows: [[value]] });
const reason = (sql: string, expected: Outcome, got: Outcome): string | undefined =>
  knownReason(sql, { ...judge(expected, got, { ordered: false }), expected, got });

test('a difference is known by its query and its values', () => {
  const sql = "SELECT SAFE.PARSE_DATE('%G-%V-%u', '2020-53-7') IS NULL";
  expect(reason(sql, rows(true), rows(false))).toBe('SAFE.PARSE_…: the reference lacks the parts of ISO weeks');
  expect(reason("SELECT SAFE.PARSE_DATE('%F', '2020') IS NULL", rows(true), rows(false))).toBeUndefined();
});

test('what is not computed does not fail, and gives nothing', () => {
  const error: Outcome = { kind: 'error', message: 'division by zero' };
  expect(reason('SELECT CAST(NULL AS BOOL) = (DIV(1, 0) = 1)', error, rows(null))).toMatch('not computed');
  expect(reason('SELECT DIV(1, i) = 1', error, rows(null))).toBeUndefined();
});
