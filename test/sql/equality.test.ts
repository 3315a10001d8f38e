// Equality, distinctness, grouping, decimals beside plain numbers, and what recursive queries and operators refuse.
import { expect, test } from 'vitest';
import { queryRunner, refusal } from '../support/query-rows.ts';

const { rows } = queryRunner();
const NAN = "CAST('nan' AS FLOAT64)";

test.each<[string, unknown]>([
  [
    'SELECT [1, NULL] = [1, NULL], [1, NULL] = [2, NULL], [1, 2] = [1], [1, 2] = [1, 2], [1, 2] <> [1, 3]',
    [[null, false, false, true, true]],
  ],
  [`SELECT [${NAN}] = [${NAN}], STRUCT([1, NULL]) = STRUCT([1, NULL]), STRUCT(1, ${NAN}) = STRUCT(1, ${NAN})`, [[false, null, false]]],
  [
    `SELECT STRUCT(${NAN}) IS DISTINCT FROM STRUCT(${NAN}), STRUCT(0.0, 's') IS NOT DISTINCT FROM STRUCT(-0.0, 's'), STRUCT(1.5) IS DISTINCT FROM NULL`,
    [[false, true, true]],
  ],
  ['SELECT STRUCT() = STRUCT(), STRUCT() = CAST(NULL AS STRUCT<>)', [[true, null]]],
  [
    "SELECT ('a', n) IN (SELECT (k, v) FROM UNNEST(tags)), ('a', n) NOT IN (SELECT (k, v) FROM UNNEST(tags)) FROM (SELECT 1 AS n, [STRUCT('a' AS k, 1 AS v), ('b', 2)] AS tags UNION ALL SELECT 2, [('a', 1), ('b', 2)] UNION ALL SELECT 3, [('a', NULL)] UNION ALL SELECT 4, [('b', NULL)] UNION ALL SELECT 5, [] UNION ALL SELECT NULL, [('a', 1)]) ORDER BY n",
    [
      [null, null],
      [true, false],
      [false, true],
      [null, null],
      [false, true],
      [false, true],
    ],
  ],
  [
    "WITH a AS (SELECT 1 AS n, 'x' AS k, 1 AS v UNION ALL SELECT 2, 'x', NULL UNION ALL SELECT 3, 'y', NULL UNION ALL SELECT 4, 'z', 1 UNION ALL SELECT 5, NULL, 1), b AS (SELECT 'x' AS k, 1 AS v UNION ALL SELECT 'y', NULL) SELECT n, (k, v) IN (SELECT (b.k, b.v) FROM b), (k, v) NOT IN (SELECT STRUCT(b.k, b.v) FROM b) FROM a ORDER BY n",
    [
      [1, true, false],
      [2, null, null],
      [3, null, null],
      [4, false, true],
      [5, null, null],
    ],
  ],
  [
    "WITH a AS (SELECT 1 AS n, 'x' AS k, 1 AS v UNION ALL SELECT 2, 'x', NULL UNION ALL SELECT 3, 'y', NULL UNION ALL SELECT 4, 'z', 1) SELECT n FROM a WHERE (k, v) IN (SELECT (b.k, b.v) FROM a AS b) ORDER BY n",
    [[1], [4]],
  ],
  [
    "WITH a AS (SELECT 1 AS n, 'x' AS k, 1 AS v UNION ALL SELECT 2, 'x', NULL UNION ALL SELECT 3, 'y', 2) SELECT n, (k, v) IN (SELECT (b.k, b.v) FROM a AS b WHERE b.k = a.k AND b.v = 1) FROM a ORDER BY n",
    [
      [1, true],
      [2, null],
      [3, false],
    ],
  ],
  [
    "WITH a AS (SELECT 1 AS n, NULL AS v UNION ALL SELECT 2, 2 UNION ALL SELECT 3, 3) SELECT n, (1, (v, 'a')) IN (SELECT (1, (2, 'a')) FROM a AS b) FROM a ORDER BY n",
    [
      [1, null],
      [2, true],
      [3, false],
    ],
  ],
  [
    `SELECT x IN (SELECT ${NAN} FROM UNNEST([1, 2])), (x, 1) IN (SELECT (${NAN}, 1) FROM UNNEST([1, 2])), (x, [1]) IN (SELECT (${NAN}, [1]) FROM UNNEST([1])) FROM (SELECT ${NAN} AS x)`,
    [[false, false, false]],
  ],
  [
    'SELECT DISTINCT STRUCT(a[OFFSET(0)] * b[OFFSET(1)] - a[OFFSET(1)] * b[OFFSET(0)] AS x, a[OFFSET(0)] * b[OFFSET(2)] - a[OFFSET(2)] * b[OFFSET(0)] AS y) AS v FROM (SELECT [1.5, 2.0, 3.0] AS a, [0.5, 1.0, 2.0] AS b UNION ALL SELECT [1.5, 2.0, 3.0], [0.5, 1.0, 2.0])',
    [[[0.5, 1.5]]],
  ],
  ['SELECT COUNT(DISTINCT STRUCT(x)) FROM UNNEST([1, NULL, NULL]) AS x', [[2]]],
  [
    "SELECT CAST(x AS STRING) FROM UNNEST([BIGNUMERIC '1.1', 99999999999999999999.123]) AS x ORDER BY x",
    [['1.1'], ['99999999999999999999.123']],
  ],
  [
    "SELECT VAR_POP(x) BETWEEN 0.0024 AND 0.0026 FROM UNNEST([NUMERIC '1000000000000000000000000.1', NUMERIC '1000000000000000000000000.2', NULL]) AS x",
    [[true]],
  ],
  [
    "SELECT COVAR_POP(x, y), CORR(x, y) FROM UNNEST([STRUCT(NUMERIC '10000000000000000000.1' AS x, NUMERIC '3' AS y), (NUMERIC '10000000000000000000.2', 4), (NULL, 1)])",
    [[0.025, 1]],
  ],
  ['SELECT STDDEV_POP(x) BETWEEN 2.0548e300 AND 2.0549e300 FROM UNNEST([1.0e300, 3.0e300, -2.0e300]) AS x', [[true]]],
  ["SELECT STDDEV(x), VAR_SAMP(x), STDDEV_POP(x) FROM UNNEST([NUMERIC '1']) AS x", [[null, null, 0]]],
  ['SELECT a.x FROM (SELECT INTERVAL 1 MONTH AS x) AS a JOIN (SELECT INTERVAL 30 DAY AS x) AS b ON a.x = b.x', [['0-1 0 0:0:0']]],
  [
    'SELECT a.x FROM (SELECT [1] AS x UNION ALL SELECT [1, NULL]) AS a JOIN (SELECT [1] AS x UNION ALL SELECT [1, NULL]) AS b ON a.x = b.x',
    [[[1]]],
  ],
  [
    'SELECT a.x, b.x IS NULL FROM (SELECT STRUCT(1, NULL) AS x UNION ALL SELECT STRUCT(2, 3)) AS a LEFT JOIN (SELECT STRUCT(1, NULL) AS x UNION ALL SELECT STRUCT(2, 3)) AS b ON a.x = b.x ORDER BY 2',
    [
      [[2, 3], false],
      [[1, null], true],
    ],
  ],
  ["SELECT FORMAT_DATETIME('%s', DATETIME '1969-12-31 23:59:59')", [['-1']]],
  ['WITH RECURSIVE r AS (SELECT 0.0 AS n UNION DISTINCT SELECT -n FROM r) SELECT n FROM r', [[0]]],
  [`WITH RECURSIVE r AS (SELECT ${NAN} AS n UNION DISTINCT SELECT n + 1 FROM r) SELECT COUNT(*) FROM r`, [[1]]],
  [
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r LEFT JOIN UNNEST([1, 2]) AS x ON x = n WHERE n < 3) SELECT n FROM r ORDER BY n',
    [[1], [2], [3]],
  ],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

const STEP = (step: string): string => `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL ${step}) SELECT n FROM r`;

test.each([
  ['SELECT NOT NOT NULL', 'type: an operand of NOT can’t be the literal NULL'],
  ['SELECT 1 = NULL', 'type: an operand of = can’t be the literal NULL'],
  ["SELECT 'a' || NULL", 'type: an operand of || can’t be the literal NULL'],
  ["SELECT NULL LIKE 'a'", 'type: an operand of LIKE can’t be the literal NULL'],
  ['SELECT -NULL', 'type: an operand of - can’t be the literal NULL'],
  ['SELECT 1 AS a FROM UNNEST([1]) AS x HAVING COUNT(*) > 0', 'type: HAVING needs GROUP BY or an aggregate function in the SELECT list'],
  [STEP('SELECT DISTINCT n + 1 FROM r WHERE n < 3'), 'type: r can’t be read under DISTINCT in its recursive query'],
  [STEP('SELECT COUNT(*) FROM r'), 'type: r can’t be read under GROUP BY or an aggregate function in its recursive query'],
  [STEP('SELECT ROW_NUMBER() OVER () FROM r WHERE n < 3'), 'type: r can’t be read under a window function in its recursive query'],
  [STEP('SELECT a.n + 1 FROM r AS a, r AS b WHERE a.n < 3'), 'type: r can’t be read twice in its recursive query'],
  [
    STEP('SELECT 2 FROM UNNEST([1]) AS x WHERE x IN (SELECT n FROM r)'),
    'type: r can’t be read in a subquery of an expression in its recursive query',
  ],
  [
    STEP('SELECT x FROM UNNEST([1]) AS x LEFT JOIN r ON x = n'),
    'type: r can’t be read on the side of an outer join that may be missing in its recursive query',
  ],
])('%s is refused', (sql, message) => {
  expect(refusal(sql)).toBe(message);
});
