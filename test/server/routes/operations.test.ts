// What those who run the server see of it: health, metrics, the log; and how it stops.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { systemClock } from '../../../src/server/clock.ts';
import { queryText } from '../../queries/support.ts';
import { until } from '../answers/answers-support.ts';
import { eventsEngine, expectError, type ServedOptions, served } from '../server-support.ts';

const engine = eventsEngine();
const URL = '/api/endpoints/ids?area=auth';

describe('/health and /ready', () => {
  test('need no key', async () => {
    const { server } = await served(engine(), { key: {} });
    const told = async (url: string) => {
      const reply = await server.fastify.inject({ url });
      return [reply.statusCode, reply.json()];
    };
    expect(await told('/health')).toEqual([200, { status: 'alive' }]);
    expect(await told('/ready')).toEqual([200, { status: 'ready' }]);
  });

  test('differ when the engine is away, of which /ready has the reason', async () => {
    const { ask, engine: state, clock } = await served(engine());
    state.state = new QuernError('unreachable', 'ClickHouse at ch.example does not answer');
    expect((await ask('/health')).statusCode).toBe(200);
    const ready = await ask('/ready');
    expect([ready.statusCode, ready.json()]).toEqual([
      503,
      {
        status: 'engine',
        engine: { code: 'unreachable', message: 'ClickHouse at ch.example does not answer' },
        endpoints: 2,
        broken: [],
      },
    ]);
    state.state = 'up';
    clock.advance(3);
    expect((await ask('/ready')).statusCode).toBe(200);
  });
});

describe('/ready tells names and reasons', () => {
  const BROKEN = { files: { 'torn.sql': queryText(9, 'select nosuch from events') } };
  const away = new QuernError('unreachable', 'ClickHouse at ch.example does not answer');
  /** What it tells to a key with these rights, and to callers without. */
  const asked = async (key: ServedOptions['key'], headers?: Readonly<Record<string, string>>) => {
    const world = await served(engine(), { ...BROKEN, ...(key === undefined ? {} : { key }) });
    world.engine.state = away;
    return Object.keys((await world.ask('/ready', headers === undefined ? {} : { headers })).json());
  };
  const ALL = ['status', 'engine', 'endpoints', 'broken'];

  test.each([
    ['a key that covers everything', { scopes: ['*'] }, ALL],
    ['a key for this alone', { scopes: ['/metrics'] }, ALL],
    ['a key for some queries', { scopes: ['ids', 'tor*'] }, ['status']],
    ['a key whose parameters are set', { scopes: ['*'], pins: { area: 'auth' } }, ['status']],
  ])('to %s: %j gets %j', async (_, key, told) => {
    expect(await asked(key)).toEqual(told);
  });

  test('to nobody without a key that is known', async () => {
    expect(await asked({}, { 'x-api-key': '' })).toEqual(['status']);
    expect(await asked({}, { 'x-api-key': 'quern_nobody' })).toEqual(['status']);
  });

  test('on a server without keys, to this machine under its own names', async () => {
    expect(await asked(undefined)).toEqual(ALL);
    expect(await asked(undefined, { host: 'rebound.example' })).toEqual(['status']);
  });

  test('and the log has the reason, once for each', async () => {
    const { server, engine: state, clock, log } = await served(engine(), { key: {} });
    const ready = async () => {
      clock.advance(3);
      return (await server.fastify.inject({ url: '/ready' })).statusCode;
    };
    state.state = away;
    expect([await ready(), await ready()]).toEqual([503, 503]);
    state.state = 'up';
    expect([await ready(), await ready()]).toEqual([200, 200]);
    const told = log.filter(({ msg }) => /engine/.test(String(msg))).map(({ time: _, ...line }) => line);
    expect(told).toEqual([
      { level: 'warn', error: { code: 'unreachable', message: away.message }, msg: 'not ready: the engine does not respond' },
      { level: 'info', msg: 'the engine responds again' },
    ]);
  });
});

