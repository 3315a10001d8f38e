// CREATE TABLE FUNCTION and its calls, on the engine. https://cloud.google.com/bigquery/docs/table-functions
import { expect, test } from 'vitest';
import { translate } from '../../../src/sql/index.ts';
import { queryRunner, refusal } from '../../support/query-rows.ts';
import { failure } from '../../support/told.ts';

const file = (name: string, text: string) => ({ name: `functions/${name}.sql`, text });
const { rows, table } = queryRunner({
  functions: [
    file(
      'numbers',
      'CREATE OR REPLACE TABLE FUNCTION `my-proj.util.numbers`(n INT64) AS (SELECT x, util.twice(x) AS y FROM UNNEST(GENERATE_ARRAY(1, n)) AS x)',
    ),
    file('twice', 'CREATE FUNCTION util.twice(x INT64) AS (util.plus(x, x))'),
    file('plus', 'CREATE FUNCTION util.plus(x INT64, y INT64) AS (x + y)'),
    file(
      'pairs',
      'CREATE TABLE FUNCTION util.pairs(t TABLE<x INT64>) AS WITH w AS (SELECT a.x, b.x AS z FROM t AS a JOIN t AS b ON a.x < b.x) SELECT * FROM w',
    ),
    file('up', 'CREATE TABLE FUNCTION util.up(n INT64) AS SELECT * FROM util.numbers(n + 1)'),
  ],
});

const TOP =
  'CREATE TEMP TABLE FUNCTION top(least INT64, word STRING) AS (SELECT x, word AS w FROM UNNEST([1, 2, 3]) AS x WHERE x >= least); ';
const SALES =
  'CREATE TABLE FUNCTION sales(orders TABLE<item STRING, amount FLOAT64>, wanted STRING) AS SELECT SUM(amount) AS total, item FROM orders WHERE item = wanted GROUP BY item; ';
const ORDERS = 'WITH o AS (SELECT 7 AS id, 2 AS amount, "tea" AS item UNION ALL SELECT 8, 3, "tea" UNION ALL SELECT 9, 4, "pot") ';

