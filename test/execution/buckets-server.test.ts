// Buckets of time over a server: after every step of random schedules their rows are those of a whole run. Over shards the whole is read.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { instantAt } from '../../src/base/instant.ts';
import { Cache } from '../../src/cache/cache.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { openServer } from '../../src/engine/server/server.ts';
import { prepare } from '../../src/execution/prepare.ts';
import { executeKeeping } from '../../src/execution/run.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { openRedis } from '../../src/server/shared/redis.ts';
import { sharedResults } from '../../src/server/shared/shared-results.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { folderOf } from '../queries/support.ts';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { fixedSources, fixedVersion } from '../support/fixed-sources.ts';
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
    clusters: { pair: [own, second.shard] },
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

/** The engine, with the SQL of each query put into `asked`. */
const noting = (real: Engine, asked: string[]): Engine => ({
  ...real,
  execute: (query) => {
    asked.push(query.sql);
    return real.execute(query);
  },
});

const create = (table: string, engineOf = 'MergeTree PARTITION BY toDate(moment) ORDER BY (area, moment)') =>
  `CREATE TABLE ${table} (${COLUMNS}) ENGINE = ${engineOf}`;

/** The table on both, each with a half of the rows, behind `default.events` on the first. */
async function shards(): Promise<(sql: string, at?: number) => Promise<unknown>> {
  const servers = [first, second] as const;
  for (const [i, server] of servers.entries()) {
    await server.run('DROP TABLE IF EXISTS default.events;\nDROP TABLE IF EXISTS default.local');
    await server.run(create('default.local'));
    await server.run(insert(START + i * HOUR, 200, 12 * DAY).replace('default.events', 'default.local'));
  }
  await first.run(create('default.events', "Distributed('pair', 'default', 'local')"));
  return (sql, at = 0) => (servers[at] ?? first).run(sql);
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
      return new Cache({ folder: folders[turn % 2] ?? '', maxBytes: 1e9, now, onNote: () => {}, shared });
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

test('over shards the whole is read at each run, and only the first that could keep rows asks for the state of the table', async () => {
  const command = await shards();
  const asked: string[] = [];
  const { both, clock } = await comparing(noting(opened(), asked), folderOf({}));
  const runs: (readonly [number, string | undefined, number])[] = [];
  for (let i = 0; i < 4; i++) {
    clock.now += HOUR;
    await command(insert(clock.now - HOUR, 30, HOUR).replace('default.events', 'default.local'));
    asked.length = 0;
    const { kept, whole, days, why } = await both('days');
    expect(kept).toEqual(whole);
    runs.push([days, why, asked.filter((sql) => sql.includes('system.parts')).length]);
  }
  const why = 'its table is of the engine Distributed';
  expect(runs).toEqual([
    [0, undefined, 0],
    [0, why, 1],
    [0, why, 0],
    [0, why, 0],
  ]);
});

test('of a source with cluster: nothing is kept, and nothing asked, whatever the table of this server says of itself', async () => {
  const command = await shards();
  const asked: string[] = [];
  const engine = noting(opened(), asked);
  const columns = [
    { name: 'id', type: 'Int64' },
    { name: 'moment', type: "DateTime64(6, 'UTC')" },
  ];
  const definition = { name: 'events', aliases: [], database: 'default', table: 'local', cluster: 'pair', columns: {}, fields: {} };
  const source = sourceFromTable({ ...definition, sameAs: {}, rows: {} }, columns);
  const sources = fixedSources(() => ({ names: ['events'], find: () => source }));
  const text = `/*---
id: 5d3f0a52-7a8e-4c56-9f13-0c6f3a8d2b11
cache: 900s
---*/
select timestamp_trunc(moment, day) as day, count(*) as events from events where moment >= timestamp '2026-01-03' group by day order by day`;
  const catalog = openCatalog([folderOf({ 'days.sql': text })]);
  const prepared = await prepare({ query: 'days' }, { catalog, sources });
  expect(prepared.buckets?.table.cluster).toBe('pair');
  const cache = new Cache({ folder: folderOf({}), maxBytes: 1e9, now: Date.now, onNote: () => {} });
  const deps = { limits: {}, engine: async () => engine, catalog, version: fixedVersion('here', { place: 'here' }), cache, fastMs: 0 };
  const total = async (): Promise<number> => {
    const { result } = await executeKeeping(prepared, { arguments: {}, instant: instantAt(START + 12 * DAY) }, deps);
    return result.rows.reduce((sum, [, events]) => sum + Number(events), 0);
  };
  const before = [await total(), await total(), await total()];
  await command(insert(START + 5 * DAY, 7, HOUR).replace('default.events', 'default.local'), 1);
  expect([...before, await total()]).toEqual([...before.fill(before[0] ?? 0), (before[0] ?? 0) + 7]);
  expect(asked.filter((sql) => sql.includes('system.'))).toEqual([]);
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
  expect([await used('perhaps'), await used('perhaps'), await used('perhaps')]).toEqual([true, 'same', 'same']);
  await first.run(insert(clock.now - HOUR, 3, HOUR).replace("['rest', 'auth', 'storage']", "['nowhere', 'nowhere', 'nowhere']"));
  expect([await used('perhaps'), await used('areas')]).toEqual([true, false]);
});

test('beside a run, a server is asked one small question before it and one after', async () => {
  await first.run('DROP TABLE IF EXISTS default.events');
  await first.run(create('default.events'));
  await first.run(insert(START, 400, 12 * DAY));
  const asked: string[] = [];
  const { keep, both, clock } = await comparing(noting(opened(), asked), folderOf({}));
  const count = async () => {
    clock.now += 60_000;
    asked.length = 0;
    await keep('days');
    return asked.filter((sql) => sql.includes('system.')).length;
  };
  expect([await count(), await count(), await count()]).toEqual([0, 2, 1]);
  const afterNewRows = async () => {
    await first.run(insert(clock.now, 3, 60_000));
    return count();
  };
  expect([await afterNewRows(), await afterNewRows()]).toEqual([2, 2]);
  expect([await count(), (await both('days')).revalidated]).toEqual([1, true]);
  const areas = async () => (await keep('areas')).revalidated;
  expect([await areas(), await areas(), await areas()]).toEqual([undefined, undefined, true]);
});
