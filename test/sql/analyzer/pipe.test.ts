// Pipe syntax on the engine: what each operator keeps, changes and forgets.
import { describe, expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows, table, engineFailure } = queryRunner();

/** Four rows: (1, 'a'), (2, 'b'), (3, 'a'), (4, NULL). */
const T = "WITH t AS (SELECT 1 AS id, 'a' AS kind UNION ALL SELECT 2, 'b' UNION ALL SELECT 3, 'a' UNION ALL SELECT 4, NULL) ";

describe('columns', () => {
  test.each([
    [
      'FROM t |> WHERE id > 2 |> ORDER BY id',
      [
        ['id', 'kind'],
        [3, 'a'],
        [4, null],
      ],
    ],
    [
      'FROM t |> WHERE id = 1 |> SELECT id * 10 AS tens, kind',
      [
        ['tens', 'kind'],
        [10, 'a'],
      ],
    ],
    [
      'FROM t |> WHERE id = 1 |> EXTEND id + 1 AS next, id + 2',
      [
        ['id', 'kind', 'next', ''],
        [1, 'a', 2, 3],
      ],
    ],
    [
      'FROM t |> WHERE id = 1 |> SET id = id + 5, kind = CAST(id AS STRING)',
      [
        ['id', 'kind'],
        [6, '1'],
      ],
    ],
    ['FROM t |> WHERE id = 1 |> DROP kind', [['id'], [1]]],
    [
      'FROM t |> WHERE id = 1 |> RENAME id AS kind, kind AS id',
      [
        ['kind', 'id'],
        [1, 'a'],
      ],
    ],
    [
      'FROM t |> WHERE id = 1 |> AS u |> SELECT u.kind, u',
      [
        ['kind', 'u'],
        ['a', [1, 'a']],
      ],
    ],
    [
      'FROM t |> WHERE id = 1 |> SET id = 9 |> SELECT id, t.id',
      [
        ['id', 'id'],
        [9, 1],
      ],
    ],
    ['FROM t |> WHERE id = 1 |> DROP id |> SELECT t.id', [['id'], [1]]],
    [
      'FROM t |> WHERE id = 1 |> EXTEND 7 AS x |> SELECT *, t.*',
      [
        ['id', 'kind', 'x', 'id', 'kind'],
        [1, 'a', 7, 1, 'a'],
      ],
    ],
    ['FROM t |> WHERE id = 1 |> SELECT * EXCEPT (kind)', [['id'], [1]]],
    ['FROM UNNEST([5, 6]) AS x |> SET x = x + 1 |> ORDER BY x', [['x'], [6], [7]]],
    [
      'FROM UNNEST([STRUCT(1 AS a, 2 AS b)]) |> DROP a |> EXTEND b + 1 AS c',
      [
        ['b', 'c'],
        [2, 3],
      ],
    ],
    [
      "SELECT 1 AS a, 'x' |> SELECT *",
      [
        ['a', ''],
        [1, 'x'],
      ],
    ],
  ])('%s', async (sql, expected) => {
    expect(await table(T + sql)).toEqual(expected);
  });

  test.each([
    ['FROM t |> DROP nothing', 'unknown-column: DROP: there is no column nothing'],
    ['FROM t |> SET nothing = 1', 'unknown-column: SET: there is no column nothing'],
    ['FROM t |> DROP kind |> SELECT kind', 'unknown-column: there is no column or table kind here'],
    ['FROM t |> SELECT id |> SELECT t.id', 'unknown-column: there is no column or table t here'],
    ['FROM t |> SELECT COUNT(*)', 'type: COUNT is an aggregate function and can’t be used in the pipe operator SELECT'],
    ['FROM t |> EXTEND 1 AS id |> SELECT id + 1', 'unknown-column: id is ambiguous: 2 columns have that name'],
    ['FROM t |> DROP id, kind', 'type: DROP would leave no columns'],
  ])('%s is refused', (sql, expected) => {
    expect(refusal(T + sql)).toContain(expected);
  });
});

