// The SQL that people keep gives the rows of the query by itself: its SETTINGS clause has all that its rows depend on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quoteString } from '../../src/clickhouse/quote.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { keptSql } from '../../src/queries/kept-sql.ts';
import { typeName } from '../../src/sql/base/types.ts';
import { settingsNeeded, translate } from '../../src/sql/index.ts';

let engine: EmbeddedEngine;
const folder = mkdtempSync(join(tmpdir(), 'quern-kept-'));
beforeAll(async () => {
  engine = await openEmbedded({ path: join(folder, 'data') });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const PAIRS = "(SELECT 1 AS k, 'a' AS s, 0 AS z UNION ALL SELECT 2, NULL, 0)";

/** Queries whose rows would differ without a setting, and the settings that they need. */
test.each([
  [`SELECT a.k, b.s FROM ${PAIRS} AS a LEFT JOIN (SELECT 5 AS k, 'x' AS s) AS b ON a.k = b.k ORDER BY 1`, ['join_use_nulls']],
  [`SELECT SAFE_CAST(s AS INT64), CAST(s AS BYTES) FROM ${PAIRS} ORDER BY 1`, []],
  [`SELECT GREATEST(k, CAST(s AS INT64)) FROM ${PAIRS} WHERE k = 2`, ['least_greatest_legacy_null_behavior']],
  [
    "SELECT TIMESTAMP_TRUNC(TIMESTAMP '1899-12-31 23:59:59+00', HOUR), TIME '10:11:12', EXTRACT(HOUR FROM TIMESTAMP '2024-01-01 00:30:00+02')",
    ['session_timezone', 'enable_time_time64_type', 'enable_extended_results_for_datetime_functions'],
  ],
  [
    'SELECT DATE_TRUNC(DATE "1901-02-03", MONTH), DATETIME "2024-05-06 07:08:09"',
    ['session_timezone', 'enable_extended_results_for_datetime_functions'],
  ],
  [
    `SELECT IF(z = 0, -1, DIV(k, z)), CASE WHEN z = 0 THEN 'none' ELSE CAST(CAST(s AS INT64) AS STRING) END FROM ${PAIRS} ORDER BY 1, 2`,
    ['short_circuit_function_evaluation'],
  ],
  [`SELECT 5, COUNT(*) FROM ${PAIRS} GROUP BY z + 1 ORDER BY 2`, []],
  [`SELECT s, COUNT(*) FROM ${PAIRS} GROUP BY ROLLUP(s) ORDER BY s, 2`, ['group_by_use_nulls']],
  [
    "SELECT TO_JSON_STRING(STRUCT('a/b' AS x, DATE '2024-01-02' AS d)), JSON_VALUE('{\"a\": \"2024-01-02\"}', '$.a')",
    ['output_format_json_escape_forward_slashes'],
  ],
  [
    "SELECT IF(k = 1, STRUCT(k, s), NULL) FROM (SELECT 1 AS k, 'x' AS s UNION ALL SELECT 2, 'y') ORDER BY k",
    ['enable_nullable_tuple_type'],
  ],
])('%s', async (query, needed) => {
  const { sql, columns, settings } = translate(query, { bytes: 'text' });
  const types = columns.map(({ type }) => typeName(type));
  const kept = keptSql({ sql, bound: [], settings, columns });
  for (const name of needed) expect(kept).toContain(` ${name} = `);
  const rows = decodeRows(columns, await engine.execute({ sql, bindings: [], settings }));
  // The engine is readonly, so that it takes no SETTINGS in the SQL; that it could read them, its parser says.
  expect(decodeRows(columns, await engine.execute({ sql, bindings: [], settings: settingsNeeded(settings, sql, types) }))).toEqual(rows);
  const parsed = await engine.execute({ sql: `SELECT formatQuery(${quoteString(kept)})`, bindings: [], settings: {} });
  for (const name of Object.keys(settingsNeeded(settings, sql, types))) expect(String(parsed.rows[0])).toContain(`${name} = `);
});

test('a plain query needs no settings', () => {
  const { sql, settings } = translate('SELECT k, COUNT(*) AS n FROM (SELECT 1 AS k) GROUP BY k ORDER BY n');
  expect(keptSql({ sql, bound: [], settings, columns: [{ type: 'INT64' }, { type: 'INT64' }] })).not.toContain('SETTINGS');
});
