// SQL that people keep has the comments of the query, above what they are about. The rest of it is the same as without them.
import { expect, test } from 'vitest';
import { createdTables } from '../../../src/sources/created-tables.ts';
import { translate } from '../../../src/sql/index.ts';

const sources = createdTables('CREATE TABLE orders (id Int64, amount Int64, status String, at DateTime) ENGINE = Memory');

const sqlOf = (text: string, commentsFrom?: number, result?: number): string => translate(text, { sources, commentsFrom, result }).sql;

test('comments stand above the clause or the column that they are about', () => {
  const text = `# for the board
SELECT
  id, -- the key
  -- net
  amount AS revenue /* euros */
FROM orders -- all shops
WHERE status = 'paid'
  -- AND id > 3
  AND id > 2
ORDER BY id -- oldest first
LIMIT 3
-- end`;
  expect(sqlOf(text, 0)).toBe(`-- for the board
SELECT
  -- the key
  id,
  -- net
  -- euros
  amount AS revenue
-- all shops
FROM orders
-- AND id > 3
WHERE status = 'paid' AND id > 2
-- oldest first
ORDER BY id
-- end
LIMIT 3`);
});

test('a query with a name keeps its own, and gives them up where it is read into another', () => {
  const text = `with
-- by state
states as (select status, count(*) as n from orders group by status),
-- those that count
paid as (select id /* the key */, amount from orders where status = 'paid' /* no refunds */)
-- both
select paid.id, a.n as here, b.n as there from paid, states as a, states as b`;
  expect(sqlOf(text, 0)).toMatchInlineSnapshot(`
    "WITH
      states AS (
        -- by state
        SELECT status, toInt64(count()) AS n
        FROM orders
        GROUP BY status
      )
    -- both
    SELECT paid.id AS id, a.n AS here, b.n AS there
    FROM (
      -- those that count
      SELECT
        -- the key
        id
      FROM orders
      -- no refunds
      WHERE status = 'paid'
    ) AS paid
    CROSS JOIN states AS a
    CROSS JOIN states AS b"
  `);
});

test('inputs of UNION keep theirs', () => {
  const text = `select id from orders -- all
union all
-- once more
select amount from orders where id = 1 -- one`;
  expect(sqlOf(text, 0)).toMatchInlineSnapshot(`
    "(
      SELECT id
      -- all
      FROM orders
    )
    UNION ALL
    (
      -- once more
      SELECT amount AS id
      FROM orders AS orders_2
      -- one
      WHERE orders_2.id = 1
    )"
  `);
});

test('a block of lines loses its stars, and its empty lines at both ends', () => {
  expect(sqlOf('/*\n * One.\n *\n * Two.\n */\nselect true as x', 0)).toBe('-- One.\n--\n-- Two.\nSELECT true AS x');
});

test('each of several queries has those above it and behind it', () => {
  const text = '-- a\nselect 1 as x; -- b\n-- c\nselect 2 as y -- d\n; -- e\n-- f';
  expect([0, 1].map((result) => sqlOf(text, 0, result))).toMatchInlineSnapshot(`
    [
      "-- a
    SELECT
      -- b
      toInt64(1) AS x",
      "-- c
    SELECT
      -- d
      -- e
      -- f
      toInt64(2) AS y",
    ]
  `);
});

test('comments before the place that is given are left out', () => {
  const text = "/*--- id: x ---*/ -- kept\nselect 'a' as x";
  expect(sqlOf(text, text.indexOf('-- kept'))).toBe("-- kept\nSELECT 'a' AS x");
  expect(sqlOf(text, undefined)).toBe("SELECT 'a' AS x");
});

test.each([
  'select /* c1 */ id + 1 /* c2 */ from (select id from orders /* c3 */ limit 3) as o /* c4 */',
  'from orders -- c1\n|> where id > 1 -- c2\n|> aggregate count(*) as n -- c3\n group by status -- c4\n|> order by n -- c5',
  'select o.id from orders o /* c1 */ join (/* c2 */ select id from orders) p /* c3 */ using (id) where exists (select 1 /* c4 */)',
  'declare x int64 default 3; -- c1\nselect x /* c2 */ as x, * /* c3 */ from orders group by all /* c4 */',
  "select id, sum(amount) as s from orders where status in ('a', /* c1 */ 'b') group by rollup (id) /* c2 */ having s > 3 /* c3 */",
  'with recursive r as (select 1 as n /* c1 */ union all select n + 1 from r /* c2 */ where n < 3) select * from r /* c3 */',
  'select status, row_number() over (order by id) as n from orders qualify n = 1 /* c1 */ order by /* c2 */ status limit 2 offset 1 /* c3 */',
])('no comment is lost, and nothing else is changed: %s', (text) => {
  const kept = sqlOf(text, 0).split('\n');
  const isComment = (line: string): boolean => line.trim().startsWith('-- ');
  expect(
    kept
      .filter(isComment)
      .map((line) => line.trim())
      .sort(),
  ).toEqual([...text.matchAll(/\bc\d\b/g)].map(([name]) => `-- ${name}`));
  const bare = (lines: readonly string[]): string =>
    lines
      .join(' ')
      .replace(/\s+/g, ' ')
      .replace(/\( | \)/g, (found) => found.trim());
  expect(bare(kept.filter((line) => !isComment(line)))).toBe(bare(sqlOf(text, undefined).split('\n')));
});
