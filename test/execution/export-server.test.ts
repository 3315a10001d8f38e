// The same exports from a ClickHouse server, which counts no rows and writes no files.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { openServer } from '../../src/engine/server/server.ts';
import { SESSION_SETTINGS } from '../../src/engine/session-settings.ts';
import { openExport } from '../../src/execution/export/export.ts';
import type { PreparedQuery } from '../../src/execution/prepared-query.ts';
import { executePrepared } from '../../src/execution/run.ts';
import { csv, csvRows } from '../../src/output/delimited.ts';
import { ndjson, ndjsonRows } from '../../src/output/json.ts';
import { translate } from '../../src/sql/index.ts';
import { SETTINGS } from '../../src/sql/target/settings.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { readArrowFile, readParquetFile } from '../support/read-columns.ts';

const user = (profile: string, password = 'secret') => ({ password, networks: { ip: '127.0.0.1' }, profile, quota: 'default' });

let server: ClickHouseServer;
let engine: Engine;
beforeAll(async () => {
  server = await startClickHouse({
    config: { timezone: 'Etc/UTC' },
    profiles: { ready: { readonly: 1, ...SESSION_SETTINGS, ...SETTINGS }, bare: { readonly: 1 } },
    users: { default: user('default', ''), ready: user('ready'), bare: user('bare') },
  });
  engine = openServer({ url: server.url });
});
afterAll(async () => {
  await engine.close();
  await server.stop();
});

function preparedOf(sql: string, maxRows: number): PreparedQuery {
  const { sql: text, columns, settings } = translate(sql, { bytes: 'text' });
  const none = {
    id: '',
    ttlSeconds: 0,
    sandbox: false,
    redactPii: false,
    limits: {},
    source: { name: 'q.sql', text: '' },
    parameters: [],
    bound: [],
    sources: [],
    uses: [],
  };
  return { ...none, name: 'q', dialect: 'bigquery', maxRows, sql: text, columns, settings };
}

const QUERY =
  'select n, concat("a,\\n\\"", cast(n as string)) as s, timestamp_micros(n) as t, n / 7 as f, if(n = 2, null, "x") as `$x` from unnest(generate_array(1, 50000)) as n order by n';

async function bytesOf(prepared: PreparedQuery, format: 'ndjson' | 'csv' | 'parquet' | 'arrow', through = engine) {
  const names = (prepared.columns ?? []).map(({ name }) => name);
  const out = await openExport(
    prepared,
    { arguments: {}, instant: '2026-01-02T00:00:00.000000' },
    {
      format,
      choose: () => ({ positions: names.map((_, i) => i), names }),
      printer: format === 'csv' ? csvRows('keep') : ndjsonRows,
    },
    { engine: async () => through, limits: {} },
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of out.chunks()) chunks.push(chunk);
  const { rows, truncated } = await out.end();
  return { bytes: Buffer.concat(chunks), rows, truncated };
}

test.each([
  ['ndjson', ndjson],
  ['csv', csv],
] as const)('%s is the text that the writers print, its rows counted', async (format, writer) => {
  const prepared = preparedOf(QUERY, 100_000);
  const expected = [
    ...writer(
      await executePrepared(prepared, { arguments: {}, instant: '2026-01-02T00:00:00.000000' }, { engine: async () => engine, limits: {} }),
    ),
  ].join('');
  const { bytes, rows, truncated } = await bytesOf(prepared, format);
  expect([bytes.toString() === expected, rows, truncated]).toEqual([true, 50_000, false]);
  expect(await bytesOf(preparedOf(QUERY, 49_999), format)).toMatchObject({ rows: 49_999, truncated: true });
});

test('parquet is one whole document, and whether there were more rows is known', async () => {
  const whole = await bytesOf(preparedOf(QUERY, 50_000), 'parquet');
  expect([whole.bytes.subarray(-4).toString(), whole.rows, whole.truncated]).toEqual(['PAR1', undefined, false]);
  expect(await bytesOf(preparedOf(QUERY, 49_999), 'parquet')).toMatchObject({ truncated: true });
});

test.each([
  ['parquet', readParquetFile],
  ['arrow', readArrowFile],
] as const)('%s has the shape of the rows', async (format, read) => {
  const sql = `select time '12:34:56.5' as t, datetime '2026-01-02 03:04:05' as d, b'\\xff' as y, json '{"a": [1]}' as j, count(*) as n,
    [struct(1 as a, b'x' as b)] as s, array<struct<a int64>>[] as e, cast(null as struct<a bytes>) as u`;
  const { bytes } = await bytesOf(preparedOf(sql, 10), format);
  const row = ['12:34:56.500000', '2026-01-02T03:04:05', '/w==', '{"a":[1]}', 1, [{ a: 1, b: 'eA==' }], [], null];
  expect(read(bytes).rows).toEqual([row]);
});

test.each(['ndjson', 'csv', 'parquet'] as const)('a login that may change no settings has the same %s', async (format) => {
  const ready = openServer({ url: server.url, user: 'ready', password: 'secret' });
  try {
    const { bytes, ...end } = await bytesOf(preparedOf(QUERY, 49_999), format, ready);
    const expected = await bytesOf(preparedOf(QUERY, 49_999), format);
    expect([bytes.equals(expected.bytes), end]).toEqual([true, { rows: expected.rows, truncated: true }]);
  } finally {
    await ready.close();
  }
});

test('a login whose settings give other rows hears which, and gets nothing', async () => {
  const bare = openServer({ url: server.url, user: 'bare', password: 'secret' });
  try {
    await expect(bytesOf(preparedOf('select 1 as n', 10), 'csv', bare)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/^the login bare at \S+ may not change settings that this query relies on: (?!.*format_template)/),
    });
  } finally {
    await bare.close();
  }
});
