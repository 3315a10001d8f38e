// Three `quern serve` on one Redis, each with a cache folder of its own, under kill -9 of a server and of Redis.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf, queryText } from '../../queries/support.ts';
import { startClickHouse } from '../../support/clickhouse-server.ts';
import { describeWithRedis, startRedis } from '../../support/redis-server.ts';
import { cliHome } from '../../support/run-cli.ts';
import { serveCli } from '../../support/serve-cli.ts';
import { type Serving, serveProcess } from '../../support/serve-process.ts';

const ROWS = 300;
const FILES = {
  'numbers.sql': queryText(
    1,
    `select n, @k as k from unnest(generate_array(1, ${ROWS})) as n order by n`,
    'cache: 1h\nparams: { k: { type: integer, required: true } }',
  ),
};
const QUERY_LOG = { profiles: { default: { log_queries: 1 } }, config: { query_log: { database: 'system', table: 'query_log' } } };

async function replicas() {
  const [clickhouse, redis] = await Promise.all([startClickHouse(QUERY_LOG), startRedis()]);
  onTestFinished(() => clickhouse.stop());
  const start = () =>
    serveProcess(FILES, {
      CLICKHOUSE_URL: clickhouse.url,
      QUERN_CACHE_DIR: folderOf({}),
      QUERN_ENGINE_QUERIES: '8',
      QUERN_REDIS_URL: redis.url,
    });
  /** How often the engine has been asked for these rows. */
  const runs = async (): Promise<number> => {
    await clickhouse.run('SYSTEM FLUSH LOGS');
    return Number(
      await clickhouse.run(
        `SELECT count() FROM system.query_log WHERE type = 'QueryFinish' AND JSONExtractString(log_comment, 'query') = 'numbers'`,
      ),
    );
  };
  return { clickhouse, redis, start, runs, servers: (await Promise.all([start(), start(), start()])) as [Serving, Serving, Serving] };
}

async function askFrom({ address }: Serving, k: number): Promise<string | null> {
  const reply = await fetch(`${address}/api/endpoints/numbers?k=${k}`);
  expect(reply.status).toBe(200);
  const { result } = (await reply.json()) as { readonly result: readonly { readonly n: number; readonly k: number }[] };
  expect(result).toHaveLength(ROWS);
  expect(result.every((row, i) => row.n === i + 1 && row.k === k)).toBe(true);
  return reply.headers.get('x-cache');
}

