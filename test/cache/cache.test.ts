// The cache in one process: what is answered, stored, listed and cleared.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { QuernError } from '../../src/errors.ts';
import { keyOf, resultOf, runOf, testCache } from './support.ts';

const fileOf = (folder: string, digit: string) => join(folder, 'results', digit + digit, `${keyOf(digit)}.entry`);
const unexpected = () => Promise.reject(new Error('ran although an entry was fresh'));

test('an entry answers until its TTL has passed, then is replaced', async () => {
  const { cache, clock } = testCache();
  const stored = clock.now;
  expect(await cache.cached(runOf('a'), async () => resultOf(1n))).toEqual({
    result: resultOf(1n),
    state: 'miss',
    storedAtMs: stored,
    ageSeconds: 0,
  });
  clock.now += 59_000;
  expect(await cache.cached(runOf('a'), unexpected)).toEqual({ result: resultOf(1n), state: 'hit', storedAtMs: stored, ageSeconds: 59 });
  clock.now += 1000;
  expect(await cache.cached(runOf('a'), async () => resultOf('2'))).toMatchObject({ result: resultOf('2'), state: 'miss' });
  expect(await cache.cached(runOf('a'), unexpected)).toMatchObject({ result: resultOf('2'), state: 'hit' });
});

test('max-age tightens the TTL, also when the TTL of the query was shortened since', async () => {
  const { cache, clock } = testCache();
  await cache.cached(runOf('a'), async () => resultOf('old'));
  clock.now += 30_000;
  expect((await cache.cached(runOf('a', { maxAgeSeconds: 31 }), unexpected)).state).toBe('hit');
  expect((await cache.cached(runOf('a', { maxAgeSeconds: 30 }), async () => resultOf('new'))).state).toBe('miss');
  clock.now += 30_000;
  expect((await cache.cached(runOf('a', { ttlSeconds: 20 }), async () => resultOf('newer'))).state).toBe('miss');
});

test('refresh runs and replaces; none and a TTL of zero neither read nor write', async () => {
  const { cache, folder } = testCache();
  expect(await cache.cached(runOf('a', { mode: 'none' }), async () => resultOf(0))).toEqual({ result: resultOf(0), state: 'off' });
  expect(await cache.cached(runOf('a', { ttlSeconds: 0 }), async () => resultOf(0))).toEqual({ result: resultOf(0), state: 'off' });
  expect(readdirSync(folder)).toEqual([]);
  await cache.cached(runOf('a'), async () => resultOf(1));
  expect((await cache.cached(runOf('a', { mode: 'refresh' }), async () => resultOf(2))).state).toBe('miss');
  expect((await cache.cached(runOf('a'), unexpected)).result).toEqual(resultOf(2));
});

test('failures are not stored', async () => {
  const { cache } = testCache();
  const failure = new QuernError('engine', 'ClickHouse answered MEMORY_LIMIT_EXCEEDED (241)');
  await expect(cache.cached(runOf('a'), () => Promise.reject(failure))).rejects.toBe(failure);
  expect((await cache.cached(runOf('a'), async () => resultOf(1))).state).toBe('miss');
});

test('callers who ask at the same time share one execution', async () => {
  const { cache } = testCache();
  let executions = 0;
  const execute = async () => resultOf(++executions);
  const answers = await Promise.all(Array.from({ length: 20 }, () => cache.cached(runOf('a'), execute)));
  expect(new Set(answers.map(({ result }) => result.rows[0]?.[0]))).toEqual(new Set([1]));
});

test.each<[string, (file: string) => void]>([
  ['cut off', (file) => truncateSync(file, statSync(file).size - 5)],
  ['empty', (file) => truncateSync(file, 0)],
  ['longer than it was', (file) => appendFileSync(file, 'x')],
  ['changed by one letter', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"value"', '"valve"'))],
  ['changed in its header', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"ttlSeconds":60', '"ttlSeconds":61'))],
  ['something else', (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0, 10, 10]))],
])('an entry that is %s is a miss, and is removed', async (_, damage) => {
  const { cache, folder, notes } = testCache();
  await cache.cached(runOf('a'), async () => resultOf('value'));
  damage(fileOf(folder, 'a'));
  const failure = new Error('no answer');
  await expect(cache.cached(runOf('a'), () => Promise.reject(failure))).rejects.toBe(failure);
  expect(readdirSync(join(folder, 'results'))).toEqual(['.use']);
  expect(notes).toEqual([]);
});

test('the entry of another key under a key is a miss', async () => {
  const { cache, folder } = testCache();
  await cache.cached(runOf('a'), async () => resultOf('of a'));
  mkdirSync(dirname(fileOf(folder, 'b')));
  writeFileSync(fileOf(folder, 'b'), readFileSync(fileOf(folder, 'a')));
  expect((await cache.cached(runOf('b'), async () => resultOf('of b'))).result).toEqual(resultOf('of b'));
});

