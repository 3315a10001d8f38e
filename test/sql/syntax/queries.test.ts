// Queries: every clause is read and written, and reading what was written gives the same tree.
import { describe, expect, test } from 'vitest';
import { parseScript } from '../../../src/sql/syntax/parser/parse-script.ts';
import { printScript } from '../../support/bigquery-text/print-script.ts';
import { withoutSpans } from './trees.ts';

type Rows = readonly (readonly [string, string] | readonly [string])[];

function check(text: string, printed = text): void {
  const tree = parseScript(text);
  expect(printScript(tree)).toBe(printed);
  expect(withoutSpans(parseScript(printed))).toEqual(withoutSpans(tree));
}

describe('SELECT', () => {
  const rows: Rows = [
    ['select 1', 'SELECT 1'],
    ['SELECT a, b AS c'],
    ['SELECT a b, c d FROM t', 'SELECT a AS b, c AS d FROM t'],
    ['SELECT a, b, FROM t', 'SELECT a, b FROM t'],
    ['SELECT a,', 'SELECT a'],
    ['SELECT (SELECT a, FROM t), 1', 'SELECT (SELECT a FROM t), 1'],
    ['SELECT *'],
    ['SELECT t.*, (f(x)).*, * EXCEPT (a, b) REPLACE (c + 1 AS c) FROM t'],
    ['SELECT DISTINCT AS STRUCT a FROM t'],
    ['SELECT ALL AS VALUE a FROM t', 'SELECT AS VALUE a FROM t'],
    ['SELECT a FROM t WHERE b GROUP BY 1 HAVING c QUALIFY d WINDOW w AS (ORDER BY e ASC), v AS w'],
    ['SELECT a FROM t ORDER BY a ASC, b DESC NULLS FIRST LIMIT 10 OFFSET @skip'],
    ['SELECT a FROM t ORDER BY a COLLATE "und:ci"', "SELECT a FROM t ORDER BY a COLLATE 'und:ci' ASC"],
    ['SELECT 1;', 'SELECT 1'],
    ['SELECT offset, value, date, pivot FROM t'],
  ];
  test.each(rows)('%s', check);
});

describe('GROUP BY', () => {
  const rows: Rows = [
    ['SELECT a FROM t GROUP BY a, b + 1, (a, b)', 'SELECT a FROM t GROUP BY a, b + 1, STRUCT(a, b)'],
    ['SELECT a FROM t GROUP BY ALL'],
    ['SELECT a FROM t GROUP BY ()'],
    ['SELECT a FROM t GROUP BY ROLLUP(a, (b, c))'],
    ['SELECT a FROM t GROUP BY CUBE(a, b), c'],
    ['SELECT a FROM t GROUP BY GROUPING SETS (a, (b, c), (), ROLLUP(d), CUBE(e, f))'],
    ['SELECT a FROM t GROUP BY GROUPING SETS (STRUCT(a, b))'],
  ];
  test.each(rows)('%s', check);
});

