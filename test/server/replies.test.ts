// What a reply says beside its rows: to caches, to those who look for a slow query, and to clients that have the rows already.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { eventsEngine, expectError, served } from './server-support.ts';

const engine = eventsEngine();
const URL = '/api/endpoints/ids?area=auth';
const VARIES_BY = 'Accept, Accept-Encoding, X-API-KEY, Authorization, LF-Endpoint-Redact-PII';
const LONG = '/api/endpoints/series?rows=500&word=logs';

describe('the headers of a reply', () => {
  test('say how the cache had a part in it, and how old the rows are', async () => {
    const { ask, clock, executed } = await served(engine());
    const told = async (url: string) => {
      const { headers } = await ask(url);
      return [headers['x-cache'], headers['age'], headers['cache-control']];
    };
    expect(await told(URL)).toEqual(['miss', '0', 'private, max-age=60']);
    clock.advance(20);
    expect(await told(URL)).toEqual(['hit', '20', 'private, max-age=60']);
    clock.advance(50);
    expect(await told(URL)).toEqual(['stale', '70', 'private, max-age=0']);
    expect(await told('/api/endpoints/series')).toEqual(['miss', undefined, 'no-store']);
    expect(executed.length).toBeGreaterThan(1);
  });

  test('name the request: by the name it came with, if that is harmless, and the engine’s log has it too', async () => {
    const { ask, executed } = await served(engine());
    expect((await ask(URL, { headers: { 'x-request-id': 'call-7' } })).headers['x-request-id']).toBe('call-7');
    expect(executed[0]?.comment).toBe('{"query":"ids","request":"call-7"}');
    const odd = await ask(URL, { headers: { 'x-request-id': 'call 7; drop' } });
    expect(odd.headers['x-request-id']).toMatch(/^[0-9a-f]{16}-1$/);
  });

  test('say what took the time', async () => {
    const { ask } = await served(engine());
    expect((await ask(URL)).headers['server-timing']).toMatch(/^engine;dur=[\d.]+, total;dur=[\d.]+$/);
    expect((await ask(URL)).headers['server-timing']).toMatch(/^total;dur=[\d.]+$/);
  });

  test('let nobody keep what tells of endpoints, keys or the server, and no failure', async () => {
    const { ask } = await served(engine(), { key: {} });
    const nobody = { 'x-api-key': 'quern_nobody' };
    const kept = async (url: string, headers = {}) => (await ask(url, { headers })).headers['cache-control'];
    for (const url of ['/openapi.json', '/api/console', '/metrics', '/ready', '/health'])
      expect([url, await kept(url)]).toEqual([url, 'no-store']);
    for (const url of [URL, '/openapi.json', '/api/console', '/metrics', '/nothing'])
      expect([url, await kept(url, nobody)]).toEqual([url, 'no-store']);
    expect(await kept('/')).toBe('no-cache');
  });

  test('keep browsers from guessing what the bytes are', async () => {
    const { ask } = await served(engine());
    expect((await ask(URL)).headers['x-content-type-options']).toBe('nosniff');
    expect((await ask('/nothing')).headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('a client that has the rows already', () => {
  test('is told so without them, as long as they are the same', async () => {
    const { ask } = await served(engine());
    const { etag } = (await ask(URL)).headers;
    const again = await ask(URL, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    expect((await ask(URL, { headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200);
    expect((await ask(`${URL}&most=2`, { headers: { 'if-none-match': String(etag) } })).statusCode).toBe(200);
  });

  test('gets them in reply to POST, which has no conditions', async () => {
    const { ask } = await served(engine());
    const { etag } = (await ask(URL)).headers;
    const reply = await ask(URL, { method: 'POST', headers: { 'if-none-match': String(etag) } });
    expect(reply.statusCode).toBe(200);
  });
});

describe('the encoding of a reply', () => {
  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.1', 'gzip', gunzipSync],
  ])('for %s is %s, and has a tag of its own', async (accepted, encoding, decompress) => {
    const { ask } = await served(engine());
    const plain = await ask(LONG);
    const encoded = await ask(LONG, { headers: { 'accept-encoding': accepted } });
    expect([plain.headers['content-encoding'], encoded.headers['content-encoding']]).toEqual([undefined, encoding]);
    expect(decompress(encoded.rawPayload).toString()).toBe(plain.body);
    expect(encoded.headers['etag']).toBe(String(plain.headers['etag']).replace(/"$/, `-${encoding}"`));
    expect(encoded.headers['vary']).toBe(VARIES_BY);
    const again = await ask(LONG, { headers: { 'accept-encoding': accepted, 'if-none-match': String(encoded.headers['etag']) } });
    expect([again.statusCode, again.headers['vary']]).toEqual([304, VARIES_BY]);
    const head = await ask(LONG, { method: 'HEAD', headers: { 'accept-encoding': accepted } });
    expect([head.statusCode, head.headers['vary'], head.headers['etag']]).toEqual([200, VARIES_BY, encoded.headers['etag']]);
  });

  test('of a small reply is none', async () => {
    const { ask } = await served(engine());
    expect((await ask(URL, { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding']).toBeUndefined();
  });
});

describe('a fresh run', () => {
  test('is made for a caller who asks for it and may', async () => {
    const { ask, executed } = await served(engine(), { key: { mayRefresh: true } });
    await ask(URL);
    expect((await ask(URL, { headers: { 'cache-control': 'no-cache' } })).headers['x-cache']).toBe('miss');
    expect(executed).toHaveLength(2);
  });

  test('is not made for one who may not', async () => {
    const { ask, executed } = await served(engine(), { key: { mayRefresh: false } });
    await ask(URL);
    expect((await ask(URL, { headers: { 'cache-control': 'no-cache' } })).headers['x-cache']).toBe('hit');
    expect(executed).toHaveLength(1);
  });
});

describe('a failure of the engine', () => {
  test.each([
    [new QuernError('data', 'the query failed: division by zero'), 422],
    [new QuernError('limit', 'ClickHouse answered MEMORY_LIMIT_EXCEEDED (241)'), 422],
    [new QuernError('engine', 'ClickHouse answered NOT_IMPLEMENTED (48)'), 502],
    [new QuernError('unreachable', 'ClickHouse is away'), 503],
    [new QuernError('timeout', 'the query took longer than its timeout'), 504],
  ])('%s has the status %i', async (error, status) => {
    const { ask, engine: state } = await served(engine());
    state.state = error;
    expect(expectError(await ask(URL), status, error.code).message).toBe(error.message);
  });

  test('that asks for patience is passed on with it', async () => {
    const { ask, engine: state } = await served(engine());
    state.state = new QuernError('busy', 'too many queries wait', { retryAfterSeconds: 1.5 });
    const reply = await ask(URL);
    expectError(reply, 503, 'busy');
    expect(reply.headers['retry-after']).toBe('2');
  });

  test('inside the server tells the log what it is, and the caller where to look', async () => {
    const { ask, engine: state, log } = await served(engine());
    state.state = new QuernError('internal', 'no such thing at /home/me/src');
    const reply = await ask(URL, { headers: { 'x-request-id': 'call-8' } });
    expect(expectError(reply, 500, 'internal')).toEqual({
      code: 'internal',
      message: 'the server has failed',
      hint: 'its log says why, under the request id',
    });
    expect(log.at(-1)).toMatchObject({ level: 'error', id: 'call-8', error: { message: 'no such thing at /home/me/src' } });
  });
});
