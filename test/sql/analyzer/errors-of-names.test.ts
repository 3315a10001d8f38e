// Errors about names, groups and windows as people see them: the whole picture, caret and hint included.
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { renderError } from '../../../src/output/error.ts';
import { translate } from '../../../src/sql/index.ts';

function picture(text: string): string {
  try {
    translate(text);
  } catch (error) {
    if (error instanceof QuernError) return renderError(error.in({ name: 'query.sql', text }), { colour: false, verbose: false });
    throw error;
  }
  return 'translated';
}

test('a column that nothing has is pointed at, with the nearest one', () => {
  expect(picture("SELECT pth FROM (SELECT '/x' AS path)")).toMatchInlineSnapshot(`
    "error[unknown-column]: there is no column or table pth here
      --> query.sql:1:8
       |
     1 | SELECT pth FROM (SELECT '/x' AS path)
       |        ^^^
       = hint: did you mean path?
    "
  `);
});

test('a column of a table that has no such column is pointed at', () => {
  expect(picture('SELECT t.statsu FROM (SELECT 200 AS status) AS t')).toMatchInlineSnapshot(`
    "error[unknown-column]: t has no column statsu
      --> query.sql:1:10
       |
     1 | SELECT t.statsu FROM (SELECT 200 AS status) AS t
       |          ^^^^^^
       = hint: did you mean t.status?
    "
  `);
});

test('a name that two tables have is pointed at', () => {
  expect(picture('SELECT id FROM (SELECT 1 AS id) AS a, (SELECT 2 AS id) AS b')).toMatchInlineSnapshot(`
    "error[unknown-column]: id is ambiguous: it is a column of a and b
      --> query.sql:1:8
       |
     1 | SELECT id FROM (SELECT 1 AS id) AS a, (SELECT 2 AS id) AS b
       |        ^^
       = hint: write a.id
    "
  `);
});

test('a column that is neither grouped nor aggregated is pointed at', () => {
  expect(picture("SELECT area, path FROM (SELECT 'rest' AS area, '/x' AS path) GROUP BY area")).toMatchInlineSnapshot(`
    "error[type]: path is neither grouped nor aggregated
      --> query.sql:1:14
       |
     1 | SELECT area, path FROM (SELECT 'rest' AS area, '/x' AS path) GROUP BY area
       |              ^^^^
       = hint: add it to GROUP BY, or aggregate it: ANY_VALUE(path)
    "
  `);
});

test('an aggregate beside a plain column without GROUP BY is pointed at', () => {
  expect(picture('SELECT id, COUNT(*) FROM (SELECT 1 AS id)')).toMatchInlineSnapshot(`
    "error[type]: id is neither grouped nor aggregated
      --> query.sql:1:8
       |
     1 | SELECT id, COUNT(*) FROM (SELECT 1 AS id)
       |        ^^
       = hint: add it to GROUP BY, or aggregate it: ANY_VALUE(id)
    "
  `);
});

test('an aggregate in WHERE is pointed at', () => {
  expect(picture('SELECT 1 FROM (SELECT 1 AS n) WHERE SUM(n) > 1')).toMatchInlineSnapshot(`
    "error[type]: SUM is an aggregate function and can’t be used in WHERE
      --> query.sql:1:37
       |
     1 | SELECT 1 FROM (SELECT 1 AS n) WHERE SUM(n) > 1
       |                                     ^^^^^^
       = hint: filter groups with HAVING
    "
  `);
});

test('an aggregate in an aggregate is pointed at', () => {
  expect(picture('SELECT SUM(COUNT(n)) FROM (SELECT 1 AS n)')).toMatchInlineSnapshot(`
    "error[type]: COUNT is an aggregate function and can’t be used in the arguments of SUM
      --> query.sql:1:12
       |
     1 | SELECT SUM(COUNT(n)) FROM (SELECT 1 AS n)
       |            ^^^^^^^^
    "
  `);
});

test('an aggregate in GROUP BY is pointed at', () => {
  expect(picture('SELECT COUNT(*) FROM (SELECT 1 AS n) GROUP BY SUM(n)')).toMatchInlineSnapshot(`
    "error[type]: SUM is an aggregate function and can’t be used in GROUP BY
      --> query.sql:1:47
       |
     1 | SELECT COUNT(*) FROM (SELECT 1 AS n) GROUP BY SUM(n)
       |                                               ^^^^^^
    "
  `);
});