describeWithRedis('three servers on one Redis', () => {
  test('run once what all are asked for, and find what the others, or those before them, have run', { timeout: 120_000 }, async () => {
    const { servers, runs, start } = await replicas();
    for (let k = 0; k < 20; k++) await Promise.all(servers.flatMap((server) => [askFrom(server, k), askFrom(server, k)]));
    expect(await runs()).toBe(20);
    const [first] = servers;
    expect(await askFrom(first, 100)).toBe('miss');
    await expect.poll(() => askFrom(servers[1], 100), { timeout: 10_000 }).toBe('hit');
    first.child.kill('SIGKILL');
    const next = await start();
    expect(await Promise.all(Array.from({ length: 20 }, (_, k) => askFrom(next, k)))).toEqual(Array(20).fill('hit'));
    expect(await runs()).toBe(21);
    const ready = await (await fetch(`${next.address}/ready`)).json();
    expect(ready).toMatchObject({ status: 'ready', redis: 'ready' });
  });

  test('give whole rows while one of them, and Redis, are killed again and again', { timeout: 240_000 }, async () => {
    const { servers, redis, start } = await replicas();
    const up = async ({ address }: Serving) => /^quern_redis_up (\d)$/m.exec(await (await fetch(`${address}/metrics`)).text())?.[1];
    for (let round = 1; round <= 4; round++) {
      const victim = round % 3;
      const dying = servers[victim] as Serving;
      const ended = once(dying.child, 'exit');
      const asked = Array.from({ length: 90 }, async (_, i) => {
        await sleep(i * 3);
        const server = servers[i % 3] as Serving;
        // Who is asked while it dies gives no answer; whoever gives one gives all of it.
        return askFrom(server, round * 100 + (i % 30)).catch((error: unknown) => {
          if (server !== dying) throw error;
          return 'killed';
        });
      });
      await sleep(40 * round);
      const mixed = [redis.kill(), sleep(20 * round).then(() => dying.child.kill('SIGKILL'))];
      await Promise.all([...asked, ...mixed, ended]);
      const living = servers.filter((server) => server !== dying);
      await expect.poll(() => Promise.all(living.map(up)), { timeout: 10_000 }).toEqual(['0', '0']);
      // Without Redis, too, a server starts and answers.
      const next = await start();
      servers[victim] = next;
      expect(next.lines.join('\n')).toContain('is away');
      await Promise.all(Array.from({ length: 30 }, (_, k) => askFrom(next, round * 100 + k)));
      await redis.start();
      await expect.poll(() => Promise.all(servers.map(up)), { timeout: 15_000 }).toEqual(['1', '1', '1']);
      expect(await askFrom(next, round * 1000)).toBe('miss');
      await expect.poll(() => askFrom(living[0] as Serving, round * 1000), { timeout: 10_000 }).toBe('hit');
    }
    const told = servers.flatMap(({ lines }) => lines).filter((line) => / is (?:away|back)/.test(line));
    // Each time is told once, and nothing else of it.
    expect(told.length).toBeLessThanOrEqual(3 * 2 * 4);
  });

  test('count the requests and the costs of a key together', { timeout: 120_000 }, async () => {
    const [clickhouse, redis] = await Promise.all([startClickHouse(), startRedis({ password: 'hush' })]);
    onTestFinished(() => clickhouse.stop());
    await clickhouse.run(
      'CREATE TABLE events (n Int64) ENGINE = MergeTree ORDER BY n;\nINSERT INTO events SELECT number FROM numbers(1000)',
    );
    const home = cliHome();
    onTestFinished(() => home.remove());
    home.write('quern.yaml', 'sources: { events: { table: events } }');
    home.write(
      'queries/count.sql',
      queryText(2, 'select sum(n) as s from events where n >= @k', 'params: { k: { type: integer, required: true } }'),
    );
    const env = {
      CLICKHOUSE_URL: clickhouse.url,
      QUERN_QUERIES: `${home.folder}/queries`,
      QUERN_REDIS_URL: redis.url,
      QUERN_REDIS_PASSWORD: 'hush',
    };
    const create = async (name: string, ...flags: string[]) =>
      (await home.run(['keys', 'create', '--name', name, '--scope', '*', ...flags], { env })).stdout.trim();
    const rated = await create('rated', '--rate', '6/1h');
    const bounded = await create('bounded', '--max-scan-per-hour', '2500');
    const servers = await Promise.all([1, 2, 3].map(() => serveCli(home, [], { env })));
    onTestFinished(() => Promise.all(servers.map((server) => server.stop())).then(() => undefined));
    const statuses = async (secret: string, count: number): Promise<readonly number[]> => {
      const found: number[] = [];
      for (let i = 0; i < count; i++) {
        const reply = await fetch(`${servers[i % 3]?.address}/api/endpoints/count?k=0`, { headers: { 'x-api-key': secret } });
        found.push(reply.status);
        await sleep(1100 * Number(secret === bounded)); // what others have spent within the second may not be known
      }
      return found;
    };
    expect(await statuses(rated, 9)).toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429]);
    expect(await statuses(bounded, 5)).toEqual([200, 200, 200, 429, 429]);
    const shown = await home.run(['keys', 'show', 'bounded', '--format', 'json'], { env });
    expect(JSON.parse(shown.stdout).result[0]).toMatchObject({ scan_left: 0 });
    await redis.kill();
    const away = await home.run(['keys', 'show', 'bounded'], { env });
    expect([away.exitCode, away.stderr]).toEqual([3, expect.stringContaining('cannot be reached')]);
    expect(away.stderr).not.toContain('hush');
  });

  test('are left alone by a server that could not be opened, and not given the results of an embedded store', async () => {
    const redis = await startRedis();
    const home = cliHome();
    onTestFinished(() => home.remove());
    const env = { QUERN_REDIS_URL: redis.url };
    const failed = await home.run(['serve', '--no-auth', '--port', '0', '--queries', 'nowhere'], { env });
    expect([failed.exitCode, failed.stderr]).toEqual([2, expect.stringContaining('there is no folder')]);
    await expect.poll(() => redis.send('CLIENT', 'LIST')).not.toContain('name=quern');
    home.write('queries/numbers.sql', FILES['numbers.sql']);
    const server = await serveCli(home, ['--no-auth', '--queries', 'queries'], { env });
    expect(await (await fetch(`${server.address}/api/endpoints/numbers?k=1`)).json()).toMatchObject({ result: { length: ROWS } });
    const { stderr } = await server.stop();
    expect(stderr).toContain('results of an embedded store are not shared through Redis; rates and budgets are');
    expect(await redis.send('DBSIZE')).toBe(':0\r\n');
  });
});
