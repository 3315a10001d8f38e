// The connection to Redis: what is told when it cannot be used, and that nothing waits for one that is away.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { askRedis, openRedis, pingRedis, type Redis, type RedisAddress } from '../../../src/server/shared/redis.ts';
import { sharedBuckets } from '../../../src/server/shared/shared-buckets.ts';
import { sharedResults } from '../../../src/server/shared/shared-results.ts';
import { readSharedSpending, sharedSpending } from '../../../src/server/shared/shared-spending.ts';
import { freePort } from '../../support/clickhouse-process.mjs';
import { certificateOf, describeWithRedis, startRedis } from '../../support/redis-server.ts';

async function opened(address: Partial<RedisAddress> & Pick<RedisAddress, 'url'>): Promise<{ redis: Redis; told: string[] }> {
  const told: string[] = [];
  const tell = (message: string) => void told.push(message);
  const redis = await openRedis({ address: { prefix: 'test', ...address }, onTrouble: tell, onBack: tell });
  onTestFinished(() => redis.close());
  return { redis, told };
}

const failureOf = async (work: Promise<unknown>): Promise<QuernError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof QuernError) return error;
  throw new Error(`no QuernError: ${String(error)}`);
};

describeWithRedis('a connection to Redis', () => {
  test('is made with a password from the address or beside it, and not without', async () => {
    const server = await startRedis({ password: 'p@ss/word' });
    const { redis } = await opened({ url: server.url.replace('//', `//:${encodeURIComponent('p@ss/word')}@`) });
    expect(redis.up).toBe(true);
    expect((await opened({ url: server.url, password: 'p@ss/word' })).redis.up).toBe(true);
    for (const url of [server.url, server.url.replace('//', '//:wrong@')]) {
      const { code, message, details } = await failureOf(opened({ url }));
      expect([code, message]).toEqual(['unreachable', expect.stringContaining(`Redis at ${server.url} refuses the login: `)]);
      expect(JSON.stringify([message, details.hint])).not.toContain('wrong@');
    }
  });

  test('speaks TLS with an authority of its own, and says what is missing without it', async () => {
    const server = await startRedis({ tls: true });
    expect((await opened({ url: server.url, caFile: await certificateOf(server) })).redis.up).toBe(true);
    const { code, message, details } = await failureOf(opened({ url: server.url }));
    expect([code, message]).toEqual(['config', expect.stringContaining('cannot be reached with TLS')]);
    expect(details.hint).toContain('redis_ca_file');
    expect((await failureOf(opened({ url: server.url, caFile: '/no/such/file' }))).message).toContain('redis_ca_file cannot be read');
  });

  test('is none to a database that is not there, or to a server of another kind', async () => {
    const server = await startRedis();
    expect((await failureOf(opened({ url: `${server.url}/99` }))).message).toContain('does not have that database');
    const other = await new Promise<Server>((resolve) => {
      const listening = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      }).listen(0, '127.0.0.1', () => resolve(listening));
    });
    onTestFinished(() => void other.close());
    const address = other.address();
    const url = `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    expect((await failureOf(opened({ url }))).message).toBe(`the server at ${url} does not speak the protocol of Redis`);
  });

  test('comes later where the server does, and says so once each time', async () => {
    const server = await startRedis();
    await server.kill();
    const { redis, told } = await opened({ url: server.url });
    expect([redis.up, await redis.ask((commands) => commands.get('x'))]).toEqual([false, undefined]);
    await server.start();
    await expect.poll(() => redis.up, { timeout: 10_000 }).toBe(true);
    expect(await redis.ask((commands) => commands.get('x'))).toBe(null);
    await server.kill();
    await expect.poll(() => redis.up, { timeout: 10_000 }).toBe(false);
    await sleep(500);
    expect(told.map((line) => line.replace(/\(.*\)/, '(…)'))).toEqual([
      `Redis at ${server.url} is away (…): until it is back, this server shares nothing with others`,
      `Redis at ${server.url} is back`,
      `Redis at ${server.url} is away (…): until it is back, this server shares nothing with others`,
    ]);
  });

  test('makes those wait once who ask a server that says nothing, and nobody after them', async () => {
    const server = await startRedis();
    const { redis, told } = await opened({ url: server.url });
    server.freeze();
    expect(await Promise.all([1, 2, 3].map(() => redis.ask((commands) => commands.get('x'))))).toEqual([undefined, undefined, undefined]);
    let asked = 0;
    expect(await redis.ask(async () => asked++)).toBe(undefined);
    expect(asked).toBe(0);
    expect(told).toHaveLength(1);
    server.thaw();
    await expect.poll(() => redis.up, { timeout: 15_000 }).toBe(true);
  });

  test('tells a command that is refused, once', async () => {
    const server = await startRedis({ flags: ['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'] });
    const { redis, told } = await opened({ url: server.url });
    for (let i = 0; i < 40; i++) await redis.ask((commands) => commands.set(redis.key('x', String(i)), 'x'.repeat(100_000), 'EX', 60));
    expect(told).toEqual([expect.stringMatching(/^Redis at \S+ refuses a command: OOM /)]);
    expect(redis.up).toBe(true);
  });

  test('answers a command, or says why not', async () => {
    const server = await startRedis({ flags: ['--user', 'reader', 'on', '>secret', '~*', '+@read', '+@connection'] });
    const address = { url: `${server.url}/2`, prefix: 'test' };
    expect(await pingRedis(address)).toBe(`${server.url}/2`);
    const reader = { url: server.url.replace('//', '//reader:secret@'), prefix: 'test' };
    expect((await failureOf(pingRedis(reader))).message).toMatch(/refuses a command: NOPERM/);
    await server.kill();
    const { code, message } = await failureOf(askRedis(address, async () => undefined));
    expect([code, message]).toEqual(['unreachable', expect.stringMatching(/^Redis at \S+ cannot be reached: /)]);
  });

  test('needs no other rights than the page names', async () => {
    const page = readFileSync(new URL('../../../docs/replicas.md', import.meta.url), 'utf8');
    const rights = /as Redis calls them: `([^`]+)`/.exec(page)?.[1]?.split(/\s+/) ?? [];
    expect(rights.length).toBeGreaterThan(10);
    const server = await startRedis({ flags: ['--user', 'quern', 'on', '>secret', ...rights] });
    const { redis, told } = await opened({ url: server.url.replace('//', '//quern:secret@'), prefix: 'quern' });
    const shared = sharedResults({ redis, graceSeconds: () => 1, longestRunMs: 1000 });
    await shared.write('results', 'a', 'text', 10);
    expect(await shared.read('results', 'a')).toBe('text');
    await shared.remove('results', 'a');
    const turn = await shared.turn('n', AbortSignal.timeout(5000));
    await sleep(2000); // it is renewed
    await turn.end('key');
    expect((await shared.turn('n', AbortSignal.timeout(5000))).key).toBe('key');
    expect(await sharedBuckets(redis).take('k', { count: 2, perSeconds: 1 })).toEqual({ taken: true, tokens: 1 });
    const spending = sharedSpending({ redis, now: Date.now });
    spending.add('k', { rows: 1, ms: 1 });
    await spending.close();
    expect((await readSharedSpending(redis, 'k', Date.now()))?.size).toBe(1);
    expect((await readSharedSpending(redis, 'k', Date.now() + 7_200_000))?.size).toBe(0);
    expect(await pingRedis({ url: server.url.replace('//', '//quern@'), password: 'secret', prefix: 'quern' })).toBe(server.url);
    expect(told).toEqual([]);
  });

  test('refuses an address where nobody listens only by telling it', async () => {
    const { redis, told } = await opened({ url: `redis://127.0.0.1:${await freePort()}` });
    expect([redis.up, told.length]).toEqual([false, 1]);
  });
});
