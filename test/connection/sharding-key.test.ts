// A source that says by which key its rows lie on shards: a query for one value of the key reads one shard.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let first: ClickHouseServer;
let second: ClickHouseServer;
/** A project of each shard. */
let projects: readonly string[];

beforeAll(async () => {
  const ports = [await freePort(), await freePort()];
  const clusters = { pair: ports.map((port) => ({ host: '127.0.0.1', port })) };
  const config = { query_log: { database: 'system', table: 'query_log', engine: 'ENGINE = Memory' } };
  const profiles = { default: { log_queries: 1 } };
  const servers = await Promise.all(ports.map((tcpPort) => startClickHouse({ tcpPort, clusters, config, profiles })));
  for (const server of servers) {
    await server.run(
      `CREATE DATABASE x;
       CREATE TABLE x.visits (project LowCardinality(String), n Int64) ENGINE = MergeTree ORDER BY project;
       CREATE TABLE x.all_visits AS x.visits ENGINE = Distributed('pair', 'x', 'visits', cityHash64(project))`,
    );
  }
  [first, second] = servers as [ClickHouseServer, ClickHouseServer];
  await first.run(
    "INSERT INTO x.all_visits SETTINGS distributed_foreground_insert = 1 SELECT concat('p', toString(number % 8)), number FROM numbers(80)",
  );
  projects = await Promise.all(servers.map(async (server) => (await server.run('SELECT min(project) FROM x.visits')).trim()));
});

afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  home.remove();
});

const run = async (source: string, project: string | undefined, sql: string) => {
  home.write('quern.yaml', `sources:\n  visits: { ${source} }\n`);
  const given = project === undefined ? [] : ['-p', `project::${project}`];
  const { stdout, exitCode } = await home.run(['query', sql, '--url', first.url, '--timeout', '20s', ...given]);
  return [stdout, exitCode];
};

const COUNT = 'select count(*) as n from visits where project = @project';
const KEY = 'sharding_key: cityHash64(project)';

const FORMS = [
  ['a Distributed table', 'table: x.all_visits'],
  ['the tables of a cluster', 'table: x.visits, cluster: pair'],
];

/** The queries that the other server was sent since the last call. */
async function sentToSecond(): Promise<readonly string[]> {
  const sent = await second.run(
    "SYSTEM FLUSH LOGS;\nSELECT query FROM system.query_log WHERE type = 'QueryStart' AND NOT is_initial_query",
  );
  await second.run('TRUNCATE TABLE system.query_log');
  return sent.split('\n').filter((query) => query.includes('count()'));
}

test.each(FORMS)('%s, asked with a Nullable parameter, sends nothing to the other shard', async (_, table) => {
  await run(`${table}, ${KEY}`, projects[0], COUNT); // the first time, the table is described
  await sentToSecond();
  expect(await run(`${table}, ${KEY}`, projects[0], `${COUNT} and n >= 0`)).toEqual(['{"n":10}\n', 0]);
  expect(await sentToSecond()).toEqual([]);
  expect(await run(`${table}, ${KEY}`, projects[1], `${COUNT} and n >= 0`)).toEqual(['{"n":10}\n', 0]);
  expect((await sentToSecond()).length).toBe(1);
  const isAsked = "query LIKE '%Nullable(String)%' AND Settings['fallback_to_stale_replicas_for_distributed_queries'] = '0'";
  expect(await first.run(`SYSTEM FLUSH LOGS;\nSELECT countIf(${isAsked} AND is_initial_query) > 0 FROM system.query_log`)).toBe('1\n');
});

test.each(FORMS)('%s is read on one shard', async (_, table) => {
  await second.stop();
  expect(await run(`${table}, ${KEY}`, projects[0], COUNT)).toEqual(['{"n":10}\n', 0]);
  expect(await run(`${table}, ${KEY}`, projects[1], COUNT)).toEqual(['', 3]);
  expect(await run(table, projects[0], COUNT)).toEqual(['', 3]);
});

test('also below a Gather', async () => {
  const sql = 'select v.project, n, row_number() over (order by n) as r from visits v where project = @project order by n limit 1';
  expect(await run(`table: x.all_visits, ${KEY}`, projects[0], sql)).toEqual([expect.stringMatching(/"r":1\}\n$/), 0]);
});
