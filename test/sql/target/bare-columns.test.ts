// Columns stand without their table where nothing else can be meant.
import { expect, test } from 'vitest';
import { sourcesFrom, translate } from '../../../src/translate.ts';
import { queryRunner } from '../../support/query-rows.ts';

const run = queryRunner();

const VALUES = '(SELECT 3 AS x, [1, 2] AS list UNION ALL SELECT 5, [7])';

/** Queries in which something else has the name of a column. */
test.each([
  [`SELECT MAX(x) AS x, MIN(x) AS least FROM ${VALUES}`, [[5, 3]]],
  [`SELECT x + 1 AS x FROM ${VALUES} WHERE x > 3 ORDER BY x`, [[6]]],
  [
    `SELECT -x AS y, x AS z FROM ${VALUES} GROUP BY x ORDER BY x`,
    [
      [-3, 3],
      [-5, 5],
    ],
  ],
  [
    `SELECT x, ARRAY(SELECT x * e FROM UNNEST(list) AS e) AS list FROM ${VALUES} ORDER BY x`,
    [
      [3, [3, 6]],
      [5, [35]],
    ],
  ],
  [
    `SELECT t.x, x FROM ${VALUES} AS t, UNNEST(t.list) AS x WHERE x > 1 ORDER BY 1`,
    [
      [3, 2],
      [5, 7],
    ],
  ],
  [
    `SELECT x, (SELECT COUNT(*) FROM ${VALUES} AS u WHERE u.x <= t.x) AS n FROM ${VALUES} AS t ORDER BY x`,
    [
      [3, 1],
      [5, 2],
    ],
  ],
  [`WITH x AS (SELECT 9 AS x) SELECT t.x FROM ${VALUES} AS t WHERE t.x IN (SELECT x.x - 4 FROM x)`, [[5]]],
  [
    `SELECT q.q, q.x FROM (SELECT x, x * 2 AS q FROM ${VALUES}) AS q ORDER BY q`,
    [
      [6, 3],
      [10, 5],
    ],
  ],
  [
    `SELECT x, COUNT(*) FROM ${VALUES} GROUP BY ROLLUP(x) ORDER BY x`,
    [
      [null, 2],
      [3, 1],
      [5, 1],
    ],
  ],
  [
    `SELECT list AS x, x AS list FROM ${VALUES} ORDER BY list`,
    [
      [[1, 2], 3],
      [[7], 5],
    ],
  ],
])('%s', async (sql, rows) => {
  expect(await run.rows(sql)).toEqual(rows);
  expect(await run.rows(sql, { helpers: 'inline' })).toEqual(rows);
});

const sources = sourcesFrom('CREATE TABLE shop.orders (id Int64, day Date32, price Float64, orders Int64)');

test.each([
  ['SELECT id, price FROM shop.orders WHERE price > 3.5 ORDER BY id', 'SELECT id, price FROM shop.orders WHERE price > 3.5 ORDER BY id'],
  ['SELECT id / 2 AS id FROM shop.orders', 'SELECT orders.id / 2 AS id FROM shop.orders'],
  ['SELECT o.orders FROM shop.orders AS o', 'SELECT o.orders AS orders FROM shop.orders AS o'],
  [
    'SELECT a.id FROM shop.orders AS a JOIN shop.orders AS b ON a.id = b.orders',
    'SELECT a.id AS id FROM shop.orders AS a INNER JOIN shop.orders AS b ON a.id = b.orders',
  ],
])('%s is written as %s', (sql, clickhouse) => {
  const lines = translate(sql, { sources }).sql.split('\n');
  const body = lines.slice(lines.findIndex((line) => line.startsWith('SELECT')));
  expect(body.map((line) => line.trim()).join(' ')).toBe(clickhouse);
});
