// The table of routes is all there is to a route: what is added to it is served, described, guarded, and refused to other methods.
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { json } from '../../../src/server/http/reply.ts';
import { ROUTES } from '../../../src/server/routes/index.ts';
import type { Route } from '../../../src/server/routes/route.ts';
import { eventsEngine, expectError, type ServedOptions, served } from '../server-support.ts';

const engine = eventsEngine();

const answering = (path: string, access: 'anybody' | 'key' | 'overseer'): Route => ({
  method: 'GET',
  path,
  access,
  open: (server) => (question) => json({ version: server.version, params: question.request.params }),
  openApi: { operationId: path.slice(1), summary: `Those of ${access}.`, responses: { 200: { description: 'The version.' } } },
});
const ADDED = [answering('/version.json', 'anybody'), answering('/of-keys', 'key'), answering('/of-overseers', 'overseer')];
const world = ({ options, ...others }: ServedOptions = {}) =>
  served(engine(), { ...others, options: { ...options, routes: [...ROUTES, ...ADDED] } });

describe('a route that is added to the table', () => {
  test('is served, also with a slash behind it and without its body', async () => {
    const { ask } = await world();
    for (const path of ['/version.json', '/version.json/']) expect((await ask(path)).json()).toEqual({ version: '1.2.3', params: {} });
    const head = await ask('/version.json', { method: 'HEAD' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  test('refuses other methods, and names its own', async () => {
    const { ask } = await world();
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const reply = await ask('/version.json', { method });
      expect(expectError(reply, 405, 'method')).toMatchObject({
        message: `${method} is not allowed at this address`,
        hint: 'use GET, HEAD',
      });
      expect(reply.headers['allow']).toBe('GET, HEAD');
    }
    expectError(await ask('/versionXjson', { method: 'POST' }), 404, 'not-found');
  });

  test('is in the OpenAPI document, which says where no key is needed', async () => {
    const { ask } = await world({ key: {} });
    const document = (await ask('/openapi.json')).json();
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
    expect(document.paths['/version.json'].get).toMatchObject({ operationId: 'version.json', summary: 'Those of anybody.', security: [] });
    expect([document.paths['/of-keys'].get.security, document.security]).toEqual([undefined, [{ key: [] }, { bearer: [] }]]);
    expect(Object.keys(document.paths)).toEqual([
      '/api/endpoints/ids',
      '/api/endpoints/series',
      '/version.json',
      '/of-keys',
      '/of-overseers',
    ]);
  });

  test('is for those whom its row names', async () => {
    const statuses = async (key: NonNullable<ServedOptions['key']>, headers?: Readonly<Record<string, string>>) => {
      const { ask } = await world({ key });
      const asked = ADDED.map(async ({ path }) => (await ask(path, headers === undefined ? {} : { headers })).statusCode);
      return Promise.all(asked);
    };
    expect(await statuses({}, { 'x-api-key': '' })).toEqual([200, 401, 401]);
    expect(await statuses({ scopes: ['ids'] })).toEqual([200, 200, 403]);
    expect(await statuses({ scopes: ['*'] })).toEqual([200, 200, 200]);
    expect(await statuses({ scopes: ['*'], rate: { count: 1, perSeconds: 60 } })).toEqual([200, 200, 429]);
  });
});

test('every address of the table refuses what is no method of it', async () => {
  const { ask } = await world();
  for (const { path } of ROUTES) {
    const own = ROUTES.filter((route) => route.path === path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const reply = await ask(path.replace(/:\w+/, 'ids'), { method: 'DELETE' });
    expect([path, reply.statusCode, reply.headers['allow']]).toEqual([path, 405, own.join(', ')]);
  }
});
