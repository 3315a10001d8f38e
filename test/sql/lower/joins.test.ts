// Joins on conditions that are NULL, of one side or a bare column, filters that ClickHouse folds, and groups that nobody reads: rows over real tables.
import { testRealTables } from '../../support/real-tables.ts';

testRealTables(
  {
    ka: { columns: 'i Nullable(Int64)', rows: '(1), (9), (NULL)' },
    kb: { columns: 'k Nullable(Int64)', rows: '(1), (2)' },
    kd: { columns: 'i Nullable(Int64), d Nullable(Int64)', rows: '(2, NULL), (NULL, NULL), (1, 5), (NULL, 6)' },
    flags: {
      columns: 'id Int64, b Nullable(Bool), w LowCardinality(String)',
      rows: "(1, true, 'a'), (2, false, 'a'), (3, NULL, 'b'), (4, true, 'c')",
    },
    // So many that ClickHouse turns the join about.
    many: { columns: 'k Int64, n Int64', rows: Array.from({ length: 1000 }, (_, k) => `(${k}, ${k * 2})`).join(', ') },
    lists: {
      columns: 'id Int64, a Array(Nullable(Int64)), s Array(Nullable(String)), f Array(Nullable(Float64))',
      rows: "(1, [1, 2], ['x'], []), (2, [], ['y', NULL], [1.5]), (3, [3], [], [])",
    },
  },
  {
    'one of two keys': [
      [
        'SELECT a.id, b.id FROM flags AS a JOIN flags AS b ON a.w = b.w OR a.id = b.id ORDER BY 1, 2',
        [
          [1, 1],
          [1, 2],
          [2, 1],
          [2, 2],
          [3, 3],
          [4, 4],
        ],
      ],
      [
        'SELECT a.d, b.d FROM kd AS a JOIN kd AS b ON a.i = b.i OR a.d = b.d ORDER BY 1',
        [
          [null, null],
          [5, 5],
          [6, 6],
        ],
      ],
      [
        'SELECT a.i, a.d, b.i, b.d FROM kd AS a LEFT JOIN kd AS b ON a.i = b.d + 1 OR a.i = b.i ORDER BY a.i, a.d',
        [
          [null, null, null, null],
          [null, 6, null, null],
          [1, 5, 1, 5],
          [2, null, 2, null],
        ],
      ],
      [
        'SELECT ka.i, kd.i, kd.d FROM ka RIGHT JOIN kd ON ka.i = kd.i OR ka.i = kd.d OR ka.i = kd.d + 3 ORDER BY 1, 2, 3',
        [
          [null, null, null],
          [null, 2, null],
          [1, 1, 5],
          [9, null, 6],
        ],
      ],
      [
        'SELECT ka.i, kd.i, kd.d FROM ka FULL JOIN kd ON ka.i = kd.i OR ka.i = kd.d ORDER BY 1, 2, 3',
        [
          [null, null, null],
          [null, null, null],
          [null, null, 6],
          [null, 2, null],
          [1, 1, 5],
          [9, null, null],
        ],
      ],
      ['SELECT COUNT(*) FROM many AS a JOIN many AS b ON a.k = b.n OR a.n = b.k', [[999]]],
      ['SELECT COUNT(*) FROM ka JOIN kb ON ka.i = kb.k OR ka.i = CAST(NULL AS INT64)', [[1]]],
      ['SELECT COUNT(*) FROM ka JOIN kb ON ka.i = kb.k OR ka.i > 5', [[3]]],
      ['SELECT COUNT(*) FROM ka JOIN kb ON ka.i = kb.k JOIN kd ON kd.i = kb.k OR kd.d = ka.i + 4', [[1]]],
      ['SELECT COUNT(*) FROM ka CROSS JOIN kb JOIN kd ON kd.i = kb.k OR kd.d = ka.i + 4 JOIN flags ON flags.id = kd.i', [[7]]],
      ['SELECT COUNT(*) FROM ka CROSS JOIN kb LEFT JOIN kd ON kd.i = kb.k OR kd.d = ka.i + 4', [[7]]],
    ],
    'a condition that is NULL': [
      ['SELECT ka.i, kb.k FROM ka JOIN kb ON ka.i = kb.k AND CAST(NULL AS BOOL)', []],
      ['SELECT ka.i, kb.k FROM ka JOIN kb ON ka.i = kb.k AND kb.k > CAST(NULL AS INT64)', []],
      ['SELECT ka.i, kb.k FROM ka JOIN kb ON ka.i = kb.k AND kb.k > SAFE_CAST("x" AS INT64)', []],
      [
        'SELECT ka.i, kb.k FROM ka RIGHT JOIN kb ON ka.i = kb.k AND kb.k > CAST(NULL AS INT64)',
        [
          [null, 1],
          [null, 2],
        ],
      ],
      [
        'SELECT ka.i, kb.k FROM ka LEFT JOIN kb ON TRUE > CAST(NULL AS BOOL)',
        [
          [1, null],
          [9, null],
          [null, null],
        ],
      ],
    ],
    'a key that is NULL for all rows, since the array has no such element': [
      ['SELECT ka.i, kb.k FROM ka JOIN kb ON ka.i = [kb.k][SAFE_OFFSET(-1)] AND kb.k <= ka.i', []],
      ['SELECT ka.i FROM ka WHERE EXISTS(SELECT 1 FROM kb WHERE ka.i = [kb.k][SAFE_OFFSET(-1)] AND kb.k <= ka.i)', []],
      [
        'SELECT ka.i, kb.k FROM ka RIGHT JOIN kb ON ka.i = [kb.k][SAFE_ORDINAL(0)] AND kb.k <= ka.i',
        [
          [null, 1],
          [null, 2],
        ],
      ],
      ['SELECT COUNT(*) FROM ka FULL JOIN kb ON ka.i IS NOT DISTINCT FROM [kb.k][SAFE_OFFSET(-1)]', [[4]]],
    ],
    // The tables of these tests are in a database of that name.
    'a table that has the name of the database': [
      ['SELECT real.k FROM ka JOIN kb AS real ON ka.i = real.k AND EXISTS(SELECT 1 FROM kd WHERE kd.i <= ka.i GROUP BY kd.i)', [[1]]],
    ],
    'a join on what ClickHouse finds to be the same for all rows': [
      ...[
        'NULLIF(CAST(NULL AS INT64), kb.k)',
        'LEAST(kb.k, CASE WHEN TRUE IS NULL THEN 1 END)',
        'kb.k + NULLIF(1, 1)',
        "kb.k + SAFE_CAST('x' AS INT64)",
        'kb.k + CAST(SAFE_DIVIDE(1, 0) AS INT64)',
        'BIT_XOR(kb.k) OVER (ORDER BY kb.k ROWS BETWEEN 1 PRECEDING AND 2 PRECEDING)',
        'CASE WHEN kb.k > 1 THEN CAST(NULL AS INT64) ELSE NULLIF(NULL, kb.k) END',
      ].map((value): [string, unknown[][]] => [
        `SELECT q.c, kd.i FROM (SELECT ${value} AS c FROM ka JOIN kb ON ka.i = kb.k) AS q LEFT JOIN kd ON q.c = kd.i`,
        [[null, null]],
      ]),
    ],
    'constants of joined tables, joined with a larger table': [
      [
        "SELECT q.i, q.yes, q.one, q.day, q.word FROM (SELECT ka.i, TRUE AS yes, 1 AS one, DATE '2024-01-15' AS day, 'x' AS word FROM ka LEFT JOIN kb ON ka.i = kb.k) AS q LEFT JOIN many ON q.i = many.k",
        [
          [1, true, 1, '2024-01-15', 'x'],
          [9, true, 1, '2024-01-15', 'x'],
          [null, true, 1, '2024-01-15', 'x'],
        ],
      ],
      [
        'WITH q AS (SELECT ka.i, TRUE AS yes FROM ka LEFT JOIN kb ON ka.i = kb.k) SELECT COUNT(*), COUNTIF(q.yes), COUNTIF(many.n = 2) FROM q LEFT JOIN many ON q.i = many.k',
        [[3, 3, 1]],
      ],
      [
        'WITH q AS (SELECT ka.i, TRUE AS yes FROM ka JOIN kb ON ka.i = kb.k), r AS (SELECT i, yes, 7 AS n FROM q) SELECT many.n, q.yes, q.n FROM many RIGHT JOIN r AS q ON q.i = many.k',
        [[2, true, 7]],
      ],
      [
        'SELECT q.i, q.yes, many.n FROM (SELECT ka.i, TRUE AS yes FROM ka LEFT JOIN kb ON ka.i = kb.k) AS q FULL JOIN many ON q.i = many.k WHERE q.yes',
        [
          [1, true, 2],
          [9, true, 18],
          [null, true, null],
        ],
      ],
      [
        'SELECT (SELECT MAX(n) FROM many WHERE k = ka.i) AS n, TRUE AS yes FROM ka ORDER BY n LIMIT 3',
        [
          [2, true],
          [18, true],
          [null, true],
        ],
      ],
    ],
    'a RIGHT JOIN of joined tables, filtered on its left side': [
      [
        'SELECT f.id FROM flags AS f RIGHT JOIN (SELECT x.k FROM kb AS x FULL JOIN kd AS y ON x.k = y.i WHERE y.d > 4) AS z ON f.id = z.k WHERE f.id >= 0',
        [[1]],
      ],
    ],
    'USING a field of what is unnested': [
      [
        "SELECT w, z, f.id FROM flags AS f LEFT JOIN UNNEST([STRUCT('a' AS w, 5 AS z), STRUCT('d', 6)]) AS s USING (w)",
        [
          ['a', 5, 1],
          ['a', 5, 2],
          ['b', null, 3],
          ['c', null, 4],
        ],
      ],
      [
        "SELECT w, s.w, f.w, z FROM UNNEST([STRUCT('a' AS w, 5 AS z), STRUCT('d', 6)]) AS s FULL JOIN flags AS f USING (w) WHERE id IS NULL OR id > 1",
        [
          ['a', 'a', 'a', 5],
          ['b', null, 'b', null],
          ['c', null, 'c', null],
          ['d', 'd', null, 6],
        ],
      ],
    ],
    'constants of a side': [
      // Of many parts, such as are written once, under a name.
      [
        "SELECT ka.i, x.c FROM ka LEFT JOIN (SELECT k, ABS(LENGTH(CONCAT('a', CAST(1 AS STRING)))) AS c FROM kb) AS x ON ka.i = x.k",
        [
          [1, 2],
          [9, null],
          [null, null],
        ],
      ],
      [
        "SELECT x.c, kb.k FROM (SELECT ABS(LENGTH(CONCAT('a', CAST(1 AS STRING)))) AS c FROM ka WHERE i = 1) AS x FULL JOIN kb ON x.c = kb.k",
        [
          [2, 2],
          [null, 1],
        ],
      ],
      // Whichever branch is taken.
      [
        'SELECT x.c, y.k FROM (SELECT IF(kb.k > 1, 2, 2) AS c FROM kb CROSS JOIN ka WHERE ka.i = 1) AS x LEFT JOIN (SELECT DISTINCT k FROM kb) AS y ON y.k = x.c',
        [
          [2, 2],
          [2, 2],
        ],
      ],
      [
        `WITH w AS (SELECT CONCAT((SELECT MAX('a') FROM ka), 'b') AS c FROM kb AS x RIGHT JOIN kb AS y ON TRUE)
         SELECT COUNT(*) FROM w AS a LEFT JOIN kb ON a.c IS NOT DISTINCT FROM a.c`,
        [[8]],
      ],
      ['SELECT COUNT(*) FROM ka LEFT JOIN kb AS a ON TRUE FULL JOIN (SELECT 1 AS c FROM kb) AS b ON (-8) = b.c', [[8]]],
      [
        'SELECT COUNT(*), COUNT(m.n) FROM (SELECT IF(f.id IS NOT NULL, 7, 8) AS c FROM flags AS f LEFT JOIN (flags AS g JOIN kb ON TRUE) ON TRUE) AS q LEFT JOIN many AS m ON q.c = m.k',
        [[32, 32]],
      ],
      [
        "SELECT COUNT(*), COUNT(m.n) FROM (SELECT LEAST(STRPOS('a', CAST(NULL AS STRING)), kb.k) AS c FROM ka LEFT JOIN kb ON TRUE) AS q LEFT JOIN many AS m ON q.c = m.k",
        [[6, 0]],
      ],
    ],
    'a constant with the name of a column of a table that it stands beside': [
      [
        "SELECT (SELECT MAX(d) FROM (SELECT DISTINCT NUMERIC '1' + NUMERIC '-1' AS d FROM (SELECT 0 AS c FROM kd) AS x)) FROM kb",
        [['0'], ['0']],
      ],
      [
        "SELECT COUNT(*), MIN(q.d.x) FROM (SELECT STRUCT(LENGTH('abc') AS x, 1.0 AS y) AS d FROM kd) AS q LEFT JOIN kb ON TRUE WHERE q.d.x IS NOT NULL",
        [[8, 3]],
      ],
    ],
    'conditions of one side that are always the same': [
      ['SELECT COUNT(*) FROM flags AS a JOIN kb ON TRUE LEFT JOIN (ka AS c JOIN kb AS d ON TRUE) ON a.id IS NULL', [[8]]],
      ['SELECT COUNT(*) FROM ka AS a JOIN kb ON TRUE LEFT JOIN (SELECT COALESCE(TRUE, b) AS f FROM flags) AS c ON c.f', [[24]]],
    ],
    'an aggregate of all rows that no branch asks for': [
      ['SELECT CASE WHEN NOT (TRUE) THEN x END FROM (SELECT MIN(i) AS x FROM ka WHERE FALSE)', [[null]]],
      ['SELECT IF(1 = 2, x, 5) FROM (SELECT MIN(i) AS x FROM ka)', [[5]]],
    ],
    'grouping sets of a constant over no rows': [
      [
        'SELECT x, k FROM (SELECT 0 AS x FROM ka) LEFT JOIN (SELECT 1 AS j, [k] AS a FROM kb) AS b ON FALSE CROSS JOIN UNNEST(b.a) AS k GROUP BY ROLLUP(x, k)',
        [[null, null]],
      ],
    ],
    'a bare column, twice': [
      ['SELECT COUNT(*) FROM flags AS a JOIN kb ON a.b', [[4]]],
      ['SELECT COUNT(*) FROM flags AS a LEFT JOIN flags AS b ON a.w = b.w AND a.b LEFT JOIN flags AS c ON a.w = c.w AND a.b', [[7]]],
      ['SELECT COUNT(*) FROM flags AS a LEFT JOIN kb AS b ON a.b LEFT JOIN flags AS c ON a.w = c.w AND a.b', [[8]]],
      ['SELECT COUNT(*) FROM flags AS a LEFT JOIN kb AS b ON a.b LEFT JOIN kb AS c ON a.b', [[10]]],
    ],
    'conditions of one side': [
      [
        'SELECT a.i, b.k FROM ka AS a FULL JOIN kb AS b ON a.i > 1 AND b.k > 1',
        [
          [1, null],
          [9, 2],
          [null, null],
          [null, 1],
        ],
      ],
      [
        'SELECT a.i, b.k FROM ka AS a LEFT JOIN kb AS b ON a.i = 1 AND b.k = 2 AND a.i < b.k',
        [
          [1, 2],
          [9, null],
          [null, null],
        ],
      ],
      ['SELECT COUNT(*) FROM ka AS a CROSS JOIN kb AS z LEFT JOIN kb AS c ON z.k < a.i', [[8]]],
    ],
    'outer joins of joined tables on a constant': [
      [
        'SELECT COUNT(*), COUNT(c.k) FROM kb AS c RIGHT JOIN (SELECT 1 AS x FROM ka AS a LEFT JOIN kb AS b ON a.i = b.k) ON x = c.k',
        [[3, 3]],
      ],
      ['SELECT COUNT(*), COUNT(c.k) FROM kb AS c RIGHT JOIN (ka AS a CROSS JOIN kb AS b) ON SAFE_CAST("1" AS INT64) = 1', [[12, 12]]],
      ['SELECT COUNT(*), COUNT(c.k) FROM kb AS c RIGHT JOIN (ka AS a CROSS JOIN kb AS b) ON 1 > SAFE_CAST("1" AS INT64)', [[6, 0]]],
      ['SELECT COUNT(*), COUNT(c.k) FROM ka AS a CROSS JOIN kb AS b LEFT JOIN kb AS c ON SAFE_CAST("1" AS INT64) = 1', [[12, 12]]],
      ['SELECT COUNT(*), COUNT(c.k) FROM ka AS a LEFT JOIN kb AS b ON TRUE LEFT JOIN kb AS c ON 1 > SAFE_CAST("1" AS INT64)', [[6, 0]]],
      [
        'SELECT COUNT(*), COUNT(c.k) FROM (SELECT 1 AS x FROM ka AS a LEFT JOIN kb AS b ON a.i = b.k) LEFT JOIN kb AS c ON x = c.k',
        [[3, 3]],
      ],
      [
        'WITH w AS (SELECT 1.5 AS x FROM kb), v AS (SELECT TRUE AS y FROM w AS a RIGHT JOIN w AS b USING (x)) SELECT y, id FROM v LEFT JOIN flags ON y = b',
        [
          [true, 1],
          [true, 1],
          [true, 1],
          [true, 1],
          [true, 4],
          [true, 4],
          [true, 4],
          [true, 4],
        ],
      ],
      [
        'SELECT x, k FROM (SELECT IF(DATE "2000-01-01" IS NULL, i, NULL) AS x FROM ka CROSS JOIN kb) LEFT JOIN kb ON x = k',
        Array(6).fill([null, null]),
      ],
      [
        'SELECT DISTINCT x, c.k FROM (SELECT DISTINCT 2 AS x, a.i FROM ka AS a CROSS JOIN kb AS b LIMIT 5) LEFT JOIN kb AS c ON x = c.k',
        [[2, 2]],
      ],
      [
        'SELECT x, n, k FROM (SELECT 2 AS x, COUNT(*) AS n FROM ka AS a CROSS JOIN kb AS b GROUP BY 1) LEFT JOIN kb AS c ON x = c.k AND n > k',
        [[2, 6, 2]],
      ],
      [
        'SELECT c.i, (SELECT COUNT(*) FROM kd WHERE x = kd.i) FROM (SELECT 1 AS x FROM ka CROSS JOIN kb) LEFT JOIN ka AS c ON x = c.i',
        Array(6).fill([1, 1]),
      ],
    ],
    'a filter that ClickHouse folds, above three unnested arrays': [
      [
        "SELECT id FROM lists LEFT JOIN UNNEST(a) AS x LEFT JOIN UNNEST(s) AS y LEFT JOIN UNNEST(f) AS z WHERE x > 0 AND IFNULL('1', y) = '2'",
        [],
      ],
      [
        "SELECT id FROM lists LEFT JOIN UNNEST(a) AS x LEFT JOIN UNNEST(s) AS y LEFT JOIN UNNEST(f) AS z WHERE x > 0 AND COALESCE('1', y) = '1'",
        [[1], [1], [3]],
      ],
    ],
    'elements of an array and their offsets, on a condition': [
      [
        'SELECT id, x, o FROM lists LEFT JOIN UNNEST(a) AS x WITH OFFSET AS o ON x > 1',
        [
          [1, 2, 1],
          [2, null, null],
          [3, 3, 0],
        ],
      ],
      [
        'SELECT id, x, o, y FROM lists LEFT JOIN UNNEST(a) AS x WITH OFFSET AS o ON o < 1 LEFT JOIN UNNEST(s) AS y WITH OFFSET AS p ON p = o OR id = 2',
        [
          [1, 1, 0, 'x'],
          [2, null, null, 'y'],
          [2, null, null, null],
          [3, 3, 0, null],
        ],
      ],
      ['SELECT id FROM lists LEFT JOIN UNNEST(a) AS x WITH OFFSET AS o ON o < 1 AND x > 2 WHERE o IS NULL', [[1], [2]]],
      ['SELECT COUNT(o) FROM lists LEFT JOIN UNNEST(a) AS x WITH OFFSET AS o ON EXISTS(SELECT 1 FROM kb WHERE k = x + o)', [[1]]],
    ],
    'an aggregate that nobody reads': [
      ["SELECT 1 FROM (SELECT MAX('x') AS m FROM UNNEST([1, 2, 3])) WHERE TRUE", [[1]]],
      ["SELECT COUNT(*) FROM (SELECT MAX('x') AS m FROM kb WHERE k > 99) WHERE TRUE", [[1]]],
      ["SELECT CONCAT(STRING_AGG(CAST(NULL AS STRING)), 'x', CAST(NULL AS STRING)) FROM kb", [[null]]],
    ],
    'grouping sets': [
      [
        'SELECT a.i, b.i, COUNT(*) FROM kd AS a LEFT JOIN kd AS b ON a.i = b.d GROUP BY ROLLUP(a.i, b.i)',
        [
          [null, null, 2],
          [1, null, 1],
          [2, null, 1],
          [null, null, 2],
          [1, null, 1],
          [2, null, 1],
          [null, null, 4],
        ],
      ],
      [
        'SELECT x, y, COUNT(*) FROM (SELECT i AS x, i AS y FROM kd) GROUP BY ROLLUP(x, y)',
        [
          [null, null, 2],
          [1, 1, 1],
          [2, 2, 1],
          [null, null, 2],
          [1, null, 1],
          [2, null, 1],
          [null, null, 4],
        ],
      ],
      ['WITH c AS (SELECT i, d, COUNT(*) AS n FROM kd GROUP BY CUBE(i, d)) SELECT COUNT(*) FROM c', [[11]]],
      [
        'WITH c AS (SELECT i, d, COUNT(*) AS n FROM kd GROUP BY CUBE(i, d)) (SELECT COUNT(*) FROM c) UNION ALL (SELECT COUNT(*) FROM c)',
        [[11], [11]],
      ],
    ],
    'constants as keys': [
      [
        'SELECT x, GROUPING(x), COUNT(*) FROM (SELECT 0 AS x, i FROM kd) GROUP BY ROLLUP(x)',
        [
          [0, 0, 4],
          [null, 1, 4],
        ],
      ],
      ['SELECT MAX(k HAVING MIN k), 2 AS x, NUMERIC "1" AS y FROM kb GROUP BY x, y', [[1, 2, '1']]],
      ['SELECT MAX(k HAVING MIN k), 2 AS x, w FROM kb JOIN flags ON k = id GROUP BY x, w', [[1, 2, 'a']]],
    ],
    'aggregates and windows that ClickHouse rewrites': [
      [
        'SELECT id, SUM(id) OVER (ORDER BY LENGTH(w) RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM flags',
        [
          [1, 10],
          [2, 10],
          [3, 10],
          [4, 10],
        ],
      ],
      [
        'SELECT id, SUM(id) OVER (ORDER BY ASCII(w) / 1 RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM flags',
        [
          [1, 3],
          [2, 3],
          [3, 6],
          [4, 7],
        ],
      ],
      ["SELECT MIN(w) LIKE ANY ('a%', 'b%') FROM flags", [[true]]],
      ["SELECT w FROM flags GROUP BY w HAVING MAX(w) LIKE ANY ('b%', 'c%')", [['b'], ['c']]],
      ["SELECT REGEXP_CONTAINS(MAX(w), '^[bc]') OR REGEXP_CONTAINS(MIN(w), '^c$') FROM flags", [[true]]],
      [
        "SELECT SAFE_CAST(MAX(w) AS DATE), SAFE_CAST(MAX(w) AS TIMESTAMP), SAFE_CAST(ANY_VALUE('2026-11-23') AS DATE) FROM flags",
        [[null, null, '2026-11-23']],
      ],
      ['SELECT id, SAFE_CAST(MAX(w) OVER () AS DATE) FROM flags WHERE id = 1', [[1, null]]],
      ["SELECT w FROM flags GROUP BY w ORDER BY MAX(w) LIKE 'a%' OR MAX(w) LIKE '%b%' DESC, w DESC", [['b'], ['a'], ['c']]],
      [
        'SELECT id, COUNT(b) OVER (PARTITION BY w) FROM flags',
        [
          [1, 2],
          [2, 2],
          [3, 0],
          [4, 1],
        ],
      ],
    ],
    'a join of what is computed with a scalar subquery that is NULL': [
      [
        'SELECT COUNT(q.one) FROM (SELECT 1 AS one, SAFE_DIVIDE((SELECT k FROM kb WHERE k > 99 LIMIT 1), kd.i) AS c0 FROM ka LEFT JOIN kd ON TRUE) AS q LEFT JOIN flags ON q.c0 = flags.id',
        [[12]],
      ],
    ],
    'a scalar subquery of a LowCardinality column, without rows': [['SELECT (SELECT w FROM flags WHERE id > 99 LIMIT 1)', [[null]]]],
    'aggregates where a condition is NULL': [
      ['SELECT COUNT(NULLIF(k, i)), SUM(NULLIF(k, i)), MIN(NULLIF(k, i)) FROM kb LEFT JOIN ka ON i = k', [[1, 2, 2]]],
      ['SELECT COUNT(IF(i = 1, NULL, 5)), SUM(CASE WHEN i = 1 THEN NULL ELSE 5 END) FROM ka', [[2, 10]]],
      ['SELECT MIN(NULLIF(k, CAST(NULL AS INT64))) FROM kb', [[1]]],
    ],
  },
);
