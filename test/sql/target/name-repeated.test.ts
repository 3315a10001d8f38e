// Names in WITH for what a SELECT repeats, and functions in WITH for what BigQuery does and ClickHouse does not.
import { expect, test } from 'vitest';
import { translate } from '../../../src/sql/index.ts';
import { queryRunner } from '../../support/query-rows.ts';

const run = queryRunner();

const times = (text: string, part: string): number => text.split(part).length - 1;

const TEXTS =
  '(SELECT \' 12\' AS s, 1.5 AS f, \'{"a": {"b": "7"}}\' AS j UNION ALL SELECT \'0x1F\', 2.5, \'{"a": 1}\' UNION ALL SELECT NULL, NULL, NULL)';

/** Queries whose parts are repeated in every way that a SELECT has. */
const QUERIES: readonly string[] = [
  `SELECT CAST(s AS INT64), CAST(s AS INT64) + 1, SAFE_CAST(s AS FLOAT64) FROM ${TEXTS} ORDER BY 1`,
  `SELECT ROUND(SUM(f * f + 1) * 100, 2) / 100, ROUND(SUM(f * f + 1), 1) FROM ${TEXTS}`,
  `SELECT CAST(CONCAT(s, '0') AS INT64) AS k, COUNT(*) FROM ${TEXTS} WHERE s = ' 12' GROUP BY k HAVING k > 1 ORDER BY k`,
  `SELECT JSON_VALUE(j, '$.a.b'), JSON_VALUE(j, '$.a'), JSON_QUERY(j, '$.a') FROM ${TEXTS} ORDER BY s`,
  `SELECT ARRAY(SELECT ROUND(x * f, 1) + ROUND(x * f, 1) FROM UNNEST([1, 2]) AS x) FROM ${TEXTS} ORDER BY f`,
  `SELECT CAST(s AS INT64) AS x FROM ${TEXTS} UNION ALL SELECT CAST(s AS INT64) FROM ${TEXTS} ORDER BY x`,
  `(SELECT CAST(s AS INT64) AS x FROM ${TEXTS}) EXCEPT DISTINCT SELECT CAST('12' AS INT64) ORDER BY x`,
  `WITH RECURSIVE n AS (SELECT CAST(s AS INT64) AS x FROM ${TEXTS} WHERE s = ' 12' UNION ALL SELECT x + CAST(CAST(x AS STRING) AS INT64) FROM n WHERE x < 50) SELECT x FROM n ORDER BY x`,
  `SELECT f, CASE WHEN f > 2 THEN SUM(f * 1e308) OVER () ELSE SUM(f * 2) OVER () END FROM ${TEXTS} WHERE f < 2 ORDER BY f`,
  `SELECT s, (SELECT MAX(CAST(t.s AS INT64)) FROM ${TEXTS} AS t WHERE t.f > u.f OR CAST(u.s AS INT64) > 20) FROM ${TEXTS} AS u ORDER BY s`,
  `SELECT CAST(s AS INT64) AS k, GROUPING(CAST(s AS INT64)) FROM ${TEXTS} GROUP BY ROLLUP(CAST(s AS INT64)) ORDER BY k, 2`,
  "SELECT PARSE_DATE('%F', d), PARSE_DATE('%Y%m%d', REPLACE(d, '-', '')), CAST(d AS DATE) FROM UNNEST(['2024-02-29', '1899-12-31', '2024-3-1']) AS d WHERE LENGTH(d) > 8 ORDER BY 1",
  "SELECT text_to_int64, CAST(text_to_int64 AS INT64) AS checked FROM (SELECT '5' AS text_to_int64) WHERE CAST(text_to_int64 AS INT64) > 0",
];

test.each(QUERIES)('%s gives the same rows with helpers and inline', async (sql) => {
  const rows = await run.rows(sql);
  expect(rows.length).toBeGreaterThan(0);
  expect(await run.rows(sql, { helpers: 'inline' })).toEqual(rows);
});

test('a long part is written once, however often it is used', () => {
  const { sql } = translate(`SELECT ROUND(SUM(f * f + 1) * 100, 2) FROM ${TEXTS}`);
  expect(times(sql, 'sumOrNull(')).toBe(1);
});

test('a function is defined once for all of its calls', () => {
  const { sql } = translate(`SELECT CAST(s AS INT64) + 1 AS x FROM ${TEXTS} UNION ALL SELECT CAST(j AS INT64) FROM ${TEXTS}`);
  expect(times(sql, ') AS text_to_int64')).toBe(1);
  expect(times(sql, 'toInt64OrNull(_text)')).toBe(3);
});

test('inline SQL has neither functions nor names in WITH', () => {
  const { sql } = translate(`SELECT CAST(s AS INT64) + CAST(s AS INT64) FROM ${TEXTS}`, { helpers: 'inline' });
  expect(sql).not.toMatch(/WITH|\(_text/);
});

test('functions come as statements that create them', () => {
  const { sql, helpers = [] } = translate(`SELECT CAST(s AS INT64) FROM ${TEXTS} ORDER BY 1`, { helpers: 'functions' });
  expect(helpers.map((helper) => /FUNCTION IF NOT EXISTS (\w+) AS/.exec(helper)?.[1])).toEqual([
    'checked',
    'hex_to_int128',
    'text_to_int64',
  ]);
  expect(sql).not.toContain('->');
});

test('a name of WITH is none that the query or a table has', async () => {
  const part = "CONCAT(total, 'a long part of some sixty characters, which is to be named')";
  const sql = `SELECT ${part} AS a, ${part} AS b, concat FROM (SELECT 'x' AS total, 'y' AS concat)`;
  expect(translate(sql).sql).toContain(' AS concat_2');
  expect(await run.rows(sql)).toEqual([[expect.stringContaining('xa long'), expect.stringContaining('xa long'), 'y']]);
});
