// The kinds of SQL that log pages send through logs.all's sandbox, on the engine with the demo's sample: rows against a plain reading of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenSandbox, openSandbox, type SampleRecord } from './sandbox-support.ts';

interface Edge {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly search?: string;
    readonly headers: { readonly x_real_ip: string };
    readonly cf: { readonly country: string };
  };
  readonly response: { readonly status_code: number; readonly origin_time: number; readonly headers: { readonly cf_cache_status: string } };
}
interface Authentication {
  readonly level: string;
  readonly status: number;
  readonly path: string;
  readonly error?: string;
}
interface Database {
  readonly parsed: { readonly error_severity: string; readonly user_name: string };
}
interface FunctionCall {
  readonly function_id: string;
  readonly execution_time_ms: number;
  readonly request: { readonly pathname: string };
  readonly response: { readonly status_code: number };
}

let sandbox: OpenSandbox;
let edge: readonly SampleRecord<Edge>[] = [];
beforeAll(async () => {
  sandbox = await openSandbox();
  edge = sandbox.events<Edge>('edge_logs');
});
afterAll(() => sandbox.close());

/** As rows show a TIMESTAMP. */
const shown = (iso: string): string => iso.replace('.000Z', 'Z').replace(/\.(\d{3})Z$/, '.$1000Z');
const datetime = (iso: string): string => shown(iso).slice(0, -1);

function countBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

const REQUEST = 'cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response';

