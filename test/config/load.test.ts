// Where the value of each setting comes from, and what is wrong with values that do not fit.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings, type SettingsRequest } from '../../src/config/load.ts';
import { printableValue } from '../../src/config/shown-value.ts';
import { failureOf } from '../support/told.ts';

interface TestFolders {
  readonly home: string;
  readonly work: string;
  load(request?: Partial<SettingsRequest>): ReturnType<typeof loadSettings>;
  write(path: string, text: string): string;
}

/** A home and a working directory two levels deep, both of their own. */
function folders(): TestFolders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'quern-config-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [home, work] = [join(root, 'home'), join(root, 'project', 'deep')];
  for (const folder of [home, work]) mkdirSync(folder, { recursive: true });
  return {
    home,
    work,
    load: ({ env = {}, ...rest } = {}) => loadSettings({ flags: {}, cwd: work, platform: 'linux', env: { HOME: home, ...env }, ...rest }),
    write(path, text) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}

test('without anything set, every setting has its default', async () => {
  const { home, load } = folders();
  const { values, origins, projectFile } = await load();
  expect(values).toEqual({
    csv_formulas: 'keep',
    bigquery: false,
    translate_timeout: 0.25,
    sources_ttl: 3600,
    store: join(home, '.local/share/quern/store'),
    queries: [],
    shipped_queries: true,
    functions: [],
    cache_dir: join(home, '.cache/quern'),
    cache_size: 256_000_000,
    answer_memory: 64_000_000,
    stale_while_revalidate: 60,
    stale_if_error: 3600,
    engine_queries: 3,
    engine_queue: 100,
    engine_queue_wait: 10,
    keys_file: join(home, '.config/quern/keys.json'),
    host: '127.0.0.1',
    port: 4000,
    compat: undefined,
    cors_origins: [],
    drain: 10,
    log_level: 'info',
    audit_log: undefined,
    tls_cert: undefined,
    tls_key: undefined,
    oidc_issuer: undefined,
    oidc_audience: undefined,
    oidc_scopes_claim: 'scope',
    oidc_pins: {},
    redis_url: undefined,
    redis_password: undefined,
    redis_ca_file: undefined,
    redis_prefix: 'quern',
    log_arguments: false,
    format: undefined,
    no_color: false,
    timeout: 60,
    max_memory: undefined,
    max_scan: undefined,
    max_result_bytes: undefined,
    profile: undefined,
    url: undefined,
    user: undefined,
    password: undefined,
    password_command: undefined,
    access_token: undefined,
    database: undefined,
    ca_file: undefined,
    client_cert_file: undefined,
    client_key_file: undefined,
    headers: {},
    server_settings: {},
    compression: undefined,
    skip_unavailable_shards: false,
  });
  expect(new Set(Object.values(origins).map(({ from }) => from))).toEqual(new Set(['default']));
  expect(projectFile).toBeUndefined();
});

test('a flag goes before the environment, that before quern.yaml, that before the user, that before the default', async () => {
  const { work, load, write } = folders();
  const timeout = async (request?: Partial<SettingsRequest>) => {
    const { values, origins } = await load(request);
    return [values.timeout, origins.timeout];
  };
  const user = write('home/.config/quern/config.json', '{"timeout": "1m", "format": "csv"}');
  expect(await timeout()).toEqual([60, { from: 'user', where: user }]);
  const project = write('project/quern.yaml', 'timeout: 2m\n');
  expect(await timeout()).toEqual([120, { from: 'project', where: project }]);
  const env = { QUERN_TIMEOUT: '3m' };
  expect(await timeout({ env })).toEqual([180, { from: 'environment', where: 'QUERN_TIMEOUT' }]);
  expect(await timeout({ env, flags: { timeout: '4m' } })).toEqual([240, { from: 'flag', where: '--timeout' }]);
  expect(await timeout({ env: { QUERN_TIMEOUT: '' }, flags: { timeout: undefined } })).toEqual([120, { from: 'project', where: project }]);
  expect((await load()).values.format).toBe('csv');
  const nearer = write('project/deep/quern.yaml', '# nothing set\n');
  expect((await load()).projectFile).toBe(nearer);
  expect((await load({ cwd: dirname(work) })).projectFile).toBe(project);
});

test('paths start from where they are written', async () => {
  const { work, load, write } = folders();
  write('project/quern.yaml', 'queries: [queries, /abs]\nstore: ~/logs\ncache_dir: ../cache\n');
  const { values } = await load();
  expect([values.queries, values.store, values.cache_dir]).toEqual([
    [join(dirname(work), 'queries'), '/abs'],
    join(homedir(), 'logs'),
    join(dirname(dirname(work)), 'cache'),
  ]);
  const given = await load({ env: { QUERN_QUERIES: 'one:/two:', QUERN_STORE: 'here' }, flags: { cache_dir: 'there' } });
  expect([given.values.queries, given.values.store, given.values.cache_dir]).toEqual([
    [join(work, 'one'), '/two'],
    join(work, 'here'),
    join(work, 'there'),
  ]);
  expect((await load({ flags: { queries: ['a', 'b:c'] } })).values.queries).toEqual([join(work, 'a'), join(work, 'b:c')]);
  expect((await load({ env: { XDG_DATA_HOME: '/data', XDG_CACHE_HOME: 'relative' } })).values.store).toBe(join(homedir(), 'logs'));
});

test('server settings and colours come from the variables that other tools know', async () => {
  const { load } = folders();
  const env = {
    CLICKHOUSE_URL: 'https://db:8443',
    CLICKHOUSE_USER: 'reader',
    CLICKHOUSE_PASSWORD: 'p',
    CLICKHOUSE_DATABASE: 'logs',
    NO_COLOR: '0',
  };
  const { url, user, password, database, no_color } = (await load({ env })).values;
  expect([url, user, password, database, no_color]).toEqual(['https://db:8443', 'reader', 'p', 'logs', true]);
});

