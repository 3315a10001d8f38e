// quern trust: a password_command of a project file runs only once the user has said so, and commands that need no engine never run one.
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, cliHome } from '../../support/run-cli.ts';
import { httpAnswer, type StrangeServer, strangeServer } from '../../support/strange-server.ts';

const home = cliHome();
const project = join(home.folder, 'quern.yaml');
const record = join(home.folder, '.config/quern/trust.json');
const ran = join(home.folder, 'ran');
/** A server that refuses every login at once. */
let server: StrangeServer;
let address: string;
const command = `touch ${ran}; echo secret`;
const HINT = `   = hint: read the file, then run \`quern trust ${project}\`; in CI and in containers, set QUERN_TRUST=1\n`;

beforeAll(async () => {
  server = await strangeServer((socket) => void socket.end(httpAnswer('403 Forbidden', '')));
  address = server.url;
});
beforeEach(() => {
  for (const path of [record, ran, join(home.folder, '.config/quern/config.json')]) rmSync(path, { force: true });
  home.write('quern.yaml', `url: ${address}\npassword_command: ${command}\n`);
});
afterAll(async () => {
  home.remove();
  await server.close();
});

/** Whether a command that asks the engine has run password_command. */
async function runsIt(options?: CliOptions): Promise<boolean> {
  rmSync(ran, { force: true });
  const { exitCode, stderr } = await home.run(['sources'], options);
  // 3: it got as far as asking the server.
  expect([exitCode, stderr.includes('refuses the login')]).toEqual(existsSync(ran) ? [3, true] : [2, false]);
  return existsSync(ran);
}

describe('a password_command of quern.yaml', () => {
  test('is not run before the file is trusted, and the error says how', async () => {
    expect(await home.run(['sources'])).toEqual({
      stdout: '',
      stderr: `error[config]: ${project} is not trusted, so its password_command (touch …) was not run\n${HINT}`,
      exitCode: 2,
    });
    expect(existsSync(ran)).toBe(false);
  });

  test('runs once the file is trusted, and no longer when it has changed', async () => {
    expect(await home.run(['trust'])).toEqual({
      stdout: '',
      stderr: `${project} is trusted until it changes\nit may run: touch …\nyour password may be sent to: ${address}\n`,
      exitCode: 0,
    });
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect(await runsIt()).toBe(true);
    home.write('quern.yaml', `url: ${address}\npassword_command: ${command}\n# one more line\n`);
    expect(await runsIt()).toBe(false);
    expect((await home.run(['sources'])).stderr).toBe(
      `error[config]: ${project} has changed since you trusted it, so its password_command (touch …) was not run\n${HINT}`,
    );
  });

  test('counts in a profile, too', async () => {
    home.write('quern.yaml', `profiles:\n  p: { url: "${address}", password_command: "${command}" }\n`);
    const sources = ['sources', '--profile', 'p'];
    expect([(await home.run(sources)).exitCode, existsSync(ran)]).toEqual([2, false]);
    await home.run(['trust']);
    expect([(await home.run(sources)).exitCode, existsSync(ran)]).toEqual([3, true]);
  });

  test('runs where QUERN_TRUST=1 says so, and only there', async () => {
    expect([await runsIt({ env: { QUERN_TRUST: '1' } }), await runsIt({ env: { QUERN_TRUST: '0' } }), await runsIt()]).toEqual([
      true,
      false,
      false,
    ]);
    expect((await home.run(['sources'], { env: { QUERN_TRUST: 'maybe' } })).stderr).toBe(
      'error[config]: the environment variable QUERN_TRUST: "maybe" is not true or false\n   = hint: set QUERN_TRUST=1, or unset it\n',
    );
  });

  test('is shown on a terminal, where the user is asked once', async () => {
    const question = `${project} wants to run a command that prints the password for ClickHouse:\n\n    ${command}\n\nTrust this file in its present form? [y/N] `;
    const refused = await home.run(['sources'], { terminal: 200, typed: '\n' });
    expect([refused.stderr.startsWith(question), refused.exitCode, existsSync(ran)]).toEqual([true, 2, false]);
    const agreed = await home.run(['sources'], { terminal: 200, typed: 'y\n' });
    expect([agreed.stderr.startsWith(question), agreed.exitCode, existsSync(ran)]).toEqual([true, 3, true]);
    expect((await home.run(['sources'], { terminal: 200, typed: '' })).stderr).not.toContain('[y/N]');
    home.write('quern.yaml', `url: ${address}\npassword_command: "${command} \\e[2K"\n`);
    expect((await home.run(['sources'], { terminal: 200, typed: 'n\n' })).stderr.split('\n').slice(0, 3)).toEqual([
      `${project} has changed since you trusted it, and wants to run a command that prints the password for ClickHouse:`,
      '',
      `    ${command} \\x1b[2K`,
    ]);
  });

  test.each<[string, CliOptions]>([
    ['in CI', { terminal: 200, typed: 'y\n', env: { CI: 'true' } }],
    ['where input is a pipe', { terminal: 200, stdin: 'y\n' }],
    ['where standard error is a file', { typed: 'y\n' }],
  ])('asks nobody %s', async (_, options) => {
    expect(await runsIt(options)).toBe(false);
  });

  test('of the environment or of the user’s own settings runs as ever', async () => {
    home.write('quern.yaml', `url: ${address}\n`);
    expect(await runsIt({ env: { QUERN_PASSWORD_COMMAND: command } })).toBe(true);
    home.write('.config/quern/config.json', JSON.stringify({ password_command: command }));
    expect(await runsIt()).toBe(true);
  });
});

