// Connections on which no request comes to its end: the server answers, and then lets go of them, whatever the client does.
import { expect, test } from 'vitest';
import { folderOf } from '../queries/support.ts';
import { certificate } from '../support/certificate.ts';
import { eventsEngine, type Served, served } from './server-support.ts';
import { connected, firstReply } from './socket-support.ts';

const engine = eventsEngine();

const open = ({ server }: Served): Promise<number> =>
  new Promise((resolve, reject) => {
    server.fastify.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

const noneOpen = (world: Served): Promise<void> => expect.poll(() => open(world)).toBe(0);

test.each([
  ['its head', 'POST /api/endpoints/ids HTTP/1.1\r\nHost: local'],
  [
    'its body',
    'POST /api/endpoints/ids HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"area"',
  ],
])('a request that takes too long over %s is answered with 408, and the connection is closed', async (_, bytes) => {
  const world = await served(engine());
  Object.assign(world.server.fastify.server, { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 });
  const { send, hears } = await connected(await world.server.listen('127.0.0.1', 0), { allowHalfOpen: true });
  send(bytes);
  expect(firstReply(await hears(/\}\}$/))).toEqual([408, { error: { code: 'request', message: 'the request did not arrive in time' } }]);
  await noneOpen(world);
});

test.each([
  ['no request', 'hello\r\n\r\n', 400],
  ['too long a head', `GET /?${'x'.repeat(200_000)} HTTP/1.1\r\n`, 431],
])('a client that sends %s gets to read why, and cannot keep the connection', async (_, bytes, status) => {
  const world = await served(engine());
  const { send, hears } = await connected(await world.server.listen('127.0.0.1', 0), { allowHalfOpen: true });
  send(bytes);
  expect(firstReply(await hears(/\}\}$/))[0]).toBe(status);
  await noneOpen(world);
});

test.each(['plain', 'TLS'])('a request has 30 seconds to come, as the pages say: %s', async (kind) => {
  const { path: cert } = certificate(folderOf({}), 'bounds');
  const tls = kind === 'TLS' ? { cert, key: cert.replace(/pem$/, 'key') } : undefined;
  const { server } = await served(engine(), { options: { tls } });
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = server.fastify.server as unknown as Readonly<
    Record<string, number>
  >;
  // Where the time for the head is the longer one, Node gives it to the body.
  expect([headersTimeout, Number(requestTimeout) + Number(connectionsCheckingInterval)]).toEqual([requestTimeout, 30_000]);
});
