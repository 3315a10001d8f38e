// Deep, long and explosive queries: translated or refused in words, in time that grows with their length and not faster.
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { translate } from '../../src/sql/index.ts';
import { countedCode } from '../support/counted-work.ts';
import { refusal } from '../support/query-rows.ts';

const times = (n: number, text: string): string => text.repeat(n);
const list = (n: number, item: (i: number) => string, by = ', '): string => Array.from({ length: n }, (_, i) => item(i)).join(by);

const LISTS: Readonly<Record<string, readonly [many: number, text: (n: number) => string]>> = {
  AND: [20_000, (n) => `SELECT x FROM UNNEST([1]) AS x WHERE ${list(n, () => 'x = 1', ' AND ')}`],
  OR: [20_000, (n) => `SELECT x FROM UNNEST([1]) AS x WHERE ${list(n, () => 'x = 1', ' OR ')}`],
  IN: [30_000, (n) => `SELECT x IN (${list(n, String)}) FROM UNNEST([1]) AS x`],
  arrays: [30_000, (n) => `SELECT [${list(n, () => '1')}]`],
  columns: [10_000, (n) => `SELECT ${list(n, (i) => `${i} AS c${i}`)}`],
  'columns of one name': [10_000, (n) => `SELECT ${list(n, (i) => `${i} AS c`)}`],
  aggregates: [2000, (n) => `SELECT ${list(n, (i) => `SUM(x + ${i})`)} FROM UNNEST([1]) AS x`],
  keys: [2000, (n) => `SELECT COUNT(*) FROM UNNEST([1]) AS x GROUP BY ${list(n, (i) => `x + ${i}`)}`],
  CASE: [5000, (n) => `SELECT CASE ${list(n, (i) => `WHEN x = ${i} THEN ${i}`, ' ')} END FROM UNNEST([1]) AS x`],
  'UNION ALL': [2000, (n) => list(n, () => 'SELECT 1', ' UNION ALL ')],
  WITH: [
    200,
    (n) =>
      `WITH a0 AS (SELECT 1 AS x FROM UNNEST([1, 2]))${list(n, (i) => `, a${i + 1} AS (SELECT x + 1 AS x FROM a${i})`, '')} SELECT x FROM a${n}`,
  ],
  text: [5_000_000, (n) => `SELECT '${times(n, 'a')}'`],
};

describe('long lists are translated', async () => {
  test.each(Object.entries(LISTS))('%s', (_, [many, text]) => {
    expect(translate(text(many)).columns.length).toBeGreaterThan(0);
  });

  const code = await countedCode(join(import.meta.dirname, 'translated.ts'));
  afterAll(() => code.close());

  test.each(Object.entries(LISTS))('%s: a list of twice the length costs twice as much', async (_, [many, text]) => {
    const [some, more] = [Math.floor(many / 40), Math.floor(many / 20)];
    const { blocks } = await code.call('translated', text(some));
    expect((await code.call('translated', text(more))).blocks / blocks).toBeLessThan(2.5);
  });
});

describe('what would grow without end is short or refused', () => {
  const doubled = (first: string, next: (i: number) => string): string =>
    `WITH a0 AS (${first})${list(40, (i) => `, a${i + 1} AS (${next(i)})`, '')} SELECT * FROM a40`;

  test.each([
    ['constants', doubled('SELECT 1 AS x', (i) => `SELECT x + x AS x FROM a${i}`)],
    ['joins', doubled('SELECT x FROM UNNEST([1, 2]) AS x', (i) => `SELECT l.x FROM a${i} AS l JOIN a${i} AS r USING (x)`)],
    ['unions', doubled('SELECT x FROM UNNEST([1, 2]) AS x', (i) => `SELECT x FROM a${i} UNION ALL SELECT x FROM a${i}`)],
  ])('WITH queries that read each other twice: %s', (_, sql) => {
    expect(translate(sql).sql.length).toBeLessThan(20_000);
  });

  test('functions that call each other twice are refused', () => {
    const functions = list(40, (i) => `CREATE TEMP FUNCTION f${i + 1}(x INT64) AS (${i === 0 ? 'x' : `f${i}(x) + f${i}(x)`});`, '\n');
    expect(refusal(`${functions} SELECT f40(1)`)).toMatch(/^too-complex: this call of f\d+ makes more than 50000 expressions$/);
    expect(refusal(`CREATE TEMP FUNCTION d(x INT64) AS (x + x); SELECT ${times(40, 'd(')}1${times(40, ')')}`)).toBe(
      'too-complex: this call of d makes more than 50000 expressions',
    );
  });

  test('calls inside each other that write their arguments twice', () => {
    const table = "(SELECT 'a' AS s, 1 AS n UNION ALL SELECT 'b', 2)";
    expect(refusal(`SELECT ${times(40, 'SUBSTR(')}s${times(40, ', n)')} FROM ${table}`)).toBe(
      'too-complex: the translation of this query is too long: nested calls repeat their arguments in ClickHouse',
    );
    expect(translate(`SELECT ${times(4, 'SUBSTR(')}s${times(4, ', n)')} FROM ${table}`).columns.length).toBe(1);
  });

  test('chains that no stack holds', () => {
    expect(
      refusal(
        `WITH a0 AS (SELECT 1 AS x FROM UNNEST([1, 2]))${list(5000, (i) => `, a${i + 1} AS (SELECT x + 1 AS x FROM a${i} WHERE x > 0)`, '')} SELECT x FROM a5000`,
      ),
    ).toBe('too-complex: this is more than 400 levels deep once its WITH tables are expanded');
  });
});
