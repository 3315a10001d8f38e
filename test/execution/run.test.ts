// Saved queries from file to rows, on the embedded engine.

import { expect, test } from 'vitest';
import type { QueryRequest } from '../../src/execution/request.ts';
import { queryText, uuid } from '../queries/support.ts';
import { fixedVersion } from '../support/fixed-sources.ts';
import { failureOf } from '../support/told.ts';
import { openEvents, testRun } from './run-support.ts';

const idsOf = (digit: number, ...fields: readonly string[]) =>
  queryText(
    digit,
    'select id from events where area = @area order by id desc',
    ...fields,
    'params: { area: { type: string, default: rest } }',
  );

test('a query runs with its arguments, in its order, up to its row limit', async () => {
  const { run } = testRun(await openEvents(), { 'three.sql': idsOf(1, 'max_rows: 3'), 'five.sql': idsOf(2, 'max_rows: 5') });
  const { result, cache, prepared } = await run('three');
  expect(result).toMatchObject({ columns: [{ name: 'id', type: { kind: 'INT64' } }], rows: [[9], [7], [5]], truncated: true });
  expect([cache, prepared.name, prepared.id, prepared.sources]).toEqual([{ state: 'off' }, 'three', uuid(1), ['events']]);
  expect((await run(uuid(2), { area: 'auth' })).result).toMatchObject({ rows: [[10], [8], [6], [4], [2]], truncated: false });
  expect((await run('three', { area: "rest' or 'a'='a" })).result).toMatchObject({ rows: [], truncated: false });
});

test('a query around it limits the rows only of a query that takes no limit at its end', async () => {
  const queries = {
    none: 'select id from events order by id',
    lower: 'select id from events order by id limit 2',
    same: 'select id from events order by id limit 3',
    higher: 'select id from events order by id limit 4',
    given: 'select id from events order by id limit @n',
    union: 'select id from events union all select 1',
    grouped: 'with a as (select area from events limit 9) select area, count(*) from a group by area having count(*) > 0',
  };
  const files = Object.entries(queries).map(([name, sql], i) => [
    `${name}.sql`,
    queryText(i + 1, sql, 'max_rows: 3', ...(name === 'given' ? ['params: { n: { type: int, default: 9 } }'] : [])),
  ]);
  const { run, executed } = testRun(await openEvents(), Object.fromEntries(files));
  const told: Record<string, readonly unknown[]> = {};
  for (const name of Object.keys(queries)) {
    const { result } = await run(name);
    const { sql = '' } = executed.at(-1) ?? {};
    told[name] = [result.rows.length, result.truncated, sql.startsWith('SELECT * FROM ('), /LIMIT (\S+)$/.exec(sql)?.[1]];
  }
  expect(told).toEqual({
    none: [3, true, false, '4'],
    lower: [2, false, false, '2'],
    same: [3, false, false, '3'],
    higher: [3, true, true, '4'],
    given: [3, true, true, '4'],
    union: [3, true, true, '4'],
    grouped: [2, false, false, '4'],
  });
});

test('the row limit leaves the rows of set operations alone', async () => {
  const sql = "select area from events union distinct select 'zz' order by area desc";
  const { run } = testRun(await openEvents(), { 'u.sql': queryText(1, sql, 'max_rows: 2') });
  expect((await run('u')).result).toMatchObject({ rows: [['zz'], ['rest']], truncated: true });
});

test('columns may share a name, or have none', async () => {
  const { run } = testRun(await openEvents(), { 'names.sql': queryText(1, 'select 1 as a, 2 as a, 3, 4') });
  const { result } = await run('names');
  expect([result.columns.map(({ name }) => name), result.rows]).toEqual([['a', 'a', '', ''], [[1, 2, 3, 4]]]);
});

test('a repeated run is answered by the cache, without planning and without the engine', async () => {
  const { run, executed, loads, clock } = testRun(await openEvents(), { 'ids.sql': idsOf(1, 'cache: 60s', 'max_rows: 2') });
  const first = await run('ids');
  clock.now += 59_000;
  const second = await run('ids', { area: 'rest' });
  expect([first.cache.state, second.cache.state, second.cache.ageSeconds]).toEqual(['miss', 'hit', 59]);
  expect(second.result).toEqual(first.result);
  expect([executed.length, loads.count]).toEqual([1, 1]);
  expect((await run('ids', { area: 'auth' })).cache.state).toBe('miss');
  expect((await run('ids', {}, { cache: 'refresh' })).cache.state).toBe('miss');
  expect((await run('ids', {}, { cache: 'none' })).cache).toEqual({ state: 'off' });
  expect((await run('ids', {}, { maxAgeSeconds: 0 })).cache.state).toBe('miss');
});

