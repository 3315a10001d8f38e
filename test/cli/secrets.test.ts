// No secret is ever printed: every setting that may hold one, in every way it can be given, right or wrong, in what commands say of it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, cliHome } from '../support/run-cli.ts';
import { httpAnswer, type StrangeServer, strangeServer } from '../support/strange-server.ts';

const SECRET = 'hunter2hunter2';
const home = cliHome();
let server: StrangeServer;

beforeAll(async () => {
  // It says what it was sent, as proxies that complain may do.
  server = await strangeServer((socket, _, request) => {
    const key = /^x-key: (.*)$/im.exec(request)?.[1] ?? '';
    const login = Buffer.from(/^authorization: (?:Basic|Bearer) (.*)$/im.exec(request)?.[1] ?? '', 'base64').toString();
    socket.end(httpAnswer('400 Bad Request', `no such key: ${key} ${login}`));
  });
});
beforeEach(() => {
  for (const name of ['quern.yaml', '.config', '.cache']) rmSync(join(home.folder, name), { recursive: true, force: true });
  home.write('mine.sql', 'select id from edge_logs\n');
});
afterAll(async () => {
  await server.close();
  home.remove();
});

const commandsAbout = (setting: string): readonly (readonly string[])[] => [
  ['run', './mine.sql', '--no-cache', '--verbose'],
  ['doctor', '--verbose'],
  ['config', 'list', '--verbose'],
  ['config', 'list', '--format', 'json'],
  ['config', 'get', setting],
  ['lint', 'mine.sql', '--json-errors'],
  ['explain', './mine.sql'],
  ['serve', '--no-auth', '--port', '0', '--log-level', 'debug'],
];

interface Given extends CliOptions {
  readonly flags?: readonly string[];
}

/** The setting in the environment, in the user's own settings, in quern.yaml, and in a profile of it. */
function ways(
  setting: string,
  variable: string,
  value: unknown,
  others: Readonly<Record<string, string>> = {},
): readonly (readonly [string, () => Given])[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const yaml = JSON.stringify(value);
  const env = { ...others, QUERN_TRUST: '1' };
  const file = (name: string, content: string, given: Given = { env }): Given => {
    home.write(name, content);
    return given;
  };
  return [
    ['the environment', () => ({ env: { ...env, [variable]: text } })],
    ['the user’s settings', () => file('.config/quern/config.json', JSON.stringify({ [setting]: value }))],
    ['quern.yaml', () => file('quern.yaml', `${setting}: ${yaml}\n`)],
    ['a profile', () => file('quern.yaml', `profiles:\n  p:\n    ${setting}: ${yaml}\n`, { env, flags: ['--profile', 'p'] })],
    [
      'a profile on one line',
      () => file('quern.yaml', `profiles: { p: { timeot: 1s, ${setting}: ${yaml} } }\n`, { env, flags: ['--profile', 'p'] }),
    ],
    ['a flag', () => ({ env, flags: [`--${setting.replaceAll('_', '-')}`, text] })],
    ['a flag in one word', () => ({ env, flags: [`--${setting.replaceAll('_', '-')}=${text}`] })],
  ];
}

/** The lines that hold the secret. */
async function printedBy({ flags = [], ...options }: Given, commands = commandsAbout('url')): Promise<readonly string[]> {
  const found: string[] = [];
  for (const command of commands) {
    let stop: () => void = () => undefined;
    const { stdout, stderr } = await home.run([...command, ...flags], {
      ...options,
      onListen: (interrupt) => {
        stop = interrupt;
      },
      onStderr: (text) => text.startsWith('listening on') && stop(),
    });
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(SECRET));
    found.push(...lines.map((line) => `${command.join(' ')}: ${line}`));
  }
  return found;
}

