// Where tokens are taken from, and that none works beyond its end, wherever a caller is remembered or waited for.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openTokens } from '../../../src/server/keys/tokens.ts';
import { folderOf } from '../../queries/support.ts';
import { certificate } from '../../support/certificate.ts';
import { until } from '../answers/answers-support.ts';
import { eventsEngine, expectError } from '../server-support.ts';
import { AUDIENCE, provider, signedIn } from './provider.ts';

const engine = eventsEngine();
const URL = '/api/endpoints/ids?area=rest';
const EXPIRED = 'the token is not valid here: it has expired';
const MCP = {
  method: 'POST',
  url: '/mcp',
  payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
} as const;
const MCP_ACCEPT = { accept: 'application/json, text/event-stream' };

describe('a token', () => {
  test('is taken from Authorization only, also while it is known', async () => {
    const { idp, claims, ask, world } = await signedIn(engine(), {}, { compat: 'logflare' });
    const token = await idp.sign(claims());
    expect((await ask(token)).statusCode).toBe(200);
    const inject = (url: string, headers = {}) => world.server.fastify.inject({ url, headers });
    for (const url of [URL, '/api/console']) {
      const reply = await inject(url, { 'x-api-key': token });
      expect([reply.statusCode, reply.body.includes('mary')]).toEqual([401, false]);
    }
    expect((await world.server.fastify.inject({ ...MCP, headers: { ...MCP_ACCEPT, 'x-api-key': token } })).statusCode).toBe(401);
    expect((await inject(`${URL}&api_key=${token}`)).statusCode).toBe(401);
    expect((await inject(`${URL}&api_key=${world.secret}`)).statusCode).toBe(200);
  });

  test('in the place of a key is told where it belongs', async () => {
    const { idp, claims, world } = await signedIn(engine());
    const headers = { 'x-api-key': await idp.sign(claims()) };
    expect(expectError(await world.server.fastify.inject({ url: URL, headers }), 401, 'unauthorized')).toEqual({
      code: 'unauthorized',
      message: 'this is no API key, and a token is accepted only in the header Authorization',
      hint: 'send it as Authorization: Bearer',
    });
  });

  test('that has ended works nowhere, although it was known', async () => {
    const { idp, claims, ask, world, tokensClock } = await signedIn(engine());
    const token = await idp.sign(claims());
    expect((await ask(token)).statusCode).toBe(200);
    tokensClock.advance(631);
    const statusOf = async (headers: Record<string, string>, request: object) =>
      (await world.server.fastify.inject({ ...request, headers: { ...MCP_ACCEPT, ...headers } })).statusCode;
    for (const request of [{ url: URL }, { url: '/api/console' }, { url: '/openapi.json' }, MCP]) {
      expect(await statusOf({ 'x-api-key': token }, request)).toBe(401);
      expect(await statusOf({ authorization: `Bearer ${token}` }, request)).toBe(401);
    }
    expect(expectError(await ask(token), 401, 'unauthorized').message).toBe(EXPIRED);
  });

  test('that ends while its answer is waited for gets none', async () => {
    const { idp, claims, ask, world, tokensClock } = await signedIn(engine());
    const token = await idp.sign(claims());
    world.engine.state = 'held';
    const reply = ask(token);
    await until(() => world.executed.length === 1);
    tokensClock.advance(631);
    world.engine.state = 'up';
    expect(expectError(await reply, 401, 'unauthorized').message).toBe(EXPIRED);
    expect(world.log.filter(({ endpoint }) => endpoint === 'ids')).toMatchObject([{ status: 401, code: 'unauthorized' }]);
  });

  test.each(['/api/endpoints/ids', '/mcp'])('that ends while the body comes to %s is refused', async (path) => {
    const { idp, claims, world, tokensClock } = await signedIn(engine());
    const token = await idp.sign(claims());
    const { port, hostname } = new globalThis.URL(await world.server.listen('127.0.0.1', 0));
    const socket = connect({ port: Number(port), host: hostname });
    onTestFinished(() => void socket.destroy());
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString();
    });
    const headers = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 15\r\nExpect: 100-continue`;
    socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    await until(() => heard.includes('100 Continue'));
    tokensClock.advance(631);
    socket.write('{"area":"rest"}');
    await until(() => heard.includes(EXPIRED));
    expect(heard).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 401 /);
    expect(world.executed).toEqual([]);
  });
});

test('requests that send a body are counted once, and no longer than they take', async () => {
  const { world } = await signedIn(engine());
  const post = (payload: string, headers = {}) =>
    world.ask('/api/endpoints/ids', { method: 'POST', payload, headers: { 'content-type': 'application/json', ...headers } });
  expect((await post('{"area":"rest"}')).statusCode).toBe(200);
  expect((await post('{"area"')).statusCode).toBe(400);
  expect((await post('{"area":"rest"}', { 'x-api-key': 'quern_wrong' })).statusCode).toBe(401);
  expect((await world.ask('/metrics')).body).toContain('\nquern_http_requests_in_flight 0\n');
});

describe('the keys of the provider', () => {
  /** What comes of a token where the provider's description, served over TLS, names this address for its keys. */
  async function askedFrom(keysAddress: (issuer: string, plain: string) => string): Promise<readonly string[]> {
    const real = await provider();
    const tls = createServer(certificate(folderOf({}), 'provider'), (request, reply) => {
      const described = { issuer, jwks_uri: keysAddress(issuer, real.issuer) };
      if (request.url === '/away') reply.writeHead(302, { location: `${real.issuer}/keys` }).end();
      else reply.end(JSON.stringify(described));
    });
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void tls.close());
    const issuer = `https://127.0.0.1:${(tls.address() as AddressInfo).port}`; // it listens on a port
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const troubles: string[] = [];
    const rules = { issuer, audience: AUDIENCE, scopesClaim: 'scope', pins: {} };
    const tokens = openTokens({ rules, now: Date.now, onTrouble: (message) => void troubles.push(message) });
    const exp = Math.floor(Date.now() / 1000) + 600;
    const token = await real.sign({ iss: issuer, aud: AUDIENCE, sub: 'mary', exp, scope: 'quern:*' });
    const headers = { authorization: `Bearer ${token}` };
    await tokens.look(headers);
    expect(tokens.callerOf(headers)).toMatchObject({ status: 503, code: 'unreachable' });
    expect(real.asked()).toBe(0);
    return troubles;
  }

  test('are not read over plain HTTP where the provider itself speaks TLS', async () => {
    expect(await askedFrom((_, plain) => `${plain}/keys`)).toEqual([
      expect.stringMatching(/names a jwks_uri that is not an https:\/\/ address, so anyone on the network path could forge tokens$/),
    ]);
  });

  test('are not read from where an answer leads', async () => {
    expect(await askedFrom((issuer) => `${issuer}/away`)).toHaveLength(1);
  });
});
