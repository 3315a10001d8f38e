// Turns at the engine.
import { expect, test } from 'vitest';
import { createTurns } from '../../src/http/answers/turns.ts';
import { openEvents } from '../execution/run-support.ts';
import { failureOf } from '../support/told.ts';
import { testClock, until, world } from './answers-support.ts';

const never = new AbortController().signal;

test('so many turns at once, the others in order', async () => {
  const turns = createTurns({ atOnce: 2, waiting: 3, waitMs: 1000, clock: testClock() });
  const ends = await Promise.all([turns.take(never), turns.take(never)]);
  const order: number[] = [];
  const waiting = [1, 2].map(async (n) => {
    const end = await turns.take(never);
    order.push(n);
    return end;
  });
  expect([turns.running, turns.waiting]).toEqual([2, 2]);
  ends[0]?.();
  (await waiting[0])?.();
  (await waiting[1])?.();
  ends[1]?.();
  expect([order, turns.running, turns.waiting]).toEqual([[1, 2], 0, 0]);
});

test('one more than may wait is refused at once, one that waits too long when its time is up; both hear when to ask again', async () => {
  const clock = testClock();
  const turns = createTurns({ atOnce: 1, waiting: 1, waitMs: 5000, clock });
  const end = await turns.take(never);
  const late = failureOf(turns.take(never));
  expect(await failureOf(turns.take(never))).toEqual({
    code: 'busy',
    message: 'the engine is busy, and as many queries wait for it as may (1)',
    hint: 'ask again in a while',
  });
  clock.advance(5);
  expect(await late).toEqual({
    code: 'busy',
    message: 'the engine had no time for this query within 5 s',
    hint: 'ask again in a while',
  });
  end();
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
});

test('who leaves the queue frees its place', async () => {
  const turns = createTurns({ atOnce: 1, waiting: 1, waitMs: 5000, clock: testClock() });
  const end = await turns.take(never);
  const leaver = new AbortController();
  const left = failureOf(turns.take(leaver.signal));
  leaver.abort();
  expect((await left)['code']).toBe('interrupted');
  const next = turns.take(never);
  end();
  (await next)();
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
  expect((await failureOf(turns.take(AbortSignal.abort())))['code']).toBe('interrupted');
});

test('the time to come back after grows with the queue and with how long turns take', async () => {
  const clock = testClock();
  const turns = createTurns({ atOnce: 1, waiting: 0, waitMs: 5000, clock });
  const retry = () =>
    turns.take(never).then(
      () => 0,
      (error: unknown) => Object(error).details.retryAfterSeconds as number,
    );
  const quick = await turns.take(never);
  expect(await retry()).toBe(1);
  quick();
  const slow = await turns.take(never);
  clock.advance(100);
  slow();
  const end = await turns.take(never);
  expect(await retry()).toBe(21);
  end();
});

test('a server never runs more at the engine than it may, and callers beyond the queue are told that it is busy', async () => {
  const { ask, answers, engine, executed } = world(await openEvents(), { limits: { queries: 2, waiting: 3 } });
  engine.state = 'held';
  const asked = Array.from({ length: 7 }, (_, n) =>
    ask({ area: `area ${n}` }).then(
      ({ state }) => state,
      (error: unknown) => Object(error).code,
    ),
  );
  await until(() => answers.stats().running === 2 && answers.stats().waiting === 3 && executed.length === 2);
  engine.state = 'up';
  expect((await Promise.all(asked)).sort()).toEqual(['busy', 'busy', 'miss', 'miss', 'miss', 'miss', 'miss']);
  expect([executed.length, answers.stats().running, answers.stats().waiting]).toEqual([5, 0, 0]);
});