const url = (): string => server.url;
const CASES: readonly (readonly [string, string, string, () => unknown])[] = [
  ['a password in the address', 'url', 'CLICKHOUSE_URL', () => url().replace('//', `//reader:${SECRET}@`)],
  ['a password with an @ in the address', 'url', 'CLICKHOUSE_URL', () => url().replace('//', `//reader:a@${SECRET}@`)],
  ['a password with a slash in the address', 'url', 'CLICKHOUSE_URL', () => url().replace('//', `//reader:1/${SECRET}@`)],
  ['a password with a # in the address', 'url', 'CLICKHOUSE_URL', () => url().replace('//', `//reader:1#${SECRET}@`)],
  ['a password behind a question mark', 'url', 'CLICKHOUSE_URL', () => `${url()}/?user=reader&password=${SECRET}`],
  ['an address without http', 'url', 'CLICKHOUSE_URL', () => `reader:${SECRET}@127.0.0.1:8123`],
  ['an address of another protocol', 'url', 'CLICKHOUSE_URL', () => `clickhouse://reader:${SECRET}@127.0.0.1`],
  ['an address with a port that is none', 'url', 'CLICKHOUSE_URL', () => `http://reader:${SECRET}@127.0.0.1:port`],
  ['a list of addresses', 'url', 'CLICKHOUSE_URL', () => [`http://reader:${SECRET}@127.0.0.1`]],
  ['a password in place of the address', 'url', 'CLICKHOUSE_URL', () => SECRET],
  ['a password', 'password', 'CLICKHOUSE_PASSWORD', () => SECRET],
  ['a password with a line break', 'password', 'CLICKHOUSE_PASSWORD', () => `a\n${SECRET}`],
  ['a password that is a list', 'password', 'CLICKHOUSE_PASSWORD', () => [SECRET]],
  ['a password under a mistyped name', 'passwrod', 'CLICKHOUSE_PASSWROD', () => SECRET],
  ['a token', 'access_token', 'CLICKHOUSE_ACCESS_TOKEN', () => SECRET],
  ['a token with a line break', 'access_token', 'CLICKHOUSE_ACCESS_TOKEN', () => `a\n${SECRET}`],
  ['a password in the address of Redis', 'redis_url', 'QUERN_REDIS_URL', () => `redis://reader:${SECRET}@127.0.0.1:1`],
  ['a password of Redis with a slash that is not encoded', 'redis_url', 'QUERN_REDIS_URL', () => `redis://reader:1/${SECRET}@127.0.0.1`],
  ['an address of Redis without a protocol', 'redis_url', 'QUERN_REDIS_URL', () => `reader:${SECRET}@127.0.0.1:1`],
  ['a password of Redis', 'redis_password', 'QUERN_REDIS_PASSWORD', () => SECRET],
  ['headers', 'headers', 'QUERN_HEADERS', () => ({ 'X-Key': SECRET })],
  ['a header with a line break', 'headers', 'QUERN_HEADERS', () => ({ 'X-Key': `a\n${SECRET}` })],
  ['headers that are text', 'headers', 'QUERN_HEADERS', () => `X-Key: ${SECRET}`],
  ['headers that are broken JSON', 'headers', 'QUERN_HEADERS', () => `{"X-Key": "${SECRET}`],
  ['headers that are a list', 'headers', 'QUERN_HEADERS', () => [SECRET]],
  ['headers of lists', 'headers', 'QUERN_HEADERS', () => ({ 'X-Key': [SECRET] })],
  ['a command that prints it', 'password_command', 'QUERN_PASSWORD_COMMAND', () => `echo ${SECRET}`],
  ['a command that fails', 'password_command', 'QUERN_PASSWORD_COMMAND', () => `false ${SECRET}`],
  ['a command that prints it to standard output, and fails', 'password_command', 'QUERN_PASSWORD_COMMAND', () => `echo ${SECRET}; exit 3`],
  ['a command with a variable before it', 'password_command', 'QUERN_PASSWORD_COMMAND', () => `KEY=${SECRET} true`],
  ['a command that is a list', 'password_command', 'QUERN_PASSWORD_COMMAND', () => ['echo', SECRET]],
];

/** Settings are read in one place, whatever the command: each way is tried with all commands for every seventh case, and with the first few for all. */
const WAYS = 7;
const FEW_COMMANDS = 3;

