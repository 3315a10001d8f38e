// Old rows: when they answer, what is done behind them, and what happens when the engine cannot be had.
import { expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { openEvents } from '../../execution/run-support.ts';
import { failureOf } from '../../support/told.ts';
import { LINES_RENDERER, UNREACHABLE, until, type World, world } from './answers-support.ts';

const MORE = "INSERT INTO default.events SELECT 11, 'rest', now64(6)";
const OLD = '[[1],[3],[5],[7],[9]]';
const NEW = '[[1],[3],[5],[7],[9],[11]]';

const idle = ({ answers }: World) => until(() => answers.stats().running === 0);

test('after the TTL old rows answer at once, while one run fetches the new ones', async () => {
  const engine = await openEvents();
  const server = world(engine);
  await server.told();
  await engine.command(MORE);
  server.clock.advance(60);
  server.engine.state = 'held';
  const stale = await server.ask();
  expect([stale.state, stale.ageSeconds, String(await stale.body('identity'))]).toEqual(['stale', 60, OLD]);
  expect(await Promise.all([server.told(), server.told({}, { render: LINES_RENDERER })])).toEqual([`stale ${OLD}`, 'stale 1\n3\n5\n7\n9']);
  await until(() => server.executed.length === 2);
  server.engine.state = 'up';
  await idle(server);
  expect(await server.told()).toBe(`hit ${NEW}`);
  expect(await server.told({}, { render: LINES_RENDERER })).toBe('hit 1\n3\n5\n7\n9\n11');
  expect([server.executed.length, server.events]).toEqual([2, []]);
});

test('later than that, callers wait for new rows', async () => {
  const engine = await openEvents();
  const server = world(engine);
  await server.told();
  await engine.command(MORE);
  server.clock.advance(90);
  expect(await server.told()).toBe(`miss ${NEW}`);
});

test('a server that starts again gives old rows from the files while it fetches new ones', async () => {
  const engine = await openEvents();
  const before = world(engine);
  await before.told();
  await before.answers.drain();
  await engine.command(MORE);
  before.clock.advance(70);
  const after = before.restarted();
  expect(await after.told()).toBe(`stale ${OLD}`);
  await until(() => after.executed.length === 1);
  await idle(after);
  expect(await after.told()).toBe(`hit ${NEW}`);
});

test('rows that another process has fetched meanwhile are taken instead of a run', async () => {
  const engine = await openEvents();
  const one = world(engine);
  await one.told();
  await one.stored();
  const other = one.restarted();
  await other.told();
  await engine.command(MORE);
  one.clock.advance(60);
  await one.told();
  await one.stored();
  expect(await other.told()).toBe(`stale ${OLD}`);
  await until(() => other.printed.count === 2);
  expect(await other.told()).toBe(`hit ${NEW}`);
  expect([one.executed.length, other.executed.length]).toEqual([2, 0]);
});

test('when the engine cannot answer, old rows do, and the log says why; the engine is not asked again at once', async () => {
  const server = world(await openEvents());
  await server.told();
  server.clock.advance(300);
  server.engine.state = UNREACHABLE;
  expect(await server.told()).toBe(`stale ${OLD}`);
  expect(server.events).toEqual([
    { kind: 'stale-after-failure', query: 'ids', requestId: 'request-2', ageSeconds: 300, error: UNREACHABLE },
  ]);
  expect(await server.told()).toBe(`stale ${OLD}`);
  expect(server.executed.length).toBe(2);
  server.clock.advance(5);
  expect(await server.told()).toBe(`stale ${OLD}`);
  await until(() => server.events.length === 2);
  expect([server.events[1], server.executed.length]).toEqual([{ kind: 'refresh-failed', query: 'ids', error: UNREACHABLE }, 3]);
});

test('once the engine is back, new rows answer without a restart', async () => {
  const engine = await openEvents();
  const server = world(engine);
  await server.told();
  server.clock.advance(300);
  server.engine.state = UNREACHABLE;
  await server.told();
  await engine.command(MORE);
  server.engine.state = 'up';
  server.clock.advance(5);
  expect(await server.told()).toBe(`stale ${OLD}`);
  await until(() => server.executed.length === 3);
  await idle(server);
  expect(await server.told()).toBe(`hit ${NEW}`);
});

test('a timeout and a busy engine are outages; other errors of the engine are told', async () => {
  const engine = await openEvents();
  const afterFailure = async (error: QuernError) => {
    const server = world(engine);
    await server.told();
    server.clock.advance(300);
    server.engine.state = error;
    return server.told().catch(({ code }: QuernError) => code);
  };
  expect(await afterFailure(new QuernError('timeout', 'the query took longer than its timeout'))).toBe(`stale ${OLD}`);
  expect(await afterFailure(new QuernError('busy', 'too many queries'))).toBe(`stale ${OLD}`);
  expect(await afterFailure(new QuernError('engine', 'ClickHouse answered UNKNOWN_TABLE (60)'))).toBe('engine');
});

test('rows of which parts are missing are not kept, and old whole ones go before them', async () => {
  const server = world(await openEvents());
  server.engine.missing = ['shard 2'];
  expect([await server.told(), await server.told()]).toEqual([`off ${OLD}`, `off ${OLD}`]);
  expect([server.answers.stats().bodies, server.executed.length]).toEqual([0, 2]);
  delete server.engine.missing;
  expect(await server.told()).toBe(`miss ${OLD}`);
  server.engine.missing = ['shard 2'];
  server.clock.advance(300);
  expect(await server.told()).toBe(`stale ${OLD}`);
  expect(await server.told({}, { fresh: true })).toBe(`off ${OLD}`);
  expect(server.events.map(({ kind, error }) => [kind, error.message])).toEqual([
    ['stale-after-failure', 'parts of the data did not answer: shard 2'],
  ]);
  server.clock.advance(5);
  await server.told();
  await until(() => server.events.length === 2);
  expect(server.events[1]).toMatchObject({ kind: 'refresh-failed', error: { message: 'parts of the data did not answer: shard 2' } });
});

test('rows that are too old answer nobody, and who asks for a fresh run is told of the failure', async () => {
  const server = world(await openEvents());
  await server.told();
  server.engine.state = UNREACHABLE;
  expect((await failureOf(server.told({}, { fresh: true })))['code']).toBe('unreachable');
  expect(await server.told()).toBe(`hit ${OLD}`);
  server.clock.advance(660);
  expect((await failureOf(server.told()))['code']).toBe('unreachable');
});

test('old rows answer from the files when the server starts while the engine is away', async () => {
  const before = world(await openEvents());
  await before.told();
  await before.answers.drain();
  before.clock.advance(200);
  const after = before.restarted();
  after.engine.state = UNREACHABLE;
  expect(await after.told()).toBe(`stale ${OLD}`);
});

test('a drained server answers on, and refreshes nothing', async () => {
  const server = world(await openEvents());
  await server.told();
  server.clock.advance(60);
  await server.answers.drain();
  expect(await server.told()).toBe(`stale ${OLD}`);
  expect(await server.told({ area: 'auth' })).toBe('miss [[2],[4],[6],[8],[10]]');
  expect(server.executed.length).toBe(2);
});

test('draining stops a refresh that nobody waits for', async () => {
  const server = world(await openEvents());
  await server.told();
  server.clock.advance(60);
  server.engine.state = 'held';
  await server.told();
  await until(() => server.executed.length === 2);
  await server.answers.drain();
  expect(server.executed[1]?.signal?.aborted).toBe(true);
  await idle(server);
  expect(server.events).toEqual([]);
});
