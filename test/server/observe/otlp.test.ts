// Traces and metrics for a collector: what `quern serve` sends of real requests, where it sends nothing, and what a bad collector does to it.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf, queryText } from '../../queries/support.ts';
import { startClickHouse } from '../../support/clickhouse-server.ts';
import { type CollectedSpan, type Collector, startCollector } from '../../support/collector.ts';
import { serveProcess, startServe } from '../../support/serve-process.ts';

const FILES = {
  'kept.sql': queryText(1, 'select @word as word, count(*) as n from unnest([1, 2, 3])', 'cache: 1h', 'params: { word: { type: string } }'),
  'open.sql': queryText(2, 'with w as (select 1 as one) select one from w', 'sandbox: enabled'),
  'wrong.sql': queryText(3, 'select error(@word) as e', 'params: { word: { type: string } }'),
};
/** Rows that are old after a second, and ones that take a while. */
const SLOW = {
  'brief.sql': queryText(4, 'select count(*) as n from unnest([1, 2])', 'cache: 1s'),
  'slow.sql': queryText(
    5,
    'select count(*) as n from unnest(generate_array(1, 10000)) as a, unnest(generate_array(1, 10000)) as b where mod(a * b, 7) = @rest',
    'cache: 1h',
    'params: { rest: { type: integer } }',
  ),
};
const QUICK = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '200' };
const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];

async function collected(extra: Readonly<Record<string, string>> = {}, files: Readonly<Record<string, string>> = FILES) {
  const collector = await startCollector();
  const serving = await serveProcess(files, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address, ...QUICK, ...extra });
  return { collector, ...serving };
}

/** The spans of the request, once it has ended. */
async function traceOf(collector: Collector, id: string): Promise<readonly CollectedSpan[]> {
  const root = () => collector.spans().find(({ attributes }) => attributes['quern.request.id'] === id);
  await expect.poll(root, { timeout: 10_000 }).toBeDefined();
  return collector.spans().filter(({ traceId }) => traceId === root()?.traceId);
}

/** Names and kinds of spans with the name of the span around each. */
const shape = (spans: readonly CollectedSpan[]) =>
  spans
    .map(({ name, kind, parentSpanId }) => [name, kind, spans.find(({ spanId }) => spanId === parentSpanId)?.name])
    .sort(([a], [b]) => String(a).localeCompare(String(b)));

