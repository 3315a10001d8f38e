// Checks on a ClickHouse server, with a login that may only read.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';
import { header } from './check-home.ts';

const home = cliHome();
let server: ClickHouseServer;

beforeAll(async () => {
  server = await startClickHouse({
    users: {
      default: { password: '', networks: { ip: '127.0.0.1' }, profile: 'default' },
      reader: { password: '', networks: { ip: '127.0.0.1' }, profile: 'default', grants: { query: 'GRANT SELECT ON logs.*' } },
    },
  });
  await server.run('CREATE DATABASE logs');
  await server.run("CREATE TABLE logs.visits (id Int64, path String, seen DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY id");
  await server.run("INSERT INTO logs.visits SELECT number, if(number % 3 = 0, '/', '/a'), '2026-01-15 11:50:00' FROM numbers(9)");
  home.write('quern.yaml', 'sources:\n  visits: { table: logs.visits }\n');
  home.write('visits.sql', 'select id, path, seen from visits');
  home.write(
    'rows.sql',
    `${header('30', 'dialect: clickhouse\nparams:\n  least: { type: integer, required: true }')}select id, seen from logs.visits where id >= {least:Int64}`,
  );
  home.write(
    'visits.yaml',
    `checks:
  - query: ./visits.sql
    assertions:
      - freshness: { column: seen, within: 15m }
      - accepted_values: { path: ['/'] }
      - id < 7
  - query: ./rows.sql
    params: { least: 4 }
    assertions: [count(*) = 5, { unique: id }]
`,
  );
});

afterAll(async () => {
  await server.stop();
  home.remove();
});

const run = () =>
  home.run(['check', 'visits.yaml', '--reporter', 'json', '--as-of', '2026-01-15T12:00:00Z'], {
    env: { CLICKHOUSE_URL: server.url, CLICKHOUSE_USER: 'reader', CLICKHOUSE_DATABASE: 'logs' },
  });
const reasons = (report: string) =>
  JSON.parse(report).checks.map(({ assertions }: { assertions: { state: string; reason?: string }[] }) =>
    assertions.map(({ state, reason }) => [state, reason ?? '']),
  );

test('the answers are those of the server, for both dialects', async () => {
  const { stdout, stderr, exitCode } = await run();
  expect([reasons(stdout), stderr, exitCode]).toEqual([
    [
      [
        ['pass', ''],
        ['fail', 'fails for 6 of 9 rows'],
        ['fail', 'fails for 2 of 9 rows'],
      ],
      [
        ['pass', ''],
        ['pass', ''],
      ],
    ],
    'error[check]: 2 of 5 assertions failed\n   = hint: see the report\n',
    1,
  ]);
});

test('a column that has another name since quern asked for the columns is an error with its place, not a failed check', async () => {
  await server.run('ALTER TABLE logs.visits RENAME COLUMN path TO address');
  const { stdout, stderr, exitCode } = await run();
  expect([stdout, stderr.split('\n').slice(0, 2), exitCode]).toEqual([
    '',
    ['error[unknown-column]: there is no column or table path here', `  --> ${home.folder}/visits.sql:1:12`],
    2,
  ]);
});

test('a server that is gone ends the run: no check is said to have failed', async () => {
  await server.run('ALTER TABLE logs.visits RENAME COLUMN address TO path');
  expect((await run()).exitCode).toBe(1);
  await server.stop();
  const { stdout, stderr, exitCode } = await run();
  expect([stdout, stderr.split(':')[0], exitCode]).toEqual(['', 'error[unreachable]', 3]);
});
