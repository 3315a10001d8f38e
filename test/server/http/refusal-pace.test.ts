// How fast refusals are told.
import { describe, expect, test } from 'vitest';
import { createRefusalPace } from '../../../src/server/http/refusal-pace.ts';
import { testClock, until } from '../answers/answers-support.ts';
import { eventsEngine, served } from '../server-support.ts';

const engine = eventsEngine();

function refusing() {
  const clock = testClock();
  const pace = createRefusalPace(clock);
  const told: Record<string, number> = {};
  const refuse = (caller: string, count: number): void => {
    for (let i = 0; i < count; i++) {
      pace.refuse(caller, () => {
        told[caller] = (told[caller] ?? 0) + 1;
      });
    }
  };
  return { clock, pace, told, refuse };
}

describe('a caller', () => {
  test('is refused a hundred times at once, then fifty times in a second, and others are not held up', () => {
    const { clock, told, refuse } = refusing();
    refuse('a', 250);
    refuse('b', 1);
    expect(told).toEqual({ a: 101, b: 1 });
    clock.advance(1);
    expect(told['a']).toBe(151);
    clock.advance(2);
    expect(told['a']).toBe(250);
  });

  test('who has stopped for a while is refused at once again', () => {
    const { clock, told, refuse } = refusing();
    refuse('a', 101);
    clock.advance(2);
    refuse('a', 50);
    expect(told).toEqual({ a: 151 });
  });

  test('does not fill the memory: beyond a thousand who wait, all are told at once', () => {
    const { told, refuse } = refusing();
    refuse('a', 5000);
    expect(told).toEqual({ a: 4000 });
  });
});

test('a server that stops tells all who wait', () => {
  const { pace, told, refuse } = refusing();
  refuse('a', 300);
  pace.end();
  expect(told).toEqual({ a: 300 });
  refuse('a', 300);
  expect(told).toEqual({ a: 600 });
});

test('a key that asks far more often than it may, and than the engine bears, is told so at a pace', async () => {
  const limited = await served(engine(), { key: { rate: { count: 1, perSeconds: 60 } } });
  const busy = await served(engine(), { key: {} });
  busy.engine.state = 'held';
  for (const [world, status, free] of [
    [limited, 429, 1],
    [busy, 503, 12],
  ] as const) {
    const statuses: number[] = [];
    for (let i = 0; i < 300; i++)
      void world.ask(`/api/endpoints/series?rows=1&word=w${i}`).then(({ statusCode }) => statuses.push(statusCode));
    const refused = () => statuses.filter((one) => one === status).length;
    await until(() => refused() === 101);
    world.clock.advance(1);
    await until(() => refused() === 151);
    world.engine.state = 'up';
    await until(() => statuses.length === 151 + free);
    await world.server.close();
    await until(() => statuses.length === 300);
    expect(refused()).toBe(300 - free);
  }
});
