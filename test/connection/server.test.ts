// The command line on a ClickHouse server: a few settings are enough, and the rows are those of the embedded store.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let server: ClickHouseServer;

const EVENTS = [
  ['1', '2026-01-15T11:00:30Z', '/rest/v1/items', 200],
  ['2', '2026-01-15T11:10:00Z', '/rest/v1/items', 200],
  ['3', '2026-01-15T11:20:00Z', '/auth/v1/token', 401],
  ['4', '2026-01-15T11:30:00Z', '/storage/v1/a.png', 200],
] as const;
const events = EVENTS.map(([id, timestamp, path, status]) => ({
  id,
  timestamp,
  project: 'shop',
  event_message: `GET ${path}`,
  metadata: { request: { path, url: `https://shop.example${path}`, method: 'GET' }, response: { status_code: status } },
}));
const ndjson = events.map((event) => `${JSON.stringify(event)}\n`).join('');
const COUNTS = ['run', 'usage.api-counts', '--project', 'shop', '--interval', 'hourly', '--as-of', '2026-01-15T12:00:00Z', '--no-cache'];
const ALL = ['run', 'logs.all', '--project', 'shop', '--as-of', '2026-01-15T12:00:00Z', '--no-cache'];

beforeAll(async () => {
  const profile = { readonly: 1 };
  server = await startClickHouse({
    users: {
      default: { password: '', networks: { ip: '127.0.0.1' }, profile: 'default' },
      reader: { password: 'kept secret', networks: { ip: '127.0.0.1' }, profile: 'default', grants: { query: 'GRANT SELECT ON logs.*' } },
      bound: { password: '', networks: { ip: '127.0.0.1' }, profile: 'bound' },
    },
    profiles: { bound: profile },
  });
  await server.run('CREATE DATABASE logs');
  await server.run(
    "CREATE TABLE logs.edge_logs (id String, timestamp DateTime64(6, 'UTC'), project String, event_message String, metadata JSON) ENGINE = MergeTree ORDER BY (project, timestamp)",
  );
  for (const { metadata, ...event } of events) {
    const values = [event.id, event.timestamp.replace(/[TZ]/g, ' ').trim(), event.project, event.event_message, JSON.stringify(metadata)];
    await server.run(`INSERT INTO logs.edge_logs VALUES (${values.map((value) => `'${value}'`).join(', ')})`);
  }
  await home.run(['load', 'edge_logs', '-'], { stdin: ndjson });
});

afterAll(async () => {
  await server.stop();
  home.remove();
});

const env = () => ({ CLICKHOUSE_URL: server.url, CLICKHOUSE_DATABASE: 'logs' });

test('an address and a database are enough, and the rows are those of the embedded store', async () => {
  for (const command of [COUNTS, ALL]) {
    const embedded = await home.run(command);
    expect(embedded).toMatchObject({ stderr: '', exitCode: 0 });
    expect(embedded.stdout).not.toBe('');
    expect(await home.run(command, { env: env() })).toEqual(embedded);
  }
});

test('results of a server are cached apart from those of the store', async () => {
  const command = COUNTS.filter((word) => word !== '--no-cache');
  await home.run(command);
  await server.run(
    'INSERT INTO logs.edge_logs VALUES (\'5\', \'2026-01-15 11:40:00\', \'shop\', \'x\', \'{"request":{"path":"/rest/x","url":"https://shop.example/"}}\')',
  );
  const fresh = await home.run(command, { env: env() });
  expect(JSON.parse(fresh.stdout)['total_rest_requests']).toBe(3);
  await server.run("ALTER TABLE logs.edge_logs DELETE WHERE id = '5' SETTINGS mutations_sync = 2");
  expect((await home.run(command, { env: env() })).stdout).toBe(fresh.stdout);
});

test('a profile may hold a login, and have its password from a command', async () => {
  home.write(
    'quern.yaml',
    `profiles:\n  shop:\n    url: ${server.url}\n    user: reader\n    database: logs\n    password_command: printf 'kept secret'\n`,
  );
  await home.run(['trust']);
  const { stdout, exitCode } = await home.run([...COUNTS, '--profile', 'shop']);
  expect([JSON.parse(stdout)['total_rest_requests'], exitCode]).toEqual([2, 0]);
  writeFileSync(join(home.folder, 'quern.yaml'), '');
});

test('a refused login is exit code 3, and shows no password', async () => {
  const refused = await home.run(COUNTS, { env: { ...env(), CLICKHOUSE_USER: 'reader', CLICKHOUSE_PASSWORD: 'guessed' } });
  expect([refused.stderr.includes('guessed'), refused.stdout, refused.exitCode]).toEqual([false, '', 3]);
  expect(refused.stderr.split('\n')[0]).toMatch(/^error\[unreachable\]: ClickHouse at .* refuses the login /);
});

test('a login in the address is used, and hidden where the address is shown', async () => {
  const url = server.url.replace('//', '//reader:kept%20secret@');
  const { exitCode } = await home.run(COUNTS, { env: { ...env(), CLICKHOUSE_URL: url } });
  expect(exitCode).toBe(0);
  const shown = await home.run(['config', 'list', '--format', 'csv'], { env: { ...env(), CLICKHOUSE_URL: url } });
  expect(shown.stdout).not.toContain('secret');
});

test('a login that may not change settings gives the same rows, or says which setting stands in the way', async () => {
  const { stdout, stderr, exitCode } = await home.run(COUNTS, { env: { ...env(), CLICKHOUSE_USER: 'bound' } });
  expect([stdout, exitCode]).toEqual(['', 2]);
  expect(stderr).toMatch(/^error\[config\]: .*join_use_nulls/);
});

test('a source without a table is an error that says what to write', async () => {
  const { stderr, exitCode } = await home.run(['run', 'functions.invocation-stats', '--project', 'shop'], { env: env() });
  expect([stderr, exitCode]).toEqual([
    `error[unknown-source]: function_edge_logs: the database logs of ${server.url} has no table function_edge_logs\n` +
      '   = hint: say in quern.yaml which table to use: sources: { function_edge_logs: { table: database.table } }\n',
    2,
  ]);
});

test('the doctor looks at the server: version, rights, clock, sources', async () => {
  const { stdout, exitCode } = await home.run(['doctor', '--format', 'json'], {
    env: { ...env(), CLICKHOUSE_USER: 'reader', CLICKHOUSE_PASSWORD: 'kept secret' },
  });
  const findings: { subject: string; state: string; detail: string }[] = JSON.parse(stdout).result;
  const found = (subject: string) => findings.find((finding) => finding.subject === subject);
  expect(found('connection')?.detail).toMatch(/^http:\/\/127\.0\.0\.1:\d+: ClickHouse \d+\.\d+.*, user reader, database logs$/);
  expect(found('rights')).toMatchObject({ state: 'ok', detail: 'the login can only read' });
  expect(found('clock')?.state).toBe('ok');
  expect(found('source edge_logs')).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^edge_logs, records as json, 4 rows, [\d.]+ kB$/),
  });
  // functions.invocation-stats reads a source that this server has not.
  expect(found('saved query functions.invocation-stats')?.state).toBe('fail');
  expect(exitCode).toBe(1);
});

test('the demo stays on its own embedded store', async () => {
  const { stdout, exitCode } = await home.run(['demo'], { env: { ...env(), CLICKHOUSE_URL: 'http://127.0.0.1:9' } });
  expect([stdout.includes('total_rest_requests'), exitCode]).toEqual([true, 0]);
});
