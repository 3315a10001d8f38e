// Expressions: what binds to what, and the forms that have a grammar of their own.
import { describe, expect, test } from 'vitest';
import { printExpr } from '../../support/bigquery-text/print-expression.ts';
import { expressionTree, failure, parseExpression } from './trees.ts';

describe('operators bind as BigQuery binds them', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['a + b * c', 'a + (b * c)'],
    ['a - b - c', '(a - b) - c'],
    ['a * b || c / d', '((a * b) || c) / d'],
    ['a << b + c', 'a << (b + c)'],
    ['a >> b >> c', '(a >> b) >> c'],
    ['a | b ^ c & d << e', 'a | (b ^ (c & (d << e)))'],
    ['- a * b', '(- a) * b'],
    ['- - ~ + a', '- (- (~ (+ a)))'],
    ['-a.b[0].c', '-(((a.b)[0]).c)'],
    ['-x::int64', '-(CAST(x AS INT64))'],
    ['a OR b AND c', 'a OR (b AND c)'],
    ['a AND b AND c', '(a AND b) AND c'],
    ['NOT a = b AND c', '(NOT (a = b)) AND c'],
    ['NOT NOT a', 'NOT (NOT a)'],
    ['NOT a IS NULL', 'NOT (a IS NULL)'],
    ['a + 1 = b | c', '(a + 1) = (b | c)'],
    ['a != b', 'a <> b'],
    ['a BETWEEN b AND c AND d', '(a BETWEEN b AND c) AND d'],
    ['a NOT BETWEEN b + 1 AND c', 'a NOT BETWEEN (b + 1) AND c'],
    ['a IS NOT DISTINCT FROM b OR c', '(a IS NOT DISTINCT FROM b) OR c'],
    ['a LIKE b || c', 'a LIKE (b || c)'],
    ['(a)', 'a'],
    ['((a))', 'a'],
    ['((SELECT 1))', '(SELECT 1)'],
    ['((SELECT 1) + 1)', '(SELECT 1) + 1'],
    ['((SELECT 1), 2)', 'STRUCT((SELECT 1), 2)'],
    ['(((SELECT 1)) UNION ALL SELECT 2)', '((SELECT 1) UNION ALL SELECT 2)'],
    ['((a + b) * c)', '(a + b) * c'],
    ['((a), b)', '(a, b)'],
    ['(x).f(y).g()', 'g(f(x, y))'],
    ['f(x).(SAFE.g)(y)', 'SAFE.g(f(x), y)'],
    ['event_message::text', 'CAST(event_message AS STRING)'],
    ['a::float8::varchar', 'CAST(CAST(a AS FLOAT64) AS STRING)'],
    ['a::double precision', 'CAST(a AS FLOAT64)'],
    ['CURRENT_TIMESTAMP', 'CURRENT_TIMESTAMP()'],
  ];
  test.each(rows)('%s', (text, explicit) => {
    expect(expressionTree(text)).toEqual(expressionTree(explicit));
  });
});

test('a long chain of AND becomes a shallow tree of the same operands', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `a${i}`);
  const printed = printExpr(parseExpression(names.join(' AND ')));
  expect(printed.replace(/[()]/g, '')).toBe(names.join(' AND '));
});

describe('every form is read and written', () => {
  const rows: readonly (readonly [string, string] | readonly [string])[] = [
    ['f()'],
    ['COUNT(*)'],
    ['COUNT(* HAVING MAX a)'],
    ['COUNT(DISTINCT a)'],
    ['NET.HOST(a)'],
    ['SAFE.SUBSTR(a, 1)'],
    ['hll_count.init(a)'],
    ['IF(a, b, c)'],
    ['LEFT(a, 1) || RIGHT(a, 1)'],
    ['DATE(a)'],
    ['f(x => 1, y => 2)'],
    ['f(a AS b)'],
    ['ARRAY_FILTER(a, e -> e > 1)', 'ARRAY_FILTER(a, (e) -> e > 1)'],
    ['f((a, b) -> a + b, () -> 1)'],
    ['TIMESTAMP_TRUNC(a, WEEK(MONDAY))'],
    ['ARRAY_AGG(DISTINCT a IGNORE NULLS ORDER BY b DESC, c ASC NULLS LAST LIMIT 3)'],
    ['ANY_VALUE(a HAVING MIN b)'],
    ['APPROX_QUANTILES(x, 100)[offset(95)]', 'APPROX_QUANTILES(x, 100)[OFFSET(95)]'],
    ['a[0]'],
    ['@p.a[0]'],
    ["a['k'][SAFE_ORDINAL(1)][KEY('x')]"],
    ['(a + b).c'],
    ['[1, 2]'],
    ['[]'],
    ['ARRAY[1]', '[1]'],
    ['ARRAY<INT64>[]'],
    ['ARRAY<STRUCT<a INT64, ARRAY<STRING>>>[]'],
    ['STRUCT(1 AS a, b)'],
    ['(1, 2)', 'STRUCT(1, 2)'],
    ['STRUCT<a INT64, b ARRAY<STRING>>(1, [])'],
    ['STRUCT<>()'],
    ['CAST(a AS bigint)', 'CAST(a AS INT64)'],
    ['CAST(a AS NUMERIC(10, 2))'],
    ["SAFE_CAST(a AS STRING FORMAT 'YYYY' AT TIME ZONE 'UTC')"],
    ['CAST(a AS INTERVAL)'],
    ['CASE WHEN a THEN 1 ELSE 2 END'],
    ['CASE a WHEN 1 THEN 2 WHEN 3 THEN 4 END'],
    ["EXTRACT(WEEK(monday) FROM a AT TIME ZONE 'UTC')", "EXTRACT(WEEK(MONDAY) FROM a AT TIME ZONE 'UTC')"],
    ['INTERVAL -5 day', 'INTERVAL - 5 DAY'],
    ["INTERVAL '1-2' YEAR TO MONTH"],
    ['a IN (1, 2)'],
    ['a NOT IN (SELECT b FROM t)'],
    ['a IN UNNEST(@p)'],
    ["a LIKE SOME ('x', 'y')", "a LIKE ANY ('x', 'y')"],
    ['a NOT LIKE ALL UNNEST(b)'],
    ['a IS NOT UNKNOWN'],
    ['EXISTS(SELECT 1)'],
    ['ARRAY(SELECT 1)'],
    ['WITH(a AS 1, b AS a + 1, a + b)'],
    ['SUM(a) OVER w'],
    ['SUM(a) OVER ()'],
    ['SUM(a) OVER (w PARTITION BY b ORDER BY c ASC ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING)'],
    ['SUM(a) OVER (ORDER BY c DESC RANGE 5 PRECEDING)', 'SUM(a) OVER (ORDER BY c DESC RANGE BETWEEN 5 PRECEDING AND CURRENT ROW)'],
    [String.raw`'a\'b\n\u00e9\x01'`, String.raw`'a\'b\né\x01'`],
    [String.raw`b'\xff\'a'`],
    ['`a b`.`c`'],
  ];
  test.each(rows)('%s', (text, printed = text) => {
    expect(printExpr(parseExpression(text))).toBe(printed);
    expect(expressionTree(printed)).toEqual(expressionTree(text));
  });
});

