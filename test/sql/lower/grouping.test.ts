// GROUP BY with grouping sets, keys that BigQuery takes as equal, and HAVING MAX/MIN: the rows they give.
import { testTable } from '../../support/table-rows.ts';

testTable({
  table: `
  SELECT 1 AS id, 'a' AS g, 3 AS n, 1.5 AS f
  UNION ALL SELECT 2, 'a', NULL, CAST('nan' AS FLOAT64)
  UNION ALL SELECT 3, 'b', 3, 0.0
  UNION ALL SELECT 4, 'b', -1, -0.0
  UNION ALL SELECT 5, 'b', 9, IEEE_DIVIDE(0, 0)`,
  queries: {
    'groups whose values are all NULL': [
      [
        'SELECT id > 1 AS later, SUM(n), AVG(n), MIN(n), MAX(n), ANY_VALUE(n), SUM(IF(FALSE, n, NULL)) FROM t WHERE id IN (1, 2) GROUP BY later ORDER BY later',
        [
          [0, 3, 3, 3, 3, 3, null],
          [1, null, null, null, null, null, null],
        ],
      ],
      [
        'SELECT g, SUM(IF(n > 3, n, NULL)), SUM(DISTINCT n), MAX(CAST(n AS STRING)) FROM t GROUP BY g ORDER BY g',
        [
          ['a', null, 3, '3'],
          ['b', 9, 11, '9'],
        ],
      ],
      ['SELECT 1, SUM(n), MIN(n) FROM t WHERE id > 9', [[1, null, null]]],
      ['SELECT c, SUM(n) FROM (SELECT 1 AS c, n FROM t WHERE id > 9) GROUP BY c', []],
      [
        'SELECT g, SUM(n) FROM t WHERE id = 2 GROUP BY ROLLUP (g) ORDER BY g',
        [
          [null, null],
          ['a', null],
        ],
      ],
      ['SELECT g, SUM(n) FROM t WHERE id > 9 GROUP BY ROLLUP (g)', [[null, null]]],
    ],
    'keys that are the same for all rows': [
      ["SELECT c, COUNT(*) FROM (SELECT DATE '2026-11-22' AS c FROM UNNEST(ARRAY<INT64>[])) GROUP BY c", []],
      ["SELECT c, COUNT(*) FROM (SELECT DISTINCT DATE '2026-11-22' AS c FROM UNNEST(ARRAY<INT64>[])) GROUP BY c", []],
      ["SELECT c FROM (SELECT DATE '2026-11-22' AS c, 'a' AS d FROM UNNEST(ARRAY<INT64>[])) GROUP BY c, d ORDER BY c LIMIT 1", []],
      ['SELECT c FROM (SELECT DISTINCT DIV(5, 2) AS c FROM UNNEST(ARRAY<INT64>[])) GROUP BY c', []],
      ['SELECT c FROM (SELECT x + CAST(NULL AS INT64) AS c FROM UNNEST(ARRAY<INT64>[]) AS x) GROUP BY c', []],
      ['SELECT (SELECT MAX(id) FROM t) AS c FROM UNNEST(ARRAY<INT64>[]) GROUP BY c', []],
      ["SELECT c, d FROM (SELECT UPPER('a') AS c, DIV(4, 2) AS d FROM UNNEST([1, 2])) GROUP BY c, d", [['A', 2]]],
      [
        'SELECT c, g, COUNT(*) FROM (SELECT 7 AS c, g FROM t) GROUP BY c, g ORDER BY g',
        [
          [7, 'a', 2],
          [7, 'b', 3],
        ],
      ],
    ],
    'grouping sets': [
      [
        'SELECT g, COUNT(*), GROUPING(g) FROM t GROUP BY ROLLUP(g) ORDER BY 3, 1',
        [
          ['a', 2, 0],
          ['b', 3, 0],
          [null, 5, 1],
        ],
      ],
      [
        'SELECT g, n > 0, SUM(id) FROM t GROUP BY CUBE(g, n > 0) ORDER BY 3, 1, 2',
        [
          ['a', 1, 1],
          [null, null, 2],
          ['a', null, 2],
          ['a', null, 3],
          [null, 0, 4],
          ['b', 0, 4],
          ['b', 1, 8],
          [null, 1, 9],
          ['b', null, 12],
          [null, null, 15],
        ],
      ],
      ['SELECT COUNT(*) FROM t GROUP BY GROUPING SETS ((), ())', [[5], [5]]],
      ['SELECT 1 FROM t GROUP BY GROUPING SETS (())', [[1]]],
      ['SELECT COUNT(*) FROM t WHERE id > 9 GROUP BY ROLLUP(g)', [[0]]],
      ["SELECT g FROM t GROUP BY ROLLUP(g) HAVING g IS NULL OR g = 'b' ORDER BY g", [[null], ['b']]],
      // The key n + 1 is shown as what n + 1 is in the group, also where it is rolled up itself.
      [
        'SELECT n, n + 1 FROM t WHERE id = 5 GROUP BY GROUPING SETS (n, n + 1) ORDER BY 1',
        [
          [null, null],
          [9, 10],
        ],
      ],
      ['SELECT n + 1 AS m FROM t WHERE id = 5 GROUP BY ROLLUP(m) ORDER BY 1', [[null], [10]]],
    ],
    keys: [
      ['SELECT COUNT(*) FROM t GROUP BY f ORDER BY 1', [[1], [2], [2]]],
      ['SELECT COUNT(*) FROM (SELECT DISTINCT f FROM t)', [[3]]],
      ['SELECT COUNT(DISTINCT f), COUNT(DISTINCT STRUCT(f, g)) FROM t', [[3, 4]]],
      [
        'SELECT n, COUNT(*) FROM t GROUP BY n ORDER BY n',
        [
          [null, 1],
          [-1, 1],
          [3, 2],
          [9, 1],
        ],
      ],
      ["SELECT 'x', COUNT(*) FROM t WHERE id > 9 GROUP BY 1", []],
      ['SELECT MAX(id) FROM t GROUP BY ()', [[5]]],
    ],
    'rows that set operations compare': [
      ['SELECT n / -3 * 0 FROM t WHERE id IN (1, 4) UNION DISTINCT SELECT f FROM t ORDER BY 1', [['nan'], [0], [1.5]]],
      ['SELECT x FROM UNNEST([0.0, -0.0]) x EXCEPT DISTINCT SELECT 0.0', []],
      ['(SELECT x FROM UNNEST([0.0, -0.0]) x UNION ALL SELECT -0.0) EXCEPT DISTINCT SELECT 0.0', []],
      ['SELECT x FROM UNNEST([-0.0]) x INTERSECT DISTINCT SELECT 0.0', [[0]]],
      ['SELECT STRUCT(x AS a) FROM UNNEST([0.0, -0.0]) x UNION DISTINCT SELECT STRUCT(-0.0)', [[[0]]]],
      ['SELECT SAFE_DIVIDE(0, x) FROM UNNEST([1, -1]) x UNION DISTINCT SELECT 1.0 ORDER BY 1', [[0], [1]]],
    ],
    'HAVING MAX and MIN': [
      [
        'SELECT g, ARRAY_AGG(id HAVING MAX n ORDER BY id) FROM t GROUP BY g ORDER BY g',
        [
          ['a', [1]],
          ['b', [5]],
        ],
      ],
      ['SELECT COUNT(* HAVING MIN n), SUM(id HAVING MAX g), COUNT(*) FROM t', [[1, 12, 5]]],
      // NaN is the maximum, and equals nothing.
      ['SELECT COUNT(* HAVING MAX f), SUM(id HAVING MAX n) FROM t', [[0, 5]]],
      [
        'SELECT g, ANY_VALUE(id HAVING MAX n), ANY_VALUE(n HAVING MAX id) FROM t GROUP BY g ORDER BY g',
        [
          ['a', 1, null],
          ['b', 5, 9],
        ],
      ],
      ['SELECT COUNT(* HAVING MAX IF(id > 9, n, NULL)) FROM t', [[0]]],
    ],
    'elements of quantiles': [
      [
        'SELECT g, q[OFFSET(2)], q[ORDINAL(5)] FROM (SELECT g, APPROX_QUANTILES(id, 4) AS q FROM t GROUP BY g) ORDER BY g',
        [
          ['a', 1, 2],
          ['b', 4, 5],
        ],
      ],
      ['SELECT q[OFFSET(1)], ARRAY_LENGTH(q) FROM (SELECT APPROX_QUANTILES(id, 2) AS q FROM t)', [[3, 3]]],
    ],
  },
});
