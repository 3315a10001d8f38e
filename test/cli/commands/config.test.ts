// quern config: the user's own settings are changed and looked up; the schemas accept what quern reads.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
const file = join(home.folder, '.config/quern/config.json');
beforeEach(() => void home.write('.config/quern/config.json', '{"timeout": "5s"}'));
afterAll(() => home.remove());

const get = async (name: string) => (await home.run(['config', 'get', name])).stdout;

describe('quern config', () => {
  test('set writes what get finds, paths from where they are written', async () => {
    expect(await home.run(['config', 'set', 'timeout', '2m'])).toEqual({ stdout: '', stderr: `written to ${file}\n`, exitCode: 0 });
    await home.run(['config', 'set', 'store', './logs']);
    await home.run(['config', 'set', 'no-color', 'yes']);
    await home.run(['config', 'set', 'queries', 'a', 'b']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      timeout: '2m',
      store: join(home.folder, 'logs'),
      no_color: true,
      queries: [join(home.folder, 'a'), join(home.folder, 'b')],
    });
    expect([await get('timeout'), await get('store'), await get('max_memory')]).toEqual(['2m\n', `${join(home.folder, 'logs')}\n`, '\n']);
  });

  test('set leaves fields alone that it does not know, and unset removes one', async () => {
    home.write('.config/quern/config.json', '{"timeout": "5s", "of_the_future": {"a": [1]}}');
    await home.run(['config', 'set', 'format', 'csv']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ version: 1, timeout: '5s', of_the_future: { a: [1] }, format: 'csv' });
    expect((await home.run(['config', 'unset', 'timeout'])).stderr).toBe(`removed from ${file}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ version: 1, of_the_future: { a: [1] }, format: 'csv' });
  });

  test('set says when something else goes before what it wrote', async () => {
    const { stderr } = await home.run(['config', 'set', 'timeout', '9s'], { env: { QUERN_TIMEOUT: '1s' } });
    expect(stderr).toBe(`written to ${file}\nnote: timeout is also set by environment QUERN_TIMEOUT, which overrides it here\n`);
  });

  test.each([
    [['set', 'timout', '1s'], 'error[usage]: timout is not a setting\n   = hint: did you mean timeout?\n'],
    [
      ['set', 'timeout', 'soon'],
      'error[usage]: timeout: "soon" is not a duration such as 30s, 15m or 1h\n   = hint: see its description with `quern config list`\n',
    ],
    [
      ['set', 'password', 'geheim'],
      'error[usage]: password is a secret, which does not belong in a file\n   = hint: set the environment variable CLICKHOUSE_PASSWORD, or the setting password_command\n',
    ],
    [
      ['get', 'access_token'],
      'error[usage]: access_token is a secret and is never printed\n   = hint: it comes from CLICKHOUSE_ACCESS_TOKEN\n',
    ],
    [['schema', 'projet'], 'error[usage]: there is no schema "projet"\n   = hint: did you mean project?\n'],
    [['sett', 'a', 'b'], "error[usage]: unknown command 'sett'\n   = hint: did you mean set?\n"],
  ])('%j is refused, and the file stays', async (argv, stderr) => {
    expect(await home.run(['config', ...argv])).toEqual({ stdout: '', stderr, exitCode: 2 });
    expect(readFileSync(file, 'utf8')).toBe('{"timeout": "5s"}');
  });

  test('path tells where the files are, and list where values come from', async () => {
    expect((await home.run(['config', 'path'])).stdout).toBe(`project\t${join(home.folder, 'quern.yaml')}\t(not there)\nuser\t${file}\n`);
    const { stdout } = await home.run(['config', 'list', '--origin', '--format', 'csv']);
    expect(stdout.split('\n').find((line) => line.startsWith('"timeout'))).toBe(`"timeout","5s","user ${file}"`);
  });
});

describe('the schemas', () => {
  const validator = async (kind: string) => {
    const schema: object = JSON.parse((await home.run(['config', 'schema', kind])).stdout);
    return new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);
  };

  test('accept the project files of the documentation and of init, and refuse typing errors', async () => {
    const valid = await validator('project');
    await home.run(['init', 'made']);
    const made = readFileSync(join(home.folder, 'made/quern.yaml'), 'utf8');
    const uncommented = made.replace(/^# (?= *[a-z_]+:(?: |$))/gm, '');
    const pages = ['servers.md', 'sources.md'].flatMap((page) =>
      [...readFileSync(join(import.meta.dirname, '../../../docs', page), 'utf8').matchAll(/```yaml.*\n([\s\S]*?)```/g)].map(
        ([, text]) => text ?? '',
      ),
    );
    expect(pages.length).toBeGreaterThan(1);
    for (const text of [made, uncommented, ...pages.filter((page) => !page.includes('checks:'))]) {
      expect({ text, valid: valid(parse(text)), errors: valid.errors }).toEqual({ text, valid: true, errors: null });
    }
    for (const text of [
      'timout: 1s',
      'timeout: 10',
      'password: x',
      'sources: { a: { tabel: b } }',
      'profiles: { p: { urll: x } }',
      'format: xml',
    ])
      expect([text, valid(parse(text))]).toEqual([text, false]);
  });

  test('accept the checks of the documentation, and refuse what the reader refuses', async () => {
    const valid = await validator('checks');
    const page = readFileSync(join(import.meta.dirname, '../../../docs/checks.md'), 'utf8');
    const files = [...page.matchAll(/```yaml checks.*\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(files.length).toBeGreaterThan(1);
    for (const text of files)
      expect({ text, valid: valid(parse(text)), errors: valid.errors }).toEqual({ text, valid: true, errors: null });
    for (const text of [
      'chekcs: []',
      'checks: [{ assertions: [n > 0] }]',
      'checks: [{ query: a, assertions: [] }]',
      'checks: [{ query: a, asserts: [n > 0], assertions: [n > 0] }]',
      'checks: [{ query: a, assertions: [{ uniqe: id }] }]',
    ])
      expect([text, valid(parse(text))]).toEqual([text, false]);
  });

  test('accept the headers that ship, and refuse what the reader refuses', async () => {
    const valid = await validator('query');
    const folder = join(import.meta.dirname, '../../../queries');
    for (const name of readdirSync(folder)) {
      const header = /\/\*---\n([\s\S]*?)---\*\//.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? '';
      expect({ name, valid: valid(parse(header)), errors: valid.errors }).toEqual({ name, valid: true, errors: null });
    }
    const id = 'id: 2b6e2c6a-40e5-4a53-9b6f-1b4e0a3b2c11';
    for (const rest of [
      'cach: 1s',
      'cache: 900',
      'params: { a: { type: strin } }',
      'params: { a: { typ: string } }',
      'max_rows: 0',
      'checks: [ { uniqe: id } ]',
    ])
      expect([rest, valid(parse(`${id}\n${rest}`))]).toEqual([rest, false]);
    expect(
      valid(
        parse(
          `${id}\nchecks:\n  - count(*) > 0\n  - { freshness: { column: t, within: 1h }, severity: warn }\n  - { params: { a: 1 }, assertions: [x > 1] }`,
        ),
      ),
    ).toBe(true);
  });
});
