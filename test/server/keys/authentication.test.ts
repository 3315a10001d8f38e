// Who may ask what: keys, where they stand, what they cover, and a server without keys.
import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { revokeKey } from '../../../src/server/keys/change-keys.ts';
import { eventsEngine, expectError, served } from '../server-support.ts';

const engine = eventsEngine();
const URL = '/api/endpoints/ids?area=auth&most=2';

describe('a server with keys', () => {
  test('answers to a key in X-API-KEY and in Authorization', async () => {
    const { server, secret } = await served(engine(), { key: {} });
    const status = async (headers: Record<string, string>) => (await server.fastify.inject({ url: URL, headers })).statusCode;
    expect(await status({ 'x-api-key': secret })).toBe(200);
    expect(await status({ authorization: `Bearer ${secret}` })).toBe(200);
    expect(await status({ authorization: `bearer  ${secret}` })).toBe(200);
    expect(await status({ authorization: `Basic ${secret}` })).toBe(401);
    expect((await server.fastify.inject({ url: `${URL}&api_key=${secret}` })).statusCode).toBe(401);
  });

  test('tells callers without a key, and with one that is not known, what is missing', async () => {
    const { server } = await served(engine(), { key: {} });
    const without = await server.fastify.inject({ url: URL });
    expect(expectError(without, 401, 'unauthorized')).toEqual({
      code: 'unauthorized',
      message: 'this server requires an API key',
      hint: 'send it in the header X-API-KEY',
    });
    expect(without.headers['www-authenticate']).toBe('Bearer');
    const wrong = await server.fastify.inject({ url: URL, headers: { 'x-api-key': 'quern_wrong' } });
    expect(expectError(wrong, 401, 'unauthorized').message).toBe('the API key is not valid');
  });

  test('tells nobody without a key which endpoints there are', async () => {
    const { server } = await served(engine(), { key: {} });
    for (const url of ['/api/endpoints/ids', '/api/endpoints/nope', '/openapi.json', '/metrics']) {
      expectError(await server.fastify.inject({ url }), 401, 'unauthorized');
    }
  });

  test('refuses what the scopes of a key do not cover, by name and by UUID', async () => {
    const { ask } = await served(engine(), { key: { scopes: ['ser*'] } });
    expect((await ask('/api/endpoints/series')).statusCode).toBe(200);
    expect(expectError(await ask(URL), 403, 'forbidden').message).toBe('the API key does not cover ids');
    expectError(await ask(URL.replace('ids', 'query/4c1f0000-0000-4000-8000-000000000001')), 403, 'forbidden');
  });

  test('gives fewer rows to a key that may have no more, and says so, also when the rows are in the cache', async () => {
    const { ask } = await served(engine(), { key: { maxRows: 1 } });
    for (const cache of ['miss', 'hit']) {
      const reply = await ask('/api/endpoints/ids?area=rest');
      expect([reply.body, reply.headers['x-truncated'], reply.headers['x-cache']]).toEqual([
        '{"result": [\n{"id":1,"area":"rest","moment":"2026-01-02T00:01:00Z"}\n], "meta": {"truncated": true, "rows": 1}}\n',
        'true',
        cache,
      ]);
    }
  });

  test('lets nobody in while the file of keys is damaged, and tells its log alone where that file is', async () => {
    const { ask, clock, keysFile, log } = await served(engine(), { key: {} });
    expect((await ask(URL)).statusCode).toBe(200);
    writeFileSync(keysFile, '{');
    clock.advance(1);
    expect(expectError(await ask(URL), 500, 'internal').message).toBe('the server has failed');
    expect(JSON.stringify(log).includes(`${keysFile} is damaged`)).toBe(true);
  });

  test('sets pinned parameters itself, and refuses others', async () => {
    const { ask } = await served(engine(), { key: { pins: { area: 'auth' } } });
    const rows = '{"result": [\n{"id":2,"area":"auth","moment":"2026-01-02T00:02:00Z"}\n]}\n';
    expect((await ask('/api/endpoints/ids?most=2')).body).toBe(rows);
    expect((await ask('/api/endpoints/ids?most=2&area=auth')).body).toBe(rows);
    const error = expectError(await ask('/api/endpoints/ids?most=2&area=rest'), 400, 'parameter');
    expect(error.problems).toEqual([{ kind: 'pinned', name: 'area', message: 'is set by the API key to another value' }]);
  });

  test('does not let two keys share an answer to the same words', async () => {
    const first = await served(engine(), { key: { pins: { area: 'auth' } } });
    expect((await first.ask('/api/endpoints/ids?most=2')).json().result).toHaveLength(1);
    const { createKey } = await import('../../../src/server/keys/change-keys.ts');
    const second = await createKey(
      { file: first.keysFile, now: first.clock.now },
      { name: 'other', scopes: ['*'], pins: { area: 'rest' }, mayRefresh: false },
    );
    first.clock.advance(1);
    const reply = await first.server.fastify.inject({ url: '/api/endpoints/ids?most=2', headers: { 'x-api-key': second.secret } });
    expect(reply.json().result).toEqual([{ id: 1, area: 'rest', moment: '2026-01-02T00:01:00Z' }]);
  });

  test('limits how often a key may ask', async () => {
    const { ask, clock } = await served(engine(), { key: { rate: { count: 2, perSeconds: 10 } } });
    expect([(await ask(URL)).statusCode, (await ask(URL)).statusCode]).toEqual([200, 200]);
    const refused = await ask(URL);
    expect(expectError(refused, 429, 'rate').message).toBe('the API key is limited to 2 requests in 10 seconds');
    expect(refused.headers['retry-after']).toBe('5');
    clock.advance(5);
    expect([(await ask(URL)).statusCode, (await ask(URL)).statusCode]).toEqual([200, 429]);
  });

  test('hears of a key that is revoked, and of all keys that are gone', async () => {
    const { ask, clock, keysFile, secret, server } = await served(engine(), { key: {} });
    expect((await ask(URL)).statusCode).toBe(200);
    await revokeKey({ file: keysFile }, 'test');
    clock.advance(1);
    expectError(await ask(URL), 401, 'unauthorized');
    rmSync(keysFile);
    clock.advance(1);
    expectError(await server.fastify.inject({ url: URL, headers: { 'x-api-key': secret } }), 401, 'unauthorized');
  });
});

