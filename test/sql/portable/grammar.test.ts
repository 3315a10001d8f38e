// The list of what a text to paste must not have finds what it says, and nothing else.
import { expect, test } from 'vitest';
import { refusedIn } from './grammar.ts';

test.each([
  ["SELECT count() AS n FROM logs WHERE a['b.c'] = 'it''s' LIMIT 10", []],
  ['WITH t AS (SELECT 1 AS one), u AS (SELECT 2 AS two) SELECT t.one * 2 AS x FROM t AS t JOIN u ON t.one = u.two', []],
  ['SELECT quantile(0.5)(x) AS p, arrayMap(v -> v * 1.5, [x])[1] AS q FROM (SELECT 1 AS x)', []],
  ['WITH 1 AS one SELECT one', ['an expression that WITH names']],
  ['WITH (x -> x + 1) AS f SELECT f(1)', ['an expression that WITH names']],
  ['WITH t AS (SELECT 1), lower(x) AS y SELECT y FROM t', ['an expression that WITH names']],
  ['SELECT t.1 FROM logs', ['a position of a tuple']],
  ['SELECT x FROM logs ARRAY JOIN [1, 2] AS x', ['ARRAY JOIN']],
  ['SELECT x FROM logs SETTINGS a = 1', ['SETTINGS']],
  ['SELECT {x:String}', ['a parameter']],
  ['SELECT * FROM logs', ['a star']],
  ['SELECT l.* FROM logs AS l', ['a star']],
  ['SELECT x FROM logs;', ['a semicolon']],
  ['SELECT x FROM web.logs', ['a database']],
  ['SELECT number FROM numbers(3)', ['a table function']],
  ['SELECT x FROM logs FORMAT JSON', ['FORMAT']],
  ['SELECT x FROM logs LIMIT 1, 2', ['LIMIT with more than a number']],
  ['SELECT x FROM logs LIMIT 1 BY x', ['LIMIT with more than a number']],
  ["SELECT 'a\\\\b'", ['a backslash']],
])('%s', (sql, refused) => {
  expect(refusedIn(sql)).toEqual(refused);
});
