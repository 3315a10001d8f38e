// Translating for a server whose password a command prints: from what is remembered of its tables, without running the command.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
const runs = join(home.folder, 'runs');
let server: ClickHouseServer;

beforeAll(async () => {
  server = await startClickHouse({
    users: {
      default: { password: '', networks: { ip: '127.0.0.1' }, profile: 'default' },
      reader: { password: 'secret', networks: { ip: '127.0.0.1' }, profile: 'default' },
    },
  });
  await server.run('CREATE DATABASE web');
  await server.run('CREATE TABLE web.visits (n Int64, path String) ENGINE = MergeTree ORDER BY n');
  writeFileSync(runs, '');
  home.write(
    'visits.sql',
    '/*---\nid: 9d1c1f0e-5b1a-4c39-9d7f-0f6f6a2b7c12\ncache: disabled\nmax_rows: 5\n---*/\nselect path from visits order by n limit 5\n',
  );
  project();
});
afterAll(async () => {
  await server.stop();
  home.remove();
});

const project = (more = '') =>
  home.write(
    'quern.yaml',
    `url: ${server.url}\nuser: reader\npassword_command: echo >> ${runs}; echo secret\n${more}sources:\n  visits: { table: web.visits }\n`,
  );
const timesRun = (): number => readFileSync(runs, 'utf8').length;
const env = { QUERN_TRUST: '1' };
const quern = (...argv: readonly string[]) => home.run(argv, { env });
const translates = async () =>
  (await Promise.all([quern('explain', './visits.sql'), quern('lint', 'visits.sql'), quern('translate', 'visits.sql')])).map(
    ({ exitCode }) => exitCode,
  );

test('nothing is known at first, then what `quern sources` has found, however old it is', async () => {
  expect([await translates(), timesRun()]).toEqual([[2, 2, 2], 0]);
  expect((await quern('sources')).exitCode).toBe(0);
  expect([await translates(), timesRun()]).toEqual([[0, 0, 0], 1]);
  expect((await quern('explain', './visits.sql')).stdout).toContain('web.visits');
  project('sources_ttl: 1s\n');
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect([await translates(), timesRun()]).toEqual([[0, 0, 0], 1]);
});

test('a table that is missing on the server hides no other', async () => {
  home.write('quern.yaml', `${readFileSync(join(home.folder, 'quern.yaml'), 'utf8')}  gone: { table: web.gone }\n`);
  await quern('doctor');
  const before = timesRun();
  expect([await translates(), timesRun()]).toEqual([[0, 0, 0], before]);
  home.write('gone.sql', 'select path from gone\n');
  expect(await quern('translate', 'gone.sql')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('run `quern sources` first') });
  expect(timesRun()).toBe(before);
});

test('a run and the doctor ask the server, and translate with what it says now', async () => {
  project();
  const before = timesRun();
  const { stdout } = await quern('doctor', '--format', 'ndjson');
  expect(stdout).toContain('"subject":"sources","state":"note","detail":"no rows in visits');
  expect((await quern('run', './visits.sql')).exitCode).toBe(0);
  expect(timesRun()).toBe(before + 2);
});

test('a server that needs no command is asked as ever', async () => {
  home.write('quern.yaml', `url: ${server.url}\nsources:\n  visits: { table: web.visits }\n`);
  expect(await translates()).toEqual([0, 0, 0]);
  home.write(
    'quern.yaml',
    `url: ${server.url}\nuser: reader\npassword_command: echo >> ${runs}\nsources:\n  visits: { table: web.visits }\n`,
  );
  const before = timesRun();
  const withPassword = await home.run(['explain', './visits.sql'], { env: { CLICKHOUSE_PASSWORD: 'secret' } });
  expect([withPassword.exitCode, timesRun()]).toEqual([0, before]);
});
