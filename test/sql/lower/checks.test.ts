// Checks fail for the rows that reach them, and for no others: in IF, CASE, COALESCE, and where several branches read what has a check.
import { testRealTables } from '../../support/real-tables.ts';

const PATH = "IF(STRPOS(w, '?') > 0, SUBSTR(w, 1, STRPOS(n, '?') - 1), w)";

testRealTables(
  {
    urls: {
      columns: 'id Int64, w String, n Nullable(String)',
      rows: "(1, 'a?b', 'a?c'), (2, 'Bc', 'q'), (3, ' d ', NULL)",
    },
  },
  {
    'a value with a check in several branches': [
      [`SELECT TRIM(${PATH}) FROM urls`, [['a'], ['Bc'], ['d']]],
      [`SELECT IF(id = 2, CONCAT(v, 'x'), LOWER(v)) FROM (SELECT id, ${PATH} AS v FROM urls)`, [['a'], ['Bcx'], [' d ']]],
      [
        `WITH p AS (SELECT id, ${PATH} AS v FROM urls) SELECT CASE WHEN id < 2 THEN v WHEN v = 'Bc' THEN v ELSE TRIM(v) END FROM p`,
        [['a'], ['Bc'], ['d']],
      ],
      [
        `SELECT v, IF(v = 'a', CONCAT(v, 'x'), LOWER(v)), COUNT(*) FROM (SELECT ${PATH} AS v FROM urls) GROUP BY v ORDER BY v`,
        [
          [' d ', ' d ', 1],
          ['Bc', 'bc', 1],
          ['a', 'ax', 1],
        ],
      ],
      [
        `SELECT MAX(TRIM(${PATH})), COUNT(*) FROM urls GROUP BY TRIM(${PATH}) ORDER BY 1`,
        [
          ['Bc', 1],
          ['a', 1],
          ['d', 1],
        ],
      ],
      [
        "SELECT TRIM(CASE WHEN id = 1 THEN SUBSTR(w, 1, 2 - id) WHEN id = 2 THEN w WHEN id > 3 THEN SUBSTR(w, 1, -id) ELSE IF(id < 3, SUBSTR(w, 1, -id), 'z') END) FROM urls",
        [['a'], ['Bc'], ['z']],
      ],
    ],
    'a call that fails by itself in a choice that several branches read': [
      ['SELECT IF(v > 1, v, ABS(v)) FROM (SELECT IF(id != 2, DIV(6, id - 2), 0) AS v FROM urls)', [[6], [0], [6]]],
      ['SELECT IF(v > 1, v, ABS(v)) FROM (SELECT IF(id = 2, 0, MOD(7, id - 2)) AS v FROM urls)', [[0], [0], [0]]],
      [
        'SELECT IF(v > 1, v, ABS(v)) FROM (SELECT IF(id < 3, CAST(POW(10, id * id * 3) AS INT64), -4) AS v FROM urls)',
        [[1000], [1_000_000_000_000], [4]],
      ],
      [
        `SELECT IF(v = 'x', v, LOWER(v)) FROM (SELECT IF(n IS NULL, JSON_VALUE(PARSE_JSON(CONCAT('{"b":"', w, '"}')), '$.b'), IF(id > 2, JSON_VALUE(PARSE_JSON(w), '$.b'), w)) AS v FROM urls)`,
        [['a?b'], ['bc'], [' d ']],
      ],
    ],
    'a condition that fails by itself in a choice that several branches read': [
      [
        "SELECT IF(v > 1, v, ABS(v)) FROM (SELECT IF(w = '7', IF(CAST(w AS INT64) > 1, CAST(w AS INT64) + 1, 0), -id) AS v FROM urls)",
        [[1], [2], [3]],
      ],
      [
        'SELECT IF(v > 1, v, ABS(v)) FROM (SELECT CASE WHEN id = 1 THEN 0 WHEN DIV(6, id - 1) > 3 THEN DIV(8, id - 1) ELSE -5 END AS v FROM urls)',
        [[0], [8], [5]],
      ],
      [
        'SELECT v, IF(v > 1, v, ABS(v)) FROM (SELECT CASE WHEN id = 1 THEN 0 WHEN DIV(6, id - 1) > 3 THEN DIV(8, id - 1) ELSE -5 END AS v FROM urls) GROUP BY v ORDER BY v',
        [
          [-5, 5],
          [0, 0],
          [8, 8],
        ],
      ],
      [
        `SELECT IF(v > 1, v, ABS(v)) FROM (SELECT CASE ${[10, 11, 12, 13, 14, 15, 16, 17].map((n) => `WHEN id = ${n} THEN ${n}`).join(' ')} WHEN id = 3 THEN DIV(3, id - 1) ELSE -id END AS v FROM urls)`,
        [[1], [2], [1]],
      ],
      [
        'SELECT IF(v > 1, v, ABS(v)) FROM (SELECT IF(id > 1, IF(DIV(6, id - 1) > 3, (SELECT MAX(DIV(6, x)) FROM UNNEST([id, 2]) AS x), 0), -4) AS v FROM urls)',
        [[4], [3], [0]],
      ],
    ],
    'aggregates of a choice': [
      ['SELECT AVG(IF(id > 1, 1 / (id - 1), NULL)) FROM urls', [[0.75]]],
      [
        'SELECT id, SUM(IF(id > 1, 1 / (id - 1), NULL)) FROM urls GROUP BY id ORDER BY id',
        [
          [1, null],
          [2, 1],
          [3, 0.5],
        ],
      ],
      ['SELECT x FROM (SELECT IF(COUNT(*) > 2, SUM(IF(id > 1, 1 / (id - 1), 0)), 0) AS x FROM urls) WHERE x > 0', [[1.5]]],
      [
        'SELECT IF(COUNT(*) > 2, SUM(1 / id), 0) AS x, IF(COUNT(*) < 2, SUM(1 / id), SUM(1 / (id + 1))) > 1 AS y FROM urls WHERE id < 3',
        [[0, false]],
      ],
    ],
    'aggregates in branches that are not taken': [
      ['SELECT IF(SUM(id) > 0, SUM(id), SUM(id / 0)) FROM urls', [[6]]],
      ['SELECT IF(SUM(1 / id) > 0, COUNT(*), SUM(1 / (id - 1))) FROM urls', [[3]]],
      ['SELECT IF(COUNT(*) > 0, 1, SUM(IF(id > 1, DIV(1, id - 2), 0))) FROM urls', [[1]]],
      ['SELECT IF(COUNT(*) > 0, 1, SUM(CAST(w AS INT64) + CAST(id * 3e18 AS INT64))) FROM urls', [[1]]],
      ['SELECT IF(id > 0, id, SUM(1 / (id - id)) OVER (PARTITION BY w)) FROM urls ORDER BY 1', [[1], [2], [3]]],
      [
        'SELECT id, CASE WHEN id > 1 THEN 0 ELSE SUM(1 / (id - 2)) END FROM urls GROUP BY id ORDER BY id',
        [
          [1, -1],
          [2, 0],
          [3, 0],
        ],
      ],
      [
        'SELECT id, IF(id > 0, id, (SELECT SUM(1 / (u.id - 1)) FROM urls AS u)) FROM urls ORDER BY id',
        [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
      ],
    ],
    'aggregates that are never NULL in branches': [
      ['SELECT DISTINCT PERCENTILE_DISC(id + id, 0.5 RESPECT NULLS) OVER () FROM urls', [[4]]],
      ['SELECT IFNULL(ARRAY_LENGTH(ARRAY_AGG(id + id ORDER BY w, id DESC)), 0) FROM urls', [[3]]],
      ['SELECT COALESCE(ARRAY_AGG(1 / id IGNORE NULLS ORDER BY id LIMIT 2)[OFFSET(0)], 0) FROM urls', [[1]]],
      ['SELECT IFNULL(ARRAY_LENGTH(ARRAY_CONCAT_AGG([1 / id])), 0), IFNULL(APPROX_QUANTILES(1 / id, 2)[OFFSET(2)], 0) FROM urls', [[3, 1]]],
    ],
    'calls over windows in branches, in a subquery': [
      [
        'SELECT x FROM (SELECT IFNULL(LAST_VALUE(1 / id) OVER (ORDER BY id DESC), SUM(1 / id) OVER ()) AS x FROM urls) ORDER BY x DESC',
        [[1], [0.5], [1 / 3]],
      ],
    ],
    'a check of constants': [
      ["SELECT IFNULL(id, CAST('x' AS INT64)) FROM urls", [[1], [2], [3]]],
      ["SELECT CASE WHEN id > 99 THEN SUBSTR('a', 1, STRPOS('b', '?') - 1) ELSE 'c' END FROM urls", [['c'], ['c'], ['c']]],
      ["SELECT MAX(IF(id > 99, CAST(CONCAT('x', 'y') AS INT64), id)) FROM urls", [[3]]],
    ],
    'a formula over aggregates, of which each operator writes what it is about several times': [
      [
        `WITH prices AS (SELECT id, ROUND(SAFE_DIVIDE(GREATEST(id, 10 * POW(2, 3)), POW(2, 4)) * 6.25, 2) AS listed, IF(id < 2, 2, id) * 0.5 AS paid FROM urls)
        SELECT ROUND(100 * (SUM(listed) - SUM(paid)) / NULLIF(SUM(listed), 0), 2), CASE WHEN SUM(listed) < SUM(paid) THEN 'more' ELSE 'less' END FROM prices`,
        [[96.27, 'less']],
      ],
      [
        `WITH prices AS (SELECT id, id * 1.5 AS listed, id / 4 AS paid FROM urls)
        SELECT id, ROUND(100 * (SUM(listed) - SUM(paid)) / NULLIF(SUM(listed) * AVG(paid) + SUM(paid), 0), 1) AS share FROM prices GROUP BY id HAVING share > 70 ORDER BY share DESC`,
        [
          [1, 200],
          [2, 125],
          [3, 90.9],
        ],
      ],
    ],
    'what stands behind a value': [
      ["SELECT COALESCE(n, ERROR('no name')) FROM urls WHERE id < 3", [['a?c'], ['q']]],
      [
        'SELECT COALESCE(w, n, SUBSTR(w, 1, -id)), IFNULL(n, SUBSTR(w, 1, id)) FROM urls',
        [
          ['a?b', 'a?c'],
          ['Bc', 'q'],
          [' d ', ' d '],
        ],
      ],
      [
        'SELECT IFNULL(id, CAST(w AS INT64)), COALESCE(STRUCT(id), STRUCT(CAST(w AS INT64))) FROM urls',
        [
          [1, [1]],
          [2, [2]],
          [3, [3]],
        ],
      ],
      ['SELECT IFNULL(MAX(n), ERROR("none")) FROM urls', [['q']]],
    ],
  },
);
