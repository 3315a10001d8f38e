// Shards that are killed or hang: another replica's rows, or an error that names the server. Never some of the rows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let servers: readonly ClickHouseServer[];

/** The first one is asked, and has rows 0 to 99; all others have rows 100 to 199. A server that was hurt is used no more: what libchdb makes may die of that later. */
const CLUSTERS = { pair: [1], replicated: [1, 2], fragile: [3], other: [2] };

beforeAll(async () => {
  const shards = await Promise.all([0, 1, 2, 3].map(async () => ({ host: '127.0.0.1', port: await freePort() })));
  const named = (at: number): Shard => shards[at] ?? { host: '', port: 0 };
  const clusters = Object.fromEntries(Object.entries(CLUSTERS).map(([name, second]) => [name, [named(0), second.map(named)]]));
  servers = await Promise.all(shards.map(({ port }) => startClickHouse({ tcpPort: port, clusters })));
  for (const [at, one] of servers.entries()) {
    await one.run('CREATE DATABASE x;\nCREATE TABLE x.t (a Int64) ENGINE = MergeTree ORDER BY a');
    for (const part of [0, 1, 2, 3]) await one.run(`INSERT INTO x.t SELECT ${(at === 0 ? 0 : 100) + 25 * part} + number FROM numbers(25)`);
    await one.run(`CREATE VIEW x.slow AS SELECT a FROM x.t WHERE a < 100 OR sleepEachRow(0.1) = 0`);
  }
  for (const at of [0, 1]) {
    await server(at).run('CREATE TABLE x.late (a Int64) ENGINE = MergeTree ORDER BY a;\nINSERT INTO x.late SELECT number FROM numbers(10)');
  }
  // Without a keeper it never learns what the others have: ClickHouse counts it as infinitely far behind.
  await server(2).run(
    "ATTACH TABLE x.late UUID '11111111-2222-4333-8444-555555555555' (a Int64) ENGINE = ReplicatedMergeTree('/late', 'two') ORDER BY a",
  );
  project();
  // Described while all answer.
  for (const name of NAMES) expect(await query(`select count(*) as n from ${name}`)).toEqual(['{"n":200}\n', '', 0]);
  for (const name of NAMES) expect(await query(`select a from slow_${name} where a < 0`)).toEqual(['', '', 0]);
});

afterAll(async () => {
  await Promise.all(servers.map((one) => one.stop()));
  home.remove();
});

const NAMES = Object.keys(CLUSTERS);

/** Sets the project, with these settings. */
function project(settings = ''): void {
  const sources = NAMES.flatMap((name) =>
    ['', 'slow_', 'late_'].map((kind) => `  ${kind}${name}: { table: ${TABLES[kind]}, cluster: ${name} }`),
  );
  home.write('quern.yaml', `${settings}sources:\n${sources.join('\n')}\n`);
}
const TABLES: Readonly<Record<string, string>> = { '': 'x.t', slow_: 'x.slow', late_: 'x.late' };

type Shard = ClickHouseServer['shard'];

function server(at: number): ClickHouseServer {
  const found = servers[at];
  if (found === undefined) throw new RangeError(`there is no server ${at}`);
  return found;
}

async function query(sql: string, ...flags: readonly string[]): Promise<readonly [stdout: string, stderr: string, exitCode: number]> {
  const { stdout, stderr, exitCode } = await home.run(['query', sql, '--url', server(0).url, '--timeout', '6s', ...flags]);
  return [stdout, stderr, exitCode];
}

/** Runs a query that takes the second shard some ten seconds, and `hurt` once that server has begun with it. */
async function hurtDuring(name: string, one: ClickHouseServer, hurt: () => Promise<void>): ReturnType<typeof query> {
  const isRunning = 'SELECT count() > 0 FROM system.processes WHERE NOT is_initial_query';
  const running = query(`select sum(a) as n from slow_${name}`);
  await expect.poll(() => one.run(isRunning), { timeout: 20_000 }).toBe('1\n');
  await hurt();
  return running;
}

const address = (at: number) => `127.0.0.1:${server(at).tcpPort}`;

/** Four times, since ClickHouse may choose any replica. */
async function counted(): Promise<readonly unknown[]> {
  const rows = [];
  for (let i = 0; i < 4; i++) rows.push(await query(`select count(*) as n from replicated where a >= ${i}`));
  return rows;
}
const WHOLE = [200, 199, 198, 197].map((n) => [`{"n":${n}}\n`, '', 0]);

describe('a replica that is far behind', () => {
  test('is left for the other one', async () => {
    for (let i = 0; i < 6; i++)
      expect(await query(`select count(*) as n from late_replicated where a >= ${i}`)).toEqual([`{"n":${20 - 2 * i}}\n`, '', 0]);
  });

  const LATE = 'select count(*) as n from late_other';

  test('is not read if it is the only one, unless the settings say so', async () => {
    const [stdout, stderr, exitCode] = await query(LATE);
    expect([stdout, exitCode]).toEqual(['', 3]);
    expect(stderr).toContain('no replica of one of the shards can be read: each is down, or far behind the others');
    project('server_settings: { fallback_to_stale_replicas_for_distributed_queries: 1 }\n');
    expect(await query(LATE)).toEqual(['{"n":10}\n', '', 0]);
  });

  test('is never left out without a word', async () => {
    project('skip_unavailable_shards: true\n');
    const [stdout, stderr, exitCode] = await query(LATE);
    project();
    const missing = `x.late on shard 2 of the cluster other (${address(2)}), which is far behind, did not answer`;
    expect([stdout, stderr, exitCode]).toEqual(['{"n":10}\n', `note: rows are missing: ${missing}\n`, 0]);
  });
});

describe('a server that accepts connections and says nothing', () => {
  test('is named when the time of the query is up', async () => {
    await server(1).freeze();
    const [stdout, stderr, exitCode] = await query('select count(*) as n from pair where a > 1');
    expect([stdout, exitCode]).toEqual(['', 4]);
    expect(stderr).toContain(`note: the server ${address(1)} of a cluster does not respond\n`);
  });

  test('is left for the other replica', async () => {
    expect(await counted()).toEqual(WHOLE);
  });
});

describe('a server that is killed', () => {
  test('is left for the other replica', async () => {
    await server(1).stop();
    expect(await counted()).toEqual(WHOLE);
  });

  test('in the middle of a query is named, and no rows are shown', async () => {
    const [stdout, stderr, exitCode] = await hurtDuring('fragile', server(3), () => server(3).stop());
    expect([stdout, exitCode]).toEqual(['', 3]);
    expect(stderr).toContain(`error[unreachable]: the shard ${address(3)} of the cluster does not respond: `);
  });
});

test('a server that falls silent in the middle of a query is named', async () => {
  const [stdout, stderr, exitCode] = await hurtDuring('other', server(2), () => server(2).freeze());
  expect([stdout, exitCode]).toEqual(['', 4]);
  expect(stderr).toContain(`note: the server ${address(2)} of a cluster does not respond\n`);
});
