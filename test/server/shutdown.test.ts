// A server that is told to stop answers all that its clients have sent, tells them to go, and waits for nobody who says nothing.
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/server/clock.ts';
import { folderOf, queryText } from '../queries/support.ts';
import { certificate } from '../support/certificate.ts';
import { startServe } from '../support/serve-process.ts';
import { until } from './answers/answers-support.ts';
import { eventsEngine, served } from './server-support.ts';
import { connected } from './socket-support.ts';

const engine = eventsEngine();
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const HEALTH = request('/health');
const LONG = request(`/api/endpoints/series?rows=10000&word=${'x'.repeat(1000)}`);

async function stoppable(options: object = {}) {
  const world = await served(engine(), { options: { clock: systemClock, drainMs: 30_000, graceMs: 300, ...options } });
  return { ...world, address: await world.server.listen('127.0.0.1', 0) };
}

describe('a server that is told to stop', () => {
  test('answers a request that comes on an open connection, and ends that connection', async () => {
    const { server, address } = await stoppable({ graceMs: 20_000 });
    const open = await connected(address);
    open.send(HEALTH);
    expect(await open.hears(/alive/)).toMatch(/^Connection: keep-alive/im);
    const closed = server.close();
    open.send(HEALTH);
    await open.closed();
    expect(open.received().split('HTTP/1.1 200').pop()).toMatch(/^Connection: close\r\n[\s\S]*alive/im);
    await closed; // long before the grace is over: nobody is left
  });

  test('is not ready from then on', async () => {
    const { server, address } = await stoppable({ graceMs: 20_000 });
    const open = await connected(address);
    const closed = server.close();
    open.send(request('/ready'));
    expect(await open.hears(/stopping/)).toMatch(/^HTTP\/1.1 503 /);
    await closed;
  });

  test('tells so with a reply that was under way', async () => {
    const world = await stoppable();
    const open = await connected(world.address);
    world.engine.state = 'held';
    open.send(request('/api/endpoints/ids?area=rest'));
    await until(() => world.executed.length === 1);
    const closed = world.server.close();
    world.engine.state = 'up';
    await open.closed();
    expect(open.received()).toMatch(/^HTTP\/1.1 200 [\s\S]*^Connection: close\r\n/im);
    await closed;
  });

  test('lets a slow client read a long reply to its end', async () => {
    const { server, address, executed } = await stoppable();
    const open = await connected(address);
    open.send(HEALTH);
    await open.hears(/alive/);
    open.socket.pause();
    open.send(LONG);
    await until(() => executed.length === 1);
    await pause(200);
    const closed = server.close();
    await pause(600);
    open.socket.resume();
    await closed;
    await open.closed();
    const reply = open.received().split('HTTP/1.1 200').pop() ?? '';
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    expect(body.length).toBe(Number(/^content-length: (\d+)$/im.exec(head)?.[1]));
    expect(body.length).toBeGreaterThan(9_000_000);
  });

  test('does not wait for connections on which nothing comes', async () => {
    const { server, address } = await stoppable();
    const [silent, idle] = [await connected(address), await connected(address)];
    idle.send(HEALTH);
    await idle.hears(/alive/);
    await server.close();
    await Promise.all([silent.closed(), idle.closed()]);
  });

  test('answers requests of HTTP/2 that were sent before the client heard', async () => {
    const { path: cert } = certificate(folderOf({}), 'stopping');
    const { server, address } = await stoppable({ tls: { cert, key: cert.replace(/pem$/, 'key') }, graceMs: 1000 });
    const session = connectHttp2(address, { rejectUnauthorized: false });
    onTestFinished(() => session.destroy());
    await once(session, 'remoteSettings');
    const closed = server.close();
    const stream = session.request({ ':path': '/health' });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    stream.resume();
    await closed;
  });
});

describe('restarts under load', () => {
  const FILES = { 'one.sql': queryText(1, 'select @n as n', 'cache: 60s', 'params: { n: { type: integer, default: 1 } }') };
  const CLIENTS = 16;
  const REQUESTS = 500;

  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on a port
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  test('cost no request that was sent on a connection', async () => {
    const port = await freePort();
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const outcomes = new Map<string, number>();
    let answered = 0;
    let done = false;
    /** What becomes of a request; one that finds nobody listening was never sent. */
    const ask = (): Promise<string> =>
      new Promise((resolve) => {
        get({ port, host: '127.0.0.1', path: '/api/endpoints/one', agent }, (reply) => {
          reply.resume().on('end', () => resolve(String(reply.statusCode)));
          reply.on('error', () => resolve('cut off'));
        }).on('error', ({ message }) => resolve(message.startsWith('connect ECONNREFUSED') ? 'nobody listens' : message));
      });
    const client = async (): Promise<void> => {
      while (!done) {
        const outcome = await ask();
        if (outcome === 'nobody listens') await pause(10);
        else outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (outcome === '200') answered++;
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    onTestFinished(() => agent.destroy());
    for (let restart = 1; restart <= 3; restart++) {
      const child = startServe(FILES, ['--port', String(port), '--log-level', 'silent']);
      await until(() => answered >= restart * REQUESTS || child.exitCode !== null);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
    done = true;
    await Promise.all(clients);
    expect([...outcomes.keys()]).toEqual(['200']);
  });
});