describe('AGGREGATE', () => {
  test.each([
    [
      'FROM t |> AGGREGATE COUNT(*) AS n, MAX(id)',
      [
        ['n', ''],
        [4, 4],
      ],
    ],
    [
      'FROM t |> AGGREGATE COUNT(*) AS n GROUP AND ORDER BY kind',
      [
        ['kind', 'n'],
        [null, 1],
        ['a', 2],
        ['b', 1],
      ],
    ],
    [
      'FROM t |> AGGREGATE COUNT(*) AS n GROUP AND ORDER BY kind DESC',
      [
        ['kind', 'n'],
        ['b', 1],
        ['a', 2],
        [null, 1],
      ],
    ],
    [
      'FROM t |> AGGREGATE SUM(id) AS s DESC GROUP BY kind',
      [
        ['kind', 's'],
        ['a', 4],
        [null, 4],
        ['b', 2],
      ].slice(0, 1),
    ],
    [
      'FROM t |> WHERE kind IS NOT NULL |> AGGREGATE GROUP AND ORDER BY kind AS k, kind',
      [
        ['k', 'kind'],
        ['a', 'a'],
        ['b', 'b'],
      ],
    ],
    [
      'FROM t |> AGGREGATE COUNT(*) AS n GROUP BY MOD(id, 2) AS odd |> ORDER BY odd |> WHERE n = 2',
      [
        ['odd', 'n'],
        [0, 2],
        [1, 2],
      ],
    ],
    [
      'FROM t |> WHERE FALSE |> AGGREGATE COUNT(*), SUM(id)',
      [
        ['', ''],
        [0, null],
      ],
    ],
    [
      'FROM t |> WHERE id < 3 |> AGGREGATE COUNT(*) AS n GROUP BY ROLLUP(kind) |> ORDER BY kind',
      [
        ['kind', 'n'],
        [null, 2],
        ['a', 1],
        ['b', 1],
      ],
    ],
  ])('%s', async (sql, expected) => {
    const got = await table(T + sql);
    expect(got.slice(0, expected.length)).toEqual(expected);
  });

  test('keys and aggregates that can’t be read are refused', () => {
    expect(refusal(`${T} FROM t |> AGGREGATE id`)).toBe('type: AGGREGATE takes aggregate functions');
    expect(refusal(`${T} FROM t |> AGGREGATE COUNT(*) GROUP BY 1`)).toBe('type: GROUP BY in a pipe does not take positions');
    expect(refusal(`${T} FROM t |> AGGREGATE COUNT(*) GROUP BY ALL`)).toContain('unsupported: GROUP BY ALL');
    expect(refusal(`${T} FROM t |> AGGREGATE COUNT(*) GROUP BY kind |> WHERE id = 1`)).toContain('there is no column or table id here');
  });
});

describe('rows and their order', () => {
  test.each([
    [
      'FROM t |> ORDER BY id DESC |> LIMIT 2',
      [
        [4, null],
        [3, 'a'],
      ],
    ],
    ['FROM t |> ORDER BY id DESC |> LIMIT 1 OFFSET 2', [[2, 'b']]],
    [
      'FROM t |> ORDER BY id DESC |> WHERE id < 3',
      [
        [2, 'b'],
        [1, 'a'],
      ],
    ],
    [
      'FROM t |> ORDER BY id DESC |> LIMIT 3 |> WHERE kind IS NOT NULL',
      [
        [3, 'a'],
        [2, 'b'],
      ],
    ],
    ['FROM t |> ORDER BY id DESC |> SELECT kind |> LIMIT 2', [[null], ['a']]],
    ['FROM t |> LIMIT 10 |> ORDER BY RANK() OVER (ORDER BY id DESC) |> SELECT id', [[4], [3], [2], [1]]],
    ['FROM t |> WHERE RANK() OVER (ORDER BY id DESC) = 2 |> SELECT id', [[3]]],
    [
      'FROM t |> EXTEND SUM(id) OVER (PARTITION BY kind) AS s |> ORDER BY id |> SELECT id, s',
      [
        [1, 4],
        [2, 2],
        [3, 4],
        [4, 4],
      ],
    ],
    ['FROM t |> EXTEND COUNT(*) OVER w AS n WINDOW w AS (ORDER BY id) |> ORDER BY id DESC |> LIMIT 1', [[4, null, 4]]],
    ['FROM t |> WHERE kind = "a" |> DROP id |> DISTINCT', [['a']]],
    ['FROM t |> SELECT DISTINCT kind |> ORDER BY kind DESC |> LIMIT 1', [['b']]],
    ['SELECT id FROM t ORDER BY id DESC |> LIMIT 1', [[4]]],
    ['FROM (SELECT id FROM t ORDER BY id DESC) |> LIMIT 1', [[4]]],
    ['SELECT id FROM t ORDER BY id LIMIT 2 |> ORDER BY id DESC', [[2], [1]]],
  ])('%s', async (sql, expected) => {
    expect(await rows(T + sql)).toEqual(expected);
  });

  test('a table joined to itself needs another name', () => {
    expect(refusal(`${T} FROM t |> JOIN t USING (id)`)).toBe('type: FROM has two tables called t');
  });

  test('ORDER BY takes no positions', () => {
    expect(refusal(`${T} FROM t |> ORDER BY 1`)).toBe('type: ORDER BY in a pipe does not take positions');
  });
});