test('an entry answers until its TTL has passed; max-age tightens it, and so does a TTL that was shortened since', async () => {
  const engine = await openEvents();
  const { run, clock, deps } = testRun(engine, { 'ids.sql': idsOf(1, 'cache: 60s') });
  const state = async (rest?: Partial<QueryRequest>) => (await run('ids', {}, rest)).cache.state;
  expect(await state()).toBe('miss');
  clock.now += 30_000;
  expect([await state({ maxAgeSeconds: 31 }), await state({ maxAgeSeconds: 30 })]).toEqual(['hit', 'miss']);
  clock.now += 59_999;
  expect(await state()).toBe('hit');
  clock.now += 1;
  expect(await state()).toBe('miss');
  clock.now += 30_000;
  const shortened = testRun(engine, { 'ids.sql': idsOf(1, 'cache: 20s') }, { cache: deps.cache, now: deps.now });
  expect([(await shortened.run('ids')).cache.state, await state()]).toEqual(['miss', 'hit']);
});

test('where the key says which data, rows that hang on nothing else are fresh again without a run', async () => {
  const files = {
    'ids.sql': idsOf(1, 'cache: 60s'),
    'chance.sql': queryText(2, 'select rand() < 2 as chance', 'cache: 60s'),
    'now.sql': queryText(3, 'select count(*) as n from events where moment < current_timestamp()', 'cache: 60s'),
  };
  const { run, clock, executed } = testRun(await openEvents(), files, { version: fixedVersion('events', { isExact: true }) });
  const first = await run('ids');
  for (const name of ['chance', 'now']) await run(name);
  clock.now += 60_000;
  const again = await run('ids');
  expect([again.cache, again.result.rows]).toEqual([{ state: 'revalidated', storedAtMs: clock.now, ageSeconds: 0 }, first.result.rows]);
  expect(executed.length).toBe(3);
  expect((await run('ids')).cache.state).toBe('hit');
  expect([(await run('chance')).cache.state, (await run('now')).cache.state]).toEqual(['miss', 'miss']);
  expect((await run('ids', {}, { cache: 'refresh' })).cache.state).toBe('miss');
});

test('those who ask at the same time share one run, and who wants fresh rows one that begins after that', async () => {
  const { run, executed } = testRun(await openEvents(), { 'ids.sql': idsOf(1, 'cache: 60s') });
  // Prepared before, so that none of them begins when another has ended.
  await run('ids', {}, { cache: 'none' });
  const shared = await Promise.all([run('ids'), run('ids'), run('ids', {}, { cache: 'refresh' })]);
  expect([shared.map(({ cache }) => cache.state), executed.length]).toEqual([['miss', 'miss', 'miss'], 3]);
});

test('data of another engine, and another row limit, are other entries', async () => {
  const engine = await openEvents();
  const one = testRun(engine, { 'ids.sql': idsOf(1, 'cache: 60s') });
  await one.run('ids');
  const two = testRun(engine, { 'ids.sql': idsOf(1, 'cache: 60s', 'max_rows: 1') }, { cache: one.deps.cache });
  expect((await two.run('ids')).cache.state).toBe('miss');
  const three = testRun(
    engine,
    { 'ids.sql': idsOf(1, 'cache: 60s') },
    { cache: one.deps.cache, version: fixedVersion('events after a load') },
  );
  expect((await three.run('ids')).cache.state).toBe('miss');
  const four = testRun(engine, { 'ids.sql': idsOf(1, 'cache: 60s') }, { cache: one.deps.cache });
  expect((await four.run('ids')).cache.state).toBe('hit');
});

test('current_timestamp() is the clock of the run and no part of the key, or the instant asked for and part of it', async () => {
  const sql = 'select current_timestamp() as now, count(*) as before from events where moment < current_timestamp()';
  const { run, clock } = testRun(await openEvents(), { 'now.sql': queryText(1, sql, 'cache: 60s') });
  expect((await run('now')).result.rows).toEqual([['2026-01-02T00:10:00Z', 9]]);
  clock.now += 30_000;
  expect(await run('now')).toMatchObject({ result: { rows: [['2026-01-02T00:10:00Z', 9]] }, cache: { state: 'hit' } });
  const asOf = { asOf: '2026-01-02T00:05:00.000001Z' };
  expect(await run('now', {}, asOf)).toMatchObject({ result: { rows: [['2026-01-02T00:05:00.000001Z', 5]] }, cache: { state: 'miss' } });
  expect((await run('now', {}, { asOf: '2026-01-02T01:05:00.000001+01:00' })).cache.state).toBe('hit');
  for (const outside of ['1989-12-31', '2242-01-01'])
    expect(await failureOf(run('now', {}, { asOf: outside }))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('from 1990 to 2241'),
    });
  expect(await failureOf(run('now', {}, { asOf: 'yesterday' }))).toMatchObject({
    code: 'usage',
    message:
      '--as-of "yesterday" is not a timestamp such as 2026-01-02T03:04:05Z, or seconds, milliseconds or microseconds since 1970, from 1990 to 2241',
  });
});

