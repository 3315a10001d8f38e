// quern doctor looks at every server of a cluster, and not only at the one that it asks.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, freePort, startClickHouse } from '../../support/clickhouse-server.ts';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
let servers: readonly ClickHouseServer[];

beforeAll(async () => {
  const ports = [await freePort(), await freePort()];
  const clusters = { pair: ports.map((port) => ({ host: '127.0.0.1', port })) };
  servers = await Promise.all(ports.map((tcpPort) => startClickHouse({ tcpPort, clusters })));
  for (const server of servers) {
    await server.run('CREATE DATABASE x;\nCREATE TABLE x.visits (n Int64, path String) ENGINE = MergeTree ORDER BY n');
    await server.run("CREATE TABLE x.all_visits AS x.visits ENGINE = Distributed('pair', 'x', 'visits')");
  }
  await servers[0]?.run("INSERT INTO x.visits VALUES (1, '/a')");
  home.write(
    'quern.yaml',
    `profiles:\n  pair: { url: "${servers[0]?.url}", timeout: 20s }\nsources:\n  visits: { table: x.all_visits }\n  hits: { table: x.visits, cluster: pair }\n`,
  );
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  home.remove();
});

/** What it finds about the cluster and the sources on it. */
const examined = async (): Promise<readonly string[]> => {
  const { stdout } = await home.run(['doctor', '--profile', 'pair']);
  return stdout.split('\n').filter((line) => /^\w+ +(?:cluster|source) /.test(line));
};
const nameOf = (server: ClickHouseServer | undefined): string => `127.0.0.1:${server?.tcpPort}`;

test('a cluster in order', async () => {
  expect(await examined()).toEqual([
    "ok    source hits: cluster('pair', 'x', 'visits')",
    'ok    source visits: x.all_visits',
    expect.stringMatching(/^ok {4}cluster pair: 2 servers of 2 shards answer with ClickHouse [\d.]+, their clocks are within \d+ ms$/),
  ]);
});

test('a table that one shard has with other columns, or not at all', async () => {
  await servers[1]?.run('DROP TABLE x.visits SYNC;\nCREATE TABLE x.visits (n Int32, more String) ENGINE = MergeTree ORDER BY n');
  expect((await examined()).filter((line) => line.startsWith('FAIL'))).toEqual([
    `FAIL  cluster pair: the columns of x.visits are not the same everywhere: on ${nameOf(servers[0])} n is Int64, path is String, on ${nameOf(servers[1])} more is String, n is Int32`,
  ]);
  await servers[1]?.run('DROP TABLE x.visits SYNC');
  expect((await examined()).filter((line) => line.startsWith('FAIL'))).toContain(
    `FAIL  cluster pair: ${nameOf(servers[1])} has no table x.visits`,
  );
});

test('a replica that does not know what the others have', async () => {
  await servers[1]?.run(
    "ATTACH TABLE x.visits UUID '11111111-2222-4333-8444-555555555555' (n Int64, path String) ENGINE = ReplicatedMergeTree('/visits', 'two') ORDER BY n",
  );
  expect((await examined()).filter((line) => line.includes('cluster pair'))).toEqual([
    `note  cluster pair: the replica of x.visits on ${nameOf(servers[1])} does not know what the others have`,
  ]);
});

test('a shard that is gone', async () => {
  await servers[1]?.stop();
  expect(await examined()).toContain(`FAIL  cluster pair: shard 2 (${nameOf(servers[1])}) does not answer`);
});