test.each([
  [
    'values',
    `${TOP} SELECT * FROM top(2, 'a') ORDER BY x`,
    [
      [2, 'a'],
      [3, 'a'],
    ],
  ],
  [
    'an alias, and a join with itself',
    `${TOP} SELECT a.x, b.x FROM top(3, 'a') AS a JOIN top(1, 'b') b USING (w) RIGHT JOIN top(2, 'c') AS c ON a.x = c.x ORDER BY c.x`,
    [
      [null, null],
      [null, null],
    ],
  ],
  ['beside other tables', `${TOP} SELECT y, x FROM UNNEST([10]) AS y, top(3, 'a')`, [[10, 3]]],
  ['values that are computed', `${TOP} DECLARE n INT64 DEFAULT 2; SELECT COUNT(*) FROM top(n + (SELECT 1), CONCAT('a', 'b'))`, [[1]]],
  ['NULL for a value', `${TOP} SELECT COUNT(*) FROM top(NULL, 'a')`, [[0]]],
  ['no arguments', 'CREATE TABLE FUNCTION one() AS SELECT 1 AS x; SELECT x FROM one()', [[1]]],
  [
    'a parameter of any type',
    'CREATE TABLE FUNCTION it(v ANY TYPE) AS (SELECT v AS x, v + v AS y); SELECT a.y, b.y FROM it(1) AS a, it(1.5) AS b',
    [[2, 3]],
  ],
  [
    'a column hides a parameter of its name',
    'CREATE TABLE FUNCTION f(x INT64) AS (SELECT x FROM UNNEST([5]) AS x); SELECT * FROM f(1)',
    [[5]],
  ],
  ['a table, whose other columns and whose order do not matter', `${SALES}${ORDERS} SELECT * FROM sales(TABLE o, "tea")`, [[5, 'tea']]],
  ['a query for a table', `${SALES} SELECT * FROM sales((SELECT "tea" AS item, 1.5 AS amount), "tea")`, [[1.5, 'tea']]],
  [
    'a created table for a table',
    `${SALES} CREATE TEMP TABLE o AS SELECT "tea" AS item, 2.0 AS amount; SELECT * FROM sales(TABLE o, "tea")`,
    [[2, 'tea']],
  ],
  [
    'a created table in the body',
    'CREATE TEMP TABLE t AS SELECT 4 AS x; CREATE TABLE FUNCTION f() AS SELECT x FROM t; SELECT * FROM f()',
    [[4]],
  ],
  [
    'a function that calls another',
    `${TOP} CREATE TABLE FUNCTION both() AS SELECT x FROM top(2, 'a') UNION ALL SELECT x FROM top(3, 'b'); SELECT SUM(x) FROM both()`,
    [[8]],
  ],
  [
    'RETURNS TABLE chooses, orders and converts the columns',
    'CREATE TABLE FUNCTION f() RETURNS TABLE<b FLOAT64, a INT64> AS SELECT 1 AS a, 2 AS b, 3 AS c; SELECT * FROM f()',
    [[2, 1]],
  ],
  ['rows that are structs', 'CREATE TABLE FUNCTION f() AS SELECT AS STRUCT 1 AS a, 2 AS b; SELECT f.b, f FROM f() AS f', [[2, [1, 2]]]],
  [
    'correlated',
    `${TOP} SELECT n, (SELECT COUNT(*) FROM top(n, 'a')) FROM UNNEST([1, 3]) AS n ORDER BY n`,
    [
      [1, 3],
      [3, 1],
    ],
  ],
  ['pipes', `${TOP} FROM top(2, 'a') |> AGGREGATE SUM(x) AS s`, [[5]]],
  ['of a file, with its project or without', 'SELECT a.y, b.y FROM `my-proj.util.numbers`(1) AS a, util.numbers(1) AS b', [[2, 2]]],
  ['of a file, with a table', 'SELECT * FROM util.pairs((SELECT x FROM UNNEST([1, 2]) AS x))', [[1, 2]]],
  ['of a file that calls another', 'SELECT SUM(y) FROM util.up(2)', [[12]]],
  ['functions of files that call others', 'SELECT util.twice(util.twice(3))', [[12]]],
] as const)('%s', async (_, sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test('columns have the names that the query gives them', async () => {
  expect((await table('CREATE TABLE FUNCTION f() RETURNS TABLE<B FLOAT64> AS SELECT 2 AS b; SELECT * FROM f()'))[0]).toEqual(['B']);
});

test.each([
  [`${TOP} SELECT * FROM top(1)`, 'type: top takes 2 arguments, not 1'],
  [`${TOP} SELECT * FROM top('a', 'b')`, 'type: argument least of top must be INT64, but this is STRING'],
  [`${TOP} SELECT * FROM top(least => 1, 'b')`, 'unsupported: top takes its arguments by position, not by name'],
  [`${TOP} SELECT * FROM top(TABLE o, 'b')`, 'type: argument least of top must be a value, not a table'],
  [`${TOP} SELECT top(1, 'a')`, 'type: top returns rows, not a value'],
  [`${TOP} SELECT * FROM tip(1, 'a')`, 'unsupported: tip(…) in FROM is a table function'],
  [`${TOP} SELECT * FROM UNNEST([1]) AS y, top(y, 'a')`, 'unknown-column: there is no column or table y here'],
  [`${SALES} SELECT * FROM sales(1, 'a')`, 'type: argument orders of sales must be a table'],
  [`${SALES} SELECT * FROM sales((SELECT 'a' AS item), 'a')`, 'type: argument orders of sales has no column amount'],
  ['CREATE TEMP FUNCTION f() AS (1); SELECT * FROM f()', 'type: f returns a value, not rows'],
  ['CREATE TABLE FUNCTION f() AS SELECT * FROM f(); SELECT * FROM f()', 'unsupported: the function f calls itself (f → f)'],
  [
    'CREATE TABLE FUNCTION f() AS SELECT q; WITH w AS (SELECT 1 AS q) SELECT * FROM w, f()',
    'unknown-column: there is no column or table q here',
  ],
  [
    'CREATE TABLE FUNCTION f() AS SELECT * FROM w; WITH w AS (SELECT 1 AS q) SELECT * FROM f()',
    'unknown-source: there is no source, saved query or WITH table named w',
  ],
  [
    'CREATE TABLE FUNCTION f(r FLOAT64) AS SELECT r; SELECT * FROM f(RAND())',
    'unsupported: the value of argument r of f must be known before the query runs, and RAND gives a new one at each call',
  ],
  ['CREATE TABLE FUNCTION f() RETURNS TABLE<a INT64> AS SELECT 1 AS b; SELECT * FROM f()', 'type: the result of f has no column a'],
  ['SELECT * FROM ML.PREDICT(MODEL m, TABLE t)', 'unsupported: ML.PREDICT(…) in FROM is a table function'],
])('%s', (sql, message) => {
  expect(refusal(sql)).toBe(message);
});

test('what is wrong in a file is shown there', () => {
  const broken = file('broken', 'CREATE TABLE FUNCTION util.broken() AS SELECT nothing');
  const told = failure(() => translate('SELECT * FROM util.broken()', { functions: [broken] }));
  expect(told).toEqual({ code: 'unknown-column', message: 'there is no column or table nothing here', at: '1:47' });
});
