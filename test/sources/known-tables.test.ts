// Tables of OpenTelemetry and Logflare, mapped by a few lines of quern.yaml, and read by queries.
import { beforeAll, expect, test } from 'vitest';
import type { Row } from '../../src/base/result.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { STRING } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { projectCatalog } from '../support/project-catalog.ts';
import { tempFolder } from '../support/temp-store.ts';
import { failureOf } from '../support/told.ts';

let store: Store;
let catalog: SourceCatalog;

const SECTION = {
  edge_logs: {
    table: 'logs.otel_logs',
    columns: { id: "LogAttributes['id']", project: "ResourceAttributes['project']" },
  },
  auth_logs: { table: 'logs.logflare', rows: { source_name: 'auth' }, aliases: ['auth.prod'] },
  calls: { table: 'logs.calls', same_as: { project: 'metadata.project_ref' } },
  // As the exporter makes them: the partitions and the key of one are of TimestampTime, the key of the other is made of Timestamp.
  exported: { table: 'logs.exported' },
  busy: { table: 'logs.busy', rows: { source_name: 'busy' } },
  traced: { table: 'logs.traced', columns: { timestamp: 'Timestamp' } },
  broken: { table: 'logs.nothing' },
};

beforeAll(async () => {
  const folder = tempFolder();
  store = await openStore({ dir: `${folder.path}/store` });
  const statements = [
    'CREATE DATABASE logs',
    'CREATE TABLE logs.otel_logs (Timestamp DateTime64(9), ServiceName LowCardinality(String), Body String, ResourceAttributes Map(LowCardinality(String), String), LogAttributes Map(LowCardinality(String), String)) ENGINE = MergeTree ORDER BY (ServiceName, Timestamp)',
    "INSERT INTO logs.otel_logs VALUES ('2026-03-10 01:02:03.123456789', 'edge', 'GET /a', map('project', 'p1'), map('id', 'x1', 'request.path', '/a', 'response.status_code', '404')), ('2026-03-10 01:02:04', 'edge', 'GET /b', map(), map('request.path', '', 'response.status_code', 'none'))",
    'CREATE TABLE logs.logflare (id UUID, source_name LowCardinality(String), project String, event_message String, log_attributes Map(String, String), size UInt64, timestamp DateTime64(9)) ENGINE = MergeTree ORDER BY (project, source_name, toDateTime(timestamp), timestamp)',
    "INSERT INTO logs.logflare VALUES ('00000000-0000-0000-0000-000000000001', 'auth', 'p1', 'login', map('status', '200', 'path', '/token'), 7, '2026-03-10 00:00:00.5'), ('00000000-0000-0000-0000-000000000002', 'edge', 'p1', 'other', map(), 8, '2026-03-10 00:00:00')",
    'CREATE TABLE logs.calls (id String, timestamp DateTime, project String, metadata Array(Tuple(project_ref String, ms Float32, response Tuple(status UInt16)))) ENGINE = MergeTree ORDER BY (project, timestamp)',
    "INSERT INTO logs.calls VALUES ('c1', '2026-03-10 00:00:00', 'p1', [('p1', 1.5, tuple(200)), ('p1', 2.5, tuple(500))]), ('c2', '2026-03-10 00:00:01', 'p2', [('p2', 4, tuple(200))])",
    'CREATE TABLE logs.exported (Timestamp DateTime64(9), TimestampTime DateTime DEFAULT toDateTime(Timestamp), ServiceName LowCardinality(String), Body String, ResourceAttributes Map(LowCardinality(String), String), LogAttributes Map(LowCardinality(String), String)) ENGINE = MergeTree PARTITION BY toDate(TimestampTime) ORDER BY (ServiceName, TimestampTime) SETTINGS index_granularity = 100',
    "INSERT INTO logs.exported (Timestamp, ServiceName, Body) SELECT toDateTime64('2026-03-01 00:00:00', 9, 'UTC') + toIntervalMinute(number), 'edge', 'x' FROM numbers(10000)",
    'CREATE TABLE logs.traced (Timestamp DateTime64(9), ServiceName LowCardinality(String)) ENGINE = MergeTree ORDER BY (ServiceName, toDateTime(Timestamp)) SETTINGS index_granularity = 100',
    'CREATE TABLE logs.busy AS logs.logflare',
    "INSERT INTO logs.busy (source_name, project, timestamp) SELECT 'busy', 'p1', Timestamp FROM logs.exported",
    'INSERT INTO logs.traced SELECT Timestamp, ServiceName FROM logs.exported',
  ];
  for (const sql of statements) await store.engine.command(sql);
  catalog = await projectCatalog({ value: SECTION }, async (table) =>
    (await store.engine.rows(`DESCRIBE TABLE ${table}`)).map(([name, type]) => ({ name: String(name), type: String(type) })),
  );
  return async () => {
    await store.close();
    folder.remove();
  };
});

