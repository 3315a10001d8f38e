// The columns that translate() names: BigQuery's names, and the types after coercion.
import { expect, test } from 'vitest';
import { typeName } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';
import { queryRunner } from '../support/query-rows.ts';

const { table } = queryRunner();

const columns = (sql: string): readonly string[] => translate(sql).columns.map(({ name, type }) => `${name || '(none)'} ${typeName(type)}`);

test.each<[string, readonly string[]]>([
  ["SELECT 1, 'a' AS b, TRUE", ['(none) INT64', 'b STRING', '(none) BOOL']],
  ['SELECT 1 AS a, 2 AS a, 3 AS A', ['a INT64', 'a INT64', 'A INT64']],
  ['SELECT t.a, t.a + 1 FROM (SELECT 1 AS a) AS t', ['a INT64', '(none) INT64']],
  ["SELECT STRUCT(1 AS x, 'y'), STRUCT<n INT64>(1) AS s", ['(none) STRUCT<x INT64, STRING>', 's STRUCT<n INT64>']],
  ['SELECT s.x FROM (SELECT STRUCT(1.5 AS x) AS s)', ['x FLOAT64']],
  ['SELECT [1, 2.5] AS a, [] AS b, [NULL, "x"] AS c', ['a ARRAY<FLOAT64>', 'b ARRAY<INT64>', 'c ARRAY<STRING>']],
  ['SELECT ARRAY(SELECT AS STRUCT 1 AS a) AS rows_', ['rows_ ARRAY<STRUCT<a INT64>>']],
  ['SELECT IF(TRUE, 1, 2.5) AS x, COALESCE(NULL, DATE "2024-01-02") AS d', ['x FLOAT64', 'd DATE']],
  ['SELECT 1 / 2 AS q, DIV(1, 2) AS d, 1 + 1 AS s, 1 * NUMERIC "2" AS n', ['q FLOAT64', 'd INT64', 's INT64', 'n NUMERIC']],
  ['SELECT NULL AS n, CAST(NULL AS INT64) + 1 AS m, CAST(NULL AS DATE) AS d', ['n INT64', 'm INT64', 'd DATE']],
  ["SELECT TIMESTAMP '2024-01-02' > '2024-01-01' AS later", ['later BOOL']],
  ['SELECT 1 AS a UNION ALL SELECT 2.5', ['a FLOAT64']],
  ["SELECT DATE '2024-01-02' AS d UNION ALL SELECT NULL", ['d DATE']],
  [
    'SELECT COUNT(*) AS n, AVG(x) AS m, SUM(x) AS s, ARRAY_AGG(x) AS xs FROM UNNEST([1]) AS x',
    ['n INT64', 'm FLOAT64', 's INT64', 'xs ARRAY<INT64>'],
  ],
  ['SELECT * FROM UNNEST([STRUCT(1 AS a, "x" AS b)])', ['a INT64', 'b STRING']],
  ['SELECT * FROM UNNEST([7]) AS x WITH OFFSET', ['x INT64', 'offset INT64']],
  ['SELECT * EXCEPT (b) FROM (SELECT 1 AS a, 2 AS b, 3 AS c)', ['a INT64', 'c INT64']],
  ['SELECT AS STRUCT 1 AS a, 2', ['a INT64', '(none) INT64']],
  [
    'SELECT CURRENT_DATE() AS d, CURRENT_TIMESTAMP() AS t, INTERVAL 1 DAY AS i, b"x" AS b, JSON "1" AS j',
    ['d DATE', 't TIMESTAMP', 'i INTERVAL', 'b BYTES', 'j JSON'],
  ],
])('%s', (sql, expected) => {
  expect(columns(sql)).toEqual(expected);
});

test('columns of one name, or of none, keep their own values', async () => {
  expect(await table("SELECT 1 AS a, 2 AS a, 'x', 3 AS A, 'y' FROM UNNEST([0]) AS a")).toEqual([
    ['a', 'a', '', 'A', ''],
    [1, 2, 'x', 3, 'y'],
  ]);
});

test('a column shown twice is shown twice', async () => {
  expect(await table('SELECT a, a AS b, a FROM (SELECT 7 AS a) ORDER BY b')).toEqual([
    ['a', 'b', 'a'],
    [7, 7, 7],
  ]);
});
