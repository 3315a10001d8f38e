// Profiles of quern.yaml: sets of settings under a name.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings, type SettingsRequest } from '../../src/config/load.ts';
import { printableValue } from '../../src/config/shown-value.ts';
import { failureOf } from '../support/told.ts';

const YAML = `timeout: 10s
profiles:
  staging:
    url: https://staging.example:8443
    timeout: 20s
  production:
    url: https://db.example:8443
    user: reader
    ca_file: certificates/ca.pem
    headers: { X-Team: data }
    server_settings: { max_threads: 4, use_uncompressed_cache: true }
`;

function project(yaml = YAML) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'quern-profiles-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, 'home'));
  const file = join(cwd, 'quern.yaml');
  writeFileSync(file, yaml);
  const load = (request: Partial<SettingsRequest> = {}) =>
    loadSettings({ flags: {}, cwd, platform: 'linux', ...request, env: { HOME: join(cwd, 'home'), ...request.env } });
  return { cwd, file, load };
}

test('a profile gives its settings, and leaves the others to quern.yaml', async () => {
  const { cwd, file, load } = project();
  const { values, origins } = await load({ flags: { profile: 'production' } });
  expect([values.url, values.user, values.timeout]).toEqual(['https://db.example:8443', 'reader', 10]);
  expect(values.ca_file).toBe(join(cwd, 'certificates/ca.pem'));
  expect([values.headers, values.server_settings]).toEqual([{ 'X-Team': 'data' }, { max_threads: '4', use_uncompressed_cache: '1' }]);
  expect(origins.url).toEqual({ from: 'profile', where: `${file}, profile production` });
  expect([printableValue('headers', values.headers), printableValue('server_settings', values.server_settings)]).toEqual([
    'X-Team: (hidden)',
    'max_threads: 4, use_uncompressed_cache: 1',
  ]);
});

test('without a profile none of them counts', async () => {
  const { values } = await project().load();
  expect([values.profile, values.url, values.timeout]).toEqual([undefined, undefined, 10]);
});

test('a profile named on the command line goes before the environment, one named elsewhere after it', async () => {
  const env = { CLICKHOUSE_URL: 'http://other.example:8123', CLICKHOUSE_USER: 'shell' };
  const named = await project().load({ env, flags: { profile: 'staging' } });
  expect([named.values.url, named.values.user]).toEqual(['https://staging.example:8443', 'shell']);
  const fromEnvironment = await project().load({ env: { ...env, QUERN_PROFILE: 'staging' } });
  expect([fromEnvironment.values.url, fromEnvironment.values.timeout]).toEqual(['http://other.example:8123', 20]);
  const fromFile = await project(`profile: staging\n${YAML}`).load();
  expect(fromFile.values.url).toBe('https://staging.example:8443');
});

test('a profile that is not there is an error that names the ones that are', async () => {
  expect(await failureOf(project().load({ flags: { profile: 'prodution' } }))).toEqual({
    code: 'usage',
    message: '--profile: there is no profile "prodution"',
    hint: 'did you mean production?',
  });
  expect(await failureOf(project().load({ env: { QUERN_PROFILE: 'x' } }))).toEqual({
    code: 'config',
    message: 'QUERN_PROFILE: there is no profile "x"',
    hint: 'the profiles are staging, production',
  });
});

test('what does not fit in a profile is an error with its place', async () => {
  const { file, load } = project('profiles:\n  a:\n    urll: http://x\n    password: p\n  b: { timeout: soon }\n  c: none\n');
  expect(await failureOf(load({ flags: { profile: 'a' } }))).toEqual({
    code: 'config',
    message: `${file} has 4 problems`,
    at: '3:5',
    problems: [
      'line 3 | profiles.a.urll | is not a setting (did you mean url?)',
      'line 4 | profiles.a.password | does not belong in a file (set the environment variable CLICKHOUSE_PASSWORD instead)',
      'line 5 | profiles.b.timeout | "soon" is not a duration such as 30s, 15m or 1h',
      'line 6 | profiles.c | must contain settings',
    ],
  });
});

test('a profile may be empty', async () => {
  const { values } = await project('timeout: 10s\nprofiles:\n  a:\n').load({ flags: { profile: 'a' } });
  expect([values.profile, values.timeout]).toEqual(['a', 10]);
});
