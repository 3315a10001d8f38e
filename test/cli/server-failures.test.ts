// The command line on servers that fail: the exit code says which way, and neither the cache nor the output file keeps anything of it.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';
import { httpAnswer, strangeServer } from '../support/strange-server.ts';

const home = cliHome();
const out = join(home.folder, 'rows.csv');
let server: ClickHouseServer;

const HEADER = '/*---\nid: 5b1d1f0e-5b1a-4c39-9d7f-0f6f6a2b7c11\ncache: 15m\nmax_rows: 100000\n---*/\n';

beforeAll(async () => {
  server = await startClickHouse();
  await server.run('CREATE DATABASE web');
  await server.run('CREATE TABLE web.hits (n Int64) ENGINE = MergeTree ORDER BY n');
  await server.run('INSERT INTO web.hits SELECT number FROM numbers(20000)');
  home.write('quern.yaml', 'sources:\n  hits: { table: web.hits }\n');
  home.write('few.sql', `${HEADER}select n from hits where n < 3 order by n`);
  // 8e12 pairs: no machine ends it within a test.
  home.write('endless.sql', `${HEADER.replace('5b1d', '5b1e')}select count(*) as n from hits a, hits b, hits c where a.n + b.n + c.n < 0`);
  await home.run(['run', './few.sql', '--no-cache'], { env: { CLICKHOUSE_URL: server.url } }); // the table is known from here on
});
beforeEach(() => writeFileSync(out, 'of before\n'));
afterAll(async () => {
  await server.stop();
  home.remove();
});

/** The exit code and the first line of what is said; fails when anything was kept of the run. */
async function failing(argv: readonly string[], url: string): Promise<readonly [number, string]> {
  const { stdout, stderr, exitCode } = await home.run([...argv, '--output', out], { env: { CLICKHOUSE_URL: url } });
  expect(stdout).toBe('');
  expect((await home.run(['cache', 'list', '--format', 'ndjson'])).stdout).toBe('');
  expect(readdirSync(home.folder).filter((name) => name.includes('rows.csv'))).toEqual(['rows.csv']);
  expect(existsSync(out)).toBe(true);
  return [exitCode, stderr.split('\n')[0]?.replaceAll(url, 'URL') ?? ''];
}

const RUNNING = "SELECT count() FROM system.processes WHERE query LIKE '%web.hits%' AND query NOT LIKE '%system.processes%'";
const RUN = ['run', './few.sql', '--timeout', '3s'];

test.each<[string, Parameters<typeof strangeServer>[0], number, RegExp]>([
  ['resets connections', (socket) => socket.resetAndDestroy(), 3, /^error\[unreachable\]: .*URL/],
  [
    'answers with the page of a proxy',
    (socket) => socket.end(httpAnswer('502 Bad Gateway', '<html>no</html>')),
    3,
    /^error\[unreachable\]: .*URL/,
  ],
  ['answers garbage', (socket) => socket.end('\x00\x01garbage\r\n\r\n'), 3, /^error\[unreachable\]: .*URL/],
  ['answers nothing', () => undefined, 4, /^error\[timeout\]: /],
])('a server that %s', async (_, handle, code, message) => {
  const strange = await strangeServer(handle);
  const [exitCode, line] = await failing(RUN, strange.url);
  expect([exitCode, line]).toEqual([code, expect.stringMatching(message)]);
  await strange.close();
});

test('a server where nothing listens is unreachable', async () => {
  const strange = await strangeServer(() => undefined);
  await strange.close();
  expect(await failing(RUN, strange.url)).toEqual([3, expect.stringMatching(/^error\[unreachable\]: .*URL/)]);
});

test('a query that reaches its time is a time-out, and is gone from the server', async () => {
  expect((await failing(['run', './endless.sql', '--timeout', '1s'], server.url))[0]).toBe(4);
  await expect.poll(() => server.run(RUNNING)).toBe('0\n');
});

test('a server that is killed while it answers is unreachable, and the next one is not sent the query', async () => {
  const victim = await startClickHouse();
  await victim.run('CREATE DATABASE web');
  await victim.run('CREATE TABLE web.hits (n Int64) ENGINE = MergeTree ORDER BY n');
  await victim.run('INSERT INTO web.hits SELECT number FROM numbers(20000)');
  const running = failing(['run', './endless.sql', '--timeout', '30s'], victim.url);
  await expect.poll(() => victim.run(RUNNING), { timeout: 20_000 }).toBe('1\n');
  await victim.stop();
  expect((await running)[0]).toBe(3);
});

test('what the server says of the query is exit code 1', async () => {
  home.write('wrong.sql', `${HEADER.replace('5b1d', '5b1f')}select sum(1 / (n - 1)) as s from hits where n < 3`);
  expect((await failing(['run', './wrong.sql'], server.url))[0]).toBe(1);
});
