// Correlated subqueries of more shapes than correlated.test.ts has, over the same tables; rows as Google's reference implementation of GoogleSQL gives them.
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
    EXISTS: [
      [
        'SELECT i, EXISTS(SELECT 1 FROM kb WHERE k = i AND k > 0) e FROM ka',
        [
          [null, false],
          [1, true],
          [9, false],
        ],
      ],
      [
        'SELECT i, EXISTS(SELECT SUM(k) FROM kb WHERE k >= i HAVING COUNT(*) > 1) FROM ka',
        [
          [null, false],
          [1, true],
          [9, false],
        ],
      ],
      [
        'SELECT i, EXISTS(SELECT SUM(k) FROM kb WHERE k >= i) FROM ka',
        [
          [null, true],
          [1, true],
          [9, true],
        ],
      ],
      ['SELECT i, COUNT(*) FROM ka GROUP BY i HAVING EXISTS(SELECT 1 FROM kb WHERE k = i)', [[1, 1]]],
      ['SELECT ka.i, kb.k FROM ka JOIN kb ON EXISTS(SELECT 1 FROM kb z WHERE z.k = ka.i AND z.k < kb.k)', [[1, 2]]],
      [
        'SELECT ka.i, kb.k FROM ka LEFT JOIN kb ON EXISTS(SELECT 1 FROM kb z WHERE z.k = ka.i) AND ka.i <= kb.k',
        [
          [null, null],
          [1, 2],
          [1, 1],
          [9, null],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(*) FROM kb WHERE k = ka.i AND EXISTS(SELECT 1 FROM kb z WHERE z.k = kb.k AND z.k = ka.i)) FROM ka',
        [
          [null, 0],
          [1, 1],
          [9, 0],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(*) FROM kb WHERE EXISTS(SELECT 1 FROM ka z WHERE z.i > kb.k AND ka.i IS NULL)) FROM ka',
        [
          [null, 2],
          [1, 0],
          [9, 0],
        ],
      ],
      [
        'SELECT i, NOT EXISTS(SELECT 1 FROM ka z WHERE z.i = ka.i AND z.i IS NULL) FROM ka',
        [
          [null, true],
          [1, true],
          [9, true],
        ],
      ],
      ['SELECT COUNT(*) FROM ka WHERE EXISTS (SELECT 1 FROM ka z WHERE z.i = ka.i)', [[2]]],
    ],
    'order and limit inside': [
      [
        'SELECT i, ARRAY(SELECT k FROM kb WHERE k >= IFNULL(i, 0) ORDER BY k DESC) FROM ka',
        [
          [1, [2, 1]],
          [9, []],
          [null, [2, 1]],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT k FROM kb WHERE k >= IFNULL(i, 0) ORDER BY k DESC LIMIT 1) FROM ka',
        [
          [null, [2]],
          [1, [2]],
          [9, []],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT k FROM kb WHERE k >= IFNULL(i, 0) ORDER BY k LIMIT 1 OFFSET 1) FROM ka',
        [
          [null, [2]],
          [1, [2]],
          [9, []],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT k FROM kb WHERE k = i UNION ALL SELECT 5 ORDER BY 1) FROM ka',
        [
          [null, [5]],
          [1, [1, 5]],
          [9, [5]],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT AS STRUCT k, i FROM kb WHERE k >= i ORDER BY k) FROM ka',
        [
          [null, []],
          [
            1,
            [
              [1, 1],
              [2, 1],
            ],
          ],
          [9, []],
        ],
      ],
      [
        'SELECT i, (SELECT k FROM kb WHERE k >= i ORDER BY k DESC LIMIT 1) FROM ka',
        [
          [null, null],
          [1, 2],
          [9, null],
        ],
      ],
      [
        'SELECT i, (SELECT FIRST_VALUE(k) OVER (ORDER BY k) FROM kb WHERE k >= i LIMIT 1) FROM ka',
        [
          [null, null],
          [1, 1],
          [9, null],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT SUM(k) OVER (ORDER BY k) s FROM kb WHERE k >= IFNULL(i, 1) ORDER BY s) FROM ka',
        [
          [null, [1, 3]],
          [1, [1, 3]],
          [9, []],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT k FROM kb WHERE k >= IFNULL(i, 1) QUALIFY ROW_NUMBER() OVER (ORDER BY k) = 1) FROM ka',
        [
          [null, [1]],
          [1, [1]],
          [9, []],
        ],
      ],
      ['SELECT i FROM (SELECT i FROM ka ORDER BY i DESC LIMIT 2) WHERE NOT EXISTS(SELECT 1 FROM kb WHERE k = i)', [[9]]],
      [
        'SELECT i, ARRAY(SELECT x + i FROM UNNEST([1, 2]) x JOIN kb ON kb.k = x ORDER BY 1) FROM ka',
        [
          [null, [null, null]],
          [1, [2, 3]],
          [9, [10, 11]],
        ],
      ],
      ['SELECT i FROM ka a WHERE i = (SELECT MAX(i) FROM ka b WHERE b.i <= a.i) ORDER BY 1 LIMIT 5', [[1], [9]]],
      [
        'SELECT i, ARRAY(SELECT k FROM kb WHERE k > IFNULL(i,0) ORDER BY k LIMIT 0) FROM ka',
        [
          [null, []],
          [1, []],
          [9, []],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT x + i FROM UNNEST([1, 2]) x JOIN kb ON kb.k = x ORDER BY 1) FROM ka WHERE i IS NOT NULL',
        [
          [1, [2, 3]],
          [9, [10, 11]],
        ],
      ],
      [
        'SELECT i, ARRAY(SELECT k FROM kb ORDER BY k * IFNULL(i, -1)) FROM ka',
        [
          [1, [1, 2]],
          [9, [1, 2]],
          [null, [2, 1]],
        ],
      ],
      [
        'SELECT i, (SELECT k FROM kb WHERE k > 0 ORDER BY k * IFNULL(i, -1) LIMIT 1) FROM ka',
        [
          [null, 2],
          [1, 1],
          [9, 1],
        ],
      ],
    ],
    'joins inside': [
      [
        'SELECT i, (SELECT MAX(a.k) FROM kb a JOIN kb b ON a.k = b.k WHERE b.k = i) FROM ka',
        [
          [null, null],
          [1, 1],
          [9, null],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(b.k) FROM kb a LEFT JOIN kb b ON a.k = b.k AND b.k = i) FROM ka',
        [
          [null, 0],
          [1, 1],
          [9, 0],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(b.k) FROM kb a LEFT JOIN (SELECT k FROM kb WHERE k = i) b ON a.k = b.k) FROM ka',
        [
          [1, 1],
          [9, 0],
          [null, 0],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(b.k) FROM (SELECT k FROM kb WHERE k = i) b RIGHT JOIN kb a ON a.k = b.k) FROM ka',
        [
          [1, 1],
          [9, 0],
          [null, 0],
        ],
      ],
      [
        'SELECT i, (SELECT COUNT(*) FROM (SELECT k FROM kb WHERE k = i) b JOIN (SELECT k FROM kb WHERE k <= i) a ON a.k = b.k) FROM ka',
        [
          [null, 0],
          [1, 1],
          [9, 0],
        ],
      ],
      [
        'WITH c AS (SELECT i, (SELECT COUNT(*) FROM kb WHERE k = i) n FROM ka) SELECT a.i, b.n FROM c a JOIN c b ON a.i = b.i',
        [
          [1, 1],
          [9, 0],
        ],
      ],
    ],
    'arrays and floats of the row outside': [
      [
        'SELECT id, ARRAY(SELECT DISTINCT e FROM UNNEST(a) AS e ORDER BY e) FROM lists',
        [
          [1, [1, 2]],
          [2, []],
          [3, [1, 5]],
          [4, [1]],
        ],
      ],
      [
        'SELECT id, (SELECT SUM(e) FROM UNNEST(a) AS e WHERE e IN (SELECT k + id FROM kb)) FROM lists',
        [
          [1, 4],
          [2, null],
          [3, 5],
          [4, null],
        ],
      ],
      [
        'SELECT id, ARRAY(SELECT (SELECT COUNT(*) FROM kb WHERE k < e) FROM UNNEST(a) AS e ORDER BY 1) FROM lists',
        [
          [1, [0, 1, 1]],
          [2, []],
          [3, [0, 2]],
          [4, [0]],
        ],
      ],
      [
        'SELECT id, (SELECT COUNT(*) FROM lists AS other WHERE other.x = lists.x) FROM lists',
        [
          [1, 2],
          [2, 0],
          [3, 2],
          [4, 0],
        ],
      ],
      [
        'SELECT id, (SELECT COUNT(*) FROM lists AS other WHERE other.x >= lists.x OR lists.x IS NULL) FROM lists',
        [
          [1, 2],
          [2, 0],
          [3, 2],
          [4, 4],
        ],
      ],
    ],
  },
  [
    [
      'SELECT i, (WITH c AS (SELECT k FROM kb WHERE k >= i) SELECT SUM(a.k + b.k) FROM c AS a JOIN c AS b ON TRUE) FROM ka',
      'c reads columns of an outer query',
    ],
  ],
);
