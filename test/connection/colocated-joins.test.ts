// Tables that say by which key their rows lie on shards are joined there, and the rows are those of one server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let servers: readonly ClickHouseServer[];
/** A server that knows the cluster, and has no table. */
let front: ClickHouseServer;

const COLUMNS = 'project LowCardinality(String), n Int64';
const TABLES = { visits: 'number % 30', sales: '20 + number % 30', days: 'number % 25' };

beforeAll(async () => {
  const ports = await Promise.all([0, 1].map(async () => ({ httpPort: await freePort(), tcpPort: await freePort() })));
  const clusters = { pair: ports.map(({ tcpPort }) => ({ host: '127.0.0.1', port: tcpPort })) };
  const log = { query_log: { database: 'system', table: 'query_log', engine: 'ENGINE = Memory' } };
  servers = await Promise.all(
    ports.map((one) => startClickHouse({ ...one, clusters, config: log, profiles: { default: { log_queries: 1 } } })),
  );
  front = await startClickHouse({ clusters });
  const [first] = servers as readonly [ClickHouseServer];
  for (const name of Object.keys(TABLES)) {
    const tables = `CREATE DATABASE IF NOT EXISTS x; CREATE DATABASE IF NOT EXISTS one;
      CREATE TABLE x.${name} (${COLUMNS}) ENGINE = MergeTree ORDER BY n;
      CREATE TABLE x.all_${name} AS x.${name} ENGINE = Distributed('pair', 'x', '${name}', cityHash64(project));
      CREATE TABLE one.${name} (${COLUMNS}) ENGINE = MergeTree ORDER BY n`;
    for (const server of servers) await server.run(tables.replaceAll('; ', ';\n'));
  }
  for (const [name, number] of Object.entries(TABLES)) {
    const rows = `SELECT concat('p', toString(${number})), number FROM numbers(200)`;
    await first.run(`INSERT INTO x.all_${name} SETTINGS distributed_foreground_insert = 1 ${rows}`);
    await first.run(`INSERT INTO one.${name} ${rows}`);
  }
});

afterAll(async () => {
  await Promise.all([front, ...servers].map((server) => server.stop()));
  home.remove();
});

const [ONE, COLOCATED, CLUSTER] = [
  (name: string) => `table: one.${name}`,
  (name: string) => `table: x.all_${name}, sharding_key: cityHash64(project)`,
  (name: string) => `table: x.${name}, cluster: pair, sharding_key: cityHash64(project)`,
];

async function rowsOf(source: (name: string) => string, sql: string, server = servers[0]): Promise<readonly [string, number]> {
  home.write(
    'quern.yaml',
    `sources:\n${Object.keys(TABLES)
      .map((name) => `  ${name}: { ${source(name)} }\n`)
      .join('')}`,
  );
  const { stdout, stderr, exitCode } = await home.run(['query', sql, '--url', server?.url ?? '', '--timeout', '20s']);
  return [`${stdout}${stderr}`, exitCode];
}

const COUNTS = 'count(*) as n, count(a.project) as a, count(b.project) as b, sum(a.n * ifnull(b.n, 1)) as s';
const JOINS = [
  `select ${COUNTS} from visits a join sales b on a.project = b.project`,
  `select ${COUNTS} from visits a left join sales b on a.project = b.project and b.n > 50`,
  `select ${COUNTS} from visits a right join (select * from sales where n > 50) b on a.project = b.project`,
  `select ${COUNTS} from (select * from visits where n > 50) a right join sales b on a.project = b.project`,
  `select ${COUNTS} from (select * from visits where n > 50) a full join (select * from sales where n < 150) b on a.project = b.project`,
  `select ${COUNTS} from (select project, n * 2 as n from visits) a right join sales b on a.project = b.project and a.n = b.n`,
  `select ${COUNTS} from (select project, n * 2 as n from visits where n > 9) a join sales b on a.project = b.project and a.n = b.n`,
  `select ${COUNTS} from (select v.* from visits v, unnest([1, 2]) where n > 9) a full join sales b on a.project = b.project`,
  `select ${COUNTS} from visits a full join sales b on a.project = b.project and a.n < b.n`,
  `select ${COUNTS} from visits a, sales b where a.project = b.project and a.n > 3`,
  `select ${COUNTS}, count(c.n) as c from visits a left join sales b on a.project = b.project join days c on c.project = a.project`,
  `select b.project as p, ${COUNTS} from visits a join sales b using (project) group by p order by 2 desc, 1 limit 3`,
];

