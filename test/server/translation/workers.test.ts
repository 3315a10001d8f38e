// The pool of translating threads: its bounds, whose turn it is, and its end.
import { expect, test } from 'vitest';
import { translateCallersText } from '../../../src/execution/callers-text.ts';
import { failureOf } from '../../support/told.ts';
import { endless, never, textOf, waitersOf, workers } from './worker-support.ts';

const SQL = 'select sum(n) as n from t';
const TRANSLATED = translateCallersText(textOf(SQL));

test('a text that takes too long is refused as a whole, and the next one finds a thread', async () => {
  const pool = await workers({ timeoutMs: 700 });
  expect(await failureOf(pool.translate(endless(), waitersOf('a'), never))).toEqual({
    code: 'too-complex',
    message: 'this SQL takes longer than 700ms to translate',
    at: '1:1',
    hint: 'write it with fewer steps, or ask for less at once',
  });
  expect(await pool.translate(textOf(SQL), waitersOf('a'), never)).toEqual(TRANSLATED);
});

test('so is one that takes too much memory', async () => {
  const pool = await workers({ memoryMb: 32 });
  expect(await failureOf(pool.translate(endless(), waitersOf('a'), never))).toMatchObject({
    code: 'too-complex',
    message: 'this SQL takes more than 32 MB of memory to translate',
  });
  expect(await pool.translate(textOf(SQL), waitersOf('a'), never)).toEqual(TRANSLATED);
});

test('the time in which a thread starts is not counted', async () => {
  const pool = await workers({ timeoutMs: 1000, threads: 4 });
  pool.start();
  const texts = Array.from({ length: 12 }, () => pool.translate(textOf(SQL), waitersOf('a'), never));
  expect(await Promise.all(texts)).toEqual(texts.map(() => TRANSLATED));
});

test('callers take turns, and those beyond the bound are told when to come again', async () => {
  const pool = await workers({ timeoutMs: 1000, waiting: 6 });
  let worked = 0;
  const hostile = Array.from({ length: 8 }, () => {
    const outcome = pool.translate(endless(), waitersOf('a'), never);
    outcome.catch((error: unknown) => {
      if (Object(error).code === 'too-complex') worked++;
    });
    return outcome;
  });
  expect(await pool.translate(textOf(SQL), waitersOf('b'), never)).toEqual(TRANSLATED);
  // The one at work when b came, and perhaps the next.
  expect(worked).toBeLessThanOrEqual(2);
  const told = await Promise.all(hostile.map((outcome) => outcome.catch((error: unknown) => error)));
  expect(told.filter((error) => Object(error).code === 'busy').map((error) => Object(error).details.retryAfterSeconds)).toEqual([
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(told.filter((error) => Object(error).code === 'too-complex')).toHaveLength(6);
});

test('who leaves gives up the place', async () => {
  const pool = await workers({ timeoutMs: 1500, waiting: 1 });
  const first = failureOf(pool.translate(endless(), waitersOf('a'), never));
  const leaver = new AbortController();
  const left = failureOf(pool.translate(endless(), waitersOf('a'), leaver.signal));
  leaver.abort();
  expect((await left)['code']).toBe('interrupted');
  expect(await pool.translate(textOf(SQL), waitersOf('a'), never)).toEqual(TRANSLATED);
  expect((await first)['code']).toBe('too-complex');
});

test('with its end all that is under way ends', async () => {
  const pool = await workers();
  const text = failureOf(pool.translate(endless(), waitersOf('a'), never));
  const waiting = failureOf(pool.translate(textOf(SQL), waitersOf('a'), never));
  await pool.translate(textOf(SQL), waitersOf('a'), AbortSignal.abort()).catch(() => undefined);
  await pool.close();
  expect([(await text)['code'], (await waiting)['code']]).toEqual(['interrupted', 'interrupted']);
});