test('a request is a trace: what it waited for and what it met, and none of its values', { timeout: 120_000 }, async () => {
  const { collector, address } = await collected({
    OTEL_SERVICE_NAME: 'reports',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  const ask = (path: string, id: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${address}/api/endpoints/${path}`, { headers: { 'x-request-id': id, ...headers } }).then((reply) => reply.text());
  await ask('kept?word=geheim', 'first', { traceparent: `00-${CALLER.trace}-${CALLER.span}-01` });
  await ask('kept?word=geheim', 'again');
  await ask(`open?sql=${encodeURIComponent("select one, 'geheim' as g from w")}`, 'own-sql');
  await ask('wrong?word=geheim', 'fails');
  await ask('nothing-of-the-kind', 'unknown');

  const request = 'GET /api/endpoints/:reference';
  const first = await traceOf(collector, 'first');
  expect(shape(first)).toEqual([
    ['cache', INTERNAL, request],
    [request, SERVER, undefined],
    ['queue', INTERNAL, 'run'],
    ['run', INTERNAL, request],
    ['SELECT kept', CLIENT, 'run'],
  ]);
  const named = (spans: readonly CollectedSpan[], name: string) => spans.find((span) => span.name === name);
  expect(named(first, request)).toMatchObject({
    traceId: CALLER.trace,
    parentSpanId: CALLER.span,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/endpoints/:reference',
      'http.response.status_code': 200,
      'url.path': '/api/endpoints/kept',
      'url.scheme': 'http',
      'quern.endpoint': 'kept',
      'quern.cache.state': 'miss',
      'quern.rows': 1,
    },
  });
  expect(named(first, 'cache')?.attributes).toEqual({ 'quern.cache.state': 'miss' });
  expect(named(first, 'SELECT kept')?.attributes).toMatchObject({ 'db.system.name': 'clickhouse', 'db.response.returned_rows': 1 });

  const again = await traceOf(collector, 'again');
  expect(shape(again)).toEqual([
    ['cache', INTERNAL, request],
    [request, SERVER, undefined],
  ]);
  expect(again[0]?.traceId).not.toBe(CALLER.trace);
  expect(named(again, request)?.attributes['quern.cache.state']).toBe('hit');

  expect(shape(await traceOf(collector, 'own-sql'))).toContainEqual(['translate', INTERNAL, request]);
  const fails = await traceOf(collector, 'fails');
  expect(named(fails, 'SELECT wrong')).toMatchObject({ attributes: { 'error.type': 'data' }, status: { code: 2, message: 'data' } });
  // What a caller's values did is no failure of the server.
  expect(named(fails, request)).toMatchObject({
    attributes: { 'http.response.status_code': 400, 'error.type': 'parameter' },
    status: { code: 0 },
  });
  expect(named(await traceOf(collector, 'unknown'), request)?.attributes).toMatchObject({
    'http.response.status_code': 404,
    'error.type': 'unknown-query',
  });
  expect(collector.resource()).toMatchObject({
    'service.name': 'reports',
    'deployment.environment.name': 'test',
    'service.version': expect.any(String),
    'service.instance.id': expect.any(String),
  });
  for (const { body } of collector.requests) expect(body.toString()).not.toContain('geheim');
});

test('who shares the run of another request waits in a trace of their own, and work in the background is one too', {
  timeout: 120_000,
}, async () => {
  const { collector, address } = await collected({}, SLOW);
  const ask = (path: string, id: string) => fetch(`${address}/api/endpoints/${path}`, { headers: { 'x-request-id': id } });
  await Promise.all([ask('slow?rest=3', 'one'), ask('slow?rest=3', 'two')]);
  const traces = [await traceOf(collector, 'one'), await traceOf(collector, 'two')];
  const runs = traces.map((spans) => spans.find(({ name }) => name === 'run')?.attributes['quern.run.shared']);
  expect(runs.sort()).toEqual([false, true]);
  expect(traces.map((spans) => spans.filter(({ kind }) => kind === CLIENT).length).sort()).toEqual([0, 1]);

  await ask('brief', 'fresh');
  await sleep(1100);
  expect((await ask('brief', 'old')).headers.get('x-cache')).toBe('stale');
  const refresh = () => collector.spans().find(({ name }) => name === 'refresh brief');
  await expect.poll(refresh, { timeout: 10_000 }).toBeDefined();
  expect(refresh()?.parentSpanId).toBeUndefined();
  const old = await traceOf(collector, 'old');
  expect(old.map(({ traceId }) => traceId)).not.toContain(refresh()?.traceId);
  expect(old.find(({ name }) => name === 'cache')?.attributes).toEqual({ 'quern.cache.state': 'stale' });
});

test('the metrics are those of /metrics, and the last of them come with the end of the server', { timeout: 120_000 }, async () => {
  const { collector, address, child } = await collected({ OTEL_METRIC_EXPORT_INTERVAL: '3600000', OTEL_BSP_SCHEDULE_DELAY: '3600000' });
  for (const word of ['a', 'a', 'b']) await fetch(`${address}/api/endpoints/kept?word=${word}`);
  await fetch(`${address}/nowhere`);
  const text = await (await fetch(`${address}/metrics`)).text();
  expect(collector.requests).toEqual([]);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);

  expect(collector.spans().filter(({ kind }) => kind === SERVER)).toHaveLength(4);
  const metrics = new Map(collector.metrics().map((metric) => [metric.name, metric]));
  const told = [...text.matchAll(/^# TYPE (quern_\S+)/gm)].map(([, name = '']) => name);
  const withValues = told.filter((name) => new RegExp(`^${name}(_count)?(\\{.*\\})? `, 'm').test(text));
  expect([...metrics.keys()]).toEqual(expect.arrayContaining(withValues));
  const labels = (attributes: object) =>
    Object.entries(attributes)
      .map(([name, value]) => `${name}="${value}"`)
      .join(',');
  const requests = metrics.get('quern_http_requests_total');
  expect(requests?.kind).toBe('sum');
  expect(requests?.points.map(({ attributes, asDouble }) => `quern_http_requests_total{${labels(attributes)}} ${asDouble}`)).toEqual(
    text.split('\n').filter((line) => line.startsWith('quern_http_requests_total{')),
  );
  const durations = metrics.get('quern_http_request_duration_seconds');
  expect(durations).toMatchObject({ kind: 'histogram', unit: 's' });
  expect(
    durations?.points.map(({ attributes, count }) => `quern_http_request_duration_seconds_count{${labels(attributes)}} ${count}`),
  ).toEqual(text.split('\n').filter((line) => line.startsWith('quern_http_request_duration_seconds_count')));
  for (const { count, bucketCounts = [] } of durations?.points ?? []) expect(bucketCounts.reduce((a, b) => a + b, 0)).toBe(count);
});

test('a ClickHouse server goes on with the trace, and its query is found by its id', { timeout: 120_000 }, async () => {
  const clickhouse = await startClickHouse({
    config: {
      opentelemetry_span_log: {
        database: 'system',
        table: 'opentelemetry_span_log',
        engine: 'ENGINE = MergeTree ORDER BY (finish_date, trace_id)',
        flush_interval_milliseconds: 200,
      },
    },
  });
  onTestFinished(() => clickhouse.stop());
  const { collector, address } = await collected({ CLICKHOUSE_URL: clickhouse.url });
  await fetch(`${address}/api/endpoints/kept?word=a`, {
    headers: { 'x-request-id': 'remote', traceparent: `00-${CALLER.trace}-${CALLER.span}-01` },
  });
  const select = (await traceOf(collector, 'remote')).find(({ kind }) => kind === CLIENT);
  expect(select?.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'server.port': clickhouse.httpPort });
  await clickhouse.run('SYSTEM FLUSH LOGS');
  const seen = await clickhouse.run(
    `SELECT DISTINCT attribute['clickhouse.query_id'] FROM system.opentelemetry_span_log
     WHERE replaceAll(toString(trace_id), '-', '') = '${CALLER.trace}' AND attribute['clickhouse.query_id'] != ''`,
  );
  expect(seen.trim()).toBe(select?.attributes['clickhouse.query_id']);
  const parents = await clickhouse.run(
    `SELECT count() FROM system.opentelemetry_span_log WHERE lower(hex(parent_span_id)) = '${select?.spanId}'`,
  );
  expect(Number(parents)).toBeGreaterThan(0);
});

test('what a sampler leaves out is not sent, and a ClickHouse server is told so', { timeout: 120_000 }, async () => {
  const heads: string[] = [];
  const clickhouse = await startClickHouse();
  onTestFinished(() => clickhouse.stop());
  const between = createServer((request, response) => {
    const { traceparent } = request.headers;
    if (typeof traceparent === 'string') heads.push(traceparent);
    const { method, url, headers } = request;
    request.pipe(
      httpRequest({ host: '127.0.0.1', port: clickhouse.httpPort, method, path: url, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  onTestFinished(() => void between.close());
  const { collector, address, child } = await collected({
    CLICKHOUSE_URL: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    OTEL_METRICS_EXPORTER: 'none',
  });
  const ask = async (word: string, headers: Readonly<Record<string, string>> = {}) =>
    expect((await fetch(`${address}/api/endpoints/kept?word=${word}`, { headers })).status).toBe(200);
  await ask('a', { traceparent: `00-${CALLER.trace}-${CALLER.span}-00` });
  expect(heads).toEqual([expect.stringMatching(new RegExp(`^00-${CALLER.trace}-[0-9a-f]{16}-00$`))]);
  await ask('b', { traceparent: 'nonsense' });
  expect(heads[1]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(new Set([heads[1]?.split('-')[1]]));
});

test('a collector that hangs or refuses is told once in the log, and costs neither answers nor an end', { timeout: 120_000 }, async () => {
  // Whoever waited for the SDK would wait longer than this test.
  const patient = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000', OTEL_BSP_EXPORT_TIMEOUT: '600000' };
  const { collector, address, lines, child } = await collected({ OTEL_METRICS_EXPORTER: 'none', ...patient });
  const said = (words: string) => lines.filter((line) => line.includes(words));
  const ask = async () => expect((await fetch(`${address}/api/endpoints/kept?word=a`)).status).toBe(200);
  collector.state = 'refusing';
  for (let sent = 0; sent < 3; sent++) {
    await ask();
    await expect.poll(() => collector.requests.length, { timeout: 10_000 }).toBeGreaterThan(sent);
  }
  await expect.poll(() => said('traces cannot be sent'), { timeout: 10_000 }).toHaveLength(1);
  expect(JSON.parse(said('traces cannot be sent')[0] ?? '')).toMatchObject({
    collector: collector.address,
    error: { message: 'it answers with 400 Bad Request' },
  });
  collector.state = 'up';
  await ask();
  await expect.poll(() => said('traces are sent again'), { timeout: 10_000 }).toHaveLength(1);
  expect(said('traces cannot be sent')).toHaveLength(1);

  collector.state = 'silent';
  const count = collector.requests.length;
  await ask();
  await expect.poll(() => collector.requests.length, { timeout: 10_000 }).toBeGreaterThan(count);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('protobuf is what collectors are sent where nothing else is said, and each signal may have its own address', {
  timeout: 120_000,
}, async () => {
  const collector = await startCollector();
  const { address } = await serveProcess(FILES, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.address}/own/traces`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  await fetch(`${address}/api/endpoints/kept?word=a`);
  const hasCome = () => collector.requests.some(({ body }) => body.includes('GET /api/endpoints/:reference'));
  await expect.poll(hasCome, { timeout: 10_000 }).toBe(true);
  for (const { path, headers } of collector.requests) {
    expect([path, headers['content-type'], headers.authorization]).toEqual(['/own/traces', 'application/x-protobuf', 'Bearer abc']);
  }
});

test('without an address nothing of the SDK is loaded', { timeout: 120_000 }, async () => {
  const dist = new URL('../../../dist/', import.meta.url).pathname;
  const sdk = readdirSync(dist).filter(
    (name) => name.endsWith('.js') && readFileSync(join(dist, name), 'utf8').includes('BatchSpanProcessor'),
  );
  expect(sdk).toHaveLength(1);
  const loadedWith = async (env: Readonly<Record<string, string>>) => {
    const folder = folderOf({});
    const { child, address } = await serveProcess(FILES, { NODE_V8_COVERAGE: folder, ...env });
    await fetch(`${address}/api/endpoints/kept?word=a`);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    return readdirSync(folder).some((name) => readFileSync(join(folder, name), 'utf8').includes(sdk[0] ?? ''));
  };
  const collector = await startCollector();
  expect(await loadedWith({ OTEL_SERVICE_NAME: 'quern' })).toBe(false);
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.address, OTEL_SDK_DISABLED: 'true' })).toBe(false);
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.address })).toBe(true);
});