test('a flag or variable that does not fit is an error that says what would', async () => {
  const { load } = folders();
  expect(await failureOf(load({ flags: { timeout: '5' } }))).toEqual({
    code: 'usage',
    message: '--timeout "5" is not a duration such as 30s, 15m or 1h',
  });
  expect(await failureOf(load({ env: { QUERN_CACHE_SIZE: 'big' } }))).toEqual({
    code: 'config',
    message: 'the environment variable QUERN_CACHE_SIZE: "big" is not a size such as 256MB or 2GiB',
    hint: 'fix it, or unset QUERN_CACHE_SIZE',
  });
  const example = 'write it like https://host:8443 (in a password / : @ # ? are percent-encoded)';
  for (const url of ['db:8123', 'http://reader:1/2@db:8123']) {
    expect(await failureOf(load({ env: { CLICKHOUSE_URL: url } }))).toEqual({
      code: 'config',
      message: 'the environment variable CLICKHOUSE_URL: its value is not an http:// or https:// address',
      hint: `${example}, or unset CLICKHOUSE_URL`,
    });
    expect(await failureOf(load({ flags: { url } }))).toEqual({
      code: 'usage',
      message: 'the value of --url is not an http:// or https:// address',
      hint: example,
    });
  }
  expect((await failureOf(load({ env: { QUERN_HEADERS: 'X-Team: data' } })))['hint']).toBe(
    `write it like '{"X-Team": "data"}', or unset QUERN_HEADERS`,
  );
  expect((await failureOf(load({ env: { QUERN_FORMAT: 'xml' } })))['message']).toMatch(
    /^the environment variable QUERN_FORMAT: "xml" is not one of: table, /,
  );
});

test.each<[string, string, Readonly<Record<string, unknown>>]>([
  ['an unknown key', 'timeout: 1m\nquerys: [a]\n', { message: 'querys is not a setting', at: '2:1', hint: 'did you mean queries?' }],
  ['a value that does not fit', 'timeout: soon\n', { message: 'timeout: "soon" is not a duration such as 30s, 15m or 1h', at: '1:10' }],
  [
    'a list of other things',
    'queries: [a, 1]\n',
    { message: 'queries: ["a",1] is not the path of a folder, or a list of them', at: '1:10' },
  ],
  [
    'a secret',
    'password: hunter2\n',
    { message: 'password does not belong in a file', at: '1:1', hint: 'set the environment variable CLICKHOUSE_PASSWORD instead' },
  ],
  ['a list', '- a\n', { message: 'quern.yaml must contain settings, one `name: value` per line', at: '1:1' }],
  ['text that is no YAML', 'store: [a\n', { message: 'quern.yaml is not YAML: a list in [ ] is not closed', at: '2:1' }],
  [
    'the same key twice',
    'store: a\nstore: b\n',
    { message: 'quern.yaml is not YAML: this name is given twice', hint: 'keep one of the two', at: '2:1' },
  ],
  [
    'several problems',
    'timeout: soon\n\nformats: csv\npassword: x\n',
    {
      at: '1:10',
      problems: [
        'line 1 | timeout | "soon" is not a duration such as 30s, 15m or 1h',
        'line 3 | formats | is not a setting (did you mean format?)',
        'line 4 | password | does not belong in a file (set the environment variable CLICKHOUSE_PASSWORD instead)',
      ],
    },
  ],
])('%s in quern.yaml is an error with its place', async (_, text, expected) => {
  const { load, write } = folders();
  const path = write('project/quern.yaml', text);
  const { message, ...rest } = await failureOf(load());
  expect({ ...rest, message: String(message).replace(`${path}: `, '') }).toMatchObject({ code: 'config', ...expected });
});

test('the user file is checked like the project file', async () => {
  const { load, write } = folders();
  const path = write('home/.config/quern/config.json', '{"stoer": "x"}');
  expect(await failureOf(load())).toEqual({ code: 'config', message: `${path}: stoer is not a setting`, hint: 'did you mean store?' });
  write('home/.config/quern/config.json', '{');
  expect(await failureOf(load())).toEqual({
    code: 'config',
    message: `${path} is not a settings file`,
    hint: 'fix it, or remove it to start afresh',
  });
});

test('what is printed of a setting hides secrets', () => {
  expect(printableValue('password', 'hunter2')).toBe('(hidden)');
  expect(printableValue('oidc_pins', { project: 'project_ref', tier: 'plan' })).toBe('project: project_ref, tier: plan');
  expect(printableValue('password', undefined)).toBe('');
  expect(printableValue('url', 'https://reader:hunter2@db:8443/x')).toBe('https://reader:(hidden)@db:8443/x');
  expect(printableValue('url', 'https://reader:a%2Fb@c@db:8443')).toBe('https://reader:(hidden)@db:8443/');
  expect(printableValue('url', 'https://db:8443/?user=reader&password=hunter2#3')).toBe('https://db:8443/?(hidden)#(hidden)');
  expect(printableValue('url', 'https://reader@db:8443')).toBe('https://reader@db:8443');
  expect(printableValue('password_command', 'pass show clickhouse')).toBe('pass …');
  expect(printableValue('password_command', './password.sh')).toBe('./password.sh');
  expect(printableValue('password_command', 'KEY=hunter2 vault read')).toBe('(hidden)');
  expect(printableValue('queries', ['/a', '/b'])).toBe('/a, /b');
  expect([printableValue('cache_size', 256e6), printableValue('timeout', 90)]).toEqual(['256MB', '90s']);
});