describe('quern trust', () => {
  test('takes every part of a project file, and says what the file may read elsewhere', async () => {
    home.write(
      'quern.yaml',
      `names: { "p.*.*": "{2}.{3}" }
sources:
  inside: { file: data/*.csv }
  above: { file: [../orders.csv, more/a.csv] }
  rooted: { file: /srv/logs/*.ndjson }
  web: { file: "https://example.com/a.csv" }
  table: { table: shop.orders }
profiles:
  p: { database: shop }
`,
    );
    expect(await home.run(['trust'])).toEqual({
      stdout: '',
      stderr: `${project} is trusted until it changes
it may read: ../orders.csv
it may read: /srv/logs/*.ndjson
it may read: https://example.com/a.csv
`,
      exitCode: 0,
    });
  });

  test('lists what is trusted, and revokes it', async () => {
    home.write('other/quern.yaml', 'timeout: 5s\n');
    expect((await home.run(['trust', 'other'])).stderr).toBe(`${home.folder}/other/quern.yaml is trusted until it changes\n`);
    await home.run(['trust', './quern.yaml']);
    home.write('other/quern.yaml', 'timeout: 6s\n');
    expect((await home.run(['trust', '--list'])).stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')).toBe(
      `file\t${home.folder}/other/quern.yaml\tchanged since TIME\nfile\t${project}\ttrusted TIME\n`,
    );
    expect((await home.run(['trust', '--revoke'])).stderr).toBe(`${project} is no longer trusted\n`);
    expect((await home.run(['trust', '--revoke'])).stderr).toBe(`${project} was not trusted\n`);
    rmSync(join(home.folder, 'other'), { recursive: true });
    expect((await home.run(['trust', '--list'])).stdout).toContain('\tgone, trusted ');
    await home.run(['trust', '--revoke', 'other/quern.yaml']);
    expect((await home.run(['trust', '--list'])).stdout).toBe('');
  });

  test('shows the whole command to a terminal', async () => {
    expect((await home.run(['trust'], { terminal: 200 })).stderr).toContain(`it may run: ${command}\n`);
  });

  test('trusts nothing that is no project file', async () => {
    expect((await home.run(['trust', 'nowhere.yaml'])).stderr).toBe(
      `error[config]: there is no file ${home.folder}/nowhere.yaml\n   = hint: check the path; \`quern init\` creates a quern.yaml\n`,
    );
    home.write('quern.yaml', 'timeout: soon\n');
    expect((await home.run(['trust'])).exitCode).toBe(2);
    rmSync(project);
    expect((await home.run(['trust'])).stderr).toBe(
      'error[usage]: there is no quern.yaml here or above\n   = hint: name the file: quern trust FILE\n',
    );
    expect(existsSync(record)).toBe(false);
  });

  test.each([
    [
      'others may change',
      '{"version":1,"files":[],"stores":[],"hosts":[]}',
      0o666,
      /^error\[config\]: other users may change what you trust in /,
    ],
    ['is damaged', '{"version":1,"files":[{}]}', 0o600, /trust\.json is damaged\n {3}= hint: remove it to start with nothing trusted\n$/],
    ['a newer quern wrote', '{"version":2}', 0o600, /was written by a newer quern \(version 2, this quern knows 1\)\n/],
  ])('relies on no record that %s', async (_, text, mode, message) => {
    home.write('.config/quern/trust.json', text);
    chmodSync(record, mode);
    expect((await home.run(['sources'])).stderr).toMatch(message);
    expect([existsSync(ran), readFileSync(record, 'utf8')]).toEqual([false, text]);
  });
});

test.each([
  ['list'],
  ['show', 'usage.api-counts'],
  ['fmt', '--check', 'mine.sql'],
  ['lint', 'mine.sql'],
  ['explain', 'usage.api-counts'],
  ['translate', 'mine.sql'],
  ['new', 'fresh', '--queries', 'queries'],
  ['init', 'begun'],
  ['config', 'list'],
  ['config', 'get', 'password_command'],
  ['config', 'path'],
  ['config', 'schema', 'project'],
  ['completion', 'bash'],
  ['__complete', 'run', ''],
  ['keys', 'list'],
  ['cache', 'list'],
])('quern %j never runs a password_command, whosever it is', async (...argv) => {
  home.write('mine.sql', 'select 1 as one\n');
  await home.run(['trust']);
  await home.run(argv);
  expect(existsSync(ran)).toBe(false);
  home.write('quern.yaml', `url: ${address}\n`);
  await home.run(argv, { env: { QUERN_PASSWORD_COMMAND: command } });
  expect(existsSync(ran)).toBe(false);
});

test('what translates says what to do where the tables are not known', async () => {
  home.write('quern.yaml', `profiles:\n  p: { url: "${address}", password_command: "${command}" }\n`);
  home.write('mine.sql', 'select id from edge_logs\n');
  for (const argv of [
    ['lint', 'mine.sql'],
    ['explain', './mine.sql'],
    ['translate', 'mine.sql'],
  ]) {
    expect(await home.run([...argv, '--profile', 'p'], { env: { QUERN_TRUST: '1' } })).toEqual({
      stdout: '',
      stderr:
        `error[config]: the tables at ${address} have not been looked up yet; that would run password_command, which never happens just to translate a query\n` +
        '   = hint: run `quern sources --profile p` first, which looks them up and remembers them\n',
      exitCode: 2,
    });
  }
});
