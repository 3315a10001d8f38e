// The bounded folder of files: what is written, read, counted and dropped, and folders that cannot be used.
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fill, resultOf, temporaryFolder, testCache, wantedOf } from '../cache/support.ts';
import { namesOf, swept, testPool } from './pool-support.ts';

const KILOBYTE = 'k'.repeat(1000);
/** What a small file takes of the disk where it is alone in its folder. */
const ALONE = 2 * 4096;

test('files are written whole, read, replaced and removed', async () => {
  const { pool, folder } = testPool(100_000);
  expect(await pool.read('aa')).toBeUndefined();
  expect(await namesOf(pool)).toEqual([]);
  await pool.write('aa', 'one');
  await pool.write('aa', 'naïve');
  expect(await pool.read('aa')).toBe('naïve');
  expect(await pool.readStarts(['aa', 'ab'], 2)).toEqual([{ name: 'aa', text: 'na', size: 6 }]);
  expect(await pool.readStarts(['aa'], 100)).toEqual([{ name: 'aa', text: 'naïve', size: 6 }]);
  expect([await pool.remove(['aa']), await pool.remove(['aa'])]).toEqual([1, 0]);
  expect(readdirSync(folder)).toEqual(['.use']);
});

test('names are given folder by folder, and by what they begin with', async () => {
  const { pool } = testPool(1e6);
  for (const name of ['aa1', 'aa2', 'ab1', 'b01']) await pool.write(name, 'x');
  const batches: (readonly string[])[] = [];
  for await (const names of pool.names()) batches.push([...names].sort());
  expect(batches).toEqual([['aa1', 'aa2'], ['ab1'], ['b01']]);
  expect([await namesOf(pool, 'a'), await namesOf(pool, 'aa2'), await namesOf(pool, 'c')]).toEqual([['aa1', 'aa2', 'ab1'], ['aa2'], []]);
  expect(await pool.remove(['aa1', 'b01', 'b02'])).toBe(2);
  expect(await namesOf(pool)).toEqual(['aa2', 'ab1']);
});

test('only the user may read the files', async () => {
  const { pool, folder } = testPool(100_000);
  await pool.write('aa', 'secret');
  const modes = ['', 'aa', 'aa/aa.x', '.use'].map((path) => statSync(join(folder, path)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
});

test('the oldest files go first when the pool is full', async () => {
  const { pool } = testPool(10 * ALONE);
  for (let i = 0; i < 10; i++) await pool.write(`f${i}`, KILOBYTE);
  expect(await namesOf(pool)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9']);
  await pool.write('f0', KILOBYTE);
  await pool.write('aa', KILOBYTE);
  await swept(pool, 10 * ALONE);
  expect(await namesOf(pool)).toEqual(['aa', 'f0', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9']);
});

test('the bound is one on what the disk gives, not on what is written', async () => {
  const { pool, folder } = testPool(400_000);
  for (let i = 0; i < 200; i++) await pool.write(`${i % 10}0${i}`, 'tiny');
  await swept(pool, 400_000);
  const blocks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => statSync(join(folder, path)).blocks * 512);
  const used = blocks.reduce((sum, one) => sum + one, 0);
  expect(used).toBeLessThanOrEqual(400_000 + 4096); // the table of what is used comes on top
  expect(used).toBeGreaterThan(300_000);
  const { files, bytes } = await pool.measure();
  expect([files, bytes]).toEqual([(await namesOf(pool)).length, (files + 10) * 4096]);
});

test('a file that is written again and again counts once', async () => {
  const { pool } = testPool(4 * ALONE);
  for (const name of ['a0', 'a1', 'a2']) await pool.write(name, KILOBYTE);
  for (let i = 0; i < 50; i++) await pool.write('a3', KILOBYTE);
  expect(await namesOf(pool)).toEqual(['a0', 'a1', 'a2', 'a3']);
});

test('a pool stays within its size over many writes of any size', async () => {
  const { pool } = testPool(200_000);
  for (let i = 0; i < 200; i++) await pool.write((i + 16).toString(16), 'x'.repeat((i * 997) % 50_000));
  await swept(pool, 200_000);
  expect(await namesOf(pool)).toContain('d7');
});

test('a file larger than the pool is not kept, and pushes nothing out', async () => {
  const { pool } = testPool(2 * ALONE);
  await pool.write('aa', KILOBYTE);
  await pool.write('bb', KILOBYTE.repeat(17));
  expect(await namesOf(pool)).toEqual(['aa']);
});

test.each(['nonsense', '', 'x'.repeat(2000)])('a damaged table of what is used is made anew: %j', async (text) => {
  const { pool, folder } = testPool(10 * ALONE);
  for (let i = 0; i < 9; i++) await pool.write(`f${i}`, KILOBYTE);
  writeFileSync(join(folder, '.use'), text);
  await pool.write('aa', KILOBYTE.repeat(9));
  await swept(pool, 10 * ALONE);
  expect((await namesOf(pool))[1]).toBe('f2');
});

test('a sweep removes what crashed processes left, and not what others are writing now', async () => {
  const { pool, folder } = testPool(ALONE);
  mkdirSync(join(folder, 'bb'), { recursive: true });
  writeFileSync(join(folder, 'bb/.bb.x.1.abc.tmp'), 'being written');
  await pool.write('aa', 'x');
  await expect
    .poll(() => readdirSync(folder, { recursive: true }).sort(), { timeout: 50_000 })
    .toEqual(['.use', 'bb', 'bb/.bb.x.1.abc.tmp']);
});

test('files of others in the folder are neither counted nor removed', async () => {
  const { pool, folder } = testPool(3 * ALONE);
  mkdirSync(join(folder, 'f0'), { recursive: true });
  for (const path of ['mine.txt', 'f0/mine.txt', 'f0/aa.x']) {
    writeFileSync(join(folder, path), KILOBYTE.repeat(50));
    utimesSync(join(folder, path), 1, 1);
  }
  for (let i = 0; i < 5; i++) await pool.write(`f${i}`, KILOBYTE);
  await swept(pool, 3 * ALONE);
  expect(readdirSync(folder, { recursive: true })).toEqual(expect.arrayContaining(['mine.txt', 'f0/mine.txt', 'f0/aa.x']));
  expect(await namesOf(pool)).toEqual(['f3', 'f4']);
});

test('a path through a file is reported, and reads and writes go on without it', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'not a folder');
  const { cache, notes } = testCache({ folder: join(file, 'cache') });
  for (const answer of [1, 2]) expect(await fill(cache, wantedOf('a'), answer)).toMatchObject({ result: resultOf(answer) });
  expect(notes).toEqual([`results are not cached: ${join(file, 'cache')}: part of its path is a file`]);
  expect([await cache.list(), await cache.clear()]).toEqual([[], 0]);
});

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to costs the cache and not the answer', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o500);
  const { cache, notes } = testCache({ folder });
  for (const answer of [1, 2]) expect(await fill(cache, wantedOf('a'), answer)).toMatchObject({ result: resultOf(answer) });
  expect(notes).toEqual([`results are not cached: ${folder}: its permissions do not allow it`]);
  chmodSync(folder, 0o700);
});

test.skipIf(!existsSync('/proc/self'))('a folder that cannot be made is said', async () => {
  const { cache, notes } = testCache({ folder: '/proc/quern' });
  expect(await fill(cache, wantedOf('a'), 1)).toMatchObject({ result: resultOf(1) });
  expect(notes).toEqual(['results are not cached: /proc/quern: the folder cannot be created']);
});