describe.each([
  ['Distributed tables', COLOCATED],
  ['tables of a cluster', CLUSTER],
])('%s', (_, source) => {
  test.each(JOINS)('%s', async (sql) => {
    const [rows, exitCode] = await rowsOf(source, sql);
    expect([rows, exitCode]).toEqual([...(await rowsOf(ONE, sql))]);
    expect([rows.length > 10, exitCode]).toEqual([true, 0]);
  });
});

test.each(JOINS)('a server that has none of the tables: %s', async (sql) => {
  expect(await rowsOf(CLUSTER, sql, front)).toEqual(await rowsOf(ONE, sql));
});

/** Bytes that the other server sends for the query. */
async function bytesSent(source: (name: string) => string, sql: string): Promise<number> {
  const [, second] = servers as readonly [ClickHouseServer, ClickHouseServer];
  await rowsOf(source, sql); // the first time, tables are described as well
  await second.run('SYSTEM FLUSH LOGS;\nTRUNCATE TABLE system.query_log');
  await rowsOf(source, sql.replace('n > 0', 'n > 1')); // not from the cache
  const sent = "SELECT sum(ProfileEvents['NetworkSendBytes']) FROM system.query_log WHERE type = 'QueryFinish' AND NOT is_initial_query";
  return Number(await second.run(`SYSTEM FLUSH LOGS;\n${sent}`));
}

test.each([
  ['Distributed tables', COLOCATED],
  ['tables of a cluster', CLUSTER],
])('a join of %s by the key sends no rows of its tables, and a join without a key does', async (_, colocated) => {
  const sql = 'select count(*) as n from visits a join sales b on a.project = b.project and a.n > 0';
  const here = await bytesSent(colocated, sql);
  const elsewhere = await bytesSent((name) => `table: x.all_${name}`, sql);
  expect(here).toBeGreaterThan(0);
  expect(elsewhere).toBeGreaterThan(here + 500);
});

test('what a side computes is joined on the shards as well', async () => {
  const sql =
    'select count(*) as n from (select project, cast(n as string) as s from visits where n > 0) a join sales b on a.project = b.project and a.s = cast(b.n as string)';
  expect(await bytesSent(COLOCATED, sql)).toBeLessThan((await bytesSent((name) => `table: x.all_${name}`, sql)) - 500);
});

test.each([
  ['other columns', 'select count(*) as n from visits a join sales b on a.n = b.n'],
  ['a value that is computed', "select count(*) as n from visits a join sales b on concat(a.project, '') = b.project"],
  [
    'rows that are grouped first',
    'select count(*) as n from visits a join (select project, max(n) as n from sales group by 1) b on a.project = b.project',
  ],
])('a join by %s is no such join', async (_, sql) => {
  expect(await rowsOf(COLOCATED, sql)).toEqual(await rowsOf(ONE, sql));
});

test('its SQL has no GLOBAL, but the setting that lets shards join their own tables', async () => {
  const [sql = ''] = JOINS;
  await rowsOf(COLOCATED, sql);
  const file = `./${home.write('joined.sql', sql)}`;
  const { stdout } = await home.run(['explain', file, '--url', servers[0]?.url ?? '']);
  expect(stdout).toContain('INNER JOIN');
  expect(stdout).not.toContain('GLOBAL');
  expect(stdout).toContain("distributed_product_mode = 'local'");
  const { stdout: plan } = await home.run(['explain', file, '--logical', '--url', servers[0]?.url ?? '']);
  expect(plan).toContain('Inner join on each shard on ');
});
