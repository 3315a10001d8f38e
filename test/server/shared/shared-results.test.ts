// The cache over a Redis: what one process stores the others find, one runs for all, and nothing that lies there is taken for rows that it is not.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Cache } from '../../../src/cache/cache.ts';
import { openRedis } from '../../../src/server/shared/redis.ts';
import { sharedResults } from '../../../src/server/shared/shared-results.ts';
import { fill, keyOf, resultOf, temporaryFolder, wantedOf } from '../../cache/support.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';

interface Member {
  readonly mostBytes?: number;
  readonly longestRunMs?: number;
}

/** A process of its own, as far as the cache can tell: another folder, another connection. */
async function member({ url }: RedisServer, { mostBytes, longestRunMs = 20_000 }: Member = {}) {
  const told: string[] = [];
  const tell = (message: string) => void told.push(message);
  const redis = await openRedis({ address: { url, prefix: 'test' }, onTrouble: tell, onBack: tell });
  onTestFinished(() => redis.close());
  const clock = { now: Date.now() };
  const shared = sharedResults({ redis, graceSeconds: () => 10, longestRunMs, ...(mostBytes === undefined ? {} : { mostBytes }) });
  const cache = new Cache({ folder: temporaryFolder(), maxBytes: 1e6, now: () => clock.now, onNote: tell, shared });
  return { cache, redis, shared, told, clock };
}

const rowsOf = async ({ cache }: Awaited<ReturnType<typeof member>>, digit: string) => (await cache.lookup(keyOf(digit)))?.result.rows;

describeWithRedis('results in Redis', () => {
  test('of one process are found by another, for their time', async () => {
    const server = await startRedis();
    const [one, two] = [await member(server), await member(server)];
    await fill(one.cache, wantedOf('a'), 'x', 10n ** 30n, -0);
    expect(await rowsOf(two, 'a')).toEqual([['x'], [10n ** 30n], [-0]]);
    const left = Number(/:(\d+)/.exec(await server.send('TTL', two.redis.key('results', keyOf('a'))))?.[1]);
    expect([left > 60, left <= 70]).toEqual([true, true]);
    two.clock.now += 61_000;
    await fill(two.cache, wantedOf('a'), 'newer');
    expect(await rowsOf(one, 'a')).toEqual([['newer']]);
  });

  test('that are damaged, of another key, of another kind or of another program are none', async () => {
    const server = await startRedis();
    const [one, two] = [await member(server), await member(server)];
    await fill(one.cache, wantedOf('a'), 'x');
    await fill(one.cache, wantedOf('b'), 'y');
    const [a, b] = [one.redis.key('results', keyOf('a')), one.redis.key('results', keyOf('b'))];
    await server.send('SETRANGE', a, '200', 'zz');
    expect([await rowsOf(two, 'a'), await server.send('EXISTS', a)]).toEqual([undefined, ':0\r\n']);
    await server.send('COPY', b, a);
    expect(await rowsOf(two, 'a')).toBe(undefined);
    await server.send('SET', a, '{"rows":[["forged"]]}');
    expect(await rowsOf(two, 'a')).toBe(undefined);
    await server.send('SET', a, 'quern-cache 999 abc\n{}\n');
    expect([await rowsOf(two, 'a'), await server.send('EXISTS', a)]).toEqual([undefined, ':1\r\n']); // a newer quern's
    await server.send('DEL', a);
    await server.send('LPUSH', a, 'x');
    expect(await rowsOf(two, 'a')).toBe(undefined);
    expect(two.told).toEqual([expect.stringContaining('refuses a command: WRONGTYPE')]);
    // It has them in a file still.
    expect(await rowsOf(one, 'a')).toEqual([['x']]);
  });

  test('that are large stay with who made them', async () => {
    const server = await startRedis();
    const [one, two] = [await member(server, { mostBytes: 1000 }), await member(server)];
    await fill(one.cache, wantedOf('a'), 'x'.repeat(1000));
    expect([(await rowsOf(one, 'a'))?.length, await rowsOf(two, 'a')]).toEqual([1, undefined]);
  });

  test('and buckets are found in files too while Redis is away, and in Redis once it is back', async () => {
    const server = await startRedis();
    const [one, two] = [await member(server), await member(server)];
    const kept = { buckets: [{ start: 1, stamp: 's', rows: [['x', 7]] }] };
    await one.cache.buckets.write('k', kept);
    expect((await two.cache.buckets.read('k'))?.buckets).toEqual(kept.buckets);
    await server.kill();
    await fill(one.cache, wantedOf('a'), 'x');
    expect([await rowsOf(one, 'a'), (await one.cache.buckets.read('k'))?.buckets]).toEqual([[['x']], kept.buckets]);
    expect([await rowsOf(two, 'a'), await two.cache.buckets.read('k')]).toEqual([undefined, undefined]);
    await server.start();
    await expect.poll(() => one.redis.up && two.redis.up, { timeout: 10_000 }).toBe(true);
    await fill(one.cache, wantedOf('a'), 'again');
    expect(await rowsOf(two, 'a')).toEqual([['again']]);
    await one.cache.buckets.write('k', kept);
    await two.cache.buckets.remove('k');
    expect(await two.cache.buckets.read('k')).toBe(undefined);
  });
});

