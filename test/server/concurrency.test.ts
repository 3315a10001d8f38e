// Many callers at once.
import type { Response } from 'light-my-request';
import { expect, test } from 'vitest';
import { until } from './answers/answers-support.ts';
import { eventsEngine, expectError, served } from './server-support.ts';

const engine = eventsEngine();

test('a thousand who ask the same at once are answered from one query', async () => {
  const world = await served(engine());
  world.engine.state = 'held';
  const asked = Array.from({ length: 1000 }, () => world.ask('/api/endpoints/ids?area=auth&most=2'));
  await until(() => world.executed.length === 1);
  world.engine.state = 'up';
  const replies = await Promise.all(asked);
  expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
    new Set(['200 {"result": [\n{"id":2,"area":"auth","moment":"2026-01-02T00:02:00Z"}\n]}\n']),
  );
  expect(world.executed).toHaveLength(1);
});

test('more than the engine bears and the queue holds are told to come again, and the others are answered', async () => {
  const world = await served(engine());
  world.engine.state = 'held';
  const refused: Response[] = [];
  const asked = Array.from({ length: 20 }, async (_, i) => {
    const reply = await world.ask(`/api/endpoints/series?rows=1&word=w${i}`);
    if (reply.statusCode === 200) return reply.json().result[0].word === `w${i}`;
    refused.push(reply);
    return undefined;
  });
  // Two at the engine, ten in the queue.
  await until(() => refused.length === 8);
  for (const reply of refused) {
    expectError(reply, 503, 'busy');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  }
  world.engine.state = 'up';
  expect((await Promise.all(asked)).filter((right) => right === true)).toHaveLength(12);
});
