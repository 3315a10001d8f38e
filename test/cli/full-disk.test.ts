// A disk that is full, seen by the built command: answers are given, keys are revoked, and nothing is left that shuts anybody out.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';
import { ndjson } from './commands/events.ts';

const bin = join(import.meta.dirname, '../../bin/quern.js');
const home = mkdtempSync(join(tmpdir(), 'quern-full-'));
const disk: SmallDisk | undefined = smallDisk(16);
const path = disk?.path ?? home;
const keysFile = join(path, 'keys/keys.json');
const env = { PATH: process.env['PATH'], HOME: home, QUERN_KEYS_FILE: keysFile };
const quern = (...argv: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...argv], { cwd: home, env, encoding: 'utf8' });
  return { stdout, stderr, status };
};
const counts = [
  'run',
  'usage.api-counts',
  '--project',
  'demo',
  '--interval',
  'daily',
  '--as-of',
  '2026-01-15T12:00:00Z',
  '--format',
  'csv',
];

beforeAll(() => {
  writeFileSync(join(home, 'events.ndjson'), ndjson);
  quern('load', 'edge_logs', 'events.ndjson');
});
afterAll(() => {
  disk?.remove();
  rmSync(home, { recursive: true, force: true });
});

test('an empty lock that a full disk has left of an older quern shuts nobody out of the store', () => {
  const store = join(home, 'store');
  cpSync(join(home, '.local/share/quern/store'), store, { recursive: true });
  const lock = join(store, 'data.opening');
  writeFileSync(lock, '');
  utimesSync(lock, new Date(Date.now() - 2000), new Date(Date.now() - 2000));
  expect(quern(...counts, '--no-cache', '--store', store)).toMatchObject({ stderr: '', status: 0 });
  expect(readdirSync(store).sort()).toEqual(['data', 'manifest.json']);
});

// Only root can mount a disk that can be filled.
describe.skipIf(disk === undefined)('on a full disk', () => {
  test('a key is revoked and a secret rotated, one that has no room is refused, and no lock is left', () => {
    for (const name of ['one', 'two']) expect(quern('keys', 'create', '--name', name, '--scope', '*').status).toBe(0);
    disk?.fill();
    // A line of the file may find room at the end of its last block.
    let before = readFileSync(keysFile, 'utf8');
    let refused = quern('keys', 'create', '--name', 'more-0', '--scope', '*');
    let made = 0;
    while (refused.status === 0 && made < 100) {
      before = readFileSync(keysFile, 'utf8');
      refused = quern('keys', 'create', '--name', `more-${++made}`, '--scope', '*');
    }
    expect(refused).toEqual({
      stdout: '',
      stderr: `error[config]: the keys in ${keysFile} cannot be changed: the disk is full\n   = hint: free some space on it and try again; nothing has changed\n`,
      status: 2,
    });
    expect(readFileSync(keysFile, 'utf8')).toBe(before);
    expect(quern('keys', 'revoke', 'one').stderr).toMatch(/^revoked one/);
    expect(quern('keys', 'rotate', 'two').status).toBe(0);
    expect(quern('keys', 'list', '--format', 'ndjson', '--quiet').stdout.trim().split('\n')).toHaveLength(1 + made);
    expect(readdirSync(join(path, 'keys'))).toEqual(['keys.json']);
    disk?.empty();
  });

  test('an answer is given without the cache, and nothing is left in its folder', () => {
    const cache = join(path, 'cache');
    expect(quern(...counts, '--cache-dir', cache, '--refresh').status).toBe(0);
    const [before] = [quern('cache', 'clear', '--cache-dir', cache), disk?.fill()];
    expect(before.status).toBe(0);
    const { stdout, stderr, status } = quern(...counts, '--cache-dir', cache);
    expect([stdout.split('\n')[1], stderr, status]).toEqual([
      '2026-01-15T00:00:00,2,0,1,0',
      `note: results are not cached: ${cache}: the disk is full\n`,
      0,
    ]);
    disk?.empty();
    expect(readdirSync(join(cache, 'results'), { recursive: true, encoding: 'utf8' }).filter((name) => /tmp$|entry$/.test(name))).toEqual(
      [],
    );
  });

  test('a table is dropped, which makes room, and what needs room says so', () => {
    const store = join(path, 'tables');
    const loads = () => quern('loads', '--format', 'ndjson', '--store', store).stdout.split('\n').length - 1;
    writeFileSync(join(home, 'orders.csv'), 'id,total\n1,5.5\n2,7\n');
    writeFileSync(join(home, 'more.csv'), 'id,total\n3,8\n');
    for (const [table, file] of [
      ['orders', 'orders.csv'],
      ['orders', 'more.csv'],
      ['others', 'more.csv'],
    ] as const)
      expect(quern('load', table, file, '--store', store).status).toBe(0);
    disk?.fill();
    expect(quern('loads', 'undo', '2', '--store', store)).toEqual({
      stdout: '',
      stderr: `error[load]: the disk of the store ${store} is full\n   = hint: nothing has changed; free some space, or remove a whole table with \`quern drop\`, which needs none\n`,
      status: 1,
    });
    expect(loads()).toBe(3);
    expect(quern('loads', 'undo', '3', '--store', store).stderr).toMatch(/^load 3 is undone: 1 row removed from others, and the table/);
    disk?.fill();
    expect(quern('drop', 'orders', '--yes', '--store', store)).toEqual({
      stdout: '',
      stderr: 'removed the table orders with 3 rows\n',
      status: 0,
    });
    expect([loads(), readdirSync(store).sort()]).toEqual([0, ['data', 'manifest.json']]);
    disk?.empty();
    rmSync(store, { recursive: true });
  });

  test('a store is not begun, and the reason is said; with room it is', () => {
    const store = join(path, 'store');
    disk?.fill();
    expect(quern('load', 'edge_logs', 'events.ndjson', '--store', store)).toEqual({
      stdout: '',
      stderr: `error[unreachable]: the store in ${store} cannot be opened: the disk is full\n   = hint: free some space on it, or choose another store with --store\n`,
      status: 3,
    });
    disk?.empty();
    expect(quern('load', 'edge_logs', 'events.ndjson', '--store', store).status).toBe(0);
    disk?.fill();
    expect(quern(...counts, '--no-cache', '--store', store).stdout.split('\n')[1]).toBe('2026-01-15T00:00:00,2,0,1,0');
    expect(quern('load', 'edge_logs', 'events.ndjson', '--again', '--store', store).stderr).toMatch(
      /^error\[load\]: the disk of the store .* is full\n/,
    );
    disk?.empty();
    expect(quern('load', 'edge_logs', 'events.ndjson', '--again', '--store', store).status).toBe(0);
    expect(readdirSync(store).sort()).toEqual(['data', 'manifest.json']);
  });
});