test('what a variable must not hold is told before anything is served', { timeout: 120_000 }, async () => {
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' },
      'OTEL_EXPORTER_OTLP_ENDPOINT is not an address that begins with http:// or https://',
    ],
    [{ ...to, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", which quern does not support'],
    [{ ...to, OTEL_TRACES_SAMPLER: 'some' }, 'OTEL_TRACES_SAMPLER is "some", which quern does not support'],
    [{ ...to, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG is "2"'],
    [{ ...to, OTEL_METRICS_EXPORTER: 'prometheus' }, 'OTEL_METRICS_EXPORTER is "prometheus", which quern does not support'],
    [{ ...to, OTEL_METRIC_EXPORT_INTERVAL: 'often' }, 'OTEL_METRIC_EXPORT_INTERVAL is "often"'],
    [{ ...to, OTEL_METRIC_EXPORT_INTERVAL: '9999999999' }, 'OTEL_METRIC_EXPORT_INTERVAL is "9999999999"'],
    [{ ...to, OTEL_BSP_MAX_QUEUE_SIZE: '-5' }, 'OTEL_BSP_MAX_QUEUE_SIZE is "-5"'],
    [{ ...to, OTEL_EXPORTER_OTLP_COMPRESSION: 'br' }, 'OTEL_EXPORTER_OTLP_COMPRESSION is "br", which quern does not support'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://127.0.0.1:1', OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere/ca.pem' },
      'the file that OTEL_EXPORTER_OTLP_CERTIFICATE names cannot be read: /nowhere/ca.pem',
    ],
  ];
  for (const [env, message] of cases) {
    const child = startServe(FILES, ['--port', '0'], env);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(said).toContain(`error[config]: ${message}`);
  }
});
