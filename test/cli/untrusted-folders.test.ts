// A store and a cache that came with a checkout: quern.yaml may name them, but what is in them does not act for the user.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const bin = join(import.meta.dirname, '../../bin/quern.js');
const home = cliHome();
const at = (...names: readonly string[]): string => join(home.folder, ...names);
const EVENT = '{"id":"1","timestamp":"2026-01-01T00:00:00Z","event_message":"x"}\n';
const ROWS = { stdout: '{"id":"1"}\n', stderr: '', exitCode: 0 };

beforeAll(async () => {
  home.write('quern.yaml', 'store: store\ncache_dir: cache\n');
  home.write('ids.sql', 'select id from edge_logs\n');
  expect((await home.run(['load', 'edge_logs', '-'], { stdin: EVENT })).exitCode).toBe(0);
});
afterAll(() => home.remove());

const ids = () => home.run(['run', './ids.sql']);

test('a store that this account has made is opened, whatever becomes of quern.yaml', async () => {
  expect(await ids()).toEqual(ROWS);
  home.write('quern.yaml', 'store: store\ncache_dir: cache\n# changed\n');
  expect(await ids()).toEqual(ROWS);
});

test('a store that was there before is not opened until the file is trusted', async () => {
  cpSync(at('store'), at('copied'), { recursive: true });
  home.write('quern.yaml', 'store: copied\n');
  expect(await ids()).toEqual({
    stdout: '',
    stderr: `error[config]: ${at('quern.yaml')} names the store ${at('copied')}, which you did not create here, so it was not opened
   = hint: a store can read your files: if you trust where it comes from, read the file, then run \`quern trust ${at('quern.yaml')}\`; in CI and in containers, set QUERN_TRUST=1
`,
    exitCode: 2,
  });
  expect(await home.run(['trust'])).toMatchObject({ stderr: expect.stringContaining(`it may open the store: ${at('copied')}\n`) });
  // The engine of this process has the other folder: one process can only open one.
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, 'run', './ids.sql'], {
    cwd: home.folder,
    env: { PATH: process.env['PATH'], HOME: home.folder },
    encoding: 'utf8',
  });
  expect({ stdout, stderr, exitCode: status }).toEqual(ROWS);
  expect(await home.run(['run', './ids.sql', '--store', at('store')])).toEqual(ROWS);
});

test('a plan that came with the cache is not run', async () => {
  home.write('quern.yaml', 'store: store\ncache_dir: cache\n');
  rmSync(at('.cache'), { recursive: true, force: true });
  expect(await ids()).toEqual(ROWS);
  expect(existsSync(at('cache/plans'))).toBe(false);
  const [name = ''] = readdirSync(at('.cache/quern/plans'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.plan'));
  const text = readFileSync(at('.cache/quern/plans', name), 'utf8');
  const { statement: _, ...prepared } = JSON.parse(text.slice(text.indexOf('\n') + 1));
  const forged = JSON.stringify({ ...prepared, sql: `SELECT file('${at('quern.yaml')}') AS id` });
  cpSync(at('.cache/quern/plans'), at('cache/plans'), { recursive: true });
  writeFileSync(at('cache/plans', name), `${createHash('sha256').update(forged).digest('hex')}\n${forged}`);
  expect(await ids()).toEqual(ROWS);
});
