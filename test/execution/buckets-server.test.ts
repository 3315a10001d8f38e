// Buckets of time over a server, and over two shards with two replicas each: after every step of random schedules their rows are those of a whole run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { openCache } from '../../src/cache/cache.ts';
import { openServer } from '../../src/engine/server/server.ts';
import { instantAt } from '../../src/queries/instant.ts';
import { openRedis } from '../../src/server/redis/redis.ts';
import { sharedResults } from '../../src/server/redis/shared-results.ts';
import { folderOf } from '../queries/support.ts';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { describeWithRedis, startRedis } from '../support/redis-server.ts';
import { drawArguments, NONE, QUERIES } from './buckets-queries.ts';
import { COLUMNS, comparing, DAY, HOUR, insert, runSchedule, SEED, START, STEPS, seeded } from './buckets-support.ts';

let first: ClickHouseServer;
let second: ClickHouseServer;
beforeAll(async () => {
  const own = { host: '127.0.0.1', port: await freePort() };
  second = await startClickHouse();
  const filtered = { password: '', networks: { ip: '127.0.0.1' }, profile: 'default', quota: 'default' };
  first = await startClickHouse({
    tcpPort: own.port,
    clusters: { pair: [own, second.shard], same: [[own, second.shard]] },
    users: {
      default: filtered,
      reader: { ...filtered, databases: { default: { events: { filter: "area = 'rest'" } } } },
    },
  });
});
afterAll(async () => {
  await first.stop();
  await second.stop();
});

const opened = (user?: string) => {
  // As quern's own connection: a shard's table may be joined.
  const preferences = { distributed_product_mode: 'global' };
  const engine = openServer({ url: first.url, preferences, ...(user === undefined ? {} : { user }) });
  onTestFinished(() => engine.close());
  return engine;
};

const create = (table: string, engineOf = 'MergeTree PARTITION BY toDate(moment) ORDER BY (area, moment)') =>
  `CREATE TABLE ${table} (${COLUMNS}) ENGINE = ${engineOf}`;

/** The table on both, each with a half of the rows, behind `default.events` on the first. */
async function shards(cluster = 'pair', from = (i: number) => START + i * HOUR): Promise<(sql: string, at?: number) => Promise<unknown>> {
  const servers = [first, second] as const;
  for (const [i, server] of servers.entries()) {
    await server.run('DROP TABLE IF EXISTS default.events;\nDROP TABLE IF EXISTS default.local');
    await server.run(create('default.local'));
    await server.run(insert(from(i), 200, 12 * DAY).replace('default.events', 'default.local'));
  }
  await first.run(create('default.events', `Distributed('${cluster}', 'default', 'local')`));
  let turn = 0;
  // What was detached is attached where it was.
  return (sql, at = sql.includes('ATTACH ') && !sql.includes('DETACH') ? turn : ++turn) => (servers[at % 2] ?? first).run(sql);
}

test('on a server, kept rows are those of a whole run, whatever happens', async () => {
  await first.run('DROP TABLE IF EXISTS default.events');
  await first.run(create('default.events'));
  await first.run(insert(START, 400, 12 * DAY));
  await runSchedule({
    place: 'server',
    comparing: await comparing(opened(), folderOf({})),
    command: (sql) => first.run(sql),
    byDay: true,
    steps: Math.ceil(STEPS / 2),
  });
}, 3_000_000);

test('over two shards, kept rows are those of a whole run, whatever happens to one of them', async () => {
  const command = await shards();
  await runSchedule({
    place: 'two shards',
    comparing: await comparing(opened(), folderOf({})),
    command,
    byDay: true,
    table: 'default.local',
    steps: Math.ceil(STEPS / 2),
  });
}, 3_000_000);

