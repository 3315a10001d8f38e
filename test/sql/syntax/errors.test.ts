// Errors in queries: the code, the place, what was expected, and what to do about typical mistakes.
import { describe, expect, test } from 'vitest';
import { failure } from './trees.ts';

type Rows = readonly (readonly [string, string])[];

describe('a query that is not BigQuery is refused with its place and a hint', () => {
  const rows: Rows = [
    ['', 'syntax 1:1 [] expected a query, found the end of the query (write SELECT …)'],
    ['-- nothing\n', 'syntax 2:1 [] expected a query, found the end of the query (write SELECT …)'],
    [
      'describe t',
      'unsupported 1:1 [describe] DESCRIBE is not a query (`quern sources` lists tables, and `quern sources TABLE` its columns)',
    ],
    ['show tables', 'unsupported 1:1 [show] SHOW is not a query (`quern sources` lists tables, and `quern sources TABLE` its columns)'],
    [
      'explain select 1',
      'unsupported 1:1 [explain] EXPLAIN is not a query (`quern explain` shows what becomes of a saved query or of a file)',
    ],
    ['selec 1', 'syntax 1:1 [selec] expected a query, found selec (did you mean SELECT?)'],
    ['wiht a as (select 1) select * from a', 'syntax 1:1 [wiht] expected a query, found wiht (did you mean WITH?)'],
    ['select * form t', 'syntax 1:10 [form] expected "," or FROM after "*", found form (did you mean FROM?)'],
    [
      'select * fields',
      'syntax 1:10 [fields] expected "," or FROM after "*", found fields (the columns of * keep their names: to give others, name each column: a AS b)',
    ],
    [
      'select a from t were a = 1',
      'syntax 1:22 [a] expected the end of the query after were, found a (did you mean WHERE instead of were?)',
    ],
    [
      'select a from t gropu by a',
      'syntax 1:23 [by] expected the end of the query after gropu, found by (did you mean GROUP instead of gropu?)',
    ],
    ['select a from t as u limt 3', 'syntax 1:22 [limt] expected the end of the query after u, found limt (did you mean LIMIT?)'],
    ['select a from t limt 3', 'syntax 1:22 [3] expected the end of the query after limt, found 3 (did you mean LIMIT instead of limt?)'],
    ['select a from t u 3', 'syntax 1:19 [3] expected the end of the query after u, found 3'],
    ['hello', 'syntax 1:1 [hello] expected a query, found hello'],
    [
      'SELECT COUNT(*) FILTER (WHERE a)',
      'syntax 1:24 [(] expected "," or FROM after FILTER, found "(" (BigQuery has no FILTER: write COUNTIF(condition), or SUM(IF(condition, x, NULL)))',
    ],
    [
      "SELECT a -> 'b'",
      `syntax 1:10 [->] expected "," or FROM after a, found "->" (read a field with a dot, and JSON with JSON_VALUE(json, path))`,
    ],
    [
      "SELECT a FROM t WHERE a ~ 'b'",
      'syntax 1:25 [~] expected the end of the query after a, found "~" (match a regular expression with REGEXP_CONTAINS(x, regexp))',
    ],
    [
      'SELECT a FROM t FETCH FIRST 5 ROWS ONLY',
      'syntax 1:17 [FETCH] expected the end of the query after t, found FETCH (write LIMIT count)',
    ],
    [
      'SELECT DISTINCT ON (a) b FROM t',
      'syntax 1:17 [ON] expected an expression after DISTINCT, found ON (for one row each, write QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) = 1)',
    ],
    [
      'SELECT 1 FROM',
      'syntax 1:14 [] expected a table after FROM, found the end of the query (the query ends too early: complete it, or remove FROM)',
    ],
    ['SELECT FROM logs', 'syntax 1:8 [FROM] expected an expression after SELECT, found FROM'],
    ['SELECT a, , b FROM t', 'syntax 1:11 [,] expected an expression after ",", found ","'],
    ['SELECT a form t', 'syntax 1:15 [t] expected "," or FROM after form, found t (did you mean FROM instead of form?)'],
    ['SELECT a b fro t', 'syntax 1:12 [fro] expected "," or FROM after b, found fro (did you mean FROM?)'],
    ['SELECT 1; selct 2', 'syntax 1:11 [selct] expected a query after ";", found selct (did you mean SELECT?)'],
    ['SELECT a\n  b c FROM t', 'syntax 2:5 [c] expected "," or FROM after b, found c (a comma may be missing before it)'],
    [
      'SELECT * AS v FROM t',
      'syntax 1:10 [AS] expected "," or FROM after "*", found AS (the columns of * keep their names: to give others, name each column: a AS b)',
    ],
    [
      'SELECT t.* v FROM t',
      'syntax 1:12 [v] expected "," or FROM after "*", found v (the columns of * keep their names: to give others, name each column: a AS b)',
    ],
    [
      'SELECT a AS * FROM t',
      'syntax 1:13 [*] expected a name after AS, found "*" (* means all columns and is not a name: write it alone, or name the column)',
    ],
    ['SELECT TOP 10 a FROM t', 'syntax 1:8 [TOP] BigQuery has no SELECT TOP (write LIMIT 10 at the end of the query)'],
    [
      "SELECT a ILIKE 'x' FROM t",
      `syntax 1:16 ['x'] expected "," or FROM after ILIKE, found 'x' (BigQuery has no ILIKE: write LOWER(x) LIKE LOWER(pattern))`,
    ],
    [
      "SELECT a FROM t WHERE a ILIKE 'x'",
      'syntax 1:25 [ILIKE] expected the end of the query after a, found ILIKE (BigQuery has no ILIKE: write LOWER(x) LIKE LOWER(pattern))',
    ],
    [
      'SELECT a FROM t LIMIT 5, 10',
      'syntax 1:24 [,] expected OFFSET or the end of the query after 5, found "," (BigQuery writes LIMIT count OFFSET skipped)',
    ],
    [
      'SELECT order FROM t',
      'syntax 1:8 [order] expected an expression after SELECT, found order (order is a reserved word; to use it as a name, write it in backticks: `order`)',
    ],
    [
      'SELECT a AS end, b',
      'syntax 1:13 [end] expected a name after AS, found end (end is a reserved word; to use it as a name, write it in backticks: `end`)',
    ],
    [
      'SELECT a FROM "t"',
      'syntax 1:15 ["t"] expected a table after FROM, found "t" (quotes make a string; a name is written plain or in backticks)',
    ],
    [
      'SELECT a FROM t ORDER BY a WHERE b',
      'syntax 1:28 [WHERE] expected the end of the query after a, found WHERE (the order of clauses is SELECT, FROM, WHERE, GROUP BY, HAVING, QUALIFY, WINDOW, ORDER BY, LIMIT)',
    ],
    ['SELECT a FROM t)', 'syntax 1:16 [)] expected the end of the query after t, found ")"'],
    ['SELECT (SELECT 1', 'syntax 1:17 [] expected ")" after 1, found the end of the query'],
    [
      'SELECT * EXCEPT a FROM t',
      'syntax 1:17 [a] expected "(", ALL or DISTINCT after EXCEPT, found a (write the columns to leave out in parentheses: * EXCEPT (a, b))',
    ],
    [
      'WITH a AS (SELECT 1), SELECT 2',
      'syntax 1:23 [SELECT] expected the name of a subquery after ",", found SELECT (remove the comma before it)',
    ],
    ['WITH a AS SELECT 1 SELECT 2', 'syntax 1:11 [SELECT] expected "(" and a subquery after AS, found SELECT'],
    [
      'SELECT 1 UNION SELECT 2',
      'syntax 1:16 [SELECT] expected ALL or DISTINCT after UNION, found SELECT (BigQuery has no plain UNION: write UNION ALL or UNION DISTINCT)',
    ],
    [
      'SELECT 1 UNION ALL SELECT 2 EXCEPT DISTINCT SELECT 3',
      'syntax 1:29 [EXCEPT DISTINCT] EXCEPT DISTINCT follows another set operation (different set operations can’t be chained: put one of them in parentheses)',
    ],
    [
      'SELECT 1 LEFT UNION ALL SELECT 2',
      'syntax 1:25 [SELECT] expected BY NAME or CORRESPONDING after ALL, found SELECT (LEFT before UNION matches columns by name: add BY NAME)',
    ],
    [
      'SELECT 1 FROM a JOIN (SELECT 2) WHERE b',
      'syntax 1:22 [(SELECT 2)] this JOIN has no ON or USING (say which rows belong together with ON or USING; for all pairs, write CROSS JOIN)',
    ],
    [
      'SELECT 1 FROM a FULL JOIN b.c',
      'syntax 1:27 [b.c] this FULL JOIN has no ON or USING (say which rows belong together with ON or USING; for all pairs, write CROSS JOIN)',
    ],
    [
      'SELECT 1 FROM a JOIN b ON c ON d',
      'syntax 1:29 [ON d] this condition does not belong to any JOIN (each JOIN has one ON or USING; join several conditions with AND)',
    ],
    [
      'SELECT 1 FROM a JOIN b JOIN c JOIN d ON e ON f',
      'syntax 1:22 [b] this JOIN has no ON or USING (say which rows belong together with ON or USING; for all pairs, write CROSS JOIN)',
    ],
    [
      'SELECT 1 FROM a CROSS JOIN b ON c',
      'syntax 1:30 [ON] expected a join or the end of FROM after b, found ON (a cross join has no condition: use JOIN … ON, or move the condition to WHERE)',
    ],
    [
      'SELECT 1 FROM a, b RIGHT JOIN c ON d',
      'syntax 1:31 [c] RIGHT JOIN cannot follow a comma (put the tables after the comma in parentheses, or write CROSS JOIN)',
    ],
    ['SELECT SUM(a) OVER (PARTITION b)', 'syntax 1:31 [b] expected BY after PARTITION, found b'],
    [
      'SELECT a FROM t GROUP BY GROUPING SETS (GROUPING SETS (a))',
      'syntax 1:41 [GROUPING] GROUPING SETS cannot be inside GROUPING SETS (list the inner sets in the outer one)',
    ],
    ['FROM t |> FOO', 'syntax 1:11 [FOO] expected a pipe operator such as WHERE or AGGREGATE after "|>", found FOO'],
    ['FROM t |> AGGREGATE', 'syntax 1:20 [] expected an aggregate expression or GROUP BY after AGGREGATE, found the end of the query'],
    ['CREATE TEMP FUNCTION f(x) AS (x); SELECT 1', 'syntax 1:25 [)] expected a type after x, found ")"'],
    ['CREATE TEMP FUNCTION f() AS (1) SELECT 1', 'syntax 1:33 [SELECT] expected ";" and a query after ")", found SELECT'],
  ];
  test.each(rows)('%s', (text, picture) => {
    expect(failure(text)).toBe(picture);
  });
});

