// Who may ask, what keys bound, and the form of every failure.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../../../src/base/errors.ts';
import { eventsEngine } from '../../server-support.ts';
import { call, cells, door, PROJECT } from './support.ts';

const engine = eventsEngine();
const QUERIES = `/bigquery/v2/projects/${PROJECT}/queries`;

/** Status, reason and message of a failure, which has Google's form. */
// biome-ignore lint/suspicious/noExplicitAny: a reply as it came
function failure({ status, body }: { readonly status: number; readonly body: any }) {
  const { code, message, errors, status: word } = body.error;
  expect([code, errors[0].message, errors[0].domain, typeof word]).toEqual([status, message, 'global', 'string']);
  return [status, errors[0].reason, message];
}

describe('access', () => {
  test('by a key as a bearer token or in X-API-KEY', async () => {
    const { server, secret } = await door(engine(), { key: {} });
    const ask = async (headers: { readonly [name: string]: string | undefined }) => {
      const reply = await server.fastify.inject({ method: 'POST', url: QUERIES, headers, payload: { query: 'select 1 as a' } });
      return { status: reply.statusCode, body: reply.json() };
    };
    for (const headers of [{ authorization: `Bearer ${secret}` }, { 'x-api-key': secret }])
      expect(cells((await ask(headers)).body)).toEqual([['1']]);
    expect(failure(await ask({}))).toEqual([401, 'authError', 'this server requires an API key; send it in the header X-API-KEY']);
    expect(failure(await ask({ authorization: 'Bearer nothing' }))[0]).toBe(401);
  });

  test('to jobs of the same key alone', async () => {
    const world = await door(engine(), { key: { name: 'one' } });
    const { createKey } = await import('../../../../src/server/keys/change-keys.ts');
    const other = await createKey(
      { file: world.keysFile, now: Date.now },
      { name: 'other', scopes: ['bigquery'], pins: {}, mayRefresh: false },
    );
    const { jobId } = (await call(world, 'POST', '/queries', { query: 'select 1 as a' })).body.jobReference;
    expect((await call(world, 'GET', `/jobs/${jobId}`)).status).toBe(200);
    const theirs = { server: world.server, secret: other.secret };
    await expect.poll(async () => (await call(theirs, 'GET', '/jobs')).status).toBe(200);
    expect((await call(theirs, 'GET', '/jobs')).body.jobs).toEqual([]);
    for (const [method, path] of [
      ['GET', `/jobs/${jobId}`],
      ['GET', `/queries/${jobId}`],
      ['POST', `/jobs/${jobId}/cancel`],
      ['DELETE', `/jobs/${jobId}/delete`],
    ] as const)
      expect(failure(await call(theirs, method, path))).toEqual([404, 'notFound', `Not found: Job ${PROJECT}:${jobId}`]);
  });

  test('within the rate of the key', async () => {
    const world = await door(engine(), { key: { rate: { count: 1, perSeconds: 60 } } });
    expect((await call(world, 'POST', '/queries', { query: 'select 1' })).status).toBe(200);
    expect(failure(await call(world, 'POST', '/queries', { query: 'select 1' })).slice(0, 2)).toEqual([403, 'rateLimitExceeded']);
  });

  test('within the budget of the key', async () => {
    const world = await door(engine(), { key: { maxScanPerHour: 10 } });
    const statuses = [];
    for (let i = 0; i < 2; i++)
      statuses.push(await call(world, 'POST', '/queries', { query: 'select max(id) as id from events', useQueryCache: false }));
    expect(statuses[0]?.status).toBe(200);
    expect(failure(statuses[1] as { status: number; body: unknown }).slice(0, 2)).toEqual([403, 'quotaExceeded']);
  });

  test('to no more rows than the key allows', async () => {
    const world = await door(engine(), { key: { maxRows: 3 } });
    expect(cells((await call(world, 'POST', '/queries', { query: 'select id from events order by id limit 3' })).body)).toHaveLength(3);
    const [status, reason, message] = failure(await call(world, 'POST', '/queries', { query: 'select id from events' }));
    expect([status, reason, message]).toEqual([
      400,
      'resourcesExceeded',
      'the API key limits a result to 3 rows, and this one has more; add LIMIT 3, or use a key without --max-rows',
    ]);
  });

  test('past the pins of a key to no table', async () => {
    const world = await door(engine(), { key: { pins: { area: 'rest' } } });
    const [status, reason, message] = failure(await call(world, 'POST', '/queries', { query: 'select count(*) from events' }));
    expect([status, reason]).toEqual([403, 'accessDenied']);
    expect(message).toMatch(/^Access Denied: the API key sets area/);
    expect(
      failure(await call(world, 'POST', '/jobs', { configuration: { dryRun: true, query: { query: 'select * from events' } } }))[0],
    ).toBe(403);
    expect(cells((await call(world, 'POST', '/queries', { query: 'select 1 as a' })).body)).toEqual([['1']]);
  });

  test('is recorded with the name of the method', async () => {
    const world = await door(engine(), { key: { scopes: ['bigquery', '*'] } });
    await call(world, 'POST', '/queries', { query: 'select 1 as a' });
    await call(world, 'POST', '/queries', { query: 'select x' });
    const lines = world.log.filter(({ endpoint }) => endpoint === 'bigquery.jobs.query');
    expect(lines.map(({ status, rows, cache }) => [status, rows, cache])).toEqual([
      [200, 1, 'miss'],
      [400, undefined, undefined],
    ]);
    const { body } = await world.ask('/metrics');
    expect(body).toContain('quern_http_requests_total{endpoint="bigquery.jobs.query",status="200",cache="miss"} 1');
  });
});

