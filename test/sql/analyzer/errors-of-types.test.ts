// Errors about types, shapes and limits as people see them: the whole picture, caret and hint included.
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { renderError } from '../../../src/output/error.ts';
import { translate } from '../../../src/sql/index.ts';
import { failure } from '../../support/told.ts';

function picture(text: string): string {
  try {
    translate(text);
  } catch (error) {
    if (error instanceof QuernError) return renderError(error.in({ name: 'query.sql', text }), { colour: false, verbose: false });
    throw error;
  }
  return 'translated';
}

test('DISTINCT in a plain function is refused', () => {
  expect(picture("SELECT UPPER(DISTINCT 'a')")).toMatchInlineSnapshot(`
    "error[type]: UPPER does not take DISTINCT: it is not an aggregate function
      --> query.sql:1:8
       |
     1 | SELECT UPPER(DISTINCT 'a')
       |        ^^^^^^^^^^^^^^^^^^^
    "
  `);
});

test('CASE branches of different types have no common type', () => {
  expect(picture("SELECT CASE WHEN TRUE THEN 1 ELSE 'a' END")).toMatchInlineSnapshot(`
    "error[type]: the results of CASE have no common type: INT64, STRING
      --> query.sql:1:35
       |
     1 | SELECT CASE WHEN TRUE THEN 1 ELSE 'a' END
       |                                   ^^^
       = hint: CAST them to one type
    "
  `);
});

test('a comparison of different types is refused', () => {
  expect(picture("SELECT 1 = 'a'")).toMatchInlineSnapshot(`
    "error[type]: operator = does not take (INT64, STRING)
      --> query.sql:1:8
       |
     1 | SELECT 1 = 'a'
       |        ^^^^^^^
       = hint: CAST one side to the type of the other
    "
  `);
});

test('a text that is no timestamp is refused as one', () => {
  expect(picture("SELECT TIMESTAMP '2026-13-01'")).toMatchInlineSnapshot(`
    "error[type]: '2026-13-01' is not a TIMESTAMP
      --> query.sql:1:8
       |
     1 | SELECT TIMESTAMP '2026-13-01'
       |        ^^^^^^^^^^^^^^^^^^^^^^
       = hint: write it like 2026-01-31 13:45:00+00
    "
  `);
});

test("a text compared to a timestamp that it can't be", () => {
  expect(picture("SELECT CURRENT_TIMESTAMP() > 'yesterday'")).toMatchInlineSnapshot(`
    "error[type]: 'yesterday' is not a TIMESTAMP
      --> query.sql:1:30
       |
     1 | SELECT CURRENT_TIMESTAMP() > 'yesterday'
       |                              ^^^^^^^^^^^
       = hint: write it like 2026-01-31 13:45:00+00
    "
  `);
});

test('set operations of different widths are refused', () => {
  expect(picture('SELECT 1, 2 UNION ALL SELECT 1')).toMatchInlineSnapshot(`
    "error[type]: UNION needs the same number of columns in each query: the first returns 2, this one 1
      --> query.sql:1:23
       |
     1 | SELECT 1, 2 UNION ALL SELECT 1
       |                       ^^^^^^^^
    "
  `);
});

test('set operations of different types are refused', () => {
  expect(picture("SELECT 1 AS n UNION ALL SELECT 'a'")).toMatchInlineSnapshot(`
    "error[type]: column 1 (n) has no common type: INT64 and STRING
      --> query.sql:1:25
       |
     1 | SELECT 1 AS n UNION ALL SELECT 'a'
       |                         ^^^^^^^^^^
       = hint: CAST it in one of the queries
    "
  `);
});

test('a scalar subquery of two columns is refused', () => {
  expect(picture('SELECT (SELECT 1, 2)')).toMatchInlineSnapshot(`
    "error[type]: the subquery returns 2 columns where one value is expected
      --> query.sql:1:8
       |
     1 | SELECT (SELECT 1, 2)
       |        ^^^^^^^^^^^^^
       = hint: select one column, or SELECT AS STRUCT …
    "
  `);
});

test('IN with two columns is refused', () => {
  expect(picture('SELECT 1 IN (SELECT 1, 2)')).toMatchInlineSnapshot(`
    "error[type]: the subquery of IN returns 2 columns
      --> query.sql:1:8
       |
     1 | SELECT 1 IN (SELECT 1, 2)
       |        ^^^^^^^^^^^^^^^^^^
       = hint: select exactly one
    "
  `);
});

test('a position beyond the SELECT list is refused', () => {
  expect(picture('SELECT 1 AS a FROM (SELECT 1) GROUP BY 2')).toMatchInlineSnapshot(`
    "error[type]: there is no column 2 in the SELECT list
      --> query.sql:1:40
       |
     1 | SELECT 1 AS a FROM (SELECT 1) GROUP BY 2
       |                                        ^
       = hint: positions go from 1 to 1
    "
  `);
});

test('ORDER BY cannot use a column that DISTINCT lost', () => {
  expect(picture('SELECT DISTINCT a FROM (SELECT 1 AS a, 2 AS b) ORDER BY b')).toMatchInlineSnapshot(`
    "error[type]: ORDER BY after SELECT DISTINCT can use only what SELECT returns
      --> query.sql:1:57
       |
     1 | SELECT DISTINCT a FROM (SELECT 1 AS a, 2 AS b) ORDER BY b
       |                                                         ^
       = hint: add it to the SELECT list
    "
  `);
});