describe('parentheses are written where the tree needs them', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['(a + b) * c', '(a + b) * c'],
    ['a - (b - c)', 'a - (b - c)'],
    ['(a = b) = c', '(a = b) = c'],
    ['(NOT a) = b', '(NOT a) = b'],
    ['-(-a)', '- - a'],
    ['-(a + b)', '- (a + b)'],
    ['a AND (b AND c)', 'a AND (b AND c)'],
    ['(a OR b) AND c', '(a OR b) AND c'],
    ['(a AND b) BETWEEN c AND (d OR e)', '(a AND b) BETWEEN c AND (d OR e)'],
    ['(a).b', '(a).b'],
    ['((1, 2)).a', '(STRUCT(1, 2)).a'],
  ];
  test.each(rows)('%s', (text, printed) => {
    expect(printExpr(parseExpression(text))).toBe(printed);
  });
});

describe('what is no expression is refused at its place', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['1 +', 'syntax 1:4 [] expected an expression after "+", found the end of the query'],
    [
      'a = b = c',
      'syntax 1:7 [=] expected AND, OR or the end of the comparison after b, found "=" (comparisons do not chain: put one of them in parentheses, or join them with AND)',
    ],
    [
      'a = NOT b',
      'syntax 1:5 [NOT] expected an expression after "=", found NOT (NOT binds more loosely than this operator: write (NOT …) in parentheses)',
    ],
    ['a == 1', 'syntax 1:3 [==] expected the end of the expression after a, found "==" (BigQuery compares with a single =)'],
    ['a && b', 'syntax 1:3 [&&] expected the end of the expression after a, found "&&" (BigQuery writes AND)'],
    ['a % 2', 'syntax 1:3 [%] expected the end of the expression after a, found "%" (for the remainder, write MOD(x, y))'],
    ['a > > b', 'syntax 1:5 [>] expected an expression after ">", found ">"'],
    ['CASE WHEN a THEN 1', 'syntax 1:19 [] expected WHEN, ELSE or END after 1, found the end of the query (every CASE ends with END)'],
    ['CAST(a, INT64)', 'syntax 1:7 [,] expected AS and a type after a, found "," (write CAST(value AS type))'],
    ['f(a b)', 'syntax 1:5 [b] expected "," or ")" after a, found b (a comma may be missing before it)'],
    ['a IN (1, )', 'syntax 1:10 [)] expected another item after ",", found ")" (remove the comma before it)'],
    ['f(a, )', 'syntax 1:6 [)] expected another item after ",", found ")" (remove the comma before it)'],
    [
      'f(SELECT 1)',
      'syntax 1:3 [SELECT] expected an argument after "(", found SELECT (a subquery as an argument needs its own parentheses: f((SELECT …)))',
    ],
    ['a IN @p', 'syntax 1:6 [@p] expected "(" or UNNEST after IN, found @p (for an array parameter write IN UNNEST(@p))'],
    ['ARRAY(1)', 'syntax 1:1 [ARRAY(1)] ARRAY takes a subquery in its parentheses (write ARRAY(SELECT …), or [a, b] for a list of values)'],
    [
      'INTERVAL 5',
      "syntax 1:11 [] expected a date part such as DAY after 5, found the end of the query (write INTERVAL 5 DAY, or INTERVAL '1-2' YEAR TO MONTH)",
    ],
    ['if', 'syntax 1:1 [if] expected an expression, found if (if is a reserved word; to use it as a name, write it in backticks: `if`)'],
    ['(a).cast(b)', 'syntax 1:9 [(] CAST is not a function and cannot be called after a dot (write it around the value)'],
    ['(a).5and(b)', 'syntax 1:9 [(] 5AND is not a function and cannot be called after a dot (write it around the value)'],
    ['a[*]', 'unsupported 1:3 [*] [*] is not translated (unnest the array: FROM UNNEST(array) AS element)'],
    ["RANGE<DATE> '[a, b)'", 'unsupported 1:1 [RANGE] the type RANGE is not translated (use two columns: a start and an end)'],
  ];
  test.each(rows)('%s', (text, picture) => {
    expect(failure(text, parseExpression)).toBe(picture);
  });
});