describe('a server without keys', () => {
  test('answers to names of this machine only, so that no page of the web can ask it', async () => {
    const { server } = await served(engine());
    const status = async (host: string) => (await server.fastify.inject({ url: URL, headers: { host } })).statusCode;
    expect(await Promise.all(['127.0.0.1:4000', 'localhost', '[::1]:4000', 'rebound.example:4000'].map(status))).toEqual([
      200, 200, 200, 403,
    ]);
  });
});

describe('pages of the web', () => {
  test('may read replies only from origins that are allowed', async () => {
    const { ask } = await served(engine(), { options: { corsOrigins: ['https://dash.example'] } });
    const allowed = async (origin: string) => (await ask(URL, { headers: { origin } })).headers['access-control-allow-origin'];
    expect(await allowed('https://dash.example')).toBe('https://dash.example');
    expect(await allowed('https://other.example')).toBeUndefined();
    expect((await ask(URL, { headers: { origin: 'https://dash.example' } })).headers['vary']).toMatch(/^Origin, Accept, .*X-API-KEY/);
    const preflight = await ask(URL, {
      method: 'OPTIONS',
      headers: { origin: 'https://dash.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' },
    });
    expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([204, 'x-api-key']);
  });

  test('may read nothing unless somebody has said so', async () => {
    const { ask } = await served(engine());
    expect((await ask(URL, { headers: { origin: 'https://dash.example' } })).headers['access-control-allow-origin']).toBeUndefined();
  });
});