test('arguments of the wrong types are pointed at', () => {
  expect(picture("SELECT\n  SUBSTR(200, 'x') AS s")).toMatchInlineSnapshot(`
    "error[type]: SUBSTR does not take (INT64, STRING)
      --> query.sql:2:3
       |
     2 |   SUBSTR(200, 'x') AS s
       |   ^^^^^^^^^^^^^^^^
       = hint: it takes SUBSTR(value STRING, position INT64, [length INT64]) or SUBSTR(value BYTES, position INT64, [length INT64])
    "
  `);
});

test('too many arguments are pointed at', () => {
  expect(picture("SELECT STARTS_WITH('a', 'b', 'c')")).toMatchInlineSnapshot(`
    "error[type]: STARTS_WITH does not take (STRING, STRING, STRING)
      --> query.sql:1:8
       |
     1 | SELECT STARTS_WITH('a', 'b', 'c')
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^
       = hint: it takes STARTS_WITH(value STRING, prefix STRING) or STARTS_WITH(value BYTES, prefix BYTES)
    "
  `);
});

test('a misspelt function is pointed at', () => {
  expect(picture("SELECT REGEXP_CONTAIN('a', 'b')")).toMatchInlineSnapshot(`
    "error[unknown-function]: REGEXP_CONTAIN is not a function quern can translate
      --> query.sql:1:8
       |
     1 | SELECT REGEXP_CONTAIN('a', 'b')
       |        ^^^^^^^^^^^^^^
       = hint: did you mean REGEXP_CONTAINS(value, regexp)?
    "
  `);
});

test('a function of a dataset is one that CREATE FUNCTION has made', () => {
  expect(picture('SELECT `their-proj`.dates.days_of(1)')).toMatchInlineSnapshot(`
    "error[unknown-function]: their-proj.dates.days_of is not a function quern can translate
      --> query.sql:1:8
       |
     1 | SELECT \`their-proj\`.dates.days_of(1)
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^
       = hint: a function of a dataset is read from its CREATE FUNCTION, in functions/days_of.sql or before the query (docs/saved-queries.md)
    "
  `);
});

test('a misspelt argument name is pointed at', () => {
  expect(picture("SELECT PARSE_JSON('1', wide_number_mod => 'round')")).toMatchInlineSnapshot(`
    "error[type]: PARSE_JSON has no argument named wide_number_mod
      --> query.sql:1:24
       |
     1 | SELECT PARSE_JSON('1', wide_number_mod => 'round')
       |                        ^^^^^^^^^^^^^^^
       = hint: its arguments are text, wide_number_mode
    "
  `);
});

test('a source that is not there is pointed at', () => {
  expect(picture('SELECT * FROM edge_lgs')).toMatchInlineSnapshot(`
    "error[unknown-source]: there is no source, saved query or WITH table named edge_lgs
      --> query.sql:1:15
       |
     1 | SELECT * FROM edge_lgs
       |               ^^^^^^^^
       = hint: there are no sources
    "
  `);
});

test('a misspelt WITH query is pointed at', () => {
  expect(picture('WITH requests AS (SELECT 1 AS n) SELECT * FROM request')).toMatchInlineSnapshot(`
    "error[unknown-source]: there is no source, saved query or WITH table named request
      --> query.sql:1:48
       |
     1 | WITH requests AS (SELECT 1 AS n) SELECT * FROM request
       |                                                ^^^^^^^
       = hint: did you mean requests?
    "
  `);
});

test('a field of a struct that has others is pointed at', () => {
  expect(picture("SELECT s.hots FROM (SELECT STRUCT('h' AS host, 80 AS port) AS s)")).toMatchInlineSnapshot(`
    "error[unknown-column]: there is no field hots
      --> query.sql:1:8
       |
     1 | SELECT s.hots FROM (SELECT STRUCT('h' AS host, 80 AS port) AS s)
       |        ^^^^^^
       = hint: did you mean host?
    "
  `);
});

test('a field of an array is pointed at', () => {
  expect(picture("SELECT a.path FROM (SELECT [STRUCT('/x' AS path)] AS a)")).toMatchInlineSnapshot(`
    "error[type]: path can't be read from an array (ARRAY<STRUCT<path STRING>>)
      --> query.sql:1:8
       |
     1 | SELECT a.path FROM (SELECT [STRUCT('/x' AS path)] AS a)
       |        ^^^^^^
       = hint: unnest the array first, or take one element: arr[OFFSET(0)]
    "
  `);
});