describe('FROM', () => {
  const rows: Rows = [
    ['SELECT 1 FROM a.b.c AS t'],
    ['SELECT 1 FROM `a.b.c` t', 'SELECT 1 FROM `a.b.c` AS t'],
    ['SELECT 1 FROM `a`.`b-c`.d'],
    ['SELECT 1 FROM my-project-1.ds.t'],
    ['SELECT 1 FROM my-project-1a.ds.t'],
    ['SELECT 1 FROM t, t.arr, u AS v'],
    ['SELECT 1 FROM t, UNNEST(t.a) AS x WITH OFFSET AS i'],
    ['SELECT 1 FROM t, t.a x WITH OFFSET', 'SELECT 1 FROM t, t.a AS x WITH OFFSET'],
    ['SELECT 1 FROM UNNEST([1, 2] AS x)', 'SELECT 1 FROM UNNEST([1, 2]) AS x'],
    ['SELECT 1 FROM t CROSS JOIN UNNEST(metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE'],
    ['SELECT 1 FROM t LEFT JOIN t.arr JOIN UNNEST(b)'],
    ['SELECT 1 FROM a INNER JOIN b USING (x, y) LEFT OUTER JOIN c ON p', 'SELECT 1 FROM a JOIN b USING (x, y) LEFT JOIN c ON p'],
    ['SELECT 1 FROM a RIGHT JOIN b ON p FULL JOIN c ON q'],
    ['SELECT 1 FROM a JOIN b JOIN c ON p ON q'],
    ['SELECT 1 FROM a JOIN b ON p JOIN c LEFT JOIN d ON q ON r CROSS JOIN e'],
    ['SELECT 1 FROM a, (b JOIN c ON p)'],
    ['SELECT 1 FROM (SELECT 1) AS s, ((SELECT 2) UNION ALL SELECT 3) AS u, ((SELECT 4) AS v CROSS JOIN w)'],
    ['SELECT 1 FROM (((SELECT 1)))', 'SELECT 1 FROM (SELECT 1)'],
    ['SELECT 1 FROM t FOR SYSTEM_TIME AS OF a', 'SELECT 1 FROM t FOR SYSTEM_TIME AS OF a'],
    ['SELECT 1 FROM t TABLESAMPLE SYSTEM (10 PERCENT)'],
    ['SELECT 1 FROM t AS pivot'],
    ["SELECT 1 FROM t PIVOT(SUM(a) AS s, COUNT(*) FOR b IN (1, 'x' AS y)) AS p"],
    ['SELECT 1 FROM t UNPIVOT(v FOR n IN (a, t.b AS 2))', 'SELECT 1 FROM t UNPIVOT ((v) FOR n IN ((a), (t.b) AS 2))'],
    ["SELECT 1 FROM t UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((a, b) AS 'x', (c, d))) AS u"],
  ];
  test.each(rows)('%s', check);
});

describe('set operations and WITH', () => {
  const rows: Rows = [
    ['SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 ORDER BY 1 ASC LIMIT 1'],
    ['(SELECT 1 LIMIT 1) EXCEPT DISTINCT (SELECT 2)'],
    ['(SELECT 1 INTERSECT DISTINCT SELECT 2) UNION DISTINCT SELECT 3'],
    ['SELECT * EXCEPT (a) FROM t EXCEPT DISTINCT SELECT 1'],
    ['SELECT 1 UNION ALL BY NAME SELECT 2'],
    ['SELECT 1 FULL OUTER UNION ALL BY NAME ON (a, b) SELECT 2', 'SELECT 1 FULL UNION ALL BY NAME ON (a, b) SELECT 2'],
    ['SELECT 1 UNION ALL CORRESPONDING SELECT 2', 'SELECT 1 INNER UNION ALL BY NAME SELECT 2'],
    ['SELECT 1 LEFT UNION ALL CORRESPONDING BY (a) SELECT 2', 'SELECT 1 LEFT UNION ALL BY NAME ON (a) SELECT 2'],
    ['SELECT 1 UNION ALL STRICT CORRESPONDING SELECT 2', 'SELECT 1 UNION ALL BY NAME SELECT 2'],
    ['WITH a AS (SELECT 1), b (x, y) AS (SELECT 2) SELECT 3 FROM a'],
    ['WITH RECURSIVE a AS (SELECT 1 UNION ALL SELECT 2 FROM a) (SELECT 3)'],
    ['WITH a AS (WITH b AS (SELECT 1) SELECT 2) SELECT WITH(c AS 1, c)'],
    ['((SELECT 1))', 'SELECT 1'],
    ['((SELECT 1) LIMIT 2)', '(SELECT 1) LIMIT 2'],
  ];
  test.each(rows)('%s', check);
});