describe.each(CASES.map((one, turn) => [...one, turn] as const))('%s', (_, setting, variable, value, turn) => {
  test('is not printed', async () => {
    const others: Readonly<Record<string, string>> = setting === 'url' ? {} : { CLICKHOUSE_URL: url() };
    const all = commandsAbout(setting);
    for (const [i, [way, given]] of ways(setting, variable, value(), others).entries())
      expect([way, await printedBy(given(), i === turn % WAYS ? all : all.slice(0, FEW_COMMANDS))]).toEqual([way, []]);
  });
});

test.each([
  ['text instead of settings', SECRET],
  ['a list', `- ${SECRET}`],
  ['variables instead of settings', `CLICKHOUSE_PASSWORD=${SECRET}\n`],
  ['a quotation mark that is not closed', `password: "${SECRET}\n`],
  ['a colon too many', `password: ${SECRET}: x\n`],
  ['a bracket that is not closed', `{ password: ${SECRET}, queries: [a`],
  ['a name for a value', `password: &${SECRET} x\n`],
  ['a name that stands for no value', `password: *${SECRET}\n`],
  ['a tag', `password: !${SECRET} x\n`],
  ['a block of text', `password: |${SECRET}\n  x\n`],
  ['a value on the next line', `password:\n  ${SECRET}\nqueries: [`],
  ['a value on the next line, without a space', `password:\n${SECRET}\n`],
  ['a header that is not indented enough', `headers:\n  X-Team: a\n X-Key: ${SECRET}\n`],
  ['a header that is not YAML', `headers:\n  X-Key: ${SECRET}: x\n`],
  ['an address in the wrong place', `profiles: { p: "http://reader:${SECRET}@127.0.0.1" }\n`],
  ['a profile that is text', `profiles:\n  p: "http://reader:${SECRET}@127.0.0.1"\n`],
  ['a password of a source', `sources:\n  edge_logs: { table: a.b, url: "http://reader:${SECRET}@127.0.0.1" }\n`],
  ['a name of another program', `clickhouse:\n  secret: ${SECRET}\ntimeout: soon\n`],
  ['a mistake beside it', `{ timeout: soon, password: ${SECRET} }\n`],
  ['keys that are lists', `? [${SECRET}]\n: x\n`],
])('a quern.yaml with %s shows no secret', async (_, text) => {
  home.write('quern.yaml', text);
  expect(await printedBy({ flags: ['--profile', 'p'] })).toEqual([]);
});

test('the user’s own settings show none where they are broken', async () => {
  home.write('.config/quern/config.json', `{"headers": {"X-Key": ${SECRET}}}`);
  expect(await printedBy({})).toEqual([]);
});

test.each(['url', 'password', 'access_token', 'headers', 'password_command', 'passwrod'])(
  'quern config set %s does not repeat it',
  async (name) => {
    for (const value of [`http://u:${SECRET}@h:port`, `{"X-Key": "${SECRET}`, SECRET]) {
      for (const words of [[value], [value, value]]) {
        const { stdout, stderr } = await home.run(['config', 'set', name, ...words, '--verbose']);
        expect(stdout + stderr).not.toContain(SECRET);
      }
    }
  },
);

test('what is left of a line shows where the mistake is', async () => {
  home.write('quern.yaml', `timeout: 5s\npassword: ${SECRET}\n`);
  expect((await home.run(['list'])).stderr).toBe(
    `error[config]: password does not belong in a file
  --> ${home.folder}/quern.yaml:2:1
   |
 2 | password: …
   | ^^^^^^^^
   = hint: set the environment variable CLICKHOUSE_PASSWORD instead
`,
  );
  home.write('quern.yaml', `profiles:\n  p: { url: "db:8123", timeout: 5s }\n`);
  expect((await home.run(['list', '--profile', 'p'])).stderr).toBe(
    `error[config]: profiles.p.url: its value is not an http:// or https:// address
  --> ${home.folder}/quern.yaml:2:8
   |
 2 |   p: { url: …
   |        ^^^
`,
  );
});
