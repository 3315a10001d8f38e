// What Supabase Studio does with its log server, done with `quern serve --compat logflare`: the requests it makes, read as it reads them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { type ServingCli, serveCli } from '../support/serve-cli.ts';

const MINUTE = 60_000;
const now = Date.now();
const at = (minutesAgo: number): string => new Date(Math.floor(now / 1000) * 1000 - minutesAgo * MINUTE).toISOString();
const micros = (minutesAgo: number): number => Date.parse(at(minutesAgo)) * 1000;

const edge = (id: string, minutesAgo: number, method: string, path: string, status: number, project = 'default') => ({
  id,
  timestamp: at(minutesAgo),
  project,
  event_message: `${method} | ${status} | 203.0.113.7 | ${path}`,
  metadata: {
    request: { method, path, url: `https://${project}.supabase.test${path}`, headers: { x_real_ip: '203.0.113.7' } },
    response: { status_code: status },
  },
});

const EDGE = [
  edge('e1', 2, 'GET', '/rest/v1/todos', 200),
  edge('e2', 3, 'POST', '/rest/v1/todos', 500),
  edge('e3', 4, 'POST', '/auth/v1/token', 200),
  edge('e4', 200, 'GET', '/storage/v1/object', 200),
  edge('e5', 2, 'GET', '/rest/v1/todos', 200, 'somebody-else'),
];
const CALLS = [1, 2].map((n) => ({
  id: `c${n}`,
  timestamp: at(n),
  project: 'default',
  event_message: 'POST | 200',
  metadata: {
    project_ref: 'default',
    function_id: 'f-1',
    execution_time_ms: 100 * n,
    request: { method: 'POST', pathname: '/functions/v1/hello' },
    response: { status_code: n === 2 ? 500 : 200 },
  },
}));

const home = cliHome();
let served: ServingCli;
let secret: string;

beforeAll(async () => {
  const lines = (events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
  home.write('edge.ndjson', lines(EDGE));
  home.write('calls.ndjson', lines(CALLS));
  await home.run(['load', 'edge_logs', 'edge.ndjson']);
  await home.run(['load', 'function_edge_logs', 'calls.ndjson']);
  secret = (await home.run(['keys', 'create', '--name', 'studio', '--scope', '*'])).stdout.trim();
  served = await serveCli(home, ['--compat', 'logflare']);
});

afterAll(async () => {
  await served.stop();
  home.remove();
});

interface StudioReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: as JavaScript reads it
  readonly body: { readonly result?: readonly Record<string, any>[]; readonly error?: unknown };
}

