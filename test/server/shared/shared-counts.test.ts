// Rates and budgets that several servers count together.
import { expect, onTestFinished, test } from 'vitest';
import { isFailure } from '../../../src/server/http/failure.ts';
import { createRateLimit } from '../../../src/server/keys/rate-limit.ts';
import type { SpentByMinute } from '../../../src/server/keys/spending.ts';
import { openRedis } from '../../../src/server/shared/redis.ts';
import { sharedBuckets } from '../../../src/server/shared/shared-buckets.ts';
import { readSharedSpending, sharedSpending } from '../../../src/server/shared/shared-spending.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';

async function connected({ url }: RedisServer) {
  const redis = await openRedis({ address: { url, prefix: 'test' }, onTrouble: () => undefined, onBack: () => undefined });
  onTestFinished(() => redis.close());
  return redis;
}

describeWithRedis('rates in Redis', () => {
  const KEY = { id: 'aaaaaaaa', rate: { count: 10, perSeconds: 3600 } };

  test('are one bucket for all servers, however many ask at once', async () => {
    const server = await startRedis();
    const limits = await Promise.all([1, 2, 3].map(async () => createRateLimit(Date.now, sharedBuckets(await connected(server)))));
    const found = await Promise.all(Array.from({ length: 30 }, async (_, i) => limits[i % 3]?.take(KEY)));
    expect(found.filter((refusal) => refusal === undefined)).toHaveLength(10);
    const refusals = found.filter((refusal) => refusal !== undefined);
    expect(refusals.every((refusal) => isFailure(refusal) && refusal.code === 'rate')).toBe(true);
    expect(limits.map((limit) => limit.left(KEY))).toEqual(Array(3).fill({ requests: 0, fullInSeconds: expect.any(Number) }));
    // Another key, and another rate of the same key, have buckets of their own.
    expect(await limits[0]?.take({ ...KEY, id: 'bbbbbbbb' })).toBe(undefined);
    expect(await limits[0]?.take({ ...KEY, rate: { count: 20, perSeconds: 3600 } })).toBe(undefined);
    expect(limits[0]?.take({ id: 'cccccccc' })).toBe(undefined);
  });

  test('refill with time, and go on here from what was known when Redis goes away', async () => {
    const server = await startRedis();
    const redis = await connected(server);
    const limit = createRateLimit(Date.now, sharedBuckets(redis));
    const quick = { id: 'dddddddd', rate: { count: 2, perSeconds: 1 } };
    expect([await limit.take(quick), await limit.take(quick), isFailure((await limit.take(quick)) ?? {})]).toEqual([
      undefined,
      undefined,
      true,
    ]);
    await expect.poll(async () => limit.take(quick), { timeout: 3000 }).toBe(undefined);
    for (let i = 0; i < 8; i++) await limit.take(KEY);
    await server.kill();
    const after: unknown[] = [];
    for (let i = 0; i < 4; i++) after.push((await limit.take(KEY)) === undefined);
    expect(after).toEqual([true, true, false, false]);
  });
});

describeWithRedis('budgets in Redis', () => {
  const sum = (spent: SpentByMinute | undefined): readonly number[] => {
    const all = [...(spent?.values() ?? [])];
    return [all.reduce((total, { rows }) => total + rows, 0), all.reduce((total, { ms }) => total + ms, 0)];
  };

  test('are counted together, also what was spent while Redis was away, and forgotten after an hour', async () => {
    const server = await startRedis();
    const clock = { now: Date.UTC(2026, 0, 2, 12) };
    const ledgers = await Promise.all(
      [1, 2, 3].map(async () => {
        const redis = await connected(server);
        return { redis, spending: sharedSpending({ redis, now: () => clock.now }) };
      }),
    );
    const [one, two, three] = ledgers as [(typeof ledgers)[0], (typeof ledgers)[0], (typeof ledgers)[0]];
    for (let i = 0; i < 50; i++) for (const { spending } of ledgers) spending.add('k', { rows: 2, ms: 0.5 });
    expect(sum(one.spending.spent('k'))[0]).toBeGreaterThanOrEqual(100);
    await expect
      .poll(() => {
        clock.now += 1001;
        return ledgers.map(({ spending }) => sum(spending.spent('k')));
      })
      .toEqual(Array(3).fill([300, 75]));
    await server.send('CLIENT', 'KILL', 'TYPE', 'normal');
    one.spending.add('k', { rows: 40, ms: 0 });
    expect(sum(one.spending.spent('k'))).toEqual([340, 75]);
    const there = async () => {
      clock.now += 1001;
      await one.spending.learn?.('k');
      return sum(await readSharedSpending(two.redis, 'k', clock.now));
    };
    await expect.poll(there, { timeout: 10_000 }).toEqual([340, 75]);
    clock.now += 61 * 60_000;
    three.spending.add('k', { rows: 1, ms: 0 });
    await three.spending.close();
    expect(sum(await readSharedSpending(two.redis, 'k', clock.now))).toEqual([1, 0]);
    expect(await server.send('HLEN', two.redis.key('spent', 'k'))).toBe(':2\r\n');
  });

  test('are known to a server that has just started, or has not been asked for long', async () => {
    const server = await startRedis();
    const clock = { now: Date.UTC(2026, 0, 2, 12) };
    const [one, two] = [await connected(server), await connected(server)].map((redis) => sharedSpending({ redis, now: () => clock.now }));
    one?.add('k', { rows: 5, ms: 5 });
    await one?.close();
    await two?.learn?.('k');
    expect(sum(two?.spent('k'))).toEqual([5, 5]);
    clock.now += 120_000;
    one?.add('k', { rows: 6, ms: 6 });
    await one?.close();
    await two?.learn?.('k');
    expect(sum(two?.spent('k'))).toEqual([11, 11]);
  });

  test('count what others have written there as nothing', async () => {
    const server = await startRedis();
    const redis = await connected(server);
    await server.send('HSET', redis.key('spent', 'k'), 'x', 'y', '99999999 rows', '-5', '99999999 ms', 'word');
    expect(await readSharedSpending(redis, 'k', Date.now())).toEqual(new Map());
  });
});
