// Saved queries that change while the server runs.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { systemClock } from '../../src/server/clock.ts';
import { queryText } from '../queries/support.ts';
import { until } from './answers/answers-support.ts';
import { eventsEngine, expectError, type Served, served } from './server-support.ts';

const engine = eventsEngine();
const one = (sql: string, digit = 3) => queryText(digit, sql, 'cache: 60s');

const rows = async ({ ask }: Served, name: string) => (await ask(`/api/endpoints/${name}`)).json().result;

describe('a saved query whose file changes', () => {
  test('is served as it is now, at its name and its UUID, with nothing left of the old answers', async () => {
    const world = await served(engine(), { files: { 'one.sql': one('select 1 as a') } });
    expect(await rows(world, 'one')).toEqual([{ a: 1 }]);
    expect(await rows(world, 'one')).toEqual([{ a: 1 }]);
    world.write('one.sql', one('select 2 as a', 4));
    await world.server.reload();
    expect(await rows(world, 'one')).toEqual([{ a: 2 }]);
    expect(await rows(world, 'query/4c1f0000-0000-4000-8000-000000000004')).toEqual([{ a: 2 }]);
    expectError(await world.ask('/api/endpoints/query/4c1f0000-0000-4000-8000-000000000003'), 404, 'unknown-query');
  });

  test('is made anew when a function that it calls changes, and not for any other', async () => {
    const files = {
      'one.sql': one('select f() as a'),
      'two.sql': one('select 1 as a', 4),
      'functions/f.sql': 'create function f() as (1)',
    };
    const world = await served(engine(), { files });
    for (const name of ['one', 'two']) expect(await rows(world, name)).toEqual([{ a: 1 }]);
    world.write('functions/f.sql', 'create function f() as (2)');
    await world.server.reload();
    expect(await rows(world, 'one')).toEqual([{ a: 2 }]);
    expect((await world.ask('/api/endpoints/two')).headers['x-cache']).toBe('hit');
  });

  test('keeps its answers when other files change', async () => {
    const world = await served(engine(), { files: { 'one.sql': one('select 1 as a') } });
    await rows(world, 'one');
    world.write('two.sql', one('select 2 as a', 4));
    await world.server.reload();
    expect((await world.ask('/api/endpoints/one')).headers['x-cache']).toBe('hit');
  });

  test('is served as it was before while the file has errors, and the log and /ready say so', async () => {
    const world = await served(engine(), { files: { 'one.sql': one('select 1 as a') } });
    world.write('one.sql', one('select nosuch(1) as a'));
    await world.server.reload();
    await world.server.reload();
    expect(await rows(world, 'one')).toEqual([{ a: 1 }]);
    const ready = await world.ask('/ready');
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      {
        status: 'ready',
        endpoints: 3,
        broken: [{ name: 'one', message: 'nosuch is not a function quern can translate', served: 'as it was before' }],
      },
    ]);
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({
        endpoint: 'one',
        error: expect.objectContaining({ position: { file: expect.stringMatching(/one\.sql$/), line: 5, column: 8 } }),
        msg: 'a saved query has errors: it is served as it was before',
      }),
    ]);
    world.write('one.sql', one('select 3 as a'));
    await world.server.reload();
    expect(world.log.at(-1)).toMatchObject({ level: 'info', endpoint: 'one', msg: 'the saved query no longer has errors' });
    expect([await rows(world, 'one'), (await world.ask('/ready')).json().broken]).toEqual([[{ a: 3 }], []]);
  });

  test('that never was whole says what is wrong with it, and harms no other', async () => {
    const world = await served(engine(), { files: { 'bad.sql': one('select from events') } });
    const error = expectError(await world.ask('/api/endpoints/bad'), 500, 'syntax');
    expect([error.message, error.position]).toEqual([
      'expected an expression after select, found from',
      { file: 'bad.sql', line: 5, column: 8 },
    ]);
    expect(await rows(world, 'series')).toHaveLength(2);
  });

  test('comes and goes with its file', async () => {
    const world = await served(engine());
    expectError(await world.ask('/api/endpoints/one'), 404, 'unknown-query');
    world.write('one.sql', one('select 1 as a'));
    await world.server.reload();
    expect(await rows(world, 'one')).toEqual([{ a: 1 }]);
    rmSync(join(world.folder, 'one.sql'));
    await world.server.reload();
    expectError(await world.ask('/api/endpoints/one'), 404, 'unknown-query');
    expect(world.log.map(({ added, removed }) => [added, removed]).filter(([added]) => added !== undefined)).toEqual([
      [['ids', 'series'], []],
      [['one'], []],
      [[], ['one']],
    ]);
  });

  test('changes what is served of the queries that read it', async () => {
    const files = { 'inner.sql': one('select 1 as a'), 'outer.sql': one('select a * 10 as b from `inner`', 4) };
    const world = await served(engine(), { files });
    expect(await rows(world, 'outer')).toEqual([{ b: 10 }]);
    world.write('inner.sql', one('select 2 as a'));
    await world.server.reload();
    expect(await rows(world, 'outer')).toEqual([{ b: 20 }]);
  });
});

test('all stays as it was when the folder cannot be read', async () => {
  const world = await served(engine(), { files: { 'one.sql': one('select 1 as a') } });
  rmSync(world.folder, { recursive: true });
  await world.server.reload();
  expect(await rows(world, 'one')).toEqual([{ a: 1 }]);
  expect(world.log.at(-2)).toMatchObject({ level: 'error', msg: 'the saved queries cannot be read, so they stay as they were' });
});

test('a change is noticed by itself', async () => {
  const world = await served(engine(), { options: { clock: systemClock } });
  world.write('one.sql', one('select 1 as a'));
  await until(() => world.log.some(({ added }) => Array.isArray(added) && added.includes('one')));
  expect(await rows(world, 'one')).toEqual([{ a: 1 }]);
});

test('an engine that is away at the start is no reason not to serve what it will answer later', async () => {
  const world = await served(engine());
  world.engine.state = new QuernError('unreachable', 'ClickHouse is away');
  expectError(await world.ask('/api/endpoints/ids?area=rest'), 503, 'unreachable');
  world.engine.state = 'up';
  world.clock.advance(10);
  expect((await world.ask('/api/endpoints/ids?area=rest')).statusCode).toBe(200);
});
