// Warming: which pairs run again, when, how many at once, and when they are let go.
import { expect, test } from 'vitest';
import { Warming, type WarmPair } from '../../../src/server/answers/warming.ts';
import { openEvents } from '../../execution/run-support.ts';
import { idsQuery, testClock, UNREACHABLE, until, world } from './answers-support.ts';

const MORE = "INSERT INTO default.events SELECT 11, 'rest', now64(6)";
const WARMED = { 'ids.sql': idsQuery('cache: 900s', 'cache_warming: 300s') };

test('what was asked for lately runs again every interval, and callers find the new rows ready', async () => {
  const engine = await openEvents();
  const { told, clock, executed, answers } = world(engine, { files: WARMED });
  await told();
  expect(await told({}, { redact: true, maxRows: 1 })).toBe('hit [["REDACTED"]]');
  await engine.command(MORE);
  clock.advance(299);
  expect(await told()).toBe('hit [[1],[3],[5],[7],[9]]');
  clock.advance(1);
  await until(() => executed.length === 2 && answers.stats().running === 0);
  expect(await told()).toBe('hit [[1],[3],[5],[7],[9],[11]]');
  clock.advance(300);
  await until(() => executed.length === 3);
});

test('a pair that nobody asks for is let go after three intervals', async () => {
  const { told, clock, executed, answers } = world(await openEvents(), { files: WARMED });
  await told();
  for (const runs of [2, 3, 4]) {
    clock.advance(300);
    await until(() => executed.length === runs && answers.stats().running === 0);
  }
  expect(answers.stats().warm).toBe(1);
  clock.advance(300);
  expect(answers.stats().warm).toBe(0);
  clock.advance(10_000);
  expect(executed.length).toBe(4);
});

test('a failed warming is told to the log, costs no answer, and is tried again', async () => {
  const { told, clock, executed, engine, events, answers } = world(await openEvents(), { files: WARMED });
  await told();
  engine.state = UNREACHABLE;
  clock.advance(300);
  await until(() => events.length === 1);
  expect(events).toEqual([{ kind: 'warming-failed', query: 'ids', error: UNREACHABLE }]);
  expect(await told()).toBe('hit [[1],[3],[5],[7],[9]]');
  engine.state = 'up';
  clock.advance(300);
  await until(() => executed.length === 3 && answers.stats().running === 0);
});

test('rows that another process has just fetched are taken instead of a run', async () => {
  const engine = await openEvents();
  const one = world(engine, { files: WARMED });
  await one.told();
  await one.answers.drain();
  const other = one.restarted();
  await other.told();
  await engine.command(MORE);
  one.clock.advance(200);
  await one.told({}, { fresh: true });
  await one.answers.drain();
  other.clock.advance(100);
  await until(() => other.printed.count === 2);
  expect(await other.told()).toBe('hit [[1],[3],[5],[7],[9],[11]]');
  expect(other.executed.length).toBe(0);
});

test('queries without cache_warming are not warmed, and neither is anything after draining', async () => {
  const engine = await openEvents();
  const plain = world(engine);
  await plain.told();
  expect(plain.answers.stats().warm).toBe(0);
  const drained = world(engine, { files: WARMED });
  await drained.told();
  await drained.answers.drain();
  drained.clock.advance(300);
  expect([drained.answers.stats().warm, drained.executed.length]).toEqual([0, 1]);
});

test('a pair whose data have changed since is not run for nobody', async () => {
  const { told, clock, executed, engine, answers } = world(await openEvents(), { files: WARMED });
  await told();
  engine.id = 'events after a load';
  clock.advance(1);
  await told();
  expect(await told()).toBe('miss [[1],[3],[5],[7],[9]]');
  clock.advance(301);
  await until(() => executed.length === 3 && answers.stats().running === 0);
  expect(executed.length).toBe(3);
});

/** Warming of pairs that run until they are told to end. */
function controlled(options: { readonly random?: () => number; readonly mostPairs?: number } = {}) {
  const clock = testClock();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const warming = new Warming({
    clock,
    random: options.random ?? (() => 0),
    atOnce: 2,
    mostPairs: options.mostPairs ?? 100,
    warm: (key) => {
      started.push(key);
      return new Promise((resolve) => ends.push(resolve));
    },
    onFailure: () => undefined,
  });
  return { clock, started, ends, warming };
}

async function pairOf(): Promise<WarmPair> {
  const { prepared } = world(await openEvents(), { files: WARMED });
  return { prepared: await prepared(), arguments: { area: 'rest' } };
}

test('no more than a few pairs run at once, and none begins after the end', async () => {
  const { clock, started, ends, warming } = controlled();
  const pair = await pairOf();
  for (const key of ['a', 'b', 'c', 'd']) warming.answered(key, pair);
  clock.advance(300);
  expect([started, warming.running]).toEqual([['a', 'b'], 2]);
  ends[0]?.();
  await until(() => started.length === 3);
  warming.stop();
  ends[1]?.();
  ends[2]?.();
  await until(() => warming.running === 0);
  clock.advance(1000);
  expect([started, warming.pairs]).toEqual([['a', 'b', 'c'], 0]);
});

test('pairs asked for together run at different times, never later than their interval', async () => {
  const parts = [0, 0.5, 1];
  const { clock, started, warming } = controlled({ random: () => parts.shift() ?? 0 });
  const pair = await pairOf();
  for (const key of ['a', 'b', 'c']) warming.answered(key, pair);
  clock.advance(269);
  expect(started).toEqual([]);
  clock.advance(1);
  expect(started).toEqual(['c']);
  clock.advance(15);
  expect(started).toEqual(['c', 'b']);
  clock.advance(15);
  expect(warming.running).toBe(2);
});

test('of too many pairs the one asked for longest ago is let go', async () => {
  const { clock, started, warming } = controlled({ mostPairs: 2 });
  const pair = await pairOf();
  for (const key of ['a', 'b', 'a', 'c']) warming.answered(key, pair);
  clock.advance(300);
  expect([warming.pairs, started]).toEqual([2, ['a', 'c']]);
});
