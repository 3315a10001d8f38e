// The bounded folder of files: eviction, leftovers, and folders that cannot be used.
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FilePool, openFilePool } from '../../src/cache/file-pool.ts';
import { resultOf, runOf, temporaryFolder, testCache } from './support.ts';

interface TestPool {
  readonly pool: FilePool;
  readonly folder: string;
  readonly troubles: (string | undefined)[];
}

function testPool(maxBytes: number): TestPool {
  const folder = join(temporaryFolder(), 'deep', 'pool');
  const troubles: (string | undefined)[] = [];
  let now = Date.UTC(2026, 0, 2);
  const pool = openFilePool({ folder, suffix: '.x', maxBytes, now: () => (now += 1000), onTrouble: ({ code }) => troubles.push(code) });
  return { pool, folder, troubles };
}

const names = async (pool: FilePool) => (await pool.files()).map(({ name }) => name);
const KILOBYTE = 'k'.repeat(1000);

test('files are written whole, read, replaced and removed', async () => {
  const { pool, folder } = testPool(10_000);
  expect(await pool.read('a')).toBeUndefined();
  expect(await pool.files()).toEqual([]);
  await pool.write('a', 'one');
  await pool.write('a', 'naïve');
  expect(await pool.read('a')).toBe('naïve');
  expect(await pool.readStart('a', 2)).toBe('na');
  expect(await pool.readStart('a', 100)).toBe('naïve');
  expect([await pool.remove('a'), await pool.remove('a')]).toEqual([true, false]);
  expect(readdirSync(folder)).toEqual(['.ledger']);
});

test('only the user may read the files', async () => {
  const { pool, folder } = testPool(10_000);
  await pool.write('a', 'secret');
  expect([
    statSync(folder).mode & 0o777,
    statSync(join(folder, 'a.x')).mode & 0o777,
    statSync(join(folder, '.ledger')).mode & 0o777,
  ]).toEqual([0o700, 0o600, 0o600]);
});

test('the oldest files go first when the pool is full', async () => {
  const { pool } = testPool(10_000);
  for (let i = 0; i < 10; i++) await pool.write(`f${i}`, KILOBYTE);
  expect(await names(pool)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9']);
  await pool.write('f0', KILOBYTE);
  await pool.write('g', KILOBYTE);
  expect(await names(pool)).toEqual(['f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f0', 'g']);
});

test('a pool stays within its size over many writes of any size', async () => {
  const { pool } = testPool(10_000);
  for (let i = 0; i < 200; i++) {
    await pool.write(`f${i}`, 'x'.repeat((i * 997) % 5000));
    const total = (await pool.files()).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total).toBeLessThanOrEqual(10_000);
  }
  expect((await names(pool)).at(-1)).toBe('f199');
});

test('a file larger than the pool is not kept, and pushes nothing out', async () => {
  const { pool } = testPool(10_000);
  await pool.write('a', KILOBYTE);
  await pool.write('b', KILOBYTE.repeat(11));
  expect(await names(pool)).toEqual(['a']);
});

test('a damaged ledger is made anew', async () => {
  const { pool, folder } = testPool(10_000);
  for (let i = 0; i < 9; i++) await pool.write(`f${i}`, KILOBYTE);
  writeFileSync(join(folder, '.ledger'), 'total nonsense\n');
  await pool.write('g', KILOBYTE.repeat(2));
  expect((await names(pool))[0]).toBe('f2');
});

test('a sweep removes what crashed processes left, and not what others are writing now', async () => {
  const { pool, folder } = testPool(10_000);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.b.x.1.abc.tmp'), 'being written');
  await pool.write('a', 'x');
  expect(readdirSync(folder).sort()).toEqual(['.b.x.1.abc.tmp', '.ledger', 'a.x']);
});

test('files of others in the folder are neither counted nor removed', async () => {
  const { pool, folder } = testPool(3000);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mine.txt'), KILOBYTE.repeat(5));
  utimesSync(join(folder, 'mine.txt'), 1, 1);
  for (let i = 0; i < 5; i++) await pool.write(`f${i}`, KILOBYTE);
  expect(readdirSync(folder)).toContain('mine.txt');
  expect(await names(pool)).toEqual(['f2', 'f3', 'f4']);
});

test('a path through a file is reported, and reads and writes go on without it', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'not a folder');
  const { cache, notes } = testCache({ folder: join(file, 'cache') });
  for (const answer of [1, 2])
    expect(await cache.cached(runOf('a'), async () => resultOf(answer))).toMatchObject({ result: resultOf(answer), state: 'miss' });
  expect(notes).toEqual([`results are not cached: ${join(file, 'cache')}: a part of its path is a file`]);
  expect([await cache.list(), await cache.clear()]).toEqual([[], 0]);
});

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to costs the cache and not the answer', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o500);
  const { cache, notes } = testCache({ folder });
  for (const answer of [1, 2])
    expect(await cache.cached(runOf('a'), async () => resultOf(answer))).toMatchObject({ result: resultOf(answer), state: 'miss' });
  expect(notes).toEqual([`results are not cached: ${folder}: its permissions do not allow it`]);
  chmodSync(folder, 0o700);
});

test.skipIf(!existsSync('/proc/self'))('a folder that cannot be made is said', async () => {
  const { cache, notes } = testCache({ folder: '/proc/quern' });
  expect(await cache.cached(runOf('a'), async () => resultOf(1))).toMatchObject({ result: resultOf(1), state: 'miss' });
  expect(notes).toEqual(['results are not cached: /proc/quern: the folder cannot be made']);
});
