// Several keys before one engine: whatever one of them asks for, the others are answered.
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { eventsEngine, served } from '../server-support.ts';
import { until, world } from './answers-support.ts';

const engine = eventsEngine();

describe('a key made with --max-concurrent', () => {
  test('has no more at the engine at once; the rest of its requests wait, and are answered', async () => {
    const { ask, executed, engine: state } = await served(engine(), { key: { maxConcurrent: 1 } });
    state.state = 'held';
    const asked = [1, 2, 3].map((n) => ask(`/api/endpoints/series?rows=1&word=w${n}`));
    await until(() => executed.length === 1);
    state.state = 'up';
    expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(executed).toHaveLength(3);
  });
});

test('runs of a key that has more waiting share the processors, those of others have them all', async () => {
  const { ask, executed, engine: state } = world(engine(), { options: { spare: () => true }, limits: { queries: 3 } });
  state.state = 'held';
  const asked = [1, 2, 3, 4].map((n) => ask({ area: `area ${n}` }, { tenant: { id: 'a' } }));
  await until(() => executed.length === 2);
  const other = ask({ area: 'auth' }, { tenant: { id: 'b' } });
  await until(() => executed.length === 3);
  state.state = 'up';
  await Promise.all([...asked, other]);
  const threads = executed.map(({ limits }) => limits?.maxThreads);
  const half = Math.ceil(availableParallelism() / 2);
  // Which of the two that waited came first does not matter: it shares with the other key's run, and the last one has nobody to share with.
  expect(threads).toEqual([undefined, undefined, undefined, half, undefined]);
  expect(executed[2]?.bindings[0]?.value).toBe('auth');
});

describe('a run that several want', () => {
  const [a, b] = [{ id: 'a' }, { id: 'b' }];
  const areas = ['area 1', 'area 2', 'area 3'];

  test('begins in the turn of who has fewer, though another asked first', async () => {
    const { ask, answers, executed, engine: state } = world(engine(), { options: { spare: () => true } });
    state.state = 'held';
    // The first has begun before the others ask: files are read in any order.
    const [first, ...rest] = areas;
    const begun = ask({ area: first ?? '' }, { tenant: a });
    await until(() => executed.length === 1);
    const asked = [begun, ...rest.map((area) => ask({ area }, { tenant: a }))];
    await until(() => answers.stats().waiting === 2);
    const shared = ask({ area: 'area 3' }, { tenant: b });
    await until(() => executed.length === 2);
    expect(executed.map(({ bindings }) => bindings[0]?.value)).toEqual(['area 1', 'area 3']);
    state.state = 'up';
    expect((await Promise.all([...asked, shared])).map(({ state: cache }) => cache)).toEqual(['miss', 'miss', 'miss', 'miss']);
    expect(executed).toHaveLength(3);
  });

  test('begins in the turn of a caller who needs it, though it was to be in the background', async () => {
    const { ask, answers, clock, executed, engine: state } = world(engine(), { limits: { waitMs: 1e7 } });
    for (const area of areas) await ask({ area }, { tenant: a });
    state.state = 'held';
    clock.advance(61);
    for (const area of areas) expect((await ask({ area }, { tenant: a })).state).toBe('stale');
    await until(() => executed.length === 4 && answers.stats().waiting === 2);
    clock.advance(1000);
    const expired = ask({ area: 'area 3' }, { tenant: b });
    await until(() => executed.length === 5);
    expect(executed[4]?.bindings[0]?.value).toBe('area 3');
    state.state = 'up';
    expect((await expired).state).toBe('miss');
  });
});