async function rows(sql: string): Promise<readonly Row[]> {
  const translation = translate(sql, { sources: catalog, parameters: { project: STRING } });
  const bindings = translation.parameters.map(({ name, type }) => ({ name, type, value: 'p1' }));
  return decodeRows(translation.columns, await store.engine.execute({ ...translation, bindings }));
}

test.each([
  [
    'select id, timestamp, project, event_message, r.path, s.status_code from edge_logs t, unnest(metadata) m left join unnest(m.request) r on true left join unnest(m.response) s on true order by timestamp',
    [
      ['x1', '2026-03-10T01:02:03.123456Z', 'p1', 'GET /a', '/a', 404],
      [null, '2026-03-10T01:02:04Z', null, 'GET /b', '', null],
    ],
  ],
  [
    "select id, timestamp, size + 1 as size, m.status, m.path from `auth.prod`, unnest(metadata) m where timestamp < '2026-03-11'",
    [['00000000-0000-0000-0000-000000000001', '2026-03-10T00:00:00.500000Z', 8, 200, '/token']],
  ],
  [
    'select t.id, t.timestamp, m.ms, r.status from calls t, unnest(t.metadata) m, unnest(m.response) r where m.project_ref = @project order by m.ms',
    [
      ['c1', '2026-03-10T00:00:00Z', 1.5, 200],
      ['c1', '2026-03-10T00:00:00Z', 2.5, 500],
    ],
  ],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test('a filter on the field that a column equals reaches the primary key', async () => {
  const sql = "select t.id from calls t, unnest(t.metadata) m where m.project_ref = 'p2'";
  expect(await rows(sql)).toEqual([['c2']]);
  expect(translate(sql, { sources: catalog }).sql).toContain("WHERE project = 'p2'");
});

test.each(['exported', 'traced'])('a filter on the time of %s reads the blocks of that time only', async (source) => {
  const sql = `select count(*) from ${source} where ServiceName = 'edge' and timestamp > '2026-03-05T00:00:00Z' and timestamp <= '2026-03-05T01:00:00Z'`;
  expect(await rows(sql)).toEqual([[60]]);
  const [estimate] = await store.engine.rows(`EXPLAIN ESTIMATE ${translate(sql, { sources: catalog }).sql}`);
  // Database, table, parts, rows, marks.
  expect(Number(estimate?.[3])).toBeLessThanOrEqual(200);
});

test.each([
  ['busy', "project = 'p1'"],
  ['exported', "ServiceName = 'edge'"],
])('the newest rows of %s are read in the order of its key', async (source, condition) => {
  const sql = `select timestamp from ${source} where ${condition} order by timestamp desc limit 2`;
  expect(await rows(sql)).toEqual([['2026-03-07T22:39:00Z'], ['2026-03-07T22:38:00Z']]);
  const prepared = (await store.engine.rows(`EXPLAIN actions = 1 ${translate(sql, { sources: catalog }).sql}`)).flat().join('\n');
  expect(/Read type: (\w+)/.exec(prepared)?.[1]).toBe('InReverseOrder');
});

test.each<readonly [string, readonly Row[]]>([
  [
    'select event_message, identifier, upper(identifier) as u from edge_logs order by timestamp',
    [
      ['GET /a', null, null],
      ['GET /b', null, null],
    ],
  ],
  [
    'select t.identifier as i, m.request[offset(0)].path as p from edge_logs t, unnest(metadata) m order by t.timestamp',
    [
      [null, '/a'],
      [null, ''],
    ],
  ],
  ["select count(*) as n from edge_logs where identifier is null and identifier = 'x'", [[0]]],
  ['select count(*) as n, count(identifier) as held from edge_logs where identifier is null', [[2, 0]]],
  ['select identifier, count(*) as n from edge_logs group by identifier', [[null, 2]]],
  ["select identifier, count(*) as n from edge_logs where event_message = 'none' group by identifier", []],
  ['select distinct identifier from edge_logs order by identifier', [[null]]],
  [
    'with e as (select id, identifier, timestamp from edge_logs order by timestamp) select coalesce(identifier, id) as i from e order by 1 desc limit 1',
    [['x1']],
  ],
  ['select a.event_message from edge_logs a join edge_logs b on a.identifier = b.identifier', []],
])('%s: a column that a log source may have is NULL where its table has none', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test('a table that has the column shows it', () => {
  const [definition] = readDefinitions({ value: { edge_logs: { table: 't', columns: { identifier: 'tenant' } } } });
  if (definition === undefined) throw new RangeError('a definition is read');
  const shown = sourceFromTable(definition, [{ name: 'tenant', type: 'String' }]).columns.filter((c) => c.name === 'identifier');
  expect(shown).toEqual([{ name: 'identifier', type: STRING, read: { layout: 'column', column: 'tenant', clickhouseType: 'String' } }]);
});

test('a source without its table fails when it is used', async () => {
  expect(await failureOf(Promise.resolve().then(() => rows('select id from broken')))).toMatchObject({
    code: 'config',
    message: 'sources.broken: there is no table logs.nothing in the store',
  });
});