test('with other processes that share the cache, and are killed at any moment', async () => {
  await first.run('DROP TABLE IF EXISTS default.events');
  await first.run(create('default.events'));
  await first.run(insert(START, 400, 12 * DAY));
  const cache = folderOf({});
  const compared = await comparing(opened(), cache);
  const script = await bundle(join(import.meta.dirname, '../support/keeping-process.ts'));
  onTestFinished(() => rmSync(script, { force: true }));
  const random = seeded();
  const calls = Object.keys(QUERIES).map((name) => [name, { ...NONE, ...drawArguments(name, random) }]);
  const file = join(folderOf({ 'calls.json': JSON.stringify({ prepared: Object.fromEntries(compared.prepared), calls }) }), 'calls.json');
  const children = new Set<ChildProcess>();
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  let killed = 0;
  const start = async (): Promise<void> => {
    const child = spawn(process.execPath, [script, first.url, cache, file, instantAt(compared.clock.now)]);
    children.add(child);
    await once(child.stdout, 'data');
  };
  await start();
  await start();
  const kill = async (): Promise<void> => {
    const [child] = children;
    if (child === undefined) return;
    children.delete(child);
    child.kill('SIGKILL');
    killed++;
    await start();
  };
  const tell = async (): Promise<void> => {
    for (const child of children) child.stdin?.write(`${instantAt(compared.clock.now)}\n`);
  };
  await runSchedule({
    place: 'server, with killed processes',
    comparing: compared,
    command: (sql) => first.run(sql),
    byDay: true,
    steps: Math.ceil(STEPS / 2),
    more: [kill, tell, tell],
  });
  expect([...children].filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)).toEqual([]);
  expect(killed).toBeGreaterThan(0);
}, 3_000_000);

describeWithRedis('shared through Redis', () => {
  test('kept rows of one server are used by another, and are those of a whole run, whatever happens to Redis', async () => {
    await first.run('DROP TABLE IF EXISTS default.events');
    await first.run(create('default.events'));
    await first.run(insert(START, 400, 12 * DAY));
    const server = await startRedis();
    const redis = await openRedis({ address: { url: server.url, prefix: 'test' }, onTrouble: () => {}, onBack: () => {} });
    onTestFinished(() => redis.close());
    const shared = sharedResults({ redis, graceSeconds: () => 10, longestRunMs: 20_000 });
    const folders = [folderOf({}), folderOf({})] as const;
    const random = seeded(SEED + 2_000_000);
    let turn = 0;
    const compared = await comparing(opened(), (now) => {
      turn += random() < 0.6 ? 1 : 0;
      return openCache({ folder: folders[turn % 2] ?? '', maxBytes: 1e9, now, onNote: () => {}, shared });
    });
    // What the first and the second have found out, the third need not.
    turn = 0;
    const taken: boolean[] = [];
    for (let i = 0; i < 4; i++) {
      compared.clock.now += HOUR;
      await first.run(insert(compared.clock.now - HOUR, 3, HOUR));
      taken.push((await compared.both('days')).days > 0);
    }
    expect(taken).toEqual([false, false, true, true]);
    let isUp = true;
    const toggle = async (): Promise<void> => {
      await (isUp ? server.kill() : server.start());
      isUp = !isUp;
      if (isUp) await expect.poll(() => redis.up, { timeout: 30_000 }).toBe(true);
    };
    await runSchedule({
      place: 'server, with Redis',
      comparing: compared,
      command: (sql) => first.run(sql),
      byDay: true,
      steps: Math.ceil(STEPS / 2),
      more: [toggle],
    });
  }, 3_000_000);
});

test('after new rows on one of two shards, only the ends of the window are read', async () => {
  const command = await shards();
  const { both, clock } = await comparing(opened(), folderOf({}));
  await both('days'); // tells that it is worth it
  await both('days');
  clock.now += HOUR;
  for (const at of [0, 1]) {
    await command(insert(clock.now - HOUR, 30, HOUR).replace('default.events', 'default.local'), at);
    const { kept, whole, days } = await both('days');
    expect([kept, days]).toEqual([whole, 6]);
    await command(insert(clock.now - 2 * DAY, 1, HOUR).replace('default.events', 'default.local'), at);
    const late = await both('days');
    expect([late.kept, late.days]).toEqual([late.whole, 4]);
  }
});