describe('a failure of', () => {
  test.each([
    ['text', 'selec 1', 400, 'invalidQuery', / at \[1:1\]$/],
    ['a column', 'select\n 1,\n  x from events', 400, 'invalidQuery', / at \[3:3\]$/],
    ['a function', 'select nothing_like_it(1)', 400, 'invalidQuery', / at \[1:8\]$/],
    ['a type', "select 1 + 'a'", 400, 'invalidQuery', / at \[1:/],
    ['a parameter', 'select @p + 1 as x', 400, 'invalidQuery', /^Query parameter 'p' not found at \[1:8\]$/],
    ['parameters', 'select @p + 1 as x, @q', 400, 'invalidQuery', /^Query parameter 'p' not found at \[1:8\]$/],
    ['a positional parameter', 'select ? + 1 as x', 400, 'invalidQuery', / at \[1:8\]$/],
    ['a value', 'select 1 / (id - id) from events', 400, 'invalidQuery', /division by zero.* at \[1:8\]$/i],
    [
      'a table',
      'select * from `other-project.shop.orders`',
      404,
      'notFound',
      /^Not found: Table other-project:shop\.orders.* at \[1:15\]$/,
    ],
    [
      'a table of the project',
      'select * from shop.orders',
      404,
      'notFound',
      new RegExp(`^Not found: Table ${PROJECT}:shop\\.orders.* at \\[1:15\\]$`),
    ],
    ['a statement that writes', 'delete from events where true', 400, 'invalidQuery', /DELETE is not a query.* at \[1:1\]$/],
    [
      'a table to create',
      'create table a.b as select 1 as x',
      400,
      'invalidQuery',
      /^the query is there to fill a\.b, and quern only reads; send the SELECT inside it at \[1:14\]$/,
    ],
    ['a table to fill', 'insert into events select 1', 400, 'invalidQuery', /fill events/],
    ['legacy SQL', '#legacySQL\nselect 1', 501, 'notImplemented', /legacy SQL/],
    ['nothing', '  ', 400, 'invalid', /Required parameter is missing: query/],
  ])('%s', async (_, query, status, reason, message) => {
    const world = await door(engine());
    const found = failure(await call(world, 'POST', '/queries', { query }));
    expect(found).toEqual([status, reason, expect.stringMatching(message)]);
  });

  test.each([
    ['unreachable', 503, 'backendError'],
    ['busy', 503, 'backendError'],
    ['limit', 400, 'resourcesExceeded'],
    ['timeout', 400, 'timeout'],
    ['internal', 500, 'internalError'],
  ] as const)('the engine that is %s', async (code, status, reason) => {
    const world = await door(engine());
    world.engine.state = new QuernError(code, 'away');
    expect(failure(await call(world, 'POST', '/queries', { query: 'select id from events' })).slice(0, 2)).toEqual([status, reason]);
  });

  test('the server is in its log, and the caller is not told', async () => {
    const world = await door(engine());
    world.engine.state = new QuernError('internal', 'the disk burns');
    for (const body of [{ query: 'select id from events' }, { query: 'select id from events', dryRun: true }]) {
      world.log.length = 0;
      const found = failure(await call(world, 'POST', '/queries', body));
      expect(found).toEqual([500, 'internalError', 'the server has failed; its log says why, under the request id']);
      expect(world.log).toContainEqual(
        expect.objectContaining({ id: expect.any(String), error: expect.objectContaining({ message: 'the disk burns' }) }),
      );
    }
  });

  test.each([
    ['PATCH', '/datasets/d'],
    ['POST', '/datasets'],
    ['POST', '/datasets/d/tables/t/insertAll'],
    ['DELETE', '/datasets/d/tables/t'],
    ['PUT', '/jobs/1'],
    ['GET', '/anything/else'],
    ['OPTIONS', '/queries'],
  ] as const)('a method that quern does not have: %s %s', async (method, path) => {
    const world = await door(engine());
    expect(failure(await call(world, method, path))).toEqual([501, 'notImplemented', expect.stringContaining('quern does not support')]);
  });

  test.each(['/bigquery/v2', '/bigquery/v2/', '/bigquery/v2/elsewhere'])('an address that is no method: %s', async (url) => {
    const world = await door(engine());
    const reply = await world.server.fastify.inject({ method: 'GET', url, headers: { host: 'localhost' } });
    expect(failure({ status: reply.statusCode, body: reply.json() }).slice(0, 2)).toEqual([501, 'notImplemented']);
  });

  test('jobs of other kinds, uploads and destinations', async () => {
    const world = await door(engine());
    const insert = (configuration: object) => call(world, 'POST', '/jobs', { configuration });
    expect(failure(await insert({ load: {} }))).toEqual([501, 'notImplemented', expect.stringContaining('load jobs')]);
    const into = { query: 'select 1', destinationTable: { projectId: PROJECT, datasetId: 'd', tableId: 't' } };
    expect(failure(await insert({ query: into }))).toEqual([501, 'notImplemented', expect.stringContaining('a destination table (d.t)')]);
    expect(failure(await insert({}))).toEqual([400, 'invalid', 'The job has no configuration.query']);
    const upload = await world.server.fastify.inject({
      method: 'POST',
      url: `/upload/bigquery/v2/projects/${PROJECT}/jobs?uploadType=resumable`,
      headers: { host: 'localhost', 'content-type': 'multipart/related; boundary=x' },
      payload: '--x--',
    });
    expect(failure({ status: upload.statusCode, body: upload.json() }).slice(0, 2)).toEqual([501, 'notImplemented']);
  });
});

describe('a request', () => {
  test('may be compressed, and have words that nobody knows', async () => {
    const { server } = await door(engine());
    const reply = await server.fastify.inject({
      method: 'POST',
      url: `/projects/${PROJECT}/queries?prettyPrint=false&alt=json&key=x&quotaUser=me&strange=1`,
      headers: { host: 'localhost', 'content-type': 'application/json', 'content-encoding': 'gzip' },
      payload: gzipSync(JSON.stringify({ query: 'select 1 as a', strange: true })),
    });
    expect(cells(reply.json())).toEqual([['1']]);
  });

  test('that cannot be read is refused in the same form', async () => {
    const { server } = await door(engine());
    const send = async (payload: string | Buffer, headers: object = {}) => {
      const all = { host: 'localhost', 'content-type': 'application/json', ...headers };
      const reply = await server.fastify.inject({ method: 'POST', url: QUERIES, headers: all, payload });
      return failure({ status: reply.statusCode, body: reply.json() });
    };
    expect((await send('{')).slice(0, 2)).toEqual([400, 'parseError']);
    expect(await send('{"query": "select 1"}', { 'content-type': 'text/plain' })).toEqual([
      400,
      'invalid',
      'The body is not read, since it is sent as text/plain: send Content-Type: application/json',
    ]);
    expect((await send('not packed', { 'content-encoding': 'gzip' }))[0]).toBe(400);
    expect((await send(gzipSync(Buffer.alloc(20e6, 32)), { 'content-encoding': 'gzip' }))[0]).toBe(413);
  });

  test('of a page of another origin is asked for first, without a key', async () => {
    const { server } = await door(engine(), { key: {}, options: { corsOrigins: ['https://dash.example'] } });
    const headers = { host: 'localhost', origin: 'https://dash.example', 'access-control-request-method': 'POST' };
    const reply = await server.fastify.inject({ method: 'OPTIONS', url: QUERIES, headers });
    expect([reply.statusCode, reply.headers['access-control-allow-origin']]).toEqual([204, 'https://dash.example']);
  });

  test('for the discovery document names the host that was asked', async () => {
    const { server } = await door(engine(), { key: {} });
    for (const url of ['/$discovery/rest?version=v2', '/discovery/v1/apis/bigquery/v2/rest']) {
      const document = (await server.fastify.inject({ url, headers: { host: 'quern.example:8443' } })).json();
      expect([document.rootUrl, document.servicePath, document.resources.jobs.methods.query.path]).toEqual([
        'http://quern.example:8443/',
        'bigquery/v2/',
        'projects/{+projectId}/queries',
      ]);
    }
  });

  test('for the discovery document says where each list has the token of its next page, from which Google’s Python library makes list_next', async () => {
    const { server } = await door(engine());
    const { resources, schemas } = (await server.fastify.inject({ url: '/$discovery/rest', headers: { host: 'localhost' } })).json();
    const tokensOf = (resource: string, method: string) =>
      Object.keys(schemas[resources[resource].methods[method].response.$ref].properties ?? {});
    expect([tokensOf('datasets', 'list'), tokensOf('jobs', 'list')]).toEqual([['nextPageToken'], ['nextPageToken']]);
    expect([tokensOf('tabledata', 'list'), tokensOf('jobs', 'getQueryResults')]).toEqual([['pageToken'], ['pageToken']]);
    expect(tokensOf('jobs', 'get')).toEqual([]);
  });

  test('of the Storage API is 404, which gRPC reads as UNIMPLEMENTED', async () => {
    const { server } = await door(engine());
    const url = '/google.cloud.bigquery.storage.v1.BigQueryRead/CreateReadSession';
    const headers = { host: 'localhost', 'content-type': 'application/grpc' };
    expect((await server.fastify.inject({ method: 'POST', url, headers, payload: Buffer.alloc(5) })).statusCode).toBe(404);
  });

  test('finds nothing without the door', async () => {
    const { server } = await door(engine(), { options: { bigquery: false } });
    const reply = await server.fastify.inject({
      method: 'POST',
      url: QUERIES,
      headers: { host: 'localhost' },
      payload: { query: 'select 1' },
    });
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not-found']);
  });
});