describe('BigQuery that quern does not take is unsupported', () => {
  const rows: Rows = [
    [
      'INSERT INTO t VALUES (1)',
      'unsupported 1:1 [INSERT] INSERT is not a query (quern only reads: leave out the statement, or run the SELECT inside it)',
    ],
    [
      'DECLARE a; SELECT a',
      'syntax 1:10 [;] expected a type or DEFAULT after a, found ";" (write DECLARE name INT64, or DECLARE name DEFAULT 5)',
    ],
    [
      'SELECT 1; WHILE TRUE DO SELECT 2; END WHILE',
      'unsupported 1:11 [WHILE] WHILE is not a query (quern has no loops: write what they do as one query, over GENERATE_ARRAY or with WITH RECURSIVE)',
    ],
    [
      'CREATE TEMP FUNCTION f() AS (1);',
      'syntax 1:33 [] expected a query after ";", found the end of the query (write SELECT … behind it; a function for all queries is a file in the folder functions of the project)',
    ],
    [
      'CREATE SCHEMA s',
      'unsupported 1:1 [CREATE SCHEMA s] CREATE SCHEMA is not a query (CREATE FUNCTION and CREATE TABLE or VIEW … AS SELECT can come before the query)',
    ],
    [
      'CREATE TEMP FUNCTION f() RETURNS INT64 LANGUAGE js AS "1"; SELECT 1',
      'unsupported 1:40 [LANGUAGE] functions in JavaScript or another language are not translated (write the body as a SQL expression: CREATE TEMP FUNCTION name(x INT64) AS (x + 1))',
    ],
    [
      'SELECT 1 FROM ml.predict(MODEL m)',
      'unsupported 1:15 [ml.predict(] ml.predict(…) in FROM is a table function (models exist only in BigQuery)',
    ],
    [
      'SELECT 1 FROM a NATURAL JOIN b',
      'unsupported 1:17 [NATURAL] NATURAL JOIN is not in BigQuery (name the columns: JOIN … USING (a, b))',
    ],
    [
      'SELECT 1 FROM UNNEST(a, b)',
      'unsupported 1:23 [,] UNNEST of several arrays at once is not translated (unnest one WITH OFFSET and index the others with the offset)',
    ],
    ['SELECT @{x=1} a', 'unsupported 1:8 [@{] a query hint (@{…}) is not translated (remove the hint; it does not change the rows)'],
    [
      'SELECT WITH DIFFERENTIAL_PRIVACY a',
      'unsupported 1:8 [WITH] SELECT WITH … is not translated (remove the WITH options, or run the query on BigQuery)',
    ],
    ['FROM t |> CALL f()', 'unsupported 1:11 [CALL] |> CALL is not translated (rewrite the query without it)'],
  ];
  test.each(rows)('%s', (text, picture) => {
    expect(failure(text)).toBe(picture);
  });
});