describe('a log page', () => {
  test('lists the newest events, with fields of nested records', async () => {
    const rows = await sandbox.rows(`-- newest first
      select id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code
      from edge_logs ${REQUEST}
      order by timestamp desc
      limit 100;`);
    expect(rows).toEqual(
      edge.slice(0, 100).map(({ id, timestamp, event_message, metadata: { request, response } }) => ({
        id,
        timestamp: shown(timestamp),
        event_message,
        method: request.method,
        path: request.path,
        search: request.search ?? null,
        status_code: response.status_code,
      })),
    );
  });

  test('lists them with the identifier of the project', async () => {
    const rows = await sandbox.rows(`select id, identifier, timestamp, event_message, request.method, request.path, response.status_code
      from edge_logs ${REQUEST} order by timestamp desc limit 3`);
    expect(rows).toEqual(
      edge.slice(0, 3).map(({ id, project, timestamp, event_message, metadata: { request, response } }) => ({
        id,
        identifier: project,
        timestamp: shown(timestamp),
        event_message,
        method: request.method,
        path: request.path,
        status_code: response.status_code,
      })),
    );
  });

  test('filters by a field without its record’s name, by text, and by a part of the message', async () => {
    const rows = await sandbox.rows(`select count(*) as count from edge_logs ${REQUEST}
      where path like '%rest/v1%' and regexp_contains(event_message, "GET|POST") and starts_with(request.method, 'G') and status_code < 400`);
    const matching = edge.filter(
      ({ metadata: { request, response } }) =>
        request.path.includes('rest/v1') && request.method.startsWith('G') && response.status_code < 400,
    );
    expect(rows).toEqual([{ count: matching.length }]);
    expect(matching.length).toBeGreaterThan(100);
  });

  test('compares times with ISO texts', async () => {
    const rows = await sandbox.rows(`select count(*) as count from edge_logs as t
      where t.timestamp > '2026-01-14T06:00:00.000Z' and t.timestamp <= "2026-01-15T06:00:00Z"`);
    const within = edge.filter(({ timestamp }) => timestamp > '2026-01-14T06:00:00.000Z' && timestamp <= '2026-01-15T06:00:00.000Z');
    expect(rows).toEqual([{ count: within.length }]);
    expect(within.length).toBeGreaterThan(100);
  });

  test('counts per minute in a chart, under the name of the column it truncates', async () => {
    const rows = await sandbox.rows(`select timestamp_trunc(t.timestamp, minute) as timestamp, count(t.timestamp) as count,
        countif(response.status_code >= 500) as error_count, countif(response.status_code >= 400 and response.status_code < 500) as warning_count,
      from edge_logs t
        cross join unnest(t.metadata) as metadata
        cross join unnest(metadata.request) as request
        cross join unnest(metadata.response) as response
      group by timestamp
      order by timestamp desc
      limit 50`);
    const minutes = [...countBy(edge, ({ timestamp }) => timestamp.slice(0, 16))].slice(0, 50);
    const codes = (events: readonly SampleRecord<Edge>[], from: number, to: number) =>
      events.filter(({ metadata: { response } }) => response.status_code >= from && response.status_code < to).length;
    expect(rows).toEqual(
      minutes.map(([minute, events]) => ({
        timestamp: `${minute}:00Z`,
        count: events.length,
        error_count: codes(events, 500, 600),
        warning_count: codes(events, 400, 500),
      })),
    );
  });

  test('shows times as DATETIME, ordered by that column', async () => {
    const rows = await sandbox.rows(`select cast(timestamp as datetime) as timestamp, event_message::text as message, m.level,
        safe_cast(m.status as int64) as status, ifnull(m.error, 'none') as error
      from auth_logs cross join unnest(metadata) as m
      where m.level = "warning"
      order by timestamp desc limit 20`);
    const refused = sandbox.events<Authentication>('auth_logs').filter(({ metadata }) => metadata.level === 'warning');
    expect(rows).toEqual(
      refused.slice(0, 20).map(({ timestamp, event_message, metadata: { level, status, error } }) => ({
        timestamp: datetime(timestamp),
        message: event_message,
        level,
        status,
        error: error ?? 'none',
      })),
    );
    expect(rows.length).toBe(20);
  });

  test('gives whole records as arrays of objects', async () => {
    const rows = await sandbox.rows('select id, metadata from postgres_logs order by timestamp desc limit 3');
    const newest = sandbox.events<Database>('postgres_logs').slice(0, 3);
    expect(rows.map(({ id, metadata }) => [id, JSON.stringify(metadata)])).toEqual(
      newest.map(({ id }) => [id, expect.stringMatching(/^\[\{.*"parsed":\[\{.*"error_severity":/)]),
    );
  });

  test('reads function logs and their calls', async () => {
    const rows =
      await sandbox.rows(`select function_edge_logs.timestamp, id, m.function_id, m.execution_time_ms, request.pathname, response.status_code
      from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response
      where response.status_code >= 500 order by 1 desc limit 5`);
    const failed = sandbox.events<FunctionCall>('function_edge_logs').filter(({ metadata }) => metadata.response.status_code >= 500);
    expect(rows).toEqual(
      failed.slice(0, 5).map(({ timestamp, id, metadata: { function_id, execution_time_ms, request, response } }) => ({
        timestamp: shown(timestamp),
        id,
        function_id,
        execution_time_ms,
        pathname: request.pathname,
        status_code: response.status_code,
      })),
    );
  });
});

describe('a report', () => {
  test('groups by positions, with shares and a percentile', async () => {
    const rows = await sandbox.rows(`-- slowest paths
      select request.method, request.path, request.cf[safe_offset(0)].country, count(*) as count,
        approx_quantiles(response.origin_time, 100)[offset(95)] as p95,
        safe_divide(countif(response.status_code >= 400), count(*)) as failing,
        count(distinct if(response.status_code < 400, h.x_real_ip, null)) as addresses,
      from edge_logs
      left join unnest(metadata) as m on true
      left join unnest(m.request) as request on true
      left join unnest(request.headers) as h on true
      left join unnest(m.response) as response on true
      group by 1, 2, 3
      order by 1, 2, 3`);
    const groups = countBy(edge, ({ metadata: { request } }) => [request.method, request.path, request.cf.country].join(' '));
    const expected = [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, events]) => {
        const [method, path, country] = key.split(' ');
        const times = events.map(({ metadata }) => metadata.response.origin_time).sort((a, b) => a - b);
        const fine = events.filter(({ metadata }) => metadata.response.status_code < 400);
        return {
          method,
          path,
          country,
          count: events.length,
          p95: times[Math.ceil(0.95 * times.length) - 1],
          failing: (events.length - fine.length) / events.length,
          addresses: new Set(fine.map(({ metadata }) => metadata.request.headers.x_real_ip)).size,
        };
      });
    expect(rows).toEqual(expected);
    expect(rows.length).toBeGreaterThan(30);
  });

  test('joins a CTE of its own by name, and one of parameters with a comma', async () => {
    const rows = await sandbox.rows(`with params as (select 500 as least, "GET" as method),
        failed as (
          select t.id, r.path from edge_logs t, params p
          cross join unnest(t.metadata) as m cross join unnest(m.request) as r cross join unnest(m.response) as s
          where s.status_code >= p.least and r.method = p.method
        ),
        messages as (select id, event_message from edge_logs)
      select failed.path, messages.event_message from failed join messages using (id) order by id`);
    const failed = edge.filter(({ metadata: { request, response } }) => response.status_code >= 500 && request.method === 'GET');
    const byId = [...failed].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(rows).toEqual(byId.map(({ event_message, metadata: { request } }) => ({ path: request.path, event_message })));
    expect(rows.length).toBeGreaterThan(2);
  });

  test('puts sources together, ordered by a name of the result', async () => {
    const rows = await sandbox.rows(`select id, timestamp, 'edge' as source from edge_logs
      union all select id, timestamp, 'auth' as source from auth_logs
      order by timestamp desc limit 30`);
    const all = [...edge.map((e) => ({ ...e, source: 'edge' })), ...sandbox.events('auth_logs').map((e) => ({ ...e, source: 'auth' }))];
    const newest = all.sort((a, b) => (a.timestamp > b.timestamp ? -1 : 1)).slice(0, 30);
    expect(rows).toEqual(newest.map(({ id, timestamp, source }) => ({ id, timestamp: shown(timestamp), source })));
  });

  test('reads JSON texts and texts of times', async () => {
    const rows = await sandbox.rows(`select json_value('{"a": {"b": "c"}}', '$.a.b') as v, json_query('{"a": {"b": 1}}', '$.a') as q,
      parse_timestamp('%Y-%m-%dT%H:%M:%SZ', '2026-01-15T06:00:00Z') as t`);
    expect(rows).toEqual([{ v: 'c', q: '{"b":1}', t: '2026-01-15T06:00:00Z' }]);
  });
});

describe('bounds of the saved query hold', () => {
  test('other projects are not seen, whatever the caller filters', async () => {
    expect(edge.length).toBeGreaterThan(1000);
    expect(await sandbox.rows('select count(*) as count from edge_logs where true or 1 = 1')).toEqual([{ count: edge.length }]);
    expect(await sandbox.rows("select count(*) as count from edge_logs where event_message like '%shop.example%'")).toEqual([{ count: 0 }]);
  });

  test('all tables are filtered by what keys set: the project and its tier', async () => {
    expect((await sandbox.prepared('select 1 as one')).filteredBy).toEqual(['project', 'project_tier']);
  });

  test('the retention and the bounds of time are those of the arguments', async () => {
    const given = { project: 'demo', project_tier: 'PRO', iso_timestamp_start: '2026-01-15T00:00:00Z', iso_timestamp_end: '' };
    const { result } = await sandbox.run('select count(*) as count, min(timestamp) as first from edge_logs', given);
    const since = edge.filter(({ timestamp }) => timestamp > '2026-01-15T00:00:00.000Z');
    expect(result.rows).toEqual([[since.length, shown(since.at(-1)?.timestamp ?? '')]]);
  });

  test('no more than max_rows rows come back', async () => {
    const { result } = await sandbox.run('select a.id from edge_logs a, auth_logs b');
    expect([result.rows.length, result.truncated]).toEqual([1000, true]);
  });

  test('a query that takes too long is stopped', async () => {
    const endless = 'select count(*) as n from edge_logs a, edge_logs b, edge_logs c, edge_logs d';
    await expect(sandbox.run(endless, undefined, { maxExecutionSeconds: 1 })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('a query that takes too much memory is stopped', async () => {
    const large = 'select string_agg(repeat(a.event_message, 1000)) as s from edge_logs a, edge_logs b';
    await expect(sandbox.run(large, undefined, { maxMemoryBytes: 200e6 })).rejects.toMatchObject({ code: 'limit' });
  });
});