test('find gives an entry whatever its age, store replaces it and gives the entry even where nothing can be written', async () => {
  const { cache, clock, folder, notes } = testCache();
  const { mode: _, ...storing } = runOf('a');
  expect(await cache.find(keyOf('a'))).toBeUndefined();
  const entry = { ...storing, result: resultOf(1n), storedAtMs: clock.now, rowCount: 1 };
  expect(await cache.store({ ...storing, result: resultOf(1n) })).toEqual(entry);
  clock.now += 1e9;
  expect(await cache.find(keyOf('a'))).toEqual(entry);
  expect((await cache.cached(runOf('a'), async () => resultOf(2))).state).toBe('miss');
  expect((await cache.find(keyOf('a')))?.result).toEqual(resultOf(2));
  rmSync(join(folder, 'results'), { recursive: true });
  writeFileSync(join(folder, 'results'), '');
  expect(await cache.store({ ...storing, result: resultOf(3) })).toEqual({ ...entry, result: resultOf(3), storedAtMs: clock.now });
  expect(await cache.find(keyOf('a'))).toBeUndefined();
  expect(notes).toEqual([`results are not cached: ${folder}: a part of its path is a file`]);
});

test('list shows the newest first, with arguments and freshness; stats counts', async () => {
  const { cache, clock, folder } = testCache();
  await cache.cached(runOf('a', { arguments: { project: "it's", count: 9007199254740993n, none: null } }), async () => resultOf(1, 2));
  clock.now += 61_000;
  await cache.cached(runOf('b', { query: 'logs.all', arguments: {}, asOf: '2026-01-01 00:00:00.000000' }), async () => resultOf());
  const bytes = (digit: string) => statSync(fileOf(folder, digit)).size;
  expect(await cache.list()).toEqual([
    {
      key: keyOf('b'),
      storedAtMs: clock.now,
      ttlSeconds: 60,
      query: 'logs.all',
      arguments: {},
      asOf: '2026-01-01 00:00:00.000000',
      rowCount: 0,
      bytes: bytes('b'),
      ageSeconds: 0,
      fresh: true,
    },
    {
      key: keyOf('a'),
      storedAtMs: clock.now - 61_000,
      ttlSeconds: 60,
      query: 'usage.api-counts',
      arguments: { project: "it's", count: 9007199254740993n, none: null },
      rowCount: 2,
      bytes: bytes('a'),
      ageSeconds: 61,
      fresh: false,
    },
  ]);
  expect(await cache.stats()).toEqual({ folder: join(folder, 'results'), entries: 2, bytes: 4 * 4096, maxBytes: 1e6 });
});

test('list reads headers of any length', async () => {
  const { cache } = testCache();
  const long = 'x'.repeat(50_000);
  await cache.cached(runOf('a', { arguments: { sql: long } }), async () => resultOf(1));
  expect((await cache.list()).map((entry) => entry.arguments)).toEqual([{ sql: long }]);
});

test('show finds an entry by the beginning of its key', async () => {
  const { cache, clock } = testCache();
  await cache.cached(runOf('a'), async () => resultOf(1n));
  await cache.cached({ ...runOf('b'), key: `aab${'0'.repeat(61)}` }, async () => resultOf(2));
  expect(await cache.show('aaa')).toEqual({
    key: keyOf('a'),
    storedAtMs: clock.now,
    ttlSeconds: 60,
    query: 'usage.api-counts',
    arguments: { project: 'abc' },
    rowCount: 1,
    result: resultOf(1n),
  });
  await expect(cache.show('aa')).rejects.toMatchObject({ code: 'usage', message: '2 entries of the cache begin with "aa"' });
  await expect(cache.show('ff')).rejects.toMatchObject({ code: 'usage', message: 'no entry of the cache begins with "ff"' });
});

test('clear removes the entries of one query, or all, and nothing that is not an entry', async () => {
  const { cache, folder } = testCache();
  await cache.cached(runOf('a'), async () => resultOf(1));
  await cache.cached(runOf('b', { query: 'logs.all' }), async () => resultOf(1));
  await cache.cached(runOf('c', { query: 'logs.all' }), async () => resultOf(1));
  writeFileSync(join(folder, 'results', 'mine.txt'), 'keep');
  expect(await cache.clear({ query: 'logs.all' })).toBe(2);
  expect((await cache.list()).map(({ query }) => query)).toEqual(['usage.api-counts']);
  expect(await cache.clear()).toBe(1);
  expect(await cache.clear()).toBe(0);
  expect(readdirSync(join(folder, 'results')).sort()).toEqual(['.use', 'mine.txt']);
});