describe('several tables', () => {
  test.each([
    [
      'FROM t |> WHERE id < 3 |> JOIN t AS u USING (id) |> ORDER BY id |> SELECT id, t.kind, u.kind',
      [
        [1, 'a', 'a'],
        [2, 'b', 'b'],
      ],
    ],
    ['FROM t |> AS l |> LEFT JOIN (SELECT 1 AS id, "x" AS v) AS r ON l.id = r.id |> ORDER BY id |> SELECT l.id, v |> LIMIT 2', null],
    [
      'FROM t |> WHERE id = 1 |> CROSS JOIN UNNEST([7, 8]) AS n |> ORDER BY n',
      [
        [1, 'a', 7],
        [1, 'a', 8],
      ],
    ],
    [
      'FROM t |> WHERE id = 1 |> UNION ALL (SELECT 8, "x"), (SELECT 9, "y") |> ORDER BY id',
      [
        [1, 'a'],
        [8, 'x'],
        [9, 'y'],
      ],
    ],
    ['FROM t |> EXCEPT DISTINCT (FROM t |> WHERE id > 1)', [[1, 'a']]],
    [
      'FROM t |> WHERE id = 1 |> UNION ALL BY NAME (SELECT "k" AS kind, 5 AS id) |> ORDER BY id',
      [
        [1, 'a'],
        [5, 'k'],
      ],
    ],
    ['FROM t |> WITH u AS (FROM t |> WHERE id = 2) |> JOIN u USING (id) |> SELECT id, u.kind', [[2, 'b']]],
    ['SELECT (FROM UNNEST([1, 2, 3]) AS x |> WHERE x > id |> AGGREGATE COUNT(*)) FROM t ORDER BY id', [[2], [1], [0], [0]]],
  ])('%s', async (sql, expected) => {
    if (expected === null) expect(refusal(T + sql)).toContain('id is ambiguous');
    else expect(await rows(T + sql)).toEqual(expected);
  });
});

test('ASSERT fails the query where its condition is not true, and sees only the rows that reach it', async () => {
  expect(await rows(`${T} FROM t |> WHERE id > 1 |> ASSERT id > 1, 'never' |> SELECT id |> ORDER BY id`)).toEqual([[2], [3], [4]]);
  expect(await engineFailure(`${T} FROM t |> ASSERT id > 1 |> WHERE id > 1`)).toContain('Assert failed');
  expect(await rows(`${T} FROM t |> WHERE id > 9 |> ASSERT FALSE |> AGGREGATE COUNT(*)`)).toEqual([[0]]);
  expect(await engineFailure(`${T} FROM t |> ASSERT id > 1, 'id is', id`)).toContain('Assert failed: id is …');
  expect(await engineFailure(`${T} FROM t |> ASSERT kind = 'a' OR id = 2`)).toContain('Assert failed');
});

test('TABLESAMPLE is refused with what to write instead', () => {
  expect(refusal(`${T} FROM t |> TABLESAMPLE SYSTEM (10 PERCENT)`)).toContain('unsupported: TABLESAMPLE');
});
