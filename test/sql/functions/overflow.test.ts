// Results beyond the range of their type fail, as in BigQuery; where ranges are known, nothing is looked at.
import { testExpressions } from '../../support/expression-rows.ts';

const MAX = '9223372036854775807';
const MIN = '-9223372036854775808';
const out = (operators: string, type = 'INT64'): string => `the query failed: the result of ${operators} is out of the range of ${type}`;
const over = (expression: string, ...rows: string[]): string => `(SELECT MAX(${expression}) FROM UNNEST([${rows.join(', ')}]) AS x)`;
const pairs = (expression: string, type: string, ...rows: string[]): string =>
  `(SELECT MAX(${expression}) FROM UNNEST(ARRAY<STRUCT<a ${type}, b ${type}>>[${rows.join(', ')}]))`;

testExpressions(
  {
    'results at the ends of INT64': [
      [over('x + 1', '9223372036854775806', 'NULL'), null, 9223372036854775807n],
      [pairs('a + b', 'INT64', `(${MAX}, ${MIN})`), null, -1],
      [pairs('a - b', 'INT64', `(-1, ${MAX})`), null, -9223372036854775808n],
      [pairs('a * b', 'INT64', '(3037000499, 3037000499)'), null, 9223372030926249001n],
      [pairs('a * b', 'INT64', '(4611686018427387904, -2)'), null, -9223372036854775808n],
      [over('x * -2', '4611686018427387904'), null, -9223372036854775808n],
      [over('5 - x', '-9223372036854775802'), null, 9223372036854775807n],
      [over('-x', MAX), null, -9223372036854775807n],
      [pairs('a + b - a * 2 + (b - a)', 'INT64', '(3, 4)'), null, 2],
    ],
    'where a check has nothing to look at': [
      ['1 + 2', 'toInt64(1) + toInt64(2)', 3],
      ['2 * (3 - 4)', 'toInt64(2) * (toInt64(3) - toInt64(4))', -2],
      [over('x * 1000 + 1', '1', '2'), null, 2001],
    ],
    'what lies under a NULL': [
      [`(SELECT COUNT(y + ${MAX}) FROM (SELECT NULLIF(x, 5) AS y FROM UNNEST([5]) AS x))`, null, 0],
      [`(SELECT COUNT(y + z) FROM (SELECT NULLIF(x, ${MAX}) AS y, x AS z FROM UNNEST([${MAX}]) AS x))`, null, 0],
    ],
    'the ends of FLOAT64 and NUMERIC': [
      [over('x * 10', "CAST('inf' AS FLOAT64)", '1.0'), null, 'inf'],
      [over('x + 1', '1.7976931348623157e308'), null, 1.7976931348623157e308],
      [pairs('a * b', 'FLOAT64', '(1e200, 1e100)'), null, 1e300],
      [over('x + 1', "NUMERIC '99999999999999999999999999998'"), null, '99999999999999999999999999999'],
    ],
    'a constant divisor of decimals': [
      ["(SELECT MAX(x / NUMERIC '8') FROM UNNEST([NUMERIC '36']) AS x)", null, '4.5'],
      ["(SELECT MAX(x / CAST(8 AS BIGNUMERIC)) FROM UNNEST([BIGNUMERIC '36']) AS x)", null, '4.5'],
      ["(SELECT MAX(x / CAST(NULL AS NUMERIC)) FROM UNNEST([NUMERIC '36']) AS x)", null, null],
      ['CAST(NULL AS NUMERIC) / 0', null, null],
    ],
    'sums, quotients and remainders': [
      [over('DIV(x, -1)', MAX), null, -9223372036854775807n],
      [pairs('MOD(a, b)', 'INT64', `(${MIN}, -1)`), null, 0],
      [pairs('a / b', 'FLOAT64', "(CAST('inf' AS FLOAT64), 1e-300)", '(1, 2)'), null, 'inf'],
      [`(SELECT SUM(x) FROM UNNEST([${MAX}, ${MAX}, ${MIN}, ${MIN}]) AS x)`, null, -2],
      [`(SELECT SUM(x) FROM UNNEST([1, 2]) AS x)`, null, 3],
      [`(SELECT SUM(x) FROM UNNEST([1.5e308, -1.5e308, 1.5e308]) AS x)`, null, 1.5e308],
    ],
    'long chains': [
      [pairs(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'a' : 'b')).join(' + '), 'INT64', '(1, 2)'), null, 60],
      [pairs(Array.from({ length: 40 }, () => 'a * b').join(' + '), 'FLOAT64', '(1, 2)'), null, 80],
      [pairs(Array.from({ length: 40 }, () => 'a * b').join(' + '), 'NUMERIC', '(1, 2)'), null, '80'],
    ],
  },
  [
    [over('x + 1', MAX), out('+')],
    [over('x - 2', '-9223372036854775807'), out('-')],
    [over('5 - x', '-9223372036854775803'), out('-')],
    [over('-x', MIN), out('-')],
    [over('x * 3', '3074457345618258603'), out('*')],
    [over('x * -1', MIN), out('*')],
    [pairs('a + b', 'INT64', `(${MAX}, 1)`), out('+')],
    [pairs('a - b', 'INT64', `(0, ${MIN})`), out('-')],
    [pairs('a * b', 'INT64', `(4611686018427387904, 2)`), out('*')],
    [pairs('a * b', 'INT64', `(${MIN}, ${MIN})`), out('*')],
    [pairs('a + b - b', 'INT64', `(${MAX}, 1)`), out('+ or -')],
    [over('x * 10', '1e308'), out('*', 'FLOAT64')],
    [over('DIV(x, -1)', MIN), 'the query failed: DIV: the result is out of range'],
    [over('ABS(x)', MIN), 'the query failed: ABS: the result is out of range'],
    [over('x / 1e-10', '1e300'), out('/', 'FLOAT64')],
    [`(SELECT SUM(x) FROM (SELECT DISTINCT x FROM UNNEST([${MAX}, 1]) AS x))`, 'the query failed: SUM: the result is out of range'],
    [`(SELECT SUM(x) FROM (SELECT DISTINCT x FROM UNNEST([${MIN}, -1]) AS x))`, 'the query failed: SUM: the result is out of range'],
    [`(SELECT SUM(x) FROM UNNEST([${MAX}, 1]) AS x)`, 'the query failed: a value is out of the range of INT64'],
    [over("x / NUMERIC '0'", "NUMERIC '36'"), 'the query failed: division by zero'],
    [over('x / CAST(0 AS BIGNUMERIC)', "BIGNUMERIC '36'"), 'the query failed: division by zero'],
    [`(SELECT SUM(x) FROM UNNEST([1.5e308, 1.5e308]) AS x)`, 'the query failed: SUM: the result is out of range'],
    [pairs('a + b', 'FLOAT64', '(1.7e308, 1e308)'), out('+', 'FLOAT64')],
    [pairs('a + b * b - a', 'FLOAT64', '(1, 1e200)'), out('+, - or *', 'FLOAT64')],
    [over('x + 1', "NUMERIC '99999999999999999999999999999'"), out('+', 'NUMERIC')],
    [pairs('a * b', 'NUMERIC', '(4e14, 3e14)'), out('*', 'NUMERIC')],
    [pairs(Array.from({ length: 40 }, () => 'a * b').join(' + '), 'FLOAT64', '(1e200, 1e108)'), out('+ or *', 'FLOAT64')],
  ],
);
