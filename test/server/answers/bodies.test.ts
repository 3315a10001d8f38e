// What is read of a body, and for whom: asked over a socket, where it shows whether the server waits for more.
import { describe, expect, test } from 'vitest';
import { queryText } from '../../queries/support.ts';
import { eventsEngine, expectError, served } from '../server-support.ts';
import { connected, firstReply } from '../socket-support.ts';

const engine = eventsEngine();
const JSON_TYPE = { 'content-type': 'application/json' };

const LISTED = { 'listed.sql': queryText(9, 'select count(*) as n from unnest(@ids)', 'params: { ids: { type: array of integer } }') };

const head = (path: string, headers: Readonly<Record<string, string | number>>): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const GET_HEALTH = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('without a key', () => {
  test.each(['/api/endpoints/ids', '/api/console/sql', '/nothing', '/metrics'])(
    'a POST to %s is refused before its body has come',
    async (path) => {
      const { server } = await served(engine(), { key: {} });
      const { send, hears } = await connected(await server.listen('127.0.0.1', 0));
      send(`${head(path, { 'Content-Length': 1_000_000 })}[[[[`);
      const [status] = firstReply(await hears(/\}\}$/));
      expect(status).toBe({ '/nothing': 404, '/metrics': 405 }[path] ?? 401);
    },
  );

  test('the connection goes on behind a body that has a sensible end', async () => {
    const { server } = await served(engine(), { key: {} });
    const { send, hears } = await connected(await server.listen('127.0.0.1', 0));
    send(`${head('/api/endpoints/ids', { 'Content-Length': 500_000 })}${'['.repeat(500_000)}${GET_HEALTH}`);
    expect(firstReply(await hears(/alive/))[0]).toBe(401);
  });

  test('a body without end is cut off', async () => {
    const { server } = await served(engine(), { key: {} });
    const connection = await connected(await server.listen('127.0.0.1', 0));
    connection.send(head('/api/endpoints/ids', { 'Transfer-Encoding': 'chunked' }));
    expect(firstReply(await connection.hears(/\}\}$/))[0]).toBe(401);
    let sent = 0;
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    while (!connection.socket.destroyed && sent < 50e6) {
      await new Promise((resolve) => connection.socket.write(chunk, resolve));
      sent += chunk.length;
    }
    expect(sent).toBeLessThan(20e6); // the system's own buffers among them
    await connection.closed();
  });

  test('a client that asks first whether to send its body is told no', async () => {
    const { server, secret } = await served(engine(), { key: {} });
    const address = await server.listen('127.0.0.1', 0);
    const body = '{"area":"auth","most":2}';
    const asking = { 'Content-Length': body.length, Expect: '100-continue' };
    const stranger = await connected(address);
    stranger.send(head('/api/endpoints/ids', asking));
    expect(await stranger.hears(/\}\}$/)).toMatch(/^HTTP\/1\.1 401 /);
    const known = await connected(address);
    known.send(head('/api/endpoints/ids', { ...asking, 'X-API-KEY': secret }));
    expect(await known.hears(/\r\n\r\n$/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    known.send(body);
    expect(await known.hears(/"id":2/)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });
});

test('a key that has asked too often is told so before its body has come', async () => {
  const { server, secret } = await served(engine(), { key: { rate: { count: 1, perSeconds: 60 } } });
  const { send, hears } = await connected(await server.listen('127.0.0.1', 0));
  const first = '{"area":"auth"}';
  send(head('/api/endpoints/ids', { 'Content-Length': first.length, 'X-API-KEY': secret }) + first);
  await hears(/HTTP\/1\.1 200 /);
  send(head('/api/endpoints/ids', { 'Content-Length': 1_000_000, 'X-API-KEY': secret }));
  await hears(/HTTP\/1\.1 429 /);
});

describe('with a key', () => {
  const post = (payload: string) => ({ method: 'POST', headers: JSON_TYPE, payload }) as const;

  test.each([
    ['arrays', `{"area":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
    ['objects', `${'{"area":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('%s in each other are refused without being built', async (_, payload) => {
    const { ask } = await served(engine(), { key: {} });
    expect(expectError(await ask('/api/endpoints/ids', post(payload)), 400, 'body').message).toBe('the body nests deeper than 20 levels');
  });

  test.each([
    ['names', `{${Array.from({ length: 90_000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['lists', `{"area":[${'[],'.repeat(300_000)}1]}`],
  ])('a body of endless %s is refused, too', async (_, payload) => {
    const { ask } = await served(engine(), { key: {} });
    const error = expectError(await ask('/api/endpoints/ids', post(payload)), 400, 'body');
    expect(error.message).toBe('the body has more than 1000 names and lists');
  });

  test('a list of many values is a list', async () => {
    const { ask } = await served(engine(), { key: {}, files: LISTED });
    const ids = Array.from({ length: 20_000 }, (_, i) => i);
    expect((await ask('/api/endpoints/listed', post(JSON.stringify({ ids })))).json()).toEqual({ result: [{ n: 20_000 }] });
  });

  test('brackets in texts count for nothing', async () => {
    const { ask } = await served(engine(), { key: {} });
    const reply = await ask('/api/endpoints/series', post(JSON.stringify({ rows: 1, word: `\\"${'[{'.repeat(50)}` })));
    expect(reply.json()).toEqual({ result: [{ n: 1, word: `\\"${'[{'.repeat(50)}` }] });
  });

  test.each([
    '{"area":{"toString":"x","valueOf":1}}',
    '{"area":[{"toString":1}]}',
    '{"area":{"__proto__":null}}',
    '{"most":{"toJSON":{}}}',
    '{"area":"auth","most":[[1],[2]]}',
  ])('a parameter that is an object is one that does not fit: %s', async (payload) => {
    const { ask } = await served(engine(), { key: {} });
    for (const url of ['/api/endpoints/ids', '/api/endpoints/ids?area=auth&most=1'])
      expectError(await ask(url, post(payload)), 400, 'parameter');
  });

  test.each(['{"toString":1}', '[{"toString":1}]', '12345678901234567890', '{"n":12345678901234567890}'])(
    'a format that is none is refused, whatever it is: %s',
    async (format) => {
      const { ask } = await served(engine(), { key: {} });
      const error = expectError(await ask('/api/endpoints/ids', post(`{"area":"auth","format":${format}}`)), 400, 'usage');
      expect(error.message).toMatch(/ is not a reply format$/);
    },
  );

  test('a list that nests without end is no list of values', async () => {
    const { ask } = await served(engine(), { key: {}, files: LISTED });
    const ids = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    expectError(await ask('/api/endpoints/listed', post(JSON.stringify({ ids }))), 400, 'parameter');
  });
});