test('/ready does not wait for an engine that says nothing', async () => {
  const { ask, engine: state, clock } = await served(engine());
  state.state = 'silent';
  const asked = ask('/ready').then((reply) => [reply.statusCode, reply.json().engine]);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  clock.advance(5);
  expect(await asked).toEqual([503, { code: 'timeout', message: 'the engine has not answered for 5 s' }]);
});

test('/metrics counts requests by endpoint, status and cache state, and nothing that clients make up', async () => {
  const { ask } = await served(engine());
  for (const url of [URL, URL, '/api/endpoints/ids?area=none', '/api/endpoints/made-up', '/made/up']) await ask(url);
  const reply = await ask('/metrics');
  expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = reply.body.split('\n');
  expect(lines.filter((line) => line.startsWith('quern_http_requests_total')).sort()).toEqual([
    'quern_http_requests_total{endpoint="ids",status="200",cache="hit"} 1',
    'quern_http_requests_total{endpoint="ids",status="200",cache="miss"} 1',
    'quern_http_requests_total{endpoint="ids",status="400",cache="none"} 1',
    'quern_http_requests_total{endpoint="none",status="404",cache="none"} 2',
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      'quern_engine_query_duration_seconds_count{endpoint="ids"} 1',
      'quern_http_requests_in_flight 0',
      'quern_engine_queries_running 0',
      'quern_engine_queries_waiting 0',
      'quern_memory_answers 1',
      'quern_runs_revalidated_total 0',
      'quern_buckets_kept_total 0',
      'quern_endpoints 2',
      'quern_endpoints_broken 0',
    ]),
  );
});

test.each([{ scopes: ['ids'] }, { scopes: ['*'], pins: { area: 'auth' } }, { scopes: ['*s'] }])(
  '/metrics is not for a key with the rights %j, who would see what others ask',
  async (key) => {
    const { ask } = await served(engine(), { key });
    expect(expectError(await ask('/metrics'), 403, 'forbidden').message).toBe('the API key does not cover /metrics');
  },
);

test('a key for /metrics alone reads them, and no rows', async () => {
  const { ask } = await served(engine(), { key: { scopes: ['/metrics'] } });
  expect((await ask('/metrics')).statusCode).toBe(200);
  expectError(await ask(URL), 403, 'forbidden');
  expect([(await ask('/openapi.json')).json().paths, (await ask('/api/console')).json().endpoints]).toEqual([{}, []]);
});

test.each(['/metrics', '/openapi.json', '/api/console'])('the rate of a key holds for %s too', async (url) => {
  const { ask, log, secret } = await served(engine(), { key: { rate: { count: 2, perSeconds: 60 } } });
  expect([(await ask(url)).statusCode, (await ask(URL)).statusCode]).toEqual([200, 200]);
  expectError(await ask(url), 429, 'rate');
  expect(log.at(-1)).toMatchObject({ path: url, code: 'rate', key: secret.split('_')[1] });
  expect([(await ask('/health')).statusCode, (await ask('/ready')).statusCode]).toEqual([200, 200]);
});