describeWithRedis('a run for several processes', () => {
  /** A run that takes a while and counts. */
  const counting = (ms: number, word = 'x') => {
    const runs: string[] = [];
    const run = async () => {
      runs.push(word);
      await sleep(ms);
      return { wanted: wantedOf('a'), result: resultOf(word) };
    };
    return { runs, run };
  };

  test('is one, and all get its rows', async () => {
    const server = await startRedis();
    const members = await Promise.all([1, 2, 3].map(() => member(server)));
    const { runs, run } = counting(300);
    const filled = await Promise.all(members.flatMap(({ cache }) => [cache.fill('name', run), cache.fill('name', run)]));
    expect([runs.length, new Set(filled.map(({ result }) => JSON.stringify(result.rows)))]).toEqual([1, new Set(['[["x"]]'])]);
    // Who looked before they were there, and asks now, gets them too; who wants new ones does not.
    await members[0]?.cache.settled();
    await members[1]?.cache.fill('name', run);
    expect(runs).toHaveLength(1);
    await members[1]?.cache.fill('name', run, { fresh: true });
    expect(runs).toHaveLength(2);
  });

  test('that fails is nobody else’s failure', async () => {
    const server = await startRedis();
    const [one, two] = [await member(server), await member(server)];
    const first = one.cache.fill('name', async () => {
      await sleep(200);
      throw new Error('no rows');
    });
    await sleep(50);
    const { runs, run } = counting(0);
    const second = two.cache.fill('name', run);
    await expect(first).rejects.toThrow('no rows');
    expect([(await second).result.rows, runs.length]).toEqual([[['x']], 1]);
  });

  test('is not waited for by who leaves, nor longer than a run may take, nor when its process is dead or Redis is away', async () => {
    const server = await startRedis();
    const [one, two, hasty] = [await member(server), await member(server), await member(server, { longestRunMs: 100 })];
    const long = counting(60_000);
    void one.cache.fill('name', long.run).catch(() => undefined);
    await expect.poll(() => long.runs.length).toBe(1);
    const { runs, run } = counting(0);
    const leaving = new AbortController();
    const left = two.cache.fill('name', run, { signal: leaving.signal });
    await sleep(50);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'interrupted' });
    expect(runs).toHaveLength(0);
    expect((await hasty.cache.fill('name', run)).result.rows).toEqual([['x']]);
    expect(runs).toHaveLength(1);
    // Its process is gone with its connection: nobody renews the turn.
    const waiting = two.cache.fill('name', run);
    one.redis.close();
    await waiting;
    expect(runs).toHaveLength(2);
    const third = await member(server);
    void third.cache.fill('name', long.run).catch(() => undefined);
    await expect.poll(() => long.runs.length, { timeout: 5000 }).toBe(2);
    const another = two.cache.fill('name', run);
    await sleep(50);
    await server.kill();
    await another;
    expect(runs).toHaveLength(3);
  }, 30_000);

  test('longer than a turn lasts is still one', async () => {
    const server = await startRedis();
    const [one, two] = [await member(server), await member(server)];
    const { runs, run } = counting(7000);
    const first = one.cache.fill('name', run);
    await sleep(50);
    await Promise.all([first, two.cache.fill('name', run)]);
    expect(runs).toHaveLength(1);
  }, 30_000);
});
