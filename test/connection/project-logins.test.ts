// A server that only quern.yaml names gets the user's secrets as ever, and the user is told once for each server.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CliOptions, cliHome } from '../support/run-cli.ts';
import { httpAnswer, type StrangeServer, strangeServer } from '../support/strange-server.ts';

const home = cliHome();
const project = join(home.folder, 'quern.yaml');
const user = join(home.folder, '.config/quern/config.json');
let servers: readonly StrangeServer[];
let heard: string[] = [];

beforeAll(async () => {
  const refusing = () =>
    strangeServer((socket, _, request) => {
      heard.push(request);
      socket.end(httpAnswer('403 Forbidden', ''));
    });
  servers = [await refusing(), await refusing()];
});
beforeEach(() => {
  rmSync(join(home.folder, '.config'), { recursive: true, force: true });
  heard = [];
  name();
});
afterAll(async () => {
  for (const server of servers) await server.close();
  home.remove();
});

const host = (i = 0): string => (servers[i]?.url ?? '').replace('http://', '');
const name = (i = 0, more = '') => home.write('quern.yaml', `url: ${servers[i]?.url}\n${more}`);
const PASSWORD = { env: { CLICKHOUSE_PASSWORD: 'kept secret' } };

/** The notes of a command that asks the server. */
async function notes(options?: CliOptions, ...flags: readonly string[]): Promise<readonly string[]> {
  const { stderr, exitCode } = await home.run(['sources', ...flags], options);
  expect(exitCode).toBe(3);
  return stderr.split('\n').filter((line) => line.startsWith('note: '));
}
const note = (what: string, i = 0): string => `note: sending ${what} to ${host(i)}, as ${project} says; this note appears once per server`;

test('the password of the environment goes to it, and is told of once for each server', async () => {
  expect(await notes(PASSWORD)).toEqual([note('the password in CLICKHOUSE_PASSWORD')]);
  expect(heard[0]).toContain(`Basic ${Buffer.from('default:kept secret').toString('base64')}`);
  expect(await notes(PASSWORD)).toEqual([]);
  name(1);
  expect(await notes(PASSWORD)).toEqual([note('the password in CLICKHOUSE_PASSWORD', 1)]);
  expect((await home.run(['trust', '--list'])).stdout.split('\n').filter((line) => line.startsWith('server\t'))).toHaveLength(2);
});

test('a server that a profile of the file names is no other', async () => {
  home.write('quern.yaml', `profiles: { p: { url: "${servers[0]?.url}" } }\n`);
  expect(await notes(PASSWORD, '--profile', 'p')).toEqual([note('the password in CLICKHOUSE_PASSWORD')]);
});

test.each<[string, CliOptions, string]>([
  ['a token', { env: { CLICKHOUSE_ACCESS_TOKEN: 'kept.secret.x', CLICKHOUSE_PASSWORD: 'unused' } }, 'the token in CLICKHOUSE_ACCESS_TOKEN'],
  [
    'headers beside a password',
    { env: { QUERN_HEADERS: '{"X-Key": "kept secret"}', CLICKHOUSE_PASSWORD: 'p' } },
    'the password in CLICKHOUSE_PASSWORD and the headers in QUERN_HEADERS',
  ],
  ['a password that a command prints', { env: { QUERN_PASSWORD_COMMAND: 'echo secret' } }, 'the password from QUERN_PASSWORD_COMMAND'],
])('%s of the user is told of', async (_, options, what) => {
  expect(await notes(options)).toEqual([note(what)]);
});

test('so are secrets of the user’s own settings', async () => {
  home.write('.config/quern/config.json', JSON.stringify({ password_command: 'echo secret', headers: { 'X-Key': 'kept' } }));
  expect(await notes()).toEqual([note(`the password from ${user} and the headers in ${user}`)]);
});

test('nothing is told where nothing of the user’s goes to a server that the file alone names', async () => {
  expect(await notes()).toEqual([]);
  name(0, 'headers: { X-Team: data }\n');
  expect(await notes()).toEqual([]);
  expect(await notes({ env: { ...PASSWORD.env, CLICKHOUSE_URL: servers[0]?.url ?? '' } })).toEqual([]);
  expect(await notes(PASSWORD, '--url', servers[0]?.url ?? '')).toEqual([]);
  home.write('quern.yaml', `url: ${servers[0]?.url.replace('//', '//reader:theirs@')}\n`);
  expect(await notes(PASSWORD)).toEqual([]);
});

test('a trusted file, QUERN_TRUST=1 and --quiet silence it, and what was left unsaid is said another time', async () => {
  expect(await notes({ env: { ...PASSWORD.env, QUERN_TRUST: '1' } })).toEqual([]);
  expect(await notes(PASSWORD, '--quiet')).toEqual([]);
  await home.run(['trust']);
  expect(await notes(PASSWORD)).toEqual([]);
  await home.run(['trust', '--revoke']);
  expect(await notes(PASSWORD)).toEqual([note('the password in CLICKHOUSE_PASSWORD')]);
});

test('it is told before anything is sent', async () => {
  let heardBefore = -1;
  await notes({
    ...PASSWORD,
    onStderr: (text) => {
      if (text.startsWith('note: sending')) heardBefore = heard.length;
    },
  });
  expect([heardBefore, heard.length > 0]).toEqual([0, true]);
});

test('queries are sent read-only, whatever the file says', async () => {
  name(0, 'server_settings: { readonly: 0 }\n');
  expect((await home.run(['sources'])).stderr).toBe(
    `error[config]: server_settings of ${project}: readonly cannot be set, since queries never write\n   = hint: leave it out\n`,
  );
});