describe('the log', () => {
  test('has the key’s id, the endpoint and the cache’s part of a request; neither the secret nor a value', async () => {
    const { ask, log, secret } = await served(engine(), { key: {} });
    await ask('/api/endpoints/series?word=hush');
    const line = log.at(-1);
    expect(line).toEqual({
      level: 'info',
      time: expect.any(String),
      id: expect.any(String),
      method: 'GET',
      endpoint: 'series',
      status: 200,
      ms: expect.any(Number),
      cache: 'off',
      rows: 2,
      engineMs: expect.any(Number),
      key: secret.split('_')[1],
      msg: 'request',
    });
    await ask('/api/endpoints/series?rows=hush-too');
    const text = JSON.stringify(log.map(({ error: _, ...rest }) => rest));
    expect([text.includes('hush'), JSON.stringify(log).includes(secret)]).toEqual([false, false]);
  });

  test('has the address and the reason of what is refused, without what stands behind the `?`', async () => {
    const { ask, log } = await served(engine(), { key: {} });
    const strange = { headers: { 'x-api-key': 'quern_nobody' } };
    await ask('/made/up?word=hush');
    await ask(`/${'x'.repeat(300)}`);
    await ask('/api/endpoints/ids?area=rest', strange);
    await ask('/metrics', strange);
    await ask('/api/console', strange);
    await ask('/api/endpoints/ids', { method: 'DELETE' });
    const refused = log.filter(({ msg }) => msg === 'request refused');
    expect(refused.map(({ endpoint, status, code, path }) => [endpoint, status, code, path])).toEqual([
      ['none', 404, 'not-found', '/made/up'],
      ['none', 404, 'not-found', `/${'x'.repeat(199)}…`],
      ['none', 401, 'unauthorized', '/api/endpoints/ids'],
      ['none', 401, 'unauthorized', '/metrics'],
      ['none', 401, 'unauthorized', '/api/console'],
      ['none', 405, 'method', '/api/endpoints/ids'],
    ]);
  });

  test('has the values when it is asked to', async () => {
    const { ask, log } = await served(engine(), { options: { logArguments: true } });
    await ask('/api/endpoints/series?word=hush');
    expect(log.at(-1)?.['arguments']).toEqual({ rows: 2, word: 'hush' });
  });
});

describe('a server that is told to stop', () => {
  test('lets a request end that is under way, and takes no other', async () => {
    const world = await served(engine(), { options: { clock: systemClock, drainMs: 50_000 } });
    const address = await world.server.listen('127.0.0.1', 0);
    world.engine.state = 'held';
    const asked = fetch(address + URL);
    await until(() => world.executed.length === 1);
    const closed = world.server.close();
    const refused = () =>
      fetch(`${address}/health`, { headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      );
    while (!(await refused())) await setImmediate();
    world.engine.state = 'up';
    expect((await asked).status).toBe(200);
    await closed;
  });

  test('stops what does not end in time, and the query with it, and says so to who waits', async () => {
    const world = await served(engine(), { options: { clock: systemClock, drainMs: 50 } });
    const address = await world.server.listen('127.0.0.1', 0);
    world.engine.state = 'held';
    const asked = fetch(address + URL).then(async (reply) => [reply.status, await reply.json()]);
    await until(() => world.executed.length === 1);
    await world.server.close();
    expect(await asked).toEqual([503, { error: { code: 'interrupted', message: 'the server is stopping' } }]);
    expect(world.log.at(-1)).toMatchObject({ endpoint: 'ids', status: 503, msg: 'the server is stopping' });
    expect(world.executed[0]?.signal?.aborted).toBe(true);
  });
});

test('a client that leaves takes its query along when nobody else waits for it', async () => {
  const world = await served(engine(), { options: { clock: systemClock } });
  const address = await world.server.listen('127.0.0.1', 0);
  world.engine.state = 'held';
  const clients = [new AbortController(), new AbortController()];
  const asked = clients.map(({ signal }) => fetch(address + URL, { signal }).catch(() => 'left'));
  await until(() => world.executed.length === 1);
  clients[0]?.abort();
  await asked[0];
  clients[1]?.abort();
  await asked[1];
  await until(() => world.executed[0]?.signal?.aborted === true);
  const left = () => world.log.filter(({ msg }) => msg === 'the client disconnected');
  await until(() => left().length === 2);
  expect(left().map(({ status }) => status)).toEqual([499, 499]);
  const { body } = await world.ask('/metrics');
  expect(body).toContain('quern_http_requests_total{endpoint="ids",status="499",cache="none"} 2');
  expect(world.executed).toHaveLength(1);
});

test('a port that is taken is an error with advice', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo; // it listens on a port
  const { server } = await served(engine());
  await expect(server.listen('127.0.0.1', port)).rejects.toMatchObject({
    code: 'config',
    message: `cannot listen on 127.0.0.1:${port}: another program is listening there`,
  });
  other.close();
});
