// The server engine in front of a cluster of two shards.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine, EngineQuery } from '../../src/engine/engine.ts';
import { openServer } from '../../src/engine/server/server.ts';
import { SETTINGS } from '../../src/sql/target/settings.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { ENDLESS, failure } from './asking.ts';

let shard: ClickHouseServer;
let front: ClickHouseServer;
let engine: Engine;
beforeAll(async () => {
  shard = await startClickHouse();
  front = await startClickHouse({ clusters: { one: [shard.shard], pair: [shard.shard, { host: 'localhost', port: shard.tcpPort }] } });
  await shard.run("CREATE TABLE t (a Int64, s String) ENGINE = MergeTree ORDER BY a;\nINSERT INTO t VALUES (1, 'x'), (2, 'it''s')");
  await front.run('CREATE TABLE t (a Int64, s String) ENGINE = Distributed(pair, default, t)');
  engine = openServer({ url: front.url });
});
afterAll(async () => {
  await engine.close();
  await front.stop();
  await shard.stop();
});
const execute = (sql: string, more: Partial<EngineQuery> = {}) => engine.execute({ sql, bindings: [], settings: SETTINGS, ...more });

test('a table of all shards gives the rows of each, with values bound, short and long', async () => {
  const ids = Array.from({ length: 60_000 }, (_, i) => i * 1_000_003);
  const { rows } = await execute(
    'SELECT a, count(), length({ids:Array(Int64)}), {n:Nullable(String)} FROM t WHERE s = {s:String} AND NOT a IN {ids:Array(Int64)} GROUP BY a',
    {
      bindings: [
        { name: 's', type: 'String', value: "it's" },
        { name: 'ids', type: 'Array(Int64)', value: ids },
        { name: 'n', type: 'Nullable(String)', value: null },
      ],
    },
  );
  expect(rows).toEqual([[2, 2, 60_000, null]]);
});

test('limits hold for all shards together, and time on each', async () => {
  expect(await failure(execute('SELECT sum(a) FROM t', { limits: { maxRowsToRead: 1 } }))).toMatch(
    /^limit: the query reads more rows than /,
  );
  expect(await failure(execute(`SELECT * FROM cluster('one', view(${ENDLESS}))`, { limits: { maxExecutionSeconds: 0.5 } }))).toMatch(
    /^timeout: the query took longer than /,
  );
});

test('replicas that are all too far behind are an error that says what to do', async () => {
  const stale = execute("SELECT throwIf(a > 0, 'Could not find enough connections to up-to-date replicas', toInt16(369)) FROM t", {
    settings: { ...SETTINGS, allow_custom_error_code_in_throwif: 1 },
  });
  expect(await failure(stale)).toBe('unreachable: no replica of one of the shards can be read: each is down, or far behind the others');
});

test.each([
  ['a table', 'CREATE TABLE lacking (a Int64) ENGINE = Distributed(one, default, lacking)', 'SELECT sum(a) FROM lacking'],
  ['a column', 'CREATE TABLE wider (a Int64, b Int64) ENGINE = Distributed(one, default, t)', 'SELECT sum(b) FROM wider'],
])('%s that only a shard lacks is an error that names the shard', async (_, table, sql) => {
  await front.run(table);
  const error = await execute(sql).catch((thrown: unknown) => thrown);
  const says = `the server 127.0.0.1:${shard.tcpPort} of the cluster says so: \`quern doctor\` compares its version and tables with those of the others`;
  expect(error).toMatchObject({ code: 'engine', details: { notes: expect.arrayContaining([says]) } });
});

test('an aborted query is gone from every shard', async () => {
  const controller = new AbortController();
  const left = () =>
    shard.run("SELECT count() > 0 FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'");
  const running = failure(execute(`SELECT * FROM cluster('one', view(${ENDLESS}))`, { signal: controller.signal }));
  await expect.poll(left).toBe('1\n');
  controller.abort();
  expect(await running).toBe('interrupted: the query was interrupted');
  await expect.poll(left).toBe('0\n');
});

test('a shard that dies during a query, and one that is down, are named', async () => {
  const running = failure(execute(`SELECT * FROM cluster('one', view(${ENDLESS}))`, { limits: { maxExecutionSeconds: 20 } }));
  await expect
    .poll(() =>
      shard.run("SELECT count() > 0 FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'"),
    )
    .toBe('1\n');
  await shard.stop();
  // What the system tells of a connection whose other end was killed depends on the moment.
  expect(await running).toMatch(
    new RegExp(
      `^unreachable: the shard (?:127\\.0\\.0\\.1|localhost):${shard.tcpPort} of the cluster does not respond: (?:Attempt to read after eof|Connection reset by peer, while reading from socket)$`,
    ),
  );
  expect(await failure(execute('SELECT sum(a) FROM t'))).toMatch(
    new RegExp(
      `^unreachable: the shard (?:127\\.0\\.0\\.1|localhost):${shard.tcpPort} of the cluster does not respond: Connection refused$`,
    ),
  );
});