test('absent parameters are NULL of their type, arrays are empty', async () => {
  const sql = 'select @s is null as s, @i is null as i, @t is null as t, array_length(@a) as a';
  const params = 'params: { s: { type: string }, i: { type: integer }, t: { type: timestamp }, a: { type: array of string } }';
  const { run } = testRun(await openEvents(), { 'absent.sql': queryText(1, sql, params) });
  expect((await run('absent', { i: '', t: '' })).result.rows).toEqual([[true, true, true, 0]]);
  expect((await run('absent', { s: '', i: '0', t: '2026-01-02', a: ['x', 'y'] })).result.rows).toEqual([[false, false, false, 2]]);
});

test('every type of argument reaches the engine whole', async () => {
  const sql = 'select @s as s, @i as i, @f as f, @b as b, @t as t, @d as d, @sa as sa, @ia as ia';
  const params = `params: { s: { type: string }, i: { type: integer }, f: { type: float }, b: { type: boolean }, t: { type: timestamp }, d: { type: date },
  sa: { type: array of string }, ia: { type: array of integer } }`;
  const { run } = testRun(await openEvents(), { 'types.sql': queryText(1, sql, params) });
  const text = 'quote \' double " backslash \\ newline \n tab \t {s:String} \\N NULL 日本 🙂';
  const given = {
    s: text,
    i: '9223372036854775807',
    f: '1e-300',
    b: 'true',
    t: '2026-01-02T03:04:05.678901Z',
    d: '2024-02-29',
    sa: [text, '', 'NULL'],
    ia: '[1, -2]',
  };
  expect((await run('types', given)).result.rows).toEqual([
    [text, 9223372036854775807n, 1e-300, true, '2026-01-02T03:04:05.678901Z', '2024-02-29', [text, '', 'NULL'], [1, -2]],
  ]);
});

test('problems of arguments are reported before anything runs', async () => {
  const { run, executed } = testRun(await openEvents(), { 'ids.sql': idsOf(1) });
  expect(await failureOf(run('ids', { are: 'x', area: ['a', 'b'] }))).toEqual({
    code: 'parameter',
    message: 'ids takes 1 parameter, 1 is invalid and 1 is unknown',
    hint: 'see its parameters with `quern show ids`',
    problems: ['invalid | area | takes one value, but 2 were given', 'unknown | are | is not a parameter; did you mean area?'],
  });
  expect(executed).toEqual([]);
});

test('ClickHouse SQL runs as it is, its columns shown by their ClickHouse types', async () => {
  const sql = `SELECT {n:UInt8} AS n, max(moment) AS last, groupArray(id) AS ids, map('a', 1) AS m, tuple(1 AS x, 'y' AS y) AS t
FROM default.events WHERE moment <= {quern_now:DateTime64(6, 'UTC')} AND area = 'auth' -- half of them`;
  const { run } = testRun(await openEvents(), {
    'own.sql': queryText(1, sql, 'dialect: clickhouse', 'cache: 60s', 'params: { n: { type: integer, default: 7 } }'),
  });
  const { result, prepared } = await run('own', {}, { asOf: '2026-01-02T00:04:00Z' });
  expect(result.rows).toEqual([[7, '2026-01-02T00:04:00Z', [2, 4], '{"a":1}', [1, 'y']]]);
  expect(result.columns.map(({ name, type }) => [name, type.kind])).toEqual([
    ['n', 'INT64'],
    ['last', 'TIMESTAMP'],
    ['ids', 'ARRAY'],
    ['m', 'JSON'],
    ['t', 'STRUCT'],
  ]);
  expect(prepared.columns).toBeUndefined();
  expect(await run('own', {}, { asOf: '2026-01-02T00:04:00Z' })).toMatchObject({ result: { rows: result.rows }, cache: { state: 'hit' } });
});

test('as-of is refused where it would change nothing', async () => {
  const { run } = testRun(await openEvents(), { 'own.sql': queryText(1, 'SELECT now()', 'dialect: clickhouse') });
  expect(await failureOf(run('own', {}, { asOf: '2026-01-02' }))).toEqual({
    code: 'usage',
    message: 'own is ClickHouse SQL that reads the clock itself, so --as-of would change nothing',
    hint: "use {quern_now:DateTime64(6, 'UTC')} in its SQL for the current time",
  });
});

test('a run that is cancelled ends, and stores nothing', async () => {
  const sql = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';
  const { run, deps } = testRun(await openEvents(), { 'long.sql': queryText(1, sql, 'dialect: clickhouse', 'cache: 60s') });
  const caller = new AbortController();
  const running = failureOf(run('long', {}, { signal: caller.signal }));
  await expect.poll(async () => deps.engine()).toBeDefined();
  caller.abort();
  expect(await running).toMatchObject({ code: 'interrupted' });
  expect(await deps.cache.list()).toEqual([]);
});

test('limits of the run reach the engine', async () => {
  const sql = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';
  const { run } = testRun(
    await openEvents(),
    { 'long.sql': queryText(1, sql, 'dialect: clickhouse') },
    { limits: { usual: { maxExecutionSeconds: 0.2 } } },
  );
  expect(await failureOf(run('long'))).toMatchObject({ code: 'timeout' });
});
