// quern keys, as a user meets it.
import { createPublicKey } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/server/clock.ts';
import { listKeys } from '../../../src/server/keys/change-keys.ts';
import { openKeyRing } from '../../../src/server/keys/key-ring.ts';
import { openSpending, spendingFolder } from '../../../src/server/keys/spending.ts';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
let file = '';
let count = 0;
// Each test has a file of its own.
beforeEach(() => {
  file = join(home.folder, `keys-${++count}`, 'keys.json');
});
afterAll(() => home.remove());

const run = (...argv: readonly string[]) => home.run(['keys', ...argv], { env: { QUERN_KEYS_FILE: file } });
const create = (...argv: readonly string[]) => run('create', '--name', 'one', '--scope', '*', ...argv);
const key = () => listKeys({ file })[0];

test('create prints the secret alone on standard output, and it works', async () => {
  const { stdout, stderr, exitCode } = await create();
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^quern_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}\n$/);
  expect(stderr).toBe('one may run * until it is revoked; keep this secret, it is not shown again\n');
  expect(await openKeyRing({ file, now: Date.now }).verify(stdout.trim())).toEqual(key());
});

test('every right can be given', async () => {
  const flags = [
    '--scope',
    'usage.*',
    '--pin',
    'project=a=b',
    '--max-rows',
    '50',
    '--rate',
    '10/s',
    '--max-concurrent',
    '2',
    '--max-scan-per-hour',
    '5000000',
    '--max-time-per-hour',
    '10m',
    '--role',
    'console',
    '--expires',
    '90d',
    '--may-refresh',
  ];
  const { stderr } = await run('create', '--name', 'all of it', '--scope', 'logs.all', ...flags);
  const made = key();
  expect(made).toEqual({
    id: made?.id,
    prefix: made?.prefix,
    name: 'all of it',
    scopes: ['logs.all', 'usage.*'],
    pins: { project: 'a=b' },
    maxRows: 50,
    rate: { count: 10, perSeconds: 1 },
    maxConcurrent: 2,
    maxScanPerHour: 5_000_000,
    maxTimePerHour: 600,
    role: 'console',
    mayRefresh: true,
    createdAt: made?.createdAt,
    expiresAt: made?.expiresAt,
  });
  expect(Date.parse(made?.expiresAt ?? '') - Date.parse(made?.createdAt ?? '')).toBe(90 * 86_400_000);
  expect(stderr).toBe(`all of it may run logs.all, usage.* until ${made?.expiresAt}; keep this secret, it is not shown again\n`);
});

test.each<[string, number, number]>([
  ['600/m', 600, 60],
  ['100/30s', 100, 30],
  ['5000/h', 5000, 3600],
])('a rate of %s', async (rate, requests, perSeconds) => {
  await create('--rate', rate);
  expect(key()?.rate).toEqual({ count: requests, perSeconds });
});

test('/metrics is a scope of its own, which a key with a pin cannot have', async () => {
  const { stderr } = await run('create', '--name', 'prometheus', '--scope', '/metrics');
  expect(stderr).toBe('prometheus may read /metrics until it is revoked; keep this secret, it is not shown again\n');
  const both = await run('create', '--name', 'tenant', '--scope', '/metrics', '--scope', 'usage.*', '--pin', 'project=a');
  expect(both.stderr).toBe(
    [
      'tenant may run usage.* and read /metrics until it is revoked; keep this secret, it is not shown again',
      'warning: a key with --pin may not read /metrics: create another key for that',
      '',
    ].join('\n'),
  );
});

test('a scope without a saved query and a pin without a parameter are said, and the key is made', async () => {
  const { stderr } = await run(
    'create',
    '--name',
    'one',
    '--scope',
    'usage.*',
    '--scope',
    'usage.api-count',
    '--pin',
    'projct=abc',
    '--quiet',
  );
  expect(stderr).toBe(
    [
      'warning: no saved query is called usage.api-count yet; did you mean usage.api-counts?',
      'warning: usage.api-counts has no parameter projct, so the key cannot run it; did you mean project?',
      '',
    ].join('\n'),
  );
  expect(listKeys({ file }).length).toBe(1);
  expect((await run('create', '--name', 'two', '--scope', '*', '--pin', 'project=abc', '--quiet')).stderr).toBe('');
});

