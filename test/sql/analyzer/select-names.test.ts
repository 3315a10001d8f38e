// Names of the SELECT list in the clauses behind it, on the engine.
import { expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows, table } = queryRunner();

const TABLES =
  "WITH a AS (SELECT 1 AS id, 'x' AS v UNION ALL SELECT 2, 'y'), b AS (SELECT 1 AS id, STRUCT(7 AS n) AS s UNION ALL SELECT 2, STRUCT(6)) ";

test.each([
  [
    'SELECT a.id, v FROM a JOIN b ON a.id = b.id ORDER BY id DESC',
    [
      [2, 'y'],
      [1, 'x'],
    ],
  ],
  [
    'SELECT a.id, COUNT(*) FROM a JOIN b ON a.id = b.id GROUP BY id ORDER BY id',
    [
      [1, 1],
      [2, 1],
    ],
  ],
  [
    'SELECT s.n, COUNT(*) FROM b GROUP BY n ORDER BY n',
    [
      [6, 1],
      [7, 1],
    ],
  ],
  [
    'SELECT a.id, -a.id AS id2 FROM a ORDER BY id2',
    [
      [2, -2],
      [1, -1],
    ],
  ],
  ['SELECT -a.id AS id FROM a ORDER BY id', [[-2], [-1]]],
  ['SELECT a.id, a.id FROM a JOIN b USING (id) ORDER BY id DESC LIMIT 1', [[2, 2]]],
])('%s', async (sql, expected) => {
  expect(await rows(TABLES + sql)).toEqual(expected);
});

test('a name of two different items is ambiguous', () => {
  expect(refusal(`${TABLES} SELECT a.id, b.id FROM a JOIN b ON TRUE ORDER BY id`)).toBe(
    'unknown-column: id is ambiguous: it is a column of a and b',
  );
});

test('the rows of SELECT AS STRUCT leave the query as columns', async () => {
  expect(await table(`${TABLES} SELECT AS STRUCT id, v AS w, 3 FROM a ORDER BY id DESC`)).toEqual([
    ['id', 'w', ''],
    [2, 'y', 3],
    [1, 'x', 3],
  ]);
  expect(await table('SELECT AS VALUE x FROM UNNEST([5]) AS x')).toEqual([[''], [5]]);
});
