// Conditions that keep rows: IN over arrays, and choices that ClickHouse folds above an ARRAY JOIN.
import { expect, test } from 'vitest';
import { arrayOf, INT64 } from '../../../src/sql/base/types.ts';
import { translate } from '../../../src/sql/index.ts';
import { testRealTables } from '../../support/real-tables.ts';

testRealTables(
  {
    t: {
      columns: 'id Int64, n Nullable(Int64), w LowCardinality(Nullable(String)), b Nullable(Bool), c Bool, a Array(Nullable(Int64))',
      rows: "(1, 1, 'a', true, true, [1, 2]), (2, NULL, 'b', NULL, true, []), (3, 3, NULL, false, true, [3])",
    },
  },
  {
    'IN UNNEST of an array that is the same for all rows': [
      ['SELECT id FROM t WHERE n IN UNNEST(GENERATE_ARRAY(2, 5))', [[3]]],
      ['SELECT id FROM t WHERE NOT (n IN UNNEST(GENERATE_ARRAY(2, 5)))', [[1]]],
      ['SELECT id FROM t WHERE n NOT IN UNNEST(GENERATE_ARRAY(2, 1))', [[1], [2], [3]]],
      ["SELECT id FROM t WHERE w IN UNNEST(SPLIT('a,c')) OR n IN UNNEST([3, NULL])", [[1], [3]]],
      [
        "SELECT n IN UNNEST(GENERATE_ARRAY(2, 5)), w IN UNNEST(SPLIT('a,c')), n IN UNNEST([1, NULL]), n IN UNNEST([]), n IN UNNEST(GENERATE_ARRAY(2, 1)) FROM t ORDER BY id",
        [
          [false, true, true, false, false],
          [null, false, null, false, false],
          [true, null, null, false, false],
        ],
      ],
    ],
    'zeros of both signs, which are equal': [
      [
        'SELECT id, ROUND(-0.2 * id) IN (0, 1), ROUND(-0.2 * id) IN UNNEST([0.0, 2.0]), ROUND(-0.2 * id) NOT IN (0.0) FROM t',
        [
          [1, true, true, false],
          [2, true, true, false],
          [3, false, false, true],
        ],
      ],
      ['SELECT id FROM t WHERE -CAST(id - 1 AS FLOAT64) IN (SELECT CAST(n - 1 AS FLOAT64) FROM t)', [[1]]],
      [
        'SELECT id, -CAST(id - 1 AS FLOAT64) IN (SELECT 0.0 * n FROM t WHERE n > 0) FROM t',
        [
          [1, true],
          [2, false],
          [3, false],
        ],
      ],
      ['SELECT id FROM t WHERE (-CAST(id - 1 AS FLOAT64), id) IN (SELECT (CAST(n - 1 AS FLOAT64), n) FROM t)', [[1]]],
      ['SELECT 0.0 IN (-0.0), -0.0 IN (0.0, 1.0), 0.0 NOT IN (-0.0, 5)', [[true, true, false]]],
    ],
    'IN over rows of a narrower type': [
      ["SELECT id FROM t WHERE id + NUMERIC '0.5' IN (SELECT n FROM t)", []],
      ["SELECT id FROM t WHERE id + BIGNUMERIC '0.5' NOT IN (SELECT id FROM t)", [[1], [2], [3]]],
      [
        "SELECT id, id * NUMERIC '1.5' IN (SELECT n FROM t), id * NUMERIC '1.5' IN (SELECT id FROM t WHERE c) FROM t",
        [
          [1, null, false],
          [2, true, true],
          [3, null, false],
        ],
      ],
      ["SELECT id FROM t WHERE id * NUMERIC '0.5' IN (SELECT u.id FROM t AS u WHERE u.n IS NOT NULL OR u.w = t.w)", [[2]]],
      ["SELECT id FROM t WHERE id IN (SELECT id * NUMERIC '1.5' FROM t)", [[3]]],
    ],
    'a choice that is always the same, above an unnested array': [
      ['SELECT id, x FROM t LEFT JOIN UNNEST(a) AS x WHERE n IN UNNEST(ARRAY<INT64>[])', []],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE n NOT IN UNNEST(ARRAY<INT64>[])', [[1], [1], [2], [3]]],
      [
        "SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE CASE DATE '2023-03-26' WHEN DATE '2024-01-15' THEN b WHEN DATE '2024-01-16' THEN TRUE ELSE FALSE END",
        [],
      ],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE CASE WHEN ABS(1) > 2 THEN b WHEN ABS(1) > 3 THEN TRUE ELSE n IS NULL END', [[2]]],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE NOT (id BETWEEN 7 AND x)', [[1], [1], [2], [3]]],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE id NOT BETWEEN 7 AND x OR id BETWEEN x AND 0', [[1], [1], [2], [3]]],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE NOT (id BETWEEN 7 AND NULL)', [[1], [1], [2], [3]]],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE id BETWEEN NULL AND x', []],
      ['SELECT id FROM t CROSS JOIN UNNEST(a) AS x WHERE (x BETWEEN NULL AND NULL) IS NULL', [[1], [1], [3]]],
      ['SELECT id FROM t CROSS JOIN UNNEST(a) AS x WHERE NULLIF(CAST(NULL AS INT64), x) IS NULL AND id > 1', [[3]]],
      ['SELECT id FROM t CROSS JOIN UNNEST(a) AS x WHERE CASE WHEN (1, 0) != (1, id) THEN CAST(NULL AS INT64) END IS NOT NULL', []],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE LEAST(CAST(NULL AS BOOL), b)', []],
      [
        'SELECT b FROM t CROSS JOIN UNNEST(a) WHERE CASE WHEN CAST(NULL AS INT64) NOT IN (3, 1) THEN c END GROUP BY GROUPING SETS ((b), ())',
        [[null]],
      ],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE CASE WHEN n IN (3, -1) THEN CAST(NULL AS BOOL) END', []],
      ['SELECT 1 FROM (SELECT [n] AS l FROM t WHERE IF(n IN (3, -1), TRUE, TRUE)) LEFT JOIN UNNEST(l)', [[1], [1], [1]]],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x ON b WHERE CAST(NULL AS INT64) BETWEEN n AND ABS(n)', []],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x ON b WHERE NOT (CAST(NULL AS INT64) BETWEEN n AND ABS(n)) OR id = 2', [[2]]],
    ],
    'IN UNNEST of no elements, below an unnested array that is made there': [
      ['SELECT id FROM (SELECT id, [STRUCT(n AS x)] AS l FROM t WHERE id IN UNNEST(ARRAY<INT64>[])) LEFT JOIN UNNEST(l)', []],
      ['SELECT id FROM (SELECT id, [STRUCT(n AS x)] AS l FROM t WHERE id IN UNNEST(CAST(NULL AS ARRAY<INT64>))) CROSS JOIN UNNEST(l)', []],
      [
        'SELECT id FROM (SELECT id, [STRUCT(n AS x)] AS l FROM t WHERE id NOT IN UNNEST(ARRAY<INT64>[])) LEFT JOIN UNNEST(l)',
        [[1], [2], [3]],
      ],
      [
        'SELECT id FROM (SELECT id, [STRUCT(n AS x)] AS l FROM t WHERE n NOT IN UNNEST(GENERATE_ARRAY(2, 1))) LEFT JOIN UNNEST(l)',
        [[1], [2], [3]],
      ],
    ],
    'a constant with a check in a branch, read more than once': [
      ["SELECT d FROM (SELECT SAFE_CAST(REVERSE('ab') AS DATE) AS d FROM t) ORDER BY d", [[null], [null], [null]]],
      ["SELECT d, COUNT(*) FROM (SELECT SAFE_CAST(REVERSE('ab') AS DATE) AS d FROM t) GROUP BY d", [[null, 3]]],
      [
        "SELECT d, MAX(d) OVER () FROM (SELECT SAFE_CAST(REVERSE('51-10-4202') AS DATE) AS d FROM t WHERE id = 1)",
        [['2024-01-15', '2024-01-15']],
      ],
    ],
    'a condition that holds where nothing was unnested': [
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE NOT (x IS NOT NULL)', [[2]]],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE (x IS NOT NULL) = FALSE', [[2]]],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE x IS NOT NULL', [[1], [1], [3]]],
    ],
    'what is computed with NULL, above an unnested array': [
      ['SELECT id FROM t CROSS JOIN UNNEST(a) AS x WHERE n + CAST(NULL AS INT64) IS NOT NULL', []],
      ['SELECT id FROM t CROSS JOIN UNNEST(a) AS x WHERE n + CAST(NULL AS INT64) IS NULL AND x > 1', [[1], [3]]],
      ['SELECT id FROM t CROSS JOIN UNNEST(a) AS x WHERE n * CAST(NULL AS INT64) IN (1, 2)', []],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE SAFE_DIVIDE(n, 0) NOT IN (100.0, 1.0)', []],
      [
        'SELECT id FROM t LEFT JOIN UNNEST(CAST(NULL AS ARRAY<STRING>)) AS x WITH OFFSET AS o ON w IS NOT NULL WHERE o BETWEEN n AND ABS(n)',
        [],
      ],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE SAFE_DIVIDE(n, CAST(NULL AS INT64)) NOT IN (100.0, SAFE_CAST(w AS FLOAT64))', []],
      ['SELECT id FROM t LEFT JOIN UNNEST(a) AS x WHERE SAFE_DIVIDE(n, 0) IS NULL AND id = 3', [[3]]],
      ['SELECT id FROM t CROSS JOIN UNNEST(a) AS x WHERE n - CAST(NULL AS INT64) IS NOT DISTINCT FROM NULL', [[1], [1], [3]]],
    ],
    'a choice of constant structs': [
      [
        'SELECT IF(id > 1, STRUCT(1 AS x, CAST(NULL AS STRING) AS y), STRUCT(0, NULL)) FROM t ORDER BY id',
        [[[0, null]], [[1, null]], [[1, null]]],
      ],
    ],
    'a scalar subquery without rows over LowCardinality': [
      [
        "SELECT (SELECT UPPER(w) FROM t WHERE id > 9), (SELECT LENGTH(w) FROM t WHERE id > 9), (SELECT w = 'a' FROM t WHERE id > 9)",
        [[null, null, null]],
      ],
    ],
  },
);

test('an array of a parameter is a set that the key of a table can use', () => {
  const sql = (condition: string): string =>
    translate(`SELECT x FROM (SELECT 1 AS x) WHERE ${condition}`, { parameters: { ids: arrayOf(INT64) } }).sql;
  expect(sql('x IN UNNEST(@ids)')).toContain('IN ({ids:Array(Nullable(Int64))})');
  expect(sql('x IN UNNEST(@ids)')).not.toContain('multiIf');
  expect(sql('ARRAY_LENGTH(@ids) = 0 OR x IN UNNEST(@ids)')).not.toContain('multiIf');
});
