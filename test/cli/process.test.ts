// The built command as a process: what only a real process shows.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ndjson } from './commands/events.ts';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'bin/quern.js');
const home = mkdtempSync(join(tmpdir(), 'quern-process-'));
const env = { PATH: process.env['PATH'], HOME: home };
const quern = (...argv: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...argv], { cwd: home, env, encoding: 'utf8' });
  return { stdout, stderr, status };
};
const header = (id: number, fields: string) => `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab${id}\n${fields}\n---*/\n`;

beforeAll(() => {
  if (!existsSync(join(root, 'dist/cli.cjs')))
    spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types'], { stdio: 'inherit' });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the built command', () => {
  test('prints its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(quern('--version')).toEqual({ stdout: `${version}\n`, stderr: '', status: 0 });
  });

  test('finds the queries that ship, wherever it is called', () => {
    expect(quern('show', 'usage.api-counts', '--sql').stdout).toBe(readFileSync(join(root, 'queries/usage.api-counts.sql'), 'utf8'));
  });

  test('loads, runs, and answers again from the cache', () => {
    writeFileSync(join(home, 'events.ndjson'), ndjson);
    expect(quern('load', 'edge_logs', 'events.ndjson').status).toBe(0);
    const window = ['--interval', 'daily', '--as-of', '2026-01-15T12:00:00Z'];
    const run = ['run', 'usage.api-counts', '--project', 'demo', ...window, '--format', 'csv'];
    const names = 'timestamp,total_rest_requests,total_storage_requests,total_auth_requests,total_realtime_requests';
    const first = quern(...run);
    expect(first).toEqual({ stdout: `${names}\n2026-01-15T00:00:00,2,0,1,0\n`, stderr: '', status: 0 });
    expect(quern(...run)).toEqual(first);
    expect(quern('cache', 'list', '--format', 'ndjson', '--quiet').stdout.split('\n')).toHaveLength(2);
  });

  test('ends quietly when its reader has had enough', () => {
    writeFileSync(join(home, 'many.sql'), `${header(10, 'max_rows: 100000')}select n from unnest(generate_array(1, 100000)) as n`);
    const script = `set -o pipefail; "${process.execPath}" "${bin}" run many.sql | head -1`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: home, env, encoding: 'utf8' });
    expect({ stdout, stderr, status }).toEqual({ stdout: '{"n":1}\n', stderr: '', status: 0 });
  });

  test.skipIf(!existsSync('/dev/full'))('says that the disk is full, and leaves a device where it is', () => {
    writeFileSync(join(home, 'one.sql'), 'select 1 as one');
    const redirected = spawnSync('bash', ['-c', `"${process.execPath}" "${bin}" run one.sql > /dev/full`], {
      cwd: home,
      env,
      encoding: 'utf8',
    });
    expect([redirected.status, redirected.stderr]).toEqual([
      2,
      'error[usage]: standard output cannot be written: the disk is full\n   = hint: send it elsewhere\n',
    ]);
    const piped = spawnSync('bash', ['-c', `"${process.execPath}" "${bin}" run one.sql --output /dev/stdout | cat`], { cwd: home, env });
    expect(piped.stdout.toString()).toBe('{"one":1}\n');
    // As root a file renamed to /dev/null would take the device's place.
    expect(quern('run', 'one.sql', '--output', '/dev/null').status).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('Ctrl-C cancels the query', async () => {
    const slow = 'select max(sipHash64(number)) as n from numbers(1000000000000)';
    writeFileSync(join(home, 'slow.sql'), `${header(11, 'dialect: clickhouse')}${slow}`);
    const child = spawn(process.execPath, [bin, 'run', 'slow.sql', '--store', 'other'], { cwd: home, env });
    const err: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => err.push(chunk));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    // The store's manifest appears when the engine opens, just before the query.
    await expect.poll(() => existsSync(join(home, 'other/manifest.json')), { timeout: 20_000 }).toBe(true);
    child.kill('SIGINT');
    expect({ status: await ended, stderr: err.join('') }).toEqual({ status: 130, stderr: 'error[interrupted]: interrupted\n' });
  });
});