describe('pipe syntax', () => {
  const rows: Rows = [
    ['FROM t'],
    ['FROM a JOIN b USING (x), c |> WHERE d |> SELECT DISTINCT e AS f, g.*'],
    ['SELECT 1 |> LIMIT 5 OFFSET 2 |> AS t |> DISTINCT'],
    ['FROM t |> EXTEND a + 1 AS b, |> SET a = 1, b = 2,', 'FROM t |> EXTEND a + 1 AS b |> SET a = 1, b = 2'],
    ['FROM t |> DROP a, b, |> RENAME a b, c AS d,', 'FROM t |> DROP a, b |> RENAME a AS b, c AS d'],
    ['FROM t |> AGGREGATE COUNT(*) AS c DESC NULLS LAST, SUM(a) GROUP AND ORDER BY b AS d ASC, ROLLUP(e)'],
    ['FROM t |> AGGREGATE GROUP BY a'],
    ['FROM t |> AGGREGATE COUNT(*), GROUP BY a,', 'FROM t |> AGGREGATE COUNT(*) GROUP BY a'],
    ['FROM t |> ORDER BY a ASC, b DESC'],
    ['FROM t |> UNION ALL (SELECT 1), (FROM u),', 'FROM t |> UNION ALL (SELECT 1), (FROM u)'],
    ['FROM t |> FULL EXCEPT DISTINCT BY NAME (SELECT 1)'],
    ['FROM t |> LEFT JOIN u AS v ON a |> CROSS JOIN w |> JOIN UNNEST(b) AS c'],
    ["FROM t |> ASSERT a > 0, 'a is', a"],
    ['FROM t |> WITH u AS (SELECT 1) |> JOIN u USING (a)'],
    ['FROM t |> WINDOW SUM(a) OVER w AS s WINDOW w AS (ORDER BY b ASC)'],
    ['FROM t |> SELECT SUM(a) OVER w WINDOW w AS ()'],
    ['FROM t |> PIVOT(SUM(a) FOR b IN (1)) |> UNPIVOT ((v) FOR n IN ((a))) |> TABLESAMPLE SYSTEM (1 PERCENT)'],
    ['WITH a AS (SELECT 1) FROM a |> WHERE EXISTS(FROM b |> WHERE c)'],
  ];
  test.each(rows)('%s', check);
});

describe('statements before the query', () => {
  const rows: Rows = [
    ['DECLARE a, b INT64 DEFAULT 5;\nDECLARE c DEFAULT a + 1;\nDECLARE d ARRAY<STRING>;\nSELECT a'],
    [
      'DECLARE a INT64;\nSET a = (SELECT 1);\nSET (a, b) = STRUCT(1, 2);\nSELECT a',
      'DECLARE a INT64;\nSET a = (SELECT 1);\nSET (a, b) = STRUCT(1, 2);\nSELECT a',
    ],
    [
      'create or replace temporary table `t` partition by date(a), b cluster by c options (x = 1, y = [("a", "b")]) as (select 1);; select 2',
      'CREATE TEMP TABLE `t` AS SELECT 1;\nSELECT 2',
    ],
    [
      'create materialized view if not exists a-b.c.`d` (x options (y = 1), z) as select 1, 2; select 3',
      'CREATE TEMP TABLE a-b.c.d (x, z) AS SELECT 1, 2;\nSELECT 3',
    ],
    ['CREATE TEMP TABLE t AS SELECT 1;\nDROP TABLE t;\nSELECT 2'],
    ['CREATE TABLE t AS SELECT 1'],
    ['create view v as select 1; drop view v', 'CREATE TABLE v AS SELECT 1'],
    [
      'create or replace function if not exists `a-b`.c.d(x int64) options (y = 1) as (x) options (z = 2); select 1',
      'CREATE TEMP FUNCTION `a-b.c.d`(x INT64) AS (x);\nSELECT 1',
    ],
  ];
  test.each(rows)('%s', check);
});

describe('temporary functions', () => {
  const rows: Rows = [
    ['CREATE TEMP FUNCTION f() AS (1);\nSELECT f()'],
    [
      'CREATE AGGREGATE FUNCTION f(a INT64, b INT64 NOT AGGREGATE) AS (SUM(a) / b);\nSELECT 1',
      'CREATE TEMP AGGREGATE FUNCTION f(a INT64, b INT64) AS (SUM(a) / b);\nSELECT 1',
    ],
    [
      'create temporary function f(a int64, b any type) returns array<string> as ([]); create temp function g() as (2); select 1;',
      'CREATE TEMP FUNCTION f(a INT64, b ANY TYPE) RETURNS ARRAY<STRING> AS ([]);\nCREATE TEMP FUNCTION g() AS (2);\nSELECT 1',
    ],
  ];
  test.each(rows)('%s', check);
});
