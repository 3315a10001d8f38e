// The cache in one process: what is answered, stored, listed and cleared.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import type { QueryResult } from '../../src/base/result.ts';
import { fill, keyOf, resultOf, testCache, wantedOf } from './support.ts';

const fileOf = (folder: string, digit: string) => join(folder, 'results', digit + digit, `${keyOf(digit)}.entry`);

test('fill stores as of now, and lookup gives the entry whatever its age', async () => {
  const { cache, clock } = testCache();
  const wanted = wantedOf('a');
  expect(await cache.lookup(wanted.key)).toBeUndefined();
  expect(await fill(cache, wanted, 1n)).toEqual({ result: resultOf(1n), storedAtMs: clock.now });
  const entry = { ...wanted, result: resultOf(1n), storedAtMs: clock.now, rowCount: 1 };
  clock.now += 1e9;
  expect(await cache.lookup(wanted.key)).toEqual(entry);
  await fill(cache, wanted, '2');
  expect(await cache.lookup(wanted.key)).toEqual({ ...entry, result: resultOf('2'), storedAtMs: clock.now });
});

test('rows are stored under the key that the run gives: the data may have changed since they were asked for', async () => {
  const { cache } = testCache();
  const { written } = await cache.fill('old', async () => ({ wanted: wantedOf('b'), result: resultOf(1) }));
  await written;
  expect((await cache.list()).map(({ key }) => key)).toEqual([keyOf('b')]);
});

test('lookup waits for a write that is under way, and settled for runs too', async () => {
  const { cache } = testCache();
  const wanted = wantedOf('a');
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const filling = cache.fill('a', async () => {
    await held;
    return { wanted, result: resultOf(1) };
  });
  const settled = cache.settled();
  end();
  await filling;
  expect((await cache.lookup(wanted.key))?.result).toEqual(resultOf(1));
  await settled;
});

test('neither failures are stored nor rows of which parts are missing', async () => {
  const { cache } = testCache();
  const wanted = wantedOf('a');
  const failure = new QuernError('engine', 'ClickHouse answered MEMORY_LIMIT_EXCEEDED (241)');
  await expect(cache.fill('a', () => Promise.reject(failure))).rejects.toBe(failure);
  await (await cache.fill('a', async () => ({ wanted, result: { ...resultOf(1), missing: ['one shard'] } }))).written;
  expect(await cache.lookup(wanted.key)).toBeUndefined();
});

test('a result that no text can hold costs nobody the answer', async () => {
  const { cache } = testCache();
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  const result = { ...resultOf(), rows: [cyclic] } as unknown as QueryResult;
  const { written, ...stored } = await cache.fill('a', async () => ({ wanted: wantedOf('a'), result }));
  await written;
  expect([stored.result === result, await cache.list()]).toEqual([true, []]);
});

test('those who ask under one name at the same time share one run', async () => {
  const { cache } = testCache();
  let runs = 0;
  const run = async () => ({ wanted: wantedOf('a'), result: resultOf(++runs) });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => cache.fill(i < 10 ? 'a' : 'fresh a', run)));
  expect(answers.map(({ result }) => result.rows[0]?.[0])).toEqual(Array.from({ length: 20 }, (_, i) => (i < 10 ? 1 : 2)));
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
  await fill(cache, wantedOf('a'), 'value');
  damage(fileOf(folder, 'a'));
  expect(await cache.lookup(keyOf('a'))).toBeUndefined();
  expect(readdirSync(join(folder, 'results'))).toEqual(['.use']);
  expect(notes).toEqual([]);
});

test('the entry of another key under a key is a miss', async () => {
  const { cache, folder } = testCache();
  await fill(cache, wantedOf('a'), 'of a');
  mkdirSync(dirname(fileOf(folder, 'b')));
  writeFileSync(fileOf(folder, 'b'), readFileSync(fileOf(folder, 'a')));
  expect(await cache.lookup(keyOf('b'))).toBeUndefined();
});

test('fill gives the rows even where nothing can be written', async () => {
  const { cache, folder, notes, clock } = testCache();
  writeFileSync(join(folder, 'results'), '');
  expect(await fill(cache, wantedOf('a'), 3)).toEqual({ result: resultOf(3), storedAtMs: clock.now });
  expect(await cache.lookup(keyOf('a'))).toBeUndefined();
  expect(notes).toEqual([`results are not cached: ${folder}: part of its path is a file`]);
});

test('list shows the newest first, with arguments and freshness; stats counts', async () => {
  const { cache, clock, folder } = testCache();
  await fill(cache, wantedOf('a', { arguments: { project: "it's", count: 9007199254740993n, none: null } }), 1, 2);
  clock.now += 61_000;
  await fill(cache, wantedOf('b', { query: 'logs.all', arguments: {}, asOf: '2026-01-01 00:00:00.000000' }));
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
  await fill(cache, wantedOf('a', { arguments: { sql: long } }), 1);
  expect((await cache.list()).map((entry) => entry.arguments)).toEqual([{ sql: long }]);
});

test('show finds an entry by the beginning of its key', async () => {
  const { cache, clock } = testCache();
  await fill(cache, wantedOf('a'), 1n);
  await fill(cache, { ...wantedOf('b'), key: `aab${'0'.repeat(61)}` }, 2);
  expect(await cache.show('aaa')).toEqual({
    key: keyOf('a'),
    storedAtMs: clock.now,
    ttlSeconds: 60,
    query: 'usage.api-counts',
    arguments: { project: 'abc' },
    rowCount: 1,
    result: resultOf(1n),
  });
  await expect(cache.show('aa')).rejects.toMatchObject({ code: 'usage', message: '2 cache entries start with "aa"' });
  await expect(cache.show('ff')).rejects.toMatchObject({ code: 'usage', message: 'no cache entry starts with "ff"' });
});

test('clear removes the entries of one query, or all, and nothing that is not an entry', async () => {
  const { cache, folder } = testCache();
  await fill(cache, wantedOf('a'), 1);
  await fill(cache, wantedOf('b', { query: 'logs.all' }), 1);
  await fill(cache, wantedOf('c', { query: 'logs.all' }), 1);
  writeFileSync(join(folder, 'results', 'mine.txt'), 'keep');
  expect(await cache.clear({ query: 'logs.all' })).toBe(2);
  expect((await cache.list()).map(({ query }) => query)).toEqual(['usage.api-counts']);
  expect(await cache.clear()).toBe(1);
  expect(await cache.clear()).toBe(0);
  expect(readdirSync(join(folder, 'results')).sort()).toEqual(['.use', 'mine.txt']);
});
