// WITH RECURSIVE on the engine.
import { expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows, table } = queryRunner();

test.each([
  ['WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r ORDER BY n', [[1], [2], [3]]],
  ['WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE FALSE) SELECT * FROM r', [[1]]],
  [
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n IN (SELECT x FROM UNNEST([1, 2]) AS x)) SELECT n FROM r ORDER BY n',
    [[1], [2], [3]],
  ],
  // A table of the same name, of a WITH inside.
  [
    'WITH RECURSIVE r AS (SELECT n FROM (WITH r AS (SELECT 1 AS n) SELECT n FROM r UNION ALL SELECT n + 1 FROM r)) SELECT n FROM r ORDER BY n',
    [[1], [2]],
  ],
  [
    'WITH RECURSIVE r AS (SELECT n FROM (WITH r AS (SELECT 1 AS n) SELECT n FROM r) UNION ALL SELECT n + 1 FROM r WHERE n < 2) SELECT n FROM r ORDER BY n',
    [[1], [2]],
  ],
  ['WITH RECURSIVE a AS (SELECT x + 1 AS y FROM b), b AS (SELECT 2 AS x) SELECT y FROM a', [[3]]],
  ['WITH RECURSIVE r AS (SELECT 0 AS n UNION DISTINCT SELECT MOD(n + 1, 3) FROM r) SELECT n FROM r ORDER BY n', [[0], [1], [2]]],
  [
    // A cycle, a duplicate edge and a NULL.
    `WITH RECURSIVE edges AS (SELECT 'a' AS a, 'b' AS b UNION ALL SELECT 'b', 'c' UNION ALL SELECT 'c', 'a' UNION ALL SELECT 'a', 'b' UNION ALL SELECT 'c', NULL),
     reach AS (SELECT 'a' AS node UNION DISTINCT SELECT edges.b FROM edges JOIN reach ON edges.a = reach.node) SELECT node FROM reach ORDER BY node`,
    [[null], ['a'], ['b'], ['c']],
  ],
  [
    'WITH RECURSIVE r AS (SELECT 1 AS a, 2 AS b UNION DISTINCT BY NAME SELECT a AS b, b AS a FROM r) SELECT a, b FROM r ORDER BY a',
    [
      [1, 2],
      [2, 1],
    ],
  ],
  ['WITH RECURSIVE r AS ((SELECT 1 AS n) |> UNION ALL (FROM r |> WHERE n < 2 |> SELECT n + 1)) SELECT n FROM r ORDER BY n', [[1], [2]]],
  [
    'WITH RECURSIVE o AS (WITH RECURSIVE i AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 1) SELECT n FROM i UNION ALL SELECT n + 10 FROM o WHERE n < 10) SELECT n FROM o ORDER BY n',
    [[0], [1], [10], [11]],
  ],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test('the first query names the columns', async () => {
  expect(
    await table('WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 AS m FROM r WHERE n < 2) SELECT * FROM r ORDER BY 1'),
  ).toEqual([['n'], [1], [2]]);
});

test.each([
  [
    'WITH RECURSIVE r AS (SELECT n FROM r) SELECT * FROM r',
    'type: r refers to itself, so it must be: base query UNION ALL recursive query',
  ],
  [
    'WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM a',
    'unsupported: these WITH tables read each other: a → b → a',
  ],
  [
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT 'x' FROM r) SELECT * FROM r",
    'type: column 1 (n) has no common type: INT64 and STRING',
  ],
  [
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 0.5 FROM r) SELECT * FROM r',
    'type: column n is FLOAT64 in the recursive query and another type in the base',
  ],
])('%s is refused', (sql, expected) => {
  expect(refusal(sql)).toBe(expected);
});