/** Always GET, always JSON, whatever the status says. */
async function ask(name: string, parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<StudioReply> {
  const reply = await fetch(`${served.address}/api/endpoints/query/${name}?${new URLSearchParams(parameters)}`, {
    headers: { 'x-api-key': secret, 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
  });
  return { status: reply.status, body: (await reply.json()) as StudioReply['body'] }; // read by the tests
}

const logs = (sql: string, more: Record<string, string> = {}) =>
  ask('logs.all', { project: 'default', iso_timestamp_start: at(60), iso_timestamp_end: '', sql, ...more });

describe('the pages of logs', () => {
  test('list the newest events with their fields, times as microseconds', async () => {
    const { status, body } = await logs(
      `
select id, timestamp, event_message, request.method, request.path, response.status_code
from edge_logs
  cross join unnest(metadata) as m
  cross join unnest(m.request) as request
  cross join unnest(m.response) as response
where path like '%rest/v1%'
order by timestamp desc
limit 100;`,
    );
    expect([status, body]).toEqual([
      200,
      {
        result: [
          {
            id: 'e1',
            timestamp: micros(2),
            event_message: EDGE[0]?.event_message,
            method: 'GET',
            path: '/rest/v1/todos',
            status_code: 200,
          },
          {
            id: 'e2',
            timestamp: micros(3),
            event_message: EDGE[1]?.event_message,
            method: 'POST',
            path: '/rest/v1/todos',
            status_code: 500,
          },
        ],
      },
    ]);
  });

  test('read the number of events from result[0].count', async () => {
    const { body } = await logs(`-- count
select count(*) as count from edge_logs t cross join unnest(t.metadata) as metadata cross join unnest(metadata.request) as request`);
    expect(body.result?.[0]?.['count']).toBe(3);
  });

  test('page backwards by the timestamp they were given', async () => {
    const first = await logs('select id, timestamp from edge_logs order by timestamp desc limit 1');
    const until = new Date(first.body.result?.[0]?.['timestamp'] / 1000 - 1).toISOString();
    const next = await logs('select id, timestamp from edge_logs order by timestamp desc limit 1', { iso_timestamp_end: until });
    expect([first.body.result?.[0]?.['id'], next.body.result?.[0]?.['id']]).toEqual(['e1', 'e2']);
  });

  test('draw charts from buckets', async () => {
    const { body } = await logs(`
SELECT
  timestamp_trunc(t.timestamp, hour) as timestamp,
  count(case when response.status_code < 400 then 1 end) as ok_count,
  countif(response.status_code >= 500) as error_count,
FROM edge_logs t
  cross join unnest(t.metadata) as m
  cross join unnest(m.response) as response
GROUP BY timestamp ORDER BY timestamp ASC`);
    const sum = (field: string) => body.result?.reduce((total, row) => total + row[field], 0);
    expect([sum('ok_count'), sum('error_count')]).toEqual([2, 1]);
    expect(body.result?.every(({ timestamp }) => Number.isInteger(timestamp) && timestamp % 3_600_000_000 === 0)).toBe(true);
  });

  test('get times without a zone for a DATETIME', async () => {
    const { body } = await logs('select cast(timestamp as datetime) as timestamp from edge_logs order by timestamp desc limit 1');
    expect(body.result).toEqual([{ timestamp: at(2).replace('.000Z', '') }]);
  });

  test('show one event with its metadata as arrays of objects', async () => {
    const { body } = await logs("select id, timestamp, event_message, metadata from edge_logs where id = 'e2' limit 1");
    expect(body.result?.[0]?.['metadata'][0].request[0].method).toBe('POST');
    expect(body.result?.[0]?.['metadata'][0].response[0].status_code).toBe(500);
  });

  test('without SQL get the newest 100 events of the project', async () => {
    const { body } = await ask('logs.all', {
      project: 'default',
      project_tier: 'ENTERPRISE',
      iso_timestamp_start: '',
      iso_timestamp_end: '',
    });
    expect(body.result?.map(({ id, timestamp }) => [id, timestamp])).toEqual([
      ['e1', micros(2)],
      ['e2', micros(3)],
      ['e3', micros(4)],
      ['e4', micros(200)],
    ]);
  });

  test('never see another project', async () => {
    const { body } = await logs("select id from edge_logs where true or project = 'somebody-else'");
    expect(JSON.stringify(body)).not.toContain('e5');
  });
});

describe('what goes wrong', () => {
  test('in a query is a text that the page can show, with status 200', async () => {
    const { status, body } = await logs('select nosuch(id) from edge_logs');
    expect([status, body]).toEqual([
      200,
      { error: expect.stringMatching(/^nosuch is not a function quern can translate \(sql line 1, column 8\)/) },
    ]);
  });

  test('with parameters is one too', async () => {
    const { status, body } = await ask('usage.api-counts', { project: 'default', interval: 'weekly' });
    expect([status, body]).toEqual([
      200,
      {
        error:
          'usage.api-counts takes 2 parameters, 1 is invalid; interval: "weekly" is not one of: minutely, hourly, daily. Hint: see its parameters with `quern show usage.api-counts`',
      },
    ]);
  });

  test.each([
    'insert into edge_logs select 1',
    'select 1; select 2',
    'select * from system.tables',
    "select * from url('http://127.0.0.1')",
    'select * from auth_users',
  ])('%s is refused', async (sql) => {
    const { status, body } = await logs(sql);
    expect([status, typeof body.error, body.result]).toEqual([200, 'string', undefined]);
  });

  test.each([
    ['an unknown endpoint', 'service-health', {}],
    ['a wrong key', 'logs.all', { 'x-api-key': 'wrong' }],
  ])('%s is a matter of rights', async (_, name, headers) => {
    expect(await ask(name, { project: 'default' }, headers)).toEqual({ status: 401, body: { error: 'Unauthorized' } });
  });
});

describe('the overview', () => {
  test.each(['1hr', '1day', '7day', 'minutely', 'hourly', 'daily'])('counts requests by area for %s', async (interval) => {
    const { status, body } = await ask('usage.api-counts', { project: 'default', interval });
    const total = (field: string) => body.result?.reduce((sum, row) => sum + row[field], 0);
    expect([status, total('total_auth_requests')]).toEqual([200, 1]);
    expect(body.result?.every(({ timestamp }) => typeof timestamp === 'string' && !timestamp.endsWith('Z'))).toBe(true);
  });

  test('shows how functions fare', async () => {
    const { body } = await ask('functions.invocation-stats', { project: 'default', function_id: 'f-1', interval: '15min' });
    const total = (field: string) => body.result?.reduce((sum, row) => sum + row[field], 0);
    expect([total('count'), total('error_count')]).toEqual([2, 1]);
    expect(body.result?.[0]).toMatchObject({ min_execution_time: expect.any(Number), timestamp: expect.any(Number) });
  });
});

describe('other ways of asking', () => {
  test('the token may stand in Authorization or in the address', async () => {
    const url = `${served.address}/endpoints/query/9b2c7a54-6d1e-4f0a-8c35-2f7d90b1e6a4?project=default&interval=daily`;
    expect((await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);
    expect((await fetch(`${url}&api_key=${secret}`)).status).toBe(200);
    expect((await fetch(`${url}&api_key=wrong`)).status).toBe(401);
  });

  test('SQL of tens of kilobytes may stand in the address', async () => {
    const { body } = await logs(`select count(*) as count from edge_logs where id not in (${"'0123456789', ".repeat(2000)}'x')`);
    expect(body).toEqual({ result: [{ count: 3 }] });
  });

  test('addresses are hidden when asked for, never from an answer in which they are not', async () => {
    const sql = 'select event_message, id from edge_logs order by timestamp desc limit 1';
    const text = async (headers: Record<string, string>) =>
      (await ask('logs.all', { project: 'default', sql }, headers)).body.result?.[0]?.['event_message'];
    expect([await text({}), await text({ 'LF-ENDPOINT-REDACT-PII': 'true' }), await text({ 'LF-ENDPOINT-REDACT-PII': 'false' })]).toEqual([
      'GET | 200 | 203.0.113.7 | /rest/v1/todos',
      'GET | 200 | REDACTED | /rest/v1/todos',
      'GET | 200 | 203.0.113.7 | /rest/v1/todos',
    ]);
  });

  test('a POST may have its parameters in the body', async () => {
    const reply = await fetch(`${served.address}/api/endpoints/query/logs.all`, {
      method: 'POST',
      headers: { 'x-api-key': secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ project: 'default', sql: 'select count(*) as count from edge_logs' }),
    });
    expect(await reply.json()).toEqual({ result: [{ count: 4 }] });
  });
});