test.each<[readonly string[], string, string]>([
  [['create', '--scope', '*'], 'the key has no name', "write it like quern keys create dashboard --scope 'usage.*'"],
  [
    ['create', 'one', '--name', 'two', '--scope', '*'],
    'the key has two names, one and two',
    "write it like quern keys create dashboard --scope 'usage.*'",
  ],
  [
    ['create', 'one', '--scope', '*', '--google-credentials', 'never.json'],
    "a key without the scope bigquery cannot use BigQuery's API, which the file is for",
    'add --scope bigquery',
  ],
  [
    ['create', 'one', '--scope', 'bigquery', '--url', 'http://a.example'],
    "--url only applies to a file for Google's libraries",
    'add --google-credentials FILE',
  ],
  [
    ['create', 'one', '--scope', 'bigquery', '--google-credentials', 'no/such/folder.json'],
    'no/such/folder.json cannot be written: ENOENT',
    'name a file in a folder that exists and is yours',
  ],
  [['create', '--name', 'one'], "required option '--scope <names>' not specified", 'see quern keys create --help'],
  [['create', '--name', ' ', '--scope', '*'], '--name " " is not a name of 1 to 100 characters', 'write it like --name dashboard'],
  [
    ['create', '--name', 'a\u0007', '--scope', '*'],
    '--name "a\\u0007" is not a name of 1 to 100 characters',
    'write it like --name dashboard',
  ],
  [
    ['create', '--name', 'one', '--scope', 'usage.api counts'],
    '--scope "usage.api counts" is not the name of a saved query',
    "such as usage.api-counts or 'usage.*'; repeat --scope for several",
  ],
  [
    ['create', '--name', 'one', '--scope', '*', '--pin', 'project'],
    '--pin "project" is not a parameter and its value',
    'write it like --pin project=abc',
  ],
  [
    ['create', '--name', 'one', '--scope', '*', '--pin', 'project='],
    '--pin "project=" is not a parameter and its value',
    'write it like --pin project=abc',
  ],
  [
    ['create', '--name', 'one', '--scope', '*', '--pin', 'project_ref=a', '--pin', 'Project-Ref=b'],
    '--pin sets project_ref twice',
    'a key pins a parameter to one value; create another key for another value',
  ],
  [
    ['create', '--name', 'one', '--scope', '*', '--max-rows', '0'],
    '--max-rows "0" is not a number of rows',
    'write a whole number above 0',
  ],
  [
    ['create', '--name', 'one', '--scope', '*', '--rate', '10'],
    '--rate "10" is not a number of requests in a time',
    'write it like 10/s, 600/m or 100/30s',
  ],
  [
    ['create', '--name', 'one', '--scope', '*', '--rate', '0/s'],
    '--rate "0/s" is not a number of requests in a time',
    'write it like 10/s, 600/m or 100/30s',
  ],
  [
    ['create', '--name', 'one', '--scope', '*', '--max-concurrent', '1.5'],
    '--max-concurrent "1.5" is not a number of queries',
    'write a whole number above 0',
  ],
  [['create', '--name', 'one', '--scope', '*', '--expires', '90'], '--expires "90" is not a duration', 'write it like 90d, 12h or 30m'],
  [['create', '--name', 'one', '--scope', '*', '--expires', '0d'], '--expires "0d" is not a duration', 'write it like 90d, 12h or 30m'],
  [
    ['create', '--name', 'one', '--scope', '*', '--max-time-per-hour', '0.5s'],
    '--max-time-per-hour "0.5s" is not a duration of whole seconds',
    'write it like 10m or 90s',
  ],
  [
    ['create', '--name', 'one', '--scope', '*', '--role', 'metrics'],
    '--role "metrics" is not a role',
    'the roles are all and console; for /metrics only, use --scope /metrics',
  ],
  [['rotate', 'one', '--grace', 'soon'], '--grace "soon" is not a duration', 'write it like 1h or 10m'],
  [['revoke', 'one'], 'there is no key one', 'list them with `quern keys list`'],
])('%j is refused, and makes nothing', async (argv, message, hint) => {
  expect(await run(...argv)).toEqual({ stdout: '', stderr: `error[usage]: ${message}\n   = hint: ${hint}\n`, exitCode: 2 });
  expect(listKeys({ file })).toEqual([]);
});