test('an order of arrays is refused', () => {
  expect(picture('SELECT a FROM (SELECT [1] AS a) ORDER BY a')).toMatchInlineSnapshot(`
    "error[type]: values of type ARRAY have no order
      --> query.sql:1:42
       |
     1 | SELECT a FROM (SELECT [1] AS a) ORDER BY a
       |                                          ^
    "
  `);
});

test('two tables of one name are refused', () => {
  expect(picture('SELECT 1 FROM (SELECT 1) AS t, (SELECT 2) AS t')).toMatchInlineSnapshot(`
    "error[type]: FROM has two tables called t
      --> query.sql:1:15
       |
     1 | SELECT 1 FROM (SELECT 1) AS t, (SELECT 2) AS t
       |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = hint: give one of them another alias
    "
  `);
});

test('a WITH query defined twice is refused', () => {
  expect(picture('WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1')).toMatchInlineSnapshot(`
    "error[type]: WITH defines a twice
      --> query.sql:1:23
       |
     1 | WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1
       |                       ^
       = hint: give one of them another name
    "
  `);
});

test('a parameter that is not declared is refused', () => {
  expect(picture('SELECT @project')).toMatchInlineSnapshot(`
    "error[parameter]: @project is not declared
      --> query.sql:1:8
       |
     1 | SELECT @project
       |        ^^^^^^^^
       = hint: declare it under params: in the header, e.g. project: { type: string }
    "
  `);
});

test('a temporary function cannot see a column', () => {
  expect(picture('CREATE TEMP FUNCTION f(x INT64) AS (x + n); SELECT f(1) FROM (SELECT 1 AS n)')).toMatchInlineSnapshot(`
    "error[unknown-column]: there is no column or table n here
      --> query.sql:1:41
       |
     1 | CREATE TEMP FUNCTION f(x INT64) AS (x + n); SELECT f(1) FROM (SELECT 1 AS n)
       |                                         ^
       = hint: the body of a function sees only its parameters: x
    "
  `);
});

test('a temporary function that calls itself is refused', () => {
  expect(picture('CREATE TEMP FUNCTION f(x INT64) AS (f(x)); SELECT f(1)')).toMatchInlineSnapshot(`
    "error[unsupported]: the function f calls itself (f → f)
      --> query.sql:1:37
       |
     1 | CREATE TEMP FUNCTION f(x INT64) AS (f(x)); SELECT f(1)
       |                                     ^^^^
       = hint: BigQuery SQL functions can’t be recursive
    "
  `);
});

test('* EXCEPT of a column that is not there is refused', () => {
  expect(picture('SELECT * EXCEPT (b) FROM (SELECT 1 AS a)')).toMatchInlineSnapshot(`
    "error[unknown-column]: * has no column b to leave out
      --> query.sql:1:18
       |
     1 | SELECT * EXCEPT (b) FROM (SELECT 1 AS a)
       |                  ^
    "
  `);
});

test('a negative LIMIT is refused', () => {
  expect(picture('SELECT 1 LIMIT -1')).toMatchInlineSnapshot(`
    "error[type]: LIMIT must be 0 or more, not -1
      --> query.sql:1:16
       |
     1 | SELECT 1 LIMIT -1
       |                ^^
    "
  `);
});

test('a cast that no value survives is refused', () => {
  expect(picture('SELECT CAST([1] AS INT64)')).toMatchInlineSnapshot(`
    "error[type]: ARRAY<INT64> can’t be cast to INT64
      --> query.sql:1:8
       |
     1 | SELECT CAST([1] AS INT64)
       |        ^^^^^^^^^^^^^^^^^^
    "
  `);
});

test.each([
  ["json '{}'", 'STRING', "write TO_JSON_STRING(json) for all of it, or JSON_VALUE(json, '$.field') for a value in it"],
  ["json '{}'", 'INT64', "cast a value in it: CAST(JSON_VALUE(json, '$.field') AS INT64)"],
  ["json '{}'", 'ARRAY<INT64>', 'read its fields with JSON_VALUE and its arrays with JSON_QUERY_ARRAY'],
  ["'{}'", 'JSON', 'write PARSE_JSON(text), or TO_JSON(text) for a JSON string'],
  ['1', 'JSON', 'write TO_JSON(value)'],
  ["['a']", 'STRING', "write ARRAY_TO_STRING(array, ', '), or TO_JSON_STRING(array)"],
  ['struct(1 as a)', 'STRING', 'write TO_JSON_STRING(value)'],
  ['[1]', 'INT64', undefined],
])('%s as %s has no cast: what to write instead is said', (value, type, hint) => {
  expect(failure(() => translate(`select cast(${value} as ${type})`))['hint']).toBe(hint);
});

test.each([
  "select j from (select json '1' as j) group by j",
  "select distinct j from (select json '1' as j)",
  "select j from (select json '1' as j) order by j",
  "select s from (select struct(json '1' as j) as s) group by s",
])('%s: what can stand there of JSON is said', (sql) => {
  expect(failure(() => translate(sql))['hint']).toBe(
    "use what they hold, JSON_VALUE(json, '$.field'), or their text, TO_JSON_STRING(json)",
  );
});

test('a type that does not exist is named', () => {
  expect(picture('SELECT CAST(1 AS STRNG)')).toMatchInlineSnapshot(`
    "error[type]: STRNG is not a type quern knows
      --> query.sql:1:18
       |
     1 | SELECT CAST(1 AS STRNG)
       |                  ^^^^^
       = hint: did you mean STRING?
    "
  `);
});
