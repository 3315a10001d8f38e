import { expect, test } from 'vitest';
import { differsByAngle } from '../../scripts/differential/angles.ts';
import type { Sides } from '../../scripts/differential/finding.ts';
import { judge } from '../../scripts/differential/judge.ts';
import { knownReason } from '../../scripts/differential/known.ts';
import type { Outcome } from '../../scripts/differential/outcome.ts';
import { atom, compound } from '../../scripts/differential/tree.ts';
import { failsInPart } from '../../scripts/differential/uncomputed.ts';
import type { Value } from '../../src/base/result.ts';
import { BOOL, FLOAT64, STRING } from '../../src/sql/base/types.ts';

const rows = (value: Value): Outcome => ({ kind: 'rows', types: [BOOL], rows: [[value]] });
const reason = (sql: string, expected: Outcome, got: Outcome): string | undefined =>
  knownReason(sql, { ...judge(expected, got, { ordered: false }), expected, got });

test('a difference is known by its query and its values', () => {
  const sql = "SELECT SAFE.PARSE_DATE('%G-%V-%u', '2020-53-7') IS NULL";
  expect(reason(sql, rows(true), rows(false))).toBe('SAFE.PARSE_…: the reference lacks the parts of ISO weeks');
  expect(reason("SELECT SAFE.PARSE_DATE('%F', '2020') IS NULL", rows(true), rows(false))).toBeUndefined();
});

test('numbers in JSON may be written otherwise, but must be the same ones', () => {
  const text = (value: string): Outcome => ({ kind: 'rows', types: [STRING], rows: [[value]] });
  expect(reason("SELECT JSON_VALUE('1.50e3')", text('1.50e3'), text('1500'))).toMatch('shortest form');
  expect(reason("SELECT JSON_VALUE('1.50e3')", text('1.50e3'), text('1501'))).toBeUndefined();
  expect(reason("SELECT UPPER('1.50e3')", text('1.50e3'), text('1500'))).toBeUndefined();
});

test('what rounding leaves of a covariance of 0 is known', () => {
  const float = (value: number): Outcome => ({ kind: 'rows', types: [FLOAT64], rows: [[value]] });
  const sql = 'SELECT COVAR_POP(x, y) FROM t';
  expect(reason(sql, float(-5.4e-20), float(0))).toMatch('cancel each other out');
  expect(reason(sql, float(0.5), float(0))).toBeUndefined();
  expect(reason('SELECT SUM(x) FROM t', float(-5.4e-20), float(0))).toBeUndefined();
});

/** Both sides answer by what stands in the query. */
const sides = (expected: (sql: string) => Outcome, got: (sql: string) => Outcome): Sides =>
  ({
    reference: { evaluate: async (sql: string) => expected(sql) },
    ours: { evaluate: async (sql: string) => got(sql) },
  }) as unknown as Sides;
const error = (message: string): Outcome => ({ kind: 'error', message });

test('a part that is not needed is one that fails alone on both sides, for the reference in the same words', async () => {
  const part = atom(BOOL, 'BOOL(j)');
  const query = { parts: ['SELECT ', compound(BOOL, 'TRUE OR ', part), ' AS y'] };
  const question = { query, comparison: { ordered: false } };
  const answer = { ...judge(error('no boolean'), rows(true), { ordered: false }), expected: error('no boolean'), got: rows(true) };
  const whole = (sql: string): boolean => sql.includes('OR');
  const fails = (): Outcome => error('no boolean');
  expect(
    await failsInPart(
      sides(fails, (sql) => (whole(sql) ? rows(true) : error('x'))),
      question,
      answer,
    ),
  ).toBe(true);
  expect(
    await failsInPart(
      sides(fails, () => rows(true)),
      question,
      answer,
    ),
  ).toBe(false);
  expect(
    await failsInPart(
      sides(
        (sql) => error(whole(sql) ? 'no boolean' : 'another'),
        (sql) => (whole(sql) ? rows(true) : error('x')),
      ),
      question,
      answer,
    ),
  ).toBe(false);
});

test('an angle of many turns may have another last digit, and nothing else', async () => {
  const float = (value: number): Outcome => ({ kind: 'rows', types: [FLOAT64], rows: [[value]] });
  const query = { parts: ['SELECT ', atom(FLOAT64, 'SIN(', atom(FLOAT64, 'EXP(f)'), ')'), ' AS y'] };
  const question = { query, comparison: { ordered: false } };
  const asked = (angle: number, other: number, sine = 0.25): Promise<boolean> => {
    const [expected, got] = [float(0.5), float(sine)];
    const of = (outcome: Outcome, value: number) => (sql: string) => (sql.includes('SIN') ? outcome : float(value));
    return differsByAngle(sides(of(expected, angle), of(got, other)), question, {
      ...judge(expected, got, { ordered: false }),
      expected,
      got,
    });
  };
  expect(await asked(1.000000000000001e15, 1.000000000000002e15)).toBe(true);
  expect(await asked(1e15, 1e15)).toBe(false);
  expect(await asked(1, 1 + 1e-15)).toBe(false);
  expect(await asked(1, 1.5)).toBe(false);
  expect(await asked(1.000000000000001e15, 1.000000000000002e15, Number.NaN)).toBe(false);
});
