// ClickHouse SQL of a saved query against both engines: no text reads a file, or what else is not the author's; and ordinary SQL runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { HIGHER_ORDER_FUNCTIONS, isFunction, isOutOfReach } from '../../src/queries/clickhouse/functions.ts';
import { checkClickHouse } from '../../src/queries/clickhouse/text.ts';
import { parseSavedQuery } from '../../src/queries/header/header.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { type CliHome, cliHome } from '../support/run-cli.ts';
import { harmless, leftToTheEngine, MARKER, otherAttempts, readsOf } from './clickhouse-attacks.ts';
import { queryText } from './support.ts';

/** Stands for the file in the titles of tests. */
const FILE = '/tmp/secret.csv';
let home: CliHome;
let file: string;
beforeAll(() => {
  home = cliHome();
  home.write('secret.csv', `${MARKER}-4711\n`);
  file = join(home.folder, 'secret.csv');
});
afterAll(() => home.remove());

async function run(sql: string, ...flags: readonly string[]) {
  home.write('attack.sql', queryText(1, sql, 'dialect: clickhouse'));
  return home.run(['run', './attack.sql', '--format', 'json', '--no-cache', '--timeout', '10s', ...flags]);
}

describe('quern run with ClickHouse SQL', () => {
  test.each([...readsOf(FILE), ...otherAttempts(FILE)])('%s is refused before the engine sees it', async (text) => {
    const { stdout, stderr, exitCode } = await run(text.replaceAll(FILE, file));
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error\[(?:unsupported|syntax|parameter)\]/m);
    expect(stderr).not.toContain(MARKER);
    expect(exitCode).not.toBe(0);
    expect(existsSync(`${file}.out`)).toBe(false);
  });

  test.each(leftToTheEngine(FILE))('%s reads nothing', async (text) => {
    const { stdout, stderr } = await run(text.replaceAll(FILE, file));
    expect(stdout + stderr).not.toContain(MARKER);
  });
});

describe('the embedded engine in read-only mode', () => {
  let engine: EmbeddedEngine;
  beforeAll(async () => {
    engine = await openEmbedded({ path: join(home.folder, 'bare') });
  });
  afterAll(() => engine.close());
  const rows = async (sql: string) => (await engine.execute({ sql, bindings: [], settings: {} })).rows;

  test.each(harmless)('runs %s', async (text) => {
    const { sql } = checkClickHouse(parseSavedQuery({ name: 'q.sql', text: queryText(1, text, 'dialect: clickhouse') }, 'q'));
    expect(await rows(`SELECT * FROM (\n${sql}\n)`)).toEqual(expect.any(Array));
  });

  test('reads the file for each of these texts: nothing but the check of the text stands before it', async () => {
    for (const text of readsOf(FILE)) {
      const answer = rows(`SELECT * FROM (\n${text.replaceAll(FILE, file)}\n)`).then(JSON.stringify, String);
      expect([text, await answer]).toEqual([text, expect.stringContaining(MARKER)]);
    }
  });

  test('has no function that is neither allowed nor left out on purpose', async () => {
    const names = (await rows('SELECT lower(name) FROM system.functions')).map(([name]) => String(name));
    const undecided = names.filter((name) => !name.startsWith('_') && isFunction(name) === isOutOfReach(name));
    expect(names.length).toBeGreaterThan(1500);
    expect(undecided).toEqual([]);
  });

  test('has no other functions that call one by its name', async () => {
    const names = await rows('SELECT lower(name) FROM system.functions WHERE higher_order');
    expect(names.map(([name]) => name).sort()).toEqual([...HIGHER_ORDER_FUNCTIONS].sort());
  });
});

describe('a server that lets its login read files', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    const login = { password: '', networks: { ip: '127.0.0.1' }, quota: 'default' };
    server = await startClickHouse({
      config: { user_files_path: home.folder, timezone: 'Etc/UTC' },
      profiles: { open: { readonly: 2 } },
      users: { default: { ...login, profile: 'default' }, open: { ...login, profile: 'open' } },
    });
  });
  afterAll(() => server.stop());

  test('would read them', async () => {
    const sql = `SELECT arrayMap(file, ['${file}']), (SELECT any(line) FROM file('${file}', 'LineAsString'))`;
    expect(await server.run(sql, 'open')).toContain(MARKER);
  });

  test.each(['default', 'open'])('gives none of them to quern as %s', async (user) => {
    for (const text of [readsOf, otherAttempts, leftToTheEngine].flatMap((texts) => texts(file))) {
      const { stdout, stderr, exitCode } = await run(text, '--url', server.url, '--user', user);
      expect(`${text} gives ${stdout}${stderr}`).not.toContain(MARKER);
      expect([text, exitCode]).not.toEqual([text, 0]);
    }
  });

  test('runs ordinary SQL', async () => {
    for (const sql of harmless) expect([sql, await run(sql, '--url', server.url)]).toMatchObject([sql, { exitCode: 0 }]);
  });
});
