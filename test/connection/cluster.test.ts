// A cluster of two shards behind a Distributed table or named by the source: the same rows as one node, and no silence about a shard that is gone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SAMPLE_INSTANT, sampleLines, sampleSources } from '../../src/cli/demo/sample.ts';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let one: ClickHouseServer;
let first: ClickHouseServer;
let second: ClickHouseServer;

const TABLES = ['edge_logs', 'function_edge_logs'] as const;
/** Enough to fill every bucket, few enough to be quick. */
const STRIDE = 25;

const QUERIES: readonly (readonly string[])[] = [
  ['usage.api-counts', '--project', 'demo', '--interval', 'daily'],
  ['usage.api-counts', '--project', 'demo', '--interval', 'minutely'],
  ['functions.invocation-stats', '--project', 'demo', '--interval', '7day'],
  ['functions.invocation-stats', '--project', 'demo', '--interval', '1day'],
  ['logs.all', '--project', 'demo'],
];

async function insert(server: ClickHouseServer, table: string, lines: readonly string[]): Promise<void> {
  const query = encodeURIComponent(`INSERT INTO logs.${table} SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow`);
  const reply = await fetch(`${server.url}/?query=${query}`, { method: 'POST', body: lines.join('') });
  if (!reply.ok) throw new Error(await reply.text());
}

async function createTables(server: ClickHouseServer): Promise<void> {
  await server.run('CREATE DATABASE logs');
  for (const table of TABLES) {
    await server.run(
      `CREATE TABLE logs.${table} (id String, timestamp DateTime64(6, 'UTC'), project String, event_message String, metadata JSON) ENGINE = MergeTree ORDER BY (project, timestamp)`,
    );
  }
}

const run = (profile: string, query: readonly string[], ...flags: readonly string[]) =>
  home.run(['run', ...query, '--as-of', SAMPLE_INSTANT, '--profile', profile, '--no-cache', ...flags]);

beforeAll(async () => {
  const tcpPort = await freePort();
  [one, second] = await Promise.all([startClickHouse(), startClickHouse()]);
  const own = { host: '127.0.0.1', port: tcpPort };
  first = await startClickHouse({ tcpPort, clusters: { pair: [own, second.shard] } });
  await Promise.all([one, first, second].map(createTables));
  for (const table of TABLES) {
    const source = sampleSources.find((sample) => sample.source === table);
    if (source === undefined) throw new RangeError(table);
    const lines = [...sampleLines(source)].filter((_, i) => i % STRIDE === 0);
    await insert(one, table, lines);
    await insert(
      first,
      table,
      lines.filter((_, i) => i % 2 === 0),
    );
    await insert(
      second,
      table,
      lines.filter((_, i) => i % 2 === 1),
    );
    await first.run(`CREATE TABLE logs.${table}_all AS logs.${table} ENGINE = Distributed('pair', 'logs', '${table}')`);
  }
  home.write(
    'quern.yaml',
    `profiles:
  one: { url: "${one.url}" }
  pair: { url: "${first.url}" }
sources:
  edge_logs: { table: logs.edge_logs }
  function_edge_logs: { table: logs.function_edge_logs }
`,
  );
});

afterAll(async () => {
  await Promise.all([one.stop(), first.stop(), second.stop()]);
  home.remove();
});

/** An average adds up in another order where the rows are on two machines: its last digits may differ. */
const rounded = (text: string): string => text.replace(/\d+\.\d+/g, (digits) => String(Number(Number(digits).toPrecision(12))));

const project = (table: (name: string) => string, extra = ''): void => {
  const sources = TABLES.map((name) => `  ${name}: { ${table(name)} }\n`).join('');
  home.write(
    'quern.yaml',
    `${extra}profiles:\n  one: { url: "${one.url}" }\n  pair: { url: "${first.url}", timeout: 20s }\nsources:\n${sources}`,
  );
};

test.each([
  ['a Distributed table', (name: string) => `table: logs.${name}_all`],
  ['the tables of a cluster', (name: string) => `table: logs.${name}, cluster: pair`],
])('%s gives the rows of one node', async (_, table) => {
  for (const query of QUERIES) {
    project((name) => `table: logs.${name}`);
    const expected = await run('one', query);
    expect(expected).toMatchObject({ stderr: '', exitCode: 0 });
    expect(expected.stdout.split('\n').length).toBeGreaterThan(2);
    project(table);
    const { stdout, ...rest } = await run('pair', query);
    expect({ ...rest, stdout: rounded(stdout) }).toEqual({ ...expected, stdout: rounded(expected.stdout) });
  }
});

test('a shard that is gone is an error that names it', async () => {
  await second.stop();
  project((name) => `table: logs.${name}_all`);
  const { stdout, stderr, exitCode } = await run('pair', ['usage.api-counts', '--project', 'demo', '--interval', 'daily']);
  expect([stdout, exitCode]).toEqual(['', 3]);
  expect(stderr).toContain(`note: the server 127.0.0.1:${second.tcpPort} of a cluster does not respond`);
});

test('shards are left out only when the user says so, the result says which, and is not cached', async () => {
  project((name) => `table: logs.${name}_all`, 'skip_unavailable_shards: true\n');
  const query = ['run', 'usage.api-counts', '--project', 'demo', '--interval', 'daily', '--as-of', SAMPLE_INSTANT, '--profile', 'pair'];
  const { stdout, stderr, exitCode } = await home.run(query);
  expect([stdout.split('\n').length > 2, exitCode]).toEqual([true, 0]);
  expect(stderr).toBe(`note: rows are missing: shard 2 of the cluster pair (127.0.0.1:${second.tcpPort}) did not answer\n`);
  expect((await home.run(['cache', 'list', '--format', 'ndjson'])).stdout).toBe('');
  const json = await home.run([...query, '--format', 'json']);
  expect(JSON.parse(json.stdout).meta.missing).toEqual([`shard 2 of the cluster pair (127.0.0.1:${second.tcpPort})`]);
});

test('rows that are streamed past the cache tell of them too', async () => {
  project((name) => `table: logs.${name}_all`, 'skip_unavailable_shards: true\n');
  home.write(
    'paths.sql',
    `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab41\nmax_rows: 100000\n---*/\nselect id, [id] as ids from edge_logs order by id`,
  );
  const stderr = `note: rows are missing: shard 2 of the cluster pair (127.0.0.1:${second.tcpPort}) did not answer\n`;
  for (const flags of [
    ['--format', 'csv', '--columns', 'id'],
    ['--format', 'ndjson'],
    ['-o', 'paths.parquet'],
  ]) {
    const { stdout, ...rest } = await home.run(['run', 'paths.sql', '--profile', 'pair', ...flags]);
    expect([rest, stdout !== '' || flags.includes('-o')]).toEqual([{ stderr, exitCode: 0 }, true]);
  }
});
