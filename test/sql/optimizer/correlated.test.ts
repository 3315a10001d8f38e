// Correlated subqueries over real tables, with NULL among the outer values and outer values that find nothing. The rows are those of Google's reference
// implementation of GoogleSQL.
import { testRealTables } from '../../support/real-tables.ts';

testRealTables(
  {
    ka: { columns: 'i Nullable(Int64)', rows: '(1), (9), (NULL)' },
    kb: { columns: 'k Nullable(Int64)', rows: '(1), (2)' },
    lists: {
      columns: 'id Int64, a Array(Nullable(Int64)), x Nullable(Float64)',
      rows: '(1, [2, 1, 2], 0.0), (2, [], nan), (3, [5, 1], -0.0), (4, [1], NULL)',
    },
  },
  {
    values: [
      [
        'SELECT i, (SELECT COUNT(*) FROM kb WHERE k = i) FROM ka',
        [
          [null, 0],
          [1, 1],
          [9, 0],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(*) FROM kb WHERE k <> i OR i IS NULL) + 1 FROM ka',
        [
          [1, 2],
          [9, 3],
          [null, 3],
        ],
      ],
      [
        'SELECT i, (SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM kb WHERE k = i)) FROM ka',
        [
          [null, 0],
          [1, 1],
          [9, 0],
        ],
      ],
      [
        'SELECT i, (SELECT SUM(n) FROM (SELECT COUNT(*) AS n FROM kb WHERE k >= i GROUP BY k)) FROM ka',
        [
          [1, 2],
          [9, null],
          [null, null],
        ],
      ],
      [
        'SELECT i, (SELECT SUM(k) FROM kb WHERE k >= i HAVING COUNT(*) > 1) FROM ka',
        [
          [null, null],
          [1, 3],
          [9, null],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT SUM(k) FROM kb WHERE k >= i HAVING COUNT(*) > 1) FROM ka',
        [
          [1, [3]],
          [9, []],
          [null, []],
        ],
      ],
      [
        'SELECT i, (SELECT MAX(k) + i FROM kb) FROM ka',
        [
          [null, null],
          [1, 3],
          [9, 11],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(*) FROM kb, UNNEST([1, k, i]) x WHERE x = i) FROM ka',
        [
          [null, 0],
          [1, 5],
          [9, 2],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(DISTINCT x) FROM kb, UNNEST([1, k, i]) x) FROM ka',
        [
          [null, 2],
          [1, 2],
          [9, 3],
        ],
      ],
      [
        'SELECT i, SUM((SELECT COUNT(*) FROM kb WHERE k <= i)) FROM ka GROUP BY i',
        [
          [null, 0],
          [1, 1],
          [9, 2],
        ],
      ],
      [
        'SELECT (SELECT MAX(k) FROM kb WHERE k <= i) m, COUNT(*) FROM ka GROUP BY m',
        [
          [null, 1],
          [2, 1],
          [1, 1],
        ],
      ],
      [
        'SELECT i, x FROM ka, UNNEST(ARRAY(SELECT k FROM kb WHERE k >= i)) x',
        [
          [1, 2],
          [1, 1],
        ],
      ],
      [
        'SELECT i, (SELECT k FROM kb WHERE k = i LIMIT 1) FROM ka',
        [
          [null, null],
          [1, 1],
          [9, null],
        ],
      ],
      [
        'SELECT i, (SELECT AS STRUCT MAX(k) m, COUNT(*) n FROM kb WHERE k >= i) FROM ka',
        [
          [null, [null, 0]],
          [1, [2, 2]],
          [9, [null, 0]],
        ],
      ],
      [
        'SELECT i, (SELECT AS STRUCT k, i FROM kb WHERE k = i) FROM ka',
        [
          [null, null],
          [1, [1, 1]],
          [9, null],
        ],
      ],
      [
        'SELECT i, CASE WHEN i = 1 THEN (SELECT k FROM kb WHERE k = 2) ELSE (SELECT COUNT(*) FROM kb WHERE k < i) END FROM ka',
        [
          [1, 2],
          [9, 2],
          [null, 0],
        ],
      ],
      [
        'SELECT i, (SELECT ARRAY_AGG(k ORDER BY k) FROM kb WHERE k >= i) FROM ka',
        [
          [null, []],
          [1, [1, 2]],
          [9, []],
        ],
      ],
      ['SELECT DISTINCT (SELECT MAX(k) FROM kb WHERE k <= i) FROM ka', [[null], [1], [2]]],
      [
        'SELECT i, (SELECT IFNULL(k, 0) FROM kb WHERE k = i) FROM ka',
        [
          [null, null],
          [1, 1],
          [9, null],
        ],
      ],
      [
        'SELECT i, (SELECT 1) + i, (SELECT i) FROM ka',
        [
          [null, null, null],
          [1, 2, 1],
          [9, 10, 9],
        ],
      ],
      [
        'SELECT i, (SELECT x + i FROM UNNEST([1]) x) FROM ka',
        [
          [null, null],
          [1, 2],
          [9, 10],
        ],
      ],
      [
        'SELECT i, (SELECT COUNTIF(k > i) FROM kb) FROM ka',
        [
          [null, 0],
          [1, 1],
          [9, 0],
        ],
      ],
      [
        'SELECT i, (SELECT LOGICAL_OR(k > i) FROM kb) FROM ka',
        [
          [null, null],
          [1, true],
          [9, false],
        ],
      ],
      ['SELECT i FROM ka WHERE (SELECT COUNT(*) FROM kb WHERE k <= i) = 2 OR i IS NULL', [[null], [9]]],
      [
        "SELECT s.a, (SELECT s.a + MAX(k) FROM kb WHERE k >= s.a) FROM (SELECT STRUCT(i AS a, 'b' AS c) s FROM ka)",
        [
          [null, null],
          [1, 3],
          [9, null],
        ],
      ],
      [
        'SELECT i, (SELECT [x] FROM UNNEST([IFNULL(i, 5)]) AS x) AS l FROM ka',
        [
          [null, [5]],
          [1, [1]],
          [9, [9]],
        ],
      ],
      [
        "SELECT i, (SELECT IF(COUNT(*) = 0, 'none', 'some') FROM kb WHERE k = i) FROM ka",
        [
          [null, 'none'],
          [1, 'some'],
          [9, 'none'],
        ],
      ],
      [
        'SELECT i, (SELECT MAX(k) FROM kb WHERE k > (SELECT MIN(z.k) FROM kb AS z WHERE z.k = ka.i)) FROM ka',
        [
          [1, 2],
          [9, null],
          [null, null],
        ],
      ],
    ],
    IN: [
      ['SELECT i FROM ka WHERE i NOT IN (SELECT k FROM kb WHERE k >= ka.i)', [[9], [null]]],
      [
        'SELECT i, i IN (SELECT k FROM kb WHERE k >= ka.i OR ka.i = 9) FROM ka',
        [
          [null, false],
          [1, true],
          [9, false],
        ],
      ],
      [
        'SELECT 1 IN (SELECT k FROM kb WHERE k = i), NULL IN (SELECT k FROM kb WHERE k = i) FROM ka',
        [
          [true, null],
          [false, false],
          [false, false],
        ],
      ],
      [
        'SELECT i, (i, 1) IN (SELECT (k, 1) FROM kb WHERE k <= ka.i) FROM ka',
        [
          [null, false],
          [1, true],
          [9, false],
        ],
      ],
      ['SELECT i FROM ka WHERE 5 NOT IN (SELECT i FROM kb)', [[1], [9]]],
      ['SELECT i FROM ka WHERE i IN (SELECT MAX(k) FROM kb WHERE k = ka.i)', [[1]]],
      ['SELECT i FROM ka WHERE i IN (SELECT k FROM kb WHERE k >= ka.i GROUP BY k)', [[1]]],
    ],
    'set operations inside': [
      [
        'SELECT i, (SELECT k FROM kb WHERE k = i UNION ALL SELECT 5 FROM kb WHERE i IS NULL AND k = 1) FROM ka',
        [
          [null, 5],
          [1, 1],
          [9, null],
        ],
      ],
      ['SELECT (SELECT COUNT(*) FROM kb WHERE k = i) FROM (SELECT i FROM ka UNION ALL SELECT i FROM ka)', [[0], [1], [0], [0], [1], [0]]],
    ],
    windows: [
      [
        'SELECT i, ROW_NUMBER() OVER (ORDER BY (SELECT MAX(k) FROM kb WHERE k <= i), i) FROM ka',
        [
          [1, 2],
          [9, 3],
          [null, 1],
        ],
      ],
      ['SELECT i FROM ka QUALIFY EXISTS(SELECT 1 FROM kb WHERE k = i) AND ROW_NUMBER() OVER (ORDER BY i) < 9', [[1]]],
    ],
  },
  [
    ['SELECT i, (SELECT k FROM kb WHERE k >= i) FROM ka', 'the query failed: a scalar subquery returned more than one row'],
    [
      'SELECT i, (SELECT COUNT(*) FROM kb FULL JOIN ka AS z ON kb.k = z.i AND ka.i = 1) FROM ka',
      'a subquery can’t read columns of the outer query here',
    ],
    [
      'SELECT (SELECT COUNT(*) FROM kb WHERE k > r) FROM (SELECT RAND() AS r FROM ka)',
      'a subquery can’t read columns of rows that RAND makes: they are read twice, and would differ',
    ],
  ],
);