test('a field of a number is pointed at', () => {
  expect(picture('SELECT n.path FROM (SELECT 1 AS n)')).toMatchInlineSnapshot(`
    "error[type]: path can't be read from a value of type INT64
      --> query.sql:1:8
       |
     1 | SELECT n.path FROM (SELECT 1 AS n)
       |        ^^^^^^
    "
  `);
});

test('UNNEST of text is pointed at', () => {
  expect(picture("SELECT * FROM UNNEST('a,b')")).toMatchInlineSnapshot(`
    "error[type]: UNNEST needs an array, not STRING
      --> query.sql:1:22
       |
     1 | SELECT * FROM UNNEST('a,b')
       |                      ^^^^^
       = hint: to unnest a STRING, split it first: UNNEST(SPLIT(text, ','))
    "
  `);
});

test('an array of arrays is pointed at', () => {
  expect(picture('SELECT [[1], [2]]')).toMatchInlineSnapshot(`
    "error[type]: an array can’t hold arrays
      --> query.sql:1:8
       |
     1 | SELECT [[1], [2]]
       |        ^^^^^^^^^^
       = hint: wrap the inner arrays in STRUCT(…)
    "
  `);
});

test('a window function without OVER is pointed at', () => {
  expect(picture('SELECT ROW_NUMBER() FROM (SELECT 1 AS n)')).toMatchInlineSnapshot(`
    "error[type]: ROW_NUMBER needs OVER (…)
      --> query.sql:1:8
       |
     1 | SELECT ROW_NUMBER() FROM (SELECT 1 AS n)
       |        ^^^^^^^^^^^^
       = hint: e.g. ROW_NUMBER(…) OVER (ORDER BY timestamp)
    "
  `);
});

test('a window function in WHERE is pointed at', () => {
  expect(picture('SELECT 1 FROM (SELECT 1 AS n) WHERE ROW_NUMBER() OVER (ORDER BY n) = 1')).toMatchInlineSnapshot(`
    "error[type]: ROW_NUMBER(…) OVER can’t be used in WHERE
      --> query.sql:1:37
       |
     1 | SELECT 1 FROM (SELECT 1 AS n) WHERE ROW_NUMBER() OVER (ORDER BY n) = 1
       |                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = hint: filter with QUALIFY
    "
  `);
});

test('a window without the order that its function needs is pointed at', () => {
  expect(picture('SELECT LAG(n) OVER () FROM (SELECT 1 AS n)')).toMatchInlineSnapshot(`
    "error[type]: LAG needs ORDER BY in its window
      --> query.sql:1:8
       |
     1 | SELECT LAG(n) OVER () FROM (SELECT 1 AS n)
       |        ^^^^^^^^^^^^^^
       = hint: LAG(…) OVER (ORDER BY …)
    "
  `);
});

test('a window that is not defined is pointed at', () => {
  expect(picture('SELECT SUM(n) OVER w FROM (SELECT 1 AS n)')).toMatchInlineSnapshot(`
    "error[unknown-column]: there is no window w
      --> query.sql:1:20
       |
     1 | SELECT SUM(n) OVER w FROM (SELECT 1 AS n)
       |                    ^
       = hint: define it: WINDOW name AS (PARTITION BY … ORDER BY …)
    "
  `);
});

test('OVER after a plain function is pointed at', () => {
  expect(picture("SELECT UPPER('a') OVER ()")).toMatchInlineSnapshot(`
    "error[type]: UPPER can’t be used with OVER: it is neither an aggregate nor a window function
      --> query.sql:1:8
       |
     1 | SELECT UPPER('a') OVER ()
       |        ^^^^^^^^^^^^^^^^^^
    "
  `);
});

test('inside of a parenthesised join, the tables to its left have no names', () => {
  expect(picture('SELECT y FROM (SELECT [1] AS a) AS t, (UNNEST([3]) AS x CROSS JOIN UNNEST(t.a) AS y)')).toMatchInlineSnapshot(`
    "error[unknown-column]: there is no column or table t here
      --> query.sql:1:75
       |
     1 | SELECT y FROM (SELECT [1] AS a) AS t, (UNNEST([3]) AS x CROSS JOIN UNNEST(t.a) AS y)
       |                                                                           ^
       = hint: the names you can use here are x
    "
  `);
});