test('list shows keys without secrets', async () => {
  const { stdout: secret } = await create('--pin', 'project=abc', '--rate', '100/30s', '--max-concurrent', '1', '--expires', '1h');
  const { stdout, stderr } = await run('list');
  const made = key();
  expect(JSON.parse(stdout)).toEqual({
    prefix: secret.slice(0, 14),
    name: 'one',
    scopes: ['*'],
    pins: { project: 'abc' },
    max_rows: null,
    rate: '100/30s',
    max_concurrent: 1,
    may_refresh: false,
    created: made?.createdAt,
    expires: made?.expiresAt,
    expired: false,
    max_scan_per_hour: null,
    max_time_per_hour: null,
    role: 'all',
  });
  expect(stderr).toBe(`1 key in ${file}\n`);
});

test('show prints one key, and what is left to it', async () => {
  await create('--max-scan-per-hour', '1000', '--max-time-per-hour', '10m');
  const spending = openSpending({ folder: spendingFolder(join(home.folder, 'cache')), clock: systemClock, onNote: () => undefined });
  spending.add(key()?.id ?? '', { rows: 400, ms: 90_000 });
  await spending.close();
  const { stdout } = await run('show', 'one', '--cache-dir', join(home.folder, 'cache'));
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'one',
    max_scan_per_hour: 1000,
    max_time_per_hour: '10m',
    scan_left: 600,
    seconds_left: 510,
  });
  const terminal = await home.run(['keys', 'show', 'one'], { env: { QUERN_KEYS_FILE: file }, terminal: 100 });
  expect(terminal.stdout).toMatch(/│ max_time_per_hour +│ 10m +│/);
  expect(terminal.stdout).not.toContain('max_rows');
  expect((await run('show', 'two')).stderr).toBe('error[usage]: there is no key two\n   = hint: list them with `quern keys list`\n');
});

test('list of no keys says where they would be', async () => {
  expect(await run('list')).toEqual({ stdout: '', stderr: `0 keys in ${file}\n`, exitCode: 0 });
});

test('rotate prints a new secret; with grace the old one works on', async () => {
  const { stdout: first } = await create();
  const { stdout: second, stderr } = await run('rotate', 'one', '--grace', '1h');
  expect(stderr).toBe('one may run * until it is revoked; keep this secret, it is not shown again\n');
  const ring = openKeyRing({ file, now: Date.now });
  const prefix = key()?.prefix;
  expect(await Promise.all([first, second].map(async (secret) => (await ring.verify(secret.trim()))?.prefix))).toEqual([prefix, prefix]);
});

test('revoke takes a name, and the key is gone', async () => {
  await create();
  const prefix = key()?.prefix;
  expect(await run('revoke', 'one')).toEqual({ stdout: '', stderr: `revoked one (${prefix})\n`, exitCode: 0 });
  expect(listKeys({ file })).toEqual([]);
});

test('a file that others may read is refused', async () => {
  await create();
  chmodSync(file, 0o644);
  expect(await run('list')).toEqual({
    stdout: '',
    stderr: `error[config]: other users may read or change the keys in ${file}: its mode is 644\n   = hint: run \`chmod 600 ${file}\`, and check with \`quern keys list\` that all keys are yours\n`,
    exitCode: 2,
  });
});

test('without a setting the file is in the user’s folder', async () => {
  await home.run(['keys', 'create', '--name', 'one', '--scope', '*']);
  expect(statSync(join(home.folder, '.config/quern/keys.json')).mode & 0o777).toBe(0o600);
});

