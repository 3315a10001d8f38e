// Presets: all log sources in one table, as a product keeps them, by one entry of quern.yaml or by none.
import { beforeAll, expect, test } from 'vitest';
import type { Row } from '../../src/base/result.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { LOG_SOURCES } from '../../src/sources/log/log-sources.ts';
import { LOGFLARE } from '../../src/sources/presets/logflare.ts';
import { presetSources } from '../../src/sources/presets/preset-sources.ts';
import { SUPABASE } from '../../src/sources/presets/supabase.ts';
import { translate } from '../../src/sql/index.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { projectCatalog } from '../support/project-catalog.ts';
import { tempFolder } from '../support/temp-store.ts';
import { failureOf } from '../support/told.ts';

let store: Store;
let catalogs: Readonly<Record<'supabase' | 'logflare', SourceCatalog>>;

const columnsText = ({ columns }: typeof SUPABASE): string => columns.map(({ name, type }) => `${name} ${type}`).join(', ');

beforeAll(async () => {
  const folder = tempFolder();
  store = await openStore({ dir: `${folder.path}/store` });
  const statements = [
    'CREATE DATABASE own',
    `CREATE TABLE own.otel (${columnsText(SUPABASE)}) ENGINE = MergeTree ORDER BY timestamp`,
    `INSERT INTO own.otel VALUES
      ('1', '2026-03-01 00:00:00', 'GET /a', '', 'edge_logs', map('identifier', 'main', 'request.method', 'GET', 'response.status_code', '204')),
      ('2', '2026-03-01 00:00:01', 'none', '', 'edge_logs', map()),
      ('3', '2026-03-01 00:00:02', 'copied', '', 'etl_replication_logs', map('pipeline_id', '12')),
      ('4', '2026-03-01 00:00:03', 'odd', '', 'etl_replication_logs', map('pipeline_id', 'x'))`,
    `CREATE TABLE own.stored (${columnsText(LOGFLARE)}) ENGINE = MergeTree ORDER BY (project, source_name, toDateTime(timestamp), timestamp)`,
    `INSERT INTO own.stored (source_name, event_message, log_attributes, timestamp) VALUES
      ('cloudflare.logs.prod', 'GET /b', map('request.method', 'PUT'), '2026-03-01 00:00:00'),
      ('workflow_run_logs', 'ran', map('workflow_run', 'w7'), '2026-03-01 00:00:00')`,
  ];
  for (const sql of statements) await store.engine.command(sql);
  const describe = async (table: string) =>
    (await store.engine.rows(`DESCRIBE TABLE ${table}`)).map(([name, type]) => ({ name: String(name), type: String(type) }));
  catalogs = {
    supabase: await projectCatalog({ value: { preset: 'supabase', table: 'own.otel' } }, describe),
    logflare: await projectCatalog({ value: { preset: 'logflare', table: 'own.stored' } }, describe),
  };
  return async () => {
    await store.close();
    folder.remove();
  };
});

async function rows(sql: string, preset: keyof typeof catalogs): Promise<readonly Row[]> {
  const translation = translate(sql, { sources: catalogs[preset] });
  return decodeRows(translation.columns, await store.engine.execute({ ...translation, bindings: [] }));
}

test.each<[sql: string, expected: readonly Row[]]>([
  [
    'select e.id, identifier, r.method, s.status_code from edge_logs e, unnest(metadata) m, unnest(m.request) r, unnest(m.response) s order by 1',
    [
      ['1', 'main', 'GET', 204],
      // Every event of the source has its records.
      ['2', null, null, null],
    ],
  ],
  ['select id from `cloudflare.logs.prod` order by id', [['1'], ['2']]],
  ['select id from edge_logs, unnest(metadata) m, unnest(m.nothing) n where n.a is null', []],
  ['select id, pipeline_id + 1 as next from etl_replication_logs where pipeline_id > 5', [['3', 13]]],
  ['select id from etl_replication_logs where pipeline_id is null', [['4']]],
  ['select count(*) from realtime_logs', [[0]]],
])('supabase: %s', async (sql, expected) => {
  expect(await rows(sql, 'supabase')).toEqual(expected);
});

test.each<[sql: string, expected: readonly Row[]]>([
  ['select event_message, r.method from edge_logs, unnest(metadata) m, unnest(m.request) r', [['GET /b', 'PUT']]],
  ['select event_message, workflow_run from workflow_run_logs', [['ran', 'w7']]],
])('logflare: %s', async (sql, expected) => {
  expect(await rows(sql, 'logflare')).toEqual(expected);
});

test('a preset has every log source, by each of its names, without an engine', () => {
  const sources = presetSources(SUPABASE);
  const names = LOG_SOURCES.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(sources.names).toEqual(names);
  for (const name of names) expect(translate(`select id, event_message from \`${name}\``, { sources }).sql).toContain("source = '");
});

test('sources of one table may stand beside a preset, and go before its own', () => {
  const value = { preset: 'supabase', table: 'own.otel', edge_logs: { table: 'own.edge' }, preset_like: { table: 'x' } };
  const definitions = readDefinitions({ value });
  expect(definitions.length).toBe(LOG_SOURCES.length + 1);
  expect(definitions.filter(({ name }) => name === 'edge_logs').map(({ table }) => table)).toEqual(['edge']);
  expect(readDefinitions({ value: { preset: { table: 'web.preset' } } }).map(({ name }) => name)).toEqual(['preset']);
});

test.each([
  [{ preset: 'supabas', table: 'own.otel' }, 'sources.preset is not one of: supabase, logflare'],
  [{ preset: 'supabase' }, 'sources has a preset and no table'],
  [{ preset: 'supabase', table: 'a.b.c' }, '"a.b.c" is not table or database.table'],
])('%j is an error', async (value, message) => {
  const failure = await failureOf((async () => readDefinitions({ value }))());
  expect(failure['message']).toContain(message);
});