test('what the replicas of a shard do not agree on is read anew', async () => {
  const command = await shards('same', () => START);
  const { both, clock } = await comparing(opened(), folderOf({}));
  await both('days'); // tells that it is worth it
  await both('days');
  clock.now += HOUR;
  const late = insert(clock.now - 2 * DAY, 1, HOUR).replace('default.events', 'default.local');
  const days: number[] = [];
  // The second lags behind the first, and then has the same part.
  for (const at of [undefined, 0, undefined, 1, undefined]) {
    if (at !== undefined) await command(late, at);
    const compared = await both('days');
    expect(compared.kept).toEqual(compared.whole);
    days.push(compared.days);
    clock.now += HOUR;
  }
  expect(days).toEqual([6, 4, 4, 4, 6]);
});

test('a shard that cannot be reached is an error, and not the rows of the other', async () => {
  const command = await shards();
  const { both, keep } = await comparing(opened(), folderOf({}));
  for (let i = 0; i < 3; i++) await both('areas');
  await command('DROP TABLE default.local', 1);
  await expect(keep('areas')).rejects.toThrow();
});

test('rows that a row policy keeps from a login are not kept', async () => {
  await first.run('DROP TABLE IF EXISTS default.events');
  await first.run(create('default.events'));
  await first.run(insert(START, 400, 12 * DAY));
  const { both } = await comparing(opened('reader'), folderOf({}));
  for (const name of ['days', 'areas', 'days', 'areas', 'days', 'areas']) {
    const { kept, whole, days, revalidated } = await both(name);
    expect([kept, days, revalidated]).toEqual([whole, 0, false]);
  }
});

test('no rows are kept like others', async () => {
  await first.run('DROP TABLE IF EXISTS default.events');
  await first.run(create('default.events'));
  await first.run(insert(START, 400, 12 * DAY));
  const { both, clock } = await comparing(opened(), folderOf({}));
  const used = async (name: string) => {
    clock.now += HOUR;
    const { kept, whole, buckets, revalidated } = await both(name, { area: 'nowhere' });
    expect(kept).toEqual(whole);
    return revalidated ? 'same' : (buckets?.kept ?? 0) > 0;
  };
  // The first tells that it is worth it, the second that there are no rows, the third which server has none.
  expect([await used('perhaps'), await used('perhaps'), await used('perhaps'), await used('perhaps')]).toEqual([
    false,
    false,
    false,
    'same',
  ]);
  expect([await used('areas'), await used('areas'), await used('areas'), await used('areas')]).toEqual([false, false, false, 'same']);
  await first.run(insert(clock.now - HOUR, 3, HOUR));
  expect([await used('perhaps'), await used('perhaps'), await used('perhaps')]).toEqual([true, true, 'same']);
  await first.run(insert(clock.now - HOUR, 3, HOUR).replace("['rest', 'auth', 'storage']", "['nowhere', 'nowhere', 'nowhere']"));
  expect([await used('perhaps'), await used('areas')]).toEqual([true, false]);
});

test('beside a run, a server is asked one small question before it and one after', async () => {
  await first.run('DROP TABLE IF EXISTS default.events');
  await first.run(create('default.events'));
  await first.run(insert(START, 400, 12 * DAY));
  const asked: string[] = [];
  const real = opened();
  const engine: typeof real = {
    ...real,
    execute: (query) => {
      asked.push(query.sql);
      return real.execute(query);
    },
  };
  const { keep, both, clock } = await comparing(engine, folderOf({}));
  const count = async () => {
    clock.now += 60_000;
    asked.length = 0;
    await keep('days');
    return asked.filter((sql) => sql.includes('system.')).length;
  };
  expect([await count(), await count(), await count()]).toEqual([0, 2, 1]);
  // Where no bucket is to be kept, and the data change before each run, nothing is asked after it: its rows would not be those of the next.
  const afterNewRows = async () => {
    await first.run(insert(clock.now, 3, 60_000));
    return count();
  };
  expect([await afterNewRows(), await afterNewRows()]).toEqual([1, 1]);
  // Once they no longer do, rows are kept again, and then they are those of the last run.
  expect([await count(), await count(), (await both('days')).revalidated]).toEqual([2, 1, true]);
  const areas = async () => (await keep('areas')).revalidated;
  expect([await areas(), await areas(), await areas()]).toEqual([undefined, undefined, true]);
});