test('saved queries that take SQL of callers, but not with this key, are said', async () => {
  const header = (id: number) =>
    `/*---\nid: 5f0c2f0e-6d3a-4c43-9a53-0d6c4d0f7a0${id}\nsandbox: enabled\nparams: { project: { type: string, required: true } }\n---*/\n`;
  const mine = 'select id, project from edge_logs where project = @project';
  home.write('sandboxes/closed.sql', `${header(1)}with mine as (${mine}) select id from mine order by id`);
  home.write(
    'sandboxes/open.sql',
    `${header(2)}with every as (select id, project from edge_logs) select id from every where project = @project`,
  );
  const made = async (...flags: readonly string[]) =>
    (
      await run(
        'create',
        '--name',
        'one',
        '--queries',
        join(home.folder, 'sandboxes'),
        '--scope',
        'closed',
        '--scope',
        'open',
        '--quiet',
        ...flags,
      )
    ).stderr;
  expect(await made('--pin', 'project=abc')).toBe(
    'warning: open accepts SQL from callers, but not with this key: not all of its WITH tables filter by project\n',
  );
  await run('revoke', 'one');
  expect(await made('--max-rows', '10')).toBe(
    ['closed', 'open']
      .map((name) => `warning: ${name} accepts SQL from callers, but not with this key: that SQL could get around the limit on rows\n`)
      .join(''),
  );
});

test('--google-credentials writes a file for its owner alone, and never over another', async () => {
  const credentials = join(home.folder, `google-${count}.json`);
  const flags = ['--google-credentials', credentials, '--url', 'https://quern.example.com/ignored'];
  const { stdout, stderr } = await run('create', 'reports', '--scope', 'bigquery', ...flags);
  expect(stdout).toMatch(/^quern_\w+\n$/);
  expect(stderr).toBe(
    `reports may use BigQuery's API until it is revoked; keep this secret, it is not shown again\nwrote ${credentials}: whoever has the file has the key\n`,
  );
  expect(statSync(credentials).mode & 0o777).toBe(0o600);
  const written = JSON.parse(readFileSync(credentials, 'utf8')) as Record<string, string>;
  expect(written).toEqual({
    type: 'service_account',
    project_id: 'quern',
    private_key_id: expect.stringMatching(/^[0-9a-f]{40}$/),
    private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/),
    client_email: `${key()?.id}@keys.quern.internal`,
    client_id: expect.stringMatching(/^\d{21}$/),
    auth_uri: 'https://quern.example.com/auth',
    token_uri: 'https://quern.example.com/token',
    universe_domain: 'quern.internal',
  });
  const inKeys = readFileSync(file, 'utf8');
  const publicKey = createPublicKey(written['private_key'] ?? '').export({ type: 'spki', format: 'der' });
  expect(inKeys).toContain(publicKey.toString('base64'));
  expect(inKeys).not.toContain('PRIVATE');
  const again = await run('rotate', 'reports', '--google-credentials', credentials);
  expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining(`${credentials} already exists`)]);
  expect(readFileSync(file, 'utf8')).toBe(inKeys);
  expect(readFileSync(credentials, 'utf8')).toBe(`${JSON.stringify(written, null, 2)}\n`);
});

test('the file has the address at which the server listens, and stays away when there is no key', async () => {
  const credentials = join(home.folder, `usual-${count}.json`);
  const flags = ['--google-credentials', credentials, '--universe-domain', 'googleapis.com'];
  await home.run(['keys', 'create', 'local', '--scope', 'bigquery', ...flags], { env: { QUERN_KEYS_FILE: file, QUERN_PORT: '4321' } });
  expect(JSON.parse(readFileSync(credentials, 'utf8'))).toMatchObject({
    token_uri: 'http://127.0.0.1:4321/token',
    universe_domain: 'googleapis.com',
  });
  const other = `${credentials}.other`;
  const { exitCode } = await run('create', 'local', '--scope', 'bigquery', '--google-credentials', other);
  expect([exitCode, existsSync(other)]).toEqual([2, false]);
});
