// DECLARE, SET and CREATE … AS SELECT before a query, on the engine.
import { expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows, table } = queryRunner();

test.each([
  // Values and their types.
  ['DECLARE x INT64 DEFAULT 5; SELECT x, x + 1', [[5, 6]]],
  ['DECLARE x DEFAULT 5; DECLARE y FLOAT64 DEFAULT x; SELECT y / 2', [[2.5]]],
  ['DECLARE a, b STRING; SELECT a IS NULL, IFNULL(b, "none")', [[true, 'none']]],
  ['DECLARE a, b INT64 DEFAULT 3; SET b = 4; SELECT a, b', [[3, 4]]],
  ['declare X int64 default 1; set x = X + 1; set x = x * 10; select x', [[20]]],
  ['DECLARE a INT64; DECLARE b STRING; SET (a, b) = (1, "x"); SELECT a, b', [[1, 'x']]],
  ['DECLARE a INT64 DEFAULT 1; DECLARE b INT64 DEFAULT 2; SET (a, b) = (b, a); SELECT a, b', [[2, 1]]],
  ['DECLARE a INT64; DECLARE b STRING; SET (a, b) = (SELECT AS STRUCT 7, "y"); SELECT a, b', [[7, 'y']]],
  ['DECLARE s STRUCT<a INT64, b STRING> DEFAULT (1, "x"); SELECT s.a, s.b', [[1, 'x']]],
  ['DECLARE s ARRAY<STRUCT<a INT64, b STRUCT<c INT64>>> DEFAULT [(1, STRUCT(2))]; SELECT x.a, x.b.c FROM UNNEST(s) AS x', [[1, 2]]],
  ['CREATE TEMP FUNCTION f(x STRUCT<b INT64>) RETURNS STRUCT<a INT64> AS (STRUCT(x.b)); SELECT f(STRUCT(1)).a', [[1]]],
  ['DECLARE l ARRAY<STRING> DEFAULT ["a", "b"]; SELECT x FROM UNNEST(l) AS x ORDER BY x', [['a'], ['b']]],
  ['DECLARE l ARRAY<INT64>; SELECT ARRAY_LENGTH(l) IS NULL, 1 IN UNNEST(l)', [[true, false]]],
  ['DECLARE l DEFAULT GENERATE_ARRAY(1, 3); SELECT l[OFFSET(1)], 2 IN UNNEST(l), ARRAY_LENGTH(l)', [[2, true, 3]]],
  ['DECLARE d DATE DEFAULT "2026-03-01"; SELECT DATE_SUB(d, INTERVAL 1 DAY) = DATE "2026-02-28"', [[true]]],
  ['DECLARE n INT64 DEFAULT 7; SELECT DATE_SUB(DATE "2026-03-08", INTERVAL n DAY) = DATE "2026-03-01"', [[true]]],
  ['DECLARE t TIMESTAMP DEFAULT "2026-03-01"; SELECT FORMAT_TIMESTAMP("%F", t)', [['2026-03-01']]],
  ['DECLARE t TIMESTAMP DEFAULT DATE "2026-03-01"; SELECT FORMAT_TIMESTAMP("%F %T", t)', [['2026-03-01 00:00:00']]],
  ['DECLARE d DEFAULT DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY); SELECT DATE_DIFF(CURRENT_DATE(), d, DAY)', [[7]]],
  ['DECLARE f STRING DEFAULT CONCAT("a", "-", FORMAT_DATE("%Y%m%d", DATE "2026-01-31")); SELECT f', [['a-20260131']]],
  ['DECLARE x FLOAT64 DEFAULT 0.1; SELECT x + 0.2', [[0.30000000000000004]]],
  ['DECLARE x NUMERIC DEFAULT 0.1; SELECT CAST(x * 3 AS STRING)', [['0.3']]],
  // A FLOAT64 is one for good: literals would take the NUMERIC beside them.
  ['DECLARE x FLOAT64 DEFAULT 0.1; SELECT NUMERIC "0.2" + x', [[0.30000000000000004]]],
  ['DECLARE x BOOL DEFAULT TRUE; SELECT IF(x, 1, 2)', [[1]]],
  ['DECLARE i STRING DEFAULT "a"; SELECT CASE i WHEN "a" THEN 1 ELSE 2 END', [[1]]],
  ['DECLARE `select` INT64 DEFAULT 1; SELECT `select`', [[1]]],
  // Columns hide variables, at any distance.
  ['DECLARE x INT64 DEFAULT 5; SELECT x FROM (SELECT 1 AS x)', [[1]]],
  ['DECLARE x INT64 DEFAULT 5; SELECT (SELECT x + y FROM (SELECT 10 AS y)) FROM (SELECT 1 AS x)', [[11]]],
  ['DECLARE x INT64 DEFAULT 5; SELECT y, x FROM UNNEST([1, 9]) AS y WHERE y < x', [[1, 5]]],
  ['DECLARE x INT64 DEFAULT 5; SELECT 1 AS x ORDER BY x', [[1]]],
  ['DECLARE n INT64 DEFAULT 2; SELECT y FROM UNNEST([1, 2, 3]) AS y ORDER BY y LIMIT n OFFSET 1', [[2], [3]]],
  ['DECLARE k INT64 DEFAULT 2; SELECT SUM(y) FROM UNNEST([1, 2, 3, 4]) AS y GROUP BY MOD(y, k) ORDER BY 1', [[4], [6]]],
  ['DECLARE k INT64 DEFAULT 2; SELECT k, SUM(y) FROM UNNEST([1, 2]) AS y GROUP BY k', [[2, 3]]],
  ['DECLARE k INT64 DEFAULT 2; SELECT ARRAY(SELECT y * k FROM UNNEST([1, 2]) AS y ORDER BY y)', [[[2, 4]]]],
  ['DECLARE k INT64 DEFAULT 2; CREATE TEMP FUNCTION twice(x INT64) AS (x * 2); SELECT twice(k)', [[4]]],
  ['CREATE TEMP FUNCTION twice(x INT64) AS (x * 2); DECLARE k DEFAULT twice(2); SELECT twice(k)', [[8]]],
  ['DECLARE k INT64 DEFAULT twice(2); CREATE OR REPLACE TEMP FUNCTION twice(x INT64) AS (x * 2); SELECT k', [[4]]],
  ['DECLARE a INT64 DEFAULT 1; WITH w AS (SELECT a AS b) SELECT a + b FROM w', [[2]]],
  // WITH in a function reads its parameters, wherever their values come from.
  [
    'CREATE TEMP FUNCTION f(l ARRAY<INT64>) AS ((WITH w AS (SELECT v FROM UNNEST(l) AS v) SELECT SUM(w.v) FROM w)); SELECT f([1, 2])',
    [[3]],
  ],
  [
    'CREATE TEMP FUNCTION f(l ARRAY<INT64>, n ANY TYPE) AS ((WITH w AS (SELECT v * n AS v FROM UNNEST(l) AS v), u AS (SELECT v, 1 AS one FROM w) SELECT AS STRUCT SUM(a.v) AS s, COUNT(*) AS n FROM u AS a JOIN w AS b ON a.v <= b.v)); SELECT x, f([x, 2 * x], x).s, f([x, 2], 1).n FROM UNNEST([1, 3]) AS x ORDER BY x',
    [
      [1, 4, 3],
      [3, 36, 3],
    ],
  ],
  [
    'CREATE TEMP FUNCTION f(x INT64) AS ((WITH w AS (SELECT AS STRUCT x AS a) SELECT w.a + 1 FROM w)); SELECT f(x) FROM UNNEST([1]) AS x',
    [[2]],
  ],
  // An aggregate of one's own stands for its body in the query around it.
  ['CREATE AGGREGATE FUNCTION total(x INT64) RETURNS INT64 AS (SUM(x)); SELECT total(n) FROM UNNEST([1, 2, 3]) AS n', [[6]]],
  [
    'CREATE TEMP AGGREGATE FUNCTION scaled(x INT64, d ANY TYPE NOT AGGREGATE) RETURNS INT64 AS (CAST(SUM(x) / d AS INT64)); SELECT scaled(n, 2) FROM UNNEST([1, 2, 3]) AS n',
    [[3]],
  ],
  [
    'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (SUM(x) + COUNT(*)); SELECT k, f(n) AS n FROM UNNEST([1, 2, 3]) AS n, UNNEST([MOD(n, 2)]) AS k GROUP BY k HAVING f(n) > 3 ORDER BY f(n)',
    [[1, 6]],
  ],
  [
    'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (SUM(x)); CREATE TEMP AGGREGATE FUNCTION g(x ANY TYPE) AS (f(x) / COUNT(x)); SELECT g(n), f(1) FROM UNNEST([1, 3]) AS n',
    [[2, 2]],
  ],
  [
    'CREATE TEMP AGGREGATE FUNCTION f(x STRING, d STRING NOT AGGREGATE) AS (STRING_AGG(x, d ORDER BY x)); SELECT f(n, "-") FROM UNNEST(["b", "a"]) AS n',
    [['a-b']],
  ],
  // Values out of tables.
  ['CREATE TEMP TABLE t AS SELECT y FROM UNNEST([1, 7, 3]) AS y; SELECT MAX(y) FROM t', [[7]]],
  [
    'DECLARE m INT64 DEFAULT (SELECT MAX(y) FROM UNNEST([1, 7, 3]) AS y); SELECT m, m + 1, y FROM UNNEST([7, 8]) AS y WHERE y = m',
    [[7, 8, 7]],
  ],
  ['DECLARE m INT64; CREATE TEMP TABLE t AS SELECT 4 AS y; SET m = (SELECT y FROM t); SET m = m + 1; SELECT m * m', [[25]]],
  [
    'DECLARE l ARRAY<INT64>; SET l = ARRAY(SELECT y FROM UNNEST([3, 1]) AS y ORDER BY y); SELECT x FROM UNNEST(l) AS x ORDER BY x',
    [[1], [3]],
  ],
  // Each statement sees what was before it.
  ['DECLARE x INT64 DEFAULT 1; CREATE TEMP TABLE t AS SELECT x AS y; SET x = 2; SELECT x, y FROM t', [[2, 1]]],
  ['CREATE TEMP TABLE t AS SELECT 1 AS y; CREATE OR REPLACE TEMP TABLE t AS SELECT y + 1 AS y FROM t; SELECT * FROM t', [[2]]],
  [
    'CREATE TABLE IF NOT EXISTS `p.d.t` PARTITION BY y CLUSTER BY y OPTIONS (description = "d") AS SELECT 1 AS y; SELECT t.y FROM p.d.t',
    [[1]],
  ],
  ['CREATE OR REPLACE TABLE my-proj.d.t AS (SELECT 1 AS y); SELECT y FROM `my-proj.d.t` AS a JOIN `my-proj`.d.t AS b USING (y)', [[1]]],
  // Types of columns convert the rows.
  [
    'CREATE TABLE d.t (a NUMERIC(5, 2) NOT NULL OPTIONS (description = "a"), b DATE DEFAULT CURRENT_DATE(), `c d`) AS (SELECT 1.239, "2026-03-01", 3 UNION ALL SELECT 2, NULL, 4); SELECT CAST(a AS STRING), FORMAT_DATE("%d", b), `c d` FROM d.t ORDER BY a',
    [
      ['1.24', '01', 3],
      ['2', null, 4],
    ],
  ],
  ['CREATE TEMP TABLE t AS SELECT 1 AS y; CREATE OR REPLACE TEMP TABLE t (y FLOAT64) AS SELECT y + 1 FROM t; SELECT y / 4 FROM t', [[0.5]]],
  // An empty table and what is put into it.
  ['CREATE TEMP TABLE t (a FLOAT64, b INT64); INSERT INTO t SELECT 1, 2; SELECT a / 4, b FROM t', [[0.25, 2]]],
  ['CREATE TEMP TABLE t (a FLOAT64, b INT64); INSERT t (b, A) (SELECT 1, 2); SELECT a / 4, b FROM t', [[0.5, 1]]],
  ['CREATE VIEW d.v (a OPTIONS (description = "a"), b) AS SELECT 1, 2; SELECT b, a FROM d.v', [[2, 1]]],
  ['CREATE TEMP TABLE t AS WITH u AS (SELECT 1 AS y) SELECT * FROM u; WITH u AS (SELECT 2 AS y) SELECT t.y, u.y FROM t, u', [[1, 2]]],
  ['CREATE TEMP TABLE t AS SELECT 1 AS y; WITH t AS (SELECT y + 1 AS y FROM t) SELECT y FROM t', [[2]]],
  [
    'CREATE TEMP TABLE t AS SELECT 1 AS y; WITH RECURSIVE r AS (SELECT y FROM t UNION ALL SELECT y + 1 FROM r WHERE y < 2) SELECT y FROM r ORDER BY y',
    [[1], [2]],
  ],
  ['DROP TABLE IF EXISTS t; CREATE TEMP TABLE t AS SELECT 1 AS y; SELECT y FROM t; DROP TABLE t;', [[1]]],
  ['CREATE TEMP TABLE t AS SELECT RAND() AS r; SELECT r < 1 FROM t', [[true]]],
  // BEGIN … END around the query, as consoles' scripts have it, and a dataset for their tables.
  ['DECLARE x INT64 DEFAULT 5; BEGIN SELECT x; END', [[5]]],
  ['BEGIN DECLARE x INT64 DEFAULT 5; CREATE TEMP TABLE t AS SELECT x AS y; SELECT y + 1 FROM t; DROP TABLE t; END;', [[6]]],
  ['begin begin with u as (select case when true then 1 end as y) select y from u; end; end', [[1]]],
  ['BEGIN CREATE TEMP TABLE t AS SELECT 3 AS y; END', [[3]]],
  ['CREATE SCHEMA IF NOT EXISTS d OPTIONS (location = "EU"); CREATE OR REPLACE TABLE d.t AS SELECT 1 AS y', [[1]]],
  ['DECLARE x INT64 DEFAULT 2; CREATE SCHEMA `p.d`; SELECT x', [[2]]],
  // A text that ends with CREATE … AS SELECT is that SELECT.
  ['CREATE TABLE d.t AS SELECT 1 AS y', [[1]]],
  ['CREATE TEMP TABLE t AS SELECT 1 AS y; CREATE OR REPLACE VIEW d.v AS SELECT y + 1 AS z FROM t;', [[2]]],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test('the list of a created view names the columns', async () => {
  expect(await table('CREATE VIEW d.v (a, b) AS SELECT 1, 2')).toEqual([
    ['a', 'b'],
    [1, 2],
  ]);
});

test.each([
  [
    'INSERT INTO d.t SELECT 1 AS x, 2 AS y',
    [
      ['x', 'y'],
      [1, 2],
    ],
  ],
  [
    'insert d.t (a, b) with u as (select 1, 2) select * from u;',
    [
      ['a', 'b'],
      [1, 2],
    ],
  ],
  ['INSERT INTO `p.d.t` (a) (SELECT 1) UNION ALL SELECT 1', [['a'], [1], [1]]],
  ['INSERT INTO t (SELECT 1 AS x)', [['x'], [1]]],
  ['CREATE TEMP TABLE t AS SELECT 1 AS y; DECLARE n INT64 DEFAULT 2; INSERT INTO t (y) SELECT y + n FROM t; DROP TABLE t', [['y'], [3]]],
  [
    'CREATE TABLE IF NOT EXISTS d.t (a FLOAT64, b DATE) PARTITION BY b; INSERT INTO d.t SELECT 1, "2026-03-01"',
    [
      ['a', 'b'],
      [1, '2026-03-01'],
    ],
  ],
  ['BEGIN INSERT INTO t SELECT 1 AS x; END', [['x'], [1]]],
])('%s gives the rows that it would add', async (sql, expected) => {
  expect(await table(sql)).toEqual(expected);
});

test('types of columns convert the rows of the last table', async () => {
  expect(await table('CREATE TABLE d.t (a FLOAT64, b ARRAY<INT64>) AS SELECT 1, [2]')).toEqual([
    ['a', 'b'],
    [1, [2]],
  ]);
  expect(await rows('CREATE TABLE d.t (a STRING) AS SELECT 1')).toEqual([['1']]);
});

test.each([
  ['DECLARE x INT64 DEFAULT 1.5; SELECT x', 'type: the value of x must be INT64, but this is FLOAT64'],
  ['DECLARE x INT64; SET x = "a"; SELECT x', 'type: the value of x must be INT64, but this is STRING'],
  ['DECLARE x INT64; DECLARE X STRING; SELECT x', 'type: X is declared twice'],
  ['DECLARE x, x INT64; SELECT x', 'type: x is declared twice'],
  ['SET x = 1; SELECT x', 'unknown-column: there is no variable x'],
  ['DECLARE day INT64; SET dey = 1; SELECT 1', 'unknown-column: there is no variable dey'],
  ['DECLARE y INT64 DEFAULT x; DECLARE x INT64 DEFAULT 1; SELECT y', 'unknown-column: there is no column or table x here'],
  ['DECLARE a, b INT64; SET (a, b) = (1, 2, 3); SELECT a', 'type: SET names 2 variables, but gives 3 values'],
  ['DECLARE a, b INT64; SET (a, b) = 1; SELECT a', 'type: SET names 2 variables, but gives 1 values'],
  ['DECLARE a INT64; SET (a, a) = (1, 2); SELECT a', 'type: SET names a twice'],
  // A text stays a text: BigQuery compares no DATE with it either.
  ['DECLARE d STRING DEFAULT "2026-03-01"; SELECT DATE "2026-03-01" >= d', 'type: operator >= does not take (DATE, STRING)'],
  [
    'DECLARE x FLOAT64 DEFAULT RAND(); SELECT x',
    'unsupported: the value of x must be known before the query runs, and RAND gives a new one at each call',
  ],
  ['DECLARE x INT64 DEFAULT COUNT(*); SELECT x', 'type: COUNT is an aggregate function and can’t be used in DEFAULT'],
  ['DECLARE x INT64 DEFAULT 1; CREATE TEMP FUNCTION f() AS (x); SELECT f()', 'unknown-column: there is no column or table x here'],
  [
    `DECLARE x STRING DEFAULT "${'a'.repeat(20)}"; ${'SET x = CONCAT(x, x);'.repeat(30)} SELECT LENGTH(x)`,
    'too-complex: the value of x is too large',
  ],
  [`DECLARE x FLOAT64 DEFAULT SQRT(2); ${'SET x = x + x;'.repeat(30)} SELECT x`, 'too-complex: the value of x is too large'],
  [
    'CREATE TEMP FUNCTION f(x INT64) AS ((SELECT SUM(y) FROM UNNEST([1]) AS y WHERE y = (WITH w AS (SELECT x + y AS z) SELECT z FROM w))); SELECT f(1)',
    'unsupported: w reads columns of an outer query',
  ],
  [
    'CREATE TEMP FUNCTION f(x INT64) AS ((WITH RECURSIVE w AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM w WHERE a < x) SELECT MAX(a) FROM w)); SELECT f(3)',
    'unsupported: w is recursive and reads columns of an outer query',
  ],
  [
    'CREATE TEMP FUNCTION f(x INT64) AS (SUM(x)); SELECT f(n) FROM UNNEST([1]) AS n',
    'type: SUM is an aggregate function and can’t be used in a function that is not created as AGGREGATE FUNCTION',
  ],
  [
    'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (5); SELECT f(n) FROM UNNEST([1, 2]) AS n',
    'type: the aggregate function f has no aggregate in its body',
  ],
  [
    'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (SUM(x)); SELECT f(n), n FROM UNNEST([1]) AS n WHERE f(n) > 1',
    'type: f is an aggregate function and can’t be used in WHERE',
  ],
  [
    'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (SUM(x)); SELECT f(SUM(n)) FROM UNNEST([1]) AS n',
    'type: SUM is an aggregate function and can’t be used in the arguments of f',
  ],
  [
    'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (SUM(x)); SELECT f(n) OVER () FROM UNNEST([1]) AS n',
    'type: f is a SQL function of your own, so it takes plain arguments only',
  ],
  [
    'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (SUM(x) + x); SELECT f(n) FROM UNNEST([1]) AS n',
    'type: n is neither grouped nor aggregated',
  ],
  ['DECLARE n INT64 DEFAULT -1; SELECT 1 LIMIT n', 'type: LIMIT must be 0 or more, not -1'],
  [
    'CREATE TEMP TABLE t AS SELECT 1 AS y; DROP TABLE t; SELECT * FROM t',
    'unknown-source: there is no source, saved query or WITH table named t',
  ],
  ['DROP TABLE t; SELECT 1', 'unsupported: t is not a table that this text creates, so it can’t drop it'],
  ['CREATE TEMP TABLE t (a INT64); SELECT * FROM t', 'unsupported: CREATE TABLE t has no AS SELECT'],
  ['INSERT INTO t SELECT 1; SELECT 2', 'unsupported: INSERT is not a query'],
  ['INSERT INTO t SELECT 1; INSERT INTO t SELECT 2', 'unsupported: INSERT is not a query'],
  ['INSERT INTO t (a) VALUES (1)', 'unsupported: INSERT is not a query'],
  ['INSERT INTO t SELECT 1; DROP TABLE t', 'unsupported: t is not a table that this text creates, so it can’t drop it'],
  ['CREATE TEMP TABLE t (a INT64); INSERT INTO u SELECT 1; SELECT * FROM t', 'unsupported: CREATE TABLE t has no AS SELECT'],
  ['CREATE TEMP TABLE t (a INT64, b INT64); INSERT INTO t (a) SELECT 1; SELECT * FROM t', 'unsupported: CREATE TABLE t has no AS SELECT'],
  ['INSERT INTO t (a, b) SELECT 1', 'type: t names 2 columns, but its query returns 1'],
  ['CREATE TEMP TABLE t (a INT64, b INT64) AS SELECT 1; SELECT * FROM t', 'type: t names 2 columns, but its query returns 1'],
  ['CREATE TEMP TABLE t (a DATE) AS SELECT 1; SELECT * FROM t', 'type: INT64 can’t be cast to DATE'],
  ['CREATE TEMP TABLE t (a NUMBER) AS SELECT 1; SELECT * FROM t', 'type: NUMBER is not a type quern knows'],
  ['CREATE TEMP TABLE t (a) AS SELECT 1, 2; SELECT * FROM t', 'type: t names 1 columns, but its query returns 2'],
  ['CREATE TABLE t LIKE u; SELECT 1', 'unsupported: CREATE TABLE t has no AS SELECT'],
  [
    'CREATE TEMP TABLE t AS SELECT RAND() AS r; SELECT * FROM t AS a JOIN t AS b USING (r)',
    'unsupported: t is read twice, but its rows would differ each time, because it uses RAND or the like',
  ],
  ['BEGIN SELECT 1; EXCEPTION WHEN ERROR THEN SELECT 2; END', 'unsupported: EXCEPTION is not translated'],
  ['BEGIN TRANSACTION; SELECT 1', 'unsupported: BEGIN TRANSACTION is not a query'],
  ['BEGIN; SELECT 1; COMMIT', 'unsupported: BEGIN TRANSACTION is not a query'],
  ['BEGIN SELECT 1;', 'syntax: expected END after ";", found the end of the query'],
  ['SELECT 1; END', 'syntax: expected the end of the query after ";", found END'],
  ['CREATE TEMP FUNCTION f() AS (1); CREATE TEMP FUNCTION F() AS (2); SELECT f()', 'type: the function F is created twice'],
])('%s is refused', (sql, expected) => {
  expect(refusal(sql)).toBe(expected);
});
