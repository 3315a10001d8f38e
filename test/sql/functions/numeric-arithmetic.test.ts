// Products and quotients of NUMERIC beside the same computed with whole numbers: small factors take a shorter way than large ones.
import { expect, test } from 'vitest';
import { queryRunner } from '../../support/query-rows.ts';

const run = queryRunner();

const ONE = 10n ** 9n;
const END = 10n ** 38n;

/** Rounds half away from zero. */
function divided(a: bigint, b: bigint): bigint {
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const quotient = (2n * x + y) / (2n * y);
  return a < 0n === b < 0n ? quotient : -quotient;
}

/** Units of 10^-9 as BigQuery writes them. */
function written(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(10, '0');
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
  return units < 0n ? `-${text}` : text;
}

const LIMIT = 10n ** 10n * ONE;
const FACTORS = [
  1n,
  2n,
  3n,
  7n,
  500_000_000n,
  1_500_000_000n,
  2_499_999_999n,
  LIMIT - 1n,
  LIMIT,
  LIMIT + 1n,
  10n ** 13n * ONE + 5n,
  END / ONE - 1n,
];
const PAIRS = FACTORS.flatMap((a) => FACTORS.flatMap((b) => [[a, b] as const, [-a, b] as const]));
const TABLE = PAIRS.map(([a, b], i) => `(${i}, NUMERIC '${written(a)}', NUMERIC '${written(b)}')`).join(', ');
const FROM = `FROM UNNEST(ARRAY<STRUCT<i INT64, a NUMERIC, b NUMERIC>>[${TABLE}])`;
const small = (value: bigint): boolean => value < END && -value < END;

test.each([
  ['a * b', 'SAFE_MULTIPLY(a, b)', (a: bigint, b: bigint) => divided(a * b, ONE)],
  ['a / b', 'SAFE_DIVIDE(a, b)', (a: bigint, b: bigint) => divided(a * ONE, b)],
])('%s', async (sql, safely, exact) => {
  const all = PAIRS.map(([a, b], i) => ({ i, value: exact(a, b) }));
  const fitting = all.filter(({ value }) => small(value));
  expect(fitting.length).toBeGreaterThan(150);
  const chosen = fitting.map(({ i }) => i).join(', ');
  const rows = fitting.map(({ value }) => [written(value)]);
  expect(await run.rows(`SELECT ${sql} ${FROM} WHERE i IN (${chosen}) ORDER BY i`)).toEqual(rows);
  expect(await run.rows(`SELECT ${sql} ${FROM} WHERE i IN (${chosen}) ORDER BY i`, { helpers: 'inline' })).toEqual(rows);
  expect(await run.rows(`SELECT ${safely} ${FROM} ORDER BY i`)).toEqual(all.map(({ value }) => [small(value) ? written(value) : null]));
});
