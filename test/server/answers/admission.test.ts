// Admission to the engine: who is next, who waits, and who is refused.
import { setMaxListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Admission, type AdmissionOptions } from '../../../src/server/answers/admission.ts';
import { BACKGROUND, createWaiters, type Tenant, type Waiters } from '../../../src/server/answers/tenant.ts';
import { failureOf } from '../../support/told.ts';
import { testClock } from './answers-support.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);

/** An engine whose runs last until they are told to end; tenants are named by a letter. */
function admitting(options: Partial<AdmissionOptions> = {}) {
  const clock = testClock();
  const admission = new Admission({ atOnce: 3, waiting: 100, waitMs: 10_000, spare: () => true, clock, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const sharers = new Map<string, number>();
  const refused = new Map<string, unknown>();
  const tenantOf = (name: string): Tenant => (name.startsWith('bg') ? BACKGROUND : { id: name.replace(/\d+$/, '') });

  /** A run of each of these names, such as `a1`: of the tenant `a`. */
  const ask = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) enter(name, createWaiters(tenantOf(name)));
    await settled();
  };
  const enter = (name: string, waiters: Waiters, signal = never): void => {
    admission.admit(waiters, signal).then(
      (turn) => {
        begun.push(name);
        ends.set(name, turn.end);
        sharers.set(name, turn.sharers);
      },
      (error: unknown) => refused.set(name, error),
    );
  };
  const end = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      ends.get(name)?.();
      ends.delete(name);
      await settled();
    }
  };
  const many = (tenant: string, count: number) => Array.from({ length: count }, (_, i) => `${tenant}${i + 1}`);
  const retryAfter = (name: string): unknown => Object(refused.get(name)).details.retryAfterSeconds;
  return { admission, clock, ask, enter, end, many, begun, sharers, refused, retryAfter, at: () => [...ends.keys()].sort().join(' ') };
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

describe('turns', () => {
  test('one tenant alone is served in order', async () => {
    const { admission, ask, end, many, begun } = admitting({ atOnce: 2, spare: () => false });
    await ask(...many('a', 4));
    expect([begun.join(' '), admission.running, admission.waiting]).toEqual(['a1 a2', 2, 2]);
    await end('a2', 'a1', 'a3', 'a4');
    expect([begun.join(' '), admission.running, admission.waiting]).toEqual(['a1 a2 a3 a4', 0, 0]);
  });

  test('the next is whoever has the fewest runs, however long the queue of another', async () => {
    const { ask, end, many, at } = admitting({ spare: () => false });
    await ask(...many('a', 50), 'b1', 'b2', 'c1');
    expect(at()).toBe('a1 a2 a3');
    await end('a1');
    expect(at()).toBe('a2 a3 b1');
    await end('a2');
    expect(at()).toBe('a3 b1 c1');
    await end('b1');
    expect(at()).toBe('a3 b2 c1');
  });

  test('tenants with as many runs take turns, also those who ask one thing after the other', async () => {
    const { ask, end, many, begun } = admitting({ atOnce: 1 });
    await ask(...many('a', 50), 'b1');
    await end('a1');
    await ask('c1');
    await end('b1');
    await ask('b2');
    await end('a2');
    await ask('d1');
    await end('c1');
    await ask('c2');
    await end('b2', 'a3');
    expect(begun.join(' ')).toBe('a1 b1 a2 c1 b2 a3 d1');
  });

  test('runs that take long do not give their tenant more of the time', async () => {
    const { ask, end, many, begun } = admitting({ atOnce: 2 });
    await ask('slow1', 'slow2', 'slow3', ...many('quick', 9));
    for (let i = 1; i < 9; i++) await end(`quick${i}`);
    expect(begun.join(' ')).toBe('slow1 quick1 quick2 quick3 quick4 quick5 quick6 quick7 quick8 quick9');
  });
});

describe('the slot that is left to others', () => {
  test('is there for another tenant at once, whatever one asks for', async () => {
    const { ask, end, many, at } = admitting();
    await ask(...many('a', 50));
    expect(at()).toBe('a1 a2');
    await ask('b1');
    expect(at()).toBe('a1 a2 b1');
    await end('b1');
    expect(at()).toBe('a1 a2');
  });

  test('is used by all while there are no others to leave it to, and of one slot nothing is left', async () => {
    const alone = admitting({ spare: () => false });
    await alone.ask(...alone.many('a', 5));
    expect(alone.at()).toBe('a1 a2 a3');
    const single = admitting({ atOnce: 1 });
    await single.ask('a1', 'b1');
    expect(single.at()).toBe('a1');
  });

  test('is not taken by work in the background, nor by one tenant and the background together', async () => {
    const { ask, end, many, at } = admitting();
    await ask('a1', ...many('bg', 5));
    expect(at()).toBe('a1 bg1');
    await ask('a2');
    expect(at()).toBe('a1 bg1');
    await ask('b1');
    expect(at()).toBe('a1 b1 bg1');
    await end('b1', 'bg1');
    expect(at()).toBe('a1 bg2');
  });
});

describe('work in the background', () => {
  test('has its turns beside callers, and half of the slots at most', async () => {
    const { ask, end, many, at } = admitting({ atOnce: 4, spare: () => false });
    await ask(...many('bg', 9));
    expect(at()).toBe('bg1 bg2');
    await ask(...many('a', 9));
    expect(at()).toBe('a1 a2 bg1 bg2');
    await end('bg1', 'bg2');
    expect(at()).toBe('a1 a2 bg3 bg4');
    await end('a1');
    expect(at()).toBe('a2 a3 bg3 bg4');
  });

  test('has its turns when several tenants want more than there is, too', async () => {
    const { ask, end, many, at } = admitting();
    await ask(...many('a', 9), ...many('b', 9), ...many('bg', 9));
    expect(at()).toBe('a1 a2 b1');
    await end('a1');
    expect(at()).toBe('a2 b1 bg1');
    await end('b1');
    expect(at()).toBe('a2 b2 bg1');
    await end('bg1');
    expect(at()).toBe('a2 b2 bg2');
  });

  test.each([1, 2])('goes on when there are so few slots as %i', async (atOnce) => {
    const { ask, end, many, begun } = admitting({ atOnce });
    await ask(...many('a', 3), ...many('bg', 3));
    await end('a1', 'bg1', 'a2', 'bg2');
    expect(begun.slice(0, 5).join(' ')).toBe('a1 bg1 a2 bg2 a3');
  });
});

describe('a tenant that may have so many runs at once', () => {
  test('waits with more, also when slots are free, and others pass by', async () => {
    const { admission, enter, end, at } = admitting({ atOnce: 4, spare: () => false });
    const bounded = { id: 'a', maxConcurrent: 1 };
    for (const name of ['a1', 'a2']) enter(name, createWaiters(bounded));
    for (const name of ['b1', 'b2']) enter(name, createWaiters({ id: 'b' }));
    await settled();
    expect([at(), admission.waiting]).toEqual(['a1 b1 b2', 1]);
    await end('a1');
    expect([at(), admission.waiting]).toEqual(['a2 b1 b2', 0]);
  });
});

describe('a run that several want', () => {
  test('begins when the turn of any of them comes, and once', async () => {
    const { admission, ask, enter, end, many, at } = admitting();
    await ask(...many('a', 5));
    const waiters = createWaiters({ id: 'a' });
    enter('shared', waiters);
    await settled();
    expect(admission.waiting).toBe(4);
    waiters.join({ id: 'b' });
    await settled();
    expect([at(), admission.waiting]).toEqual(['a1 a2 shared', 3]);
    await end('shared', 'a1', 'a2', 'a3', 'a4', 'a5');
    expect([at(), admission.running, admission.waiting]).toEqual(['', 0, 0]);
  });

  test('does not lose its place for what one of them has waiting besides', async () => {
    const { ask, enter, many, refused } = admitting({ atOnce: 1, waiting: 4 });
    await ask(...many('a', 4));
    const waiters = createWaiters({ id: 'a' });
    enter('shared', waiters);
    waiters.join({ id: 'b' });
    await ask('c1');
    expect([...refused.keys()]).toEqual(['a4']);
  });

  test('waits anew for whoever joins', async () => {
    const { ask, enter, clock, refused } = admitting({ atOnce: 1 });
    await ask('a1');
    const waiters = createWaiters({ id: 'a' });
    enter('shared', waiters);
    clock.advance(9);
    waiters.join({ id: 'b' });
    clock.advance(9);
    await settled();
    expect(refused.size).toBe(0);
    clock.advance(1);
    await settled();
    expect([...refused.keys()]).toEqual(['shared']);
  });
});

describe('a full queue', () => {
  test('refuses one more at once, and one that waits too long when its time is up', async () => {
    const clock = testClock();
    const admission = new Admission({ atOnce: 1, waiting: 1, waitMs: 5000, spare: () => true, clock });
    const waiters = () => createWaiters({ id: 'a' });
    const turn = await admission.admit(waiters(), never);
    const late = failureOf(admission.admit(waiters(), never));
    expect(await failureOf(admission.admit(waiters(), never))).toEqual({
      code: 'busy',
      message: 'the engine is busy, and the queue is full (1)',
      hint: 'try again in a while',
    });
    clock.advance(5);
    expect(await late).toEqual({
      code: 'busy',
      message: 'the engine was not free for this query within 5 s',
      hint: 'try again in a while',
    });
    turn.end();
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  test('has room for those who have fewer waiting: the newest of the longest line goes', async () => {
    const { admission, ask, many, refused } = admitting({ atOnce: 1, waiting: 10 });
    await ask(...many('a', 20));
    expect([admission.waiting, refused.size]).toEqual([10, 9]);
    refused.clear();
    await ask(...many('b', 5));
    expect([...refused.keys()]).toEqual(['a11', 'a10', 'a9', 'a8', 'a7']);
    expect(Object(refused.get('a11')).message).toBe(
      'the engine is busy, and this query gave up its place in the queue to a caller with fewer queries',
    );
    refused.clear();
    // Nobody has more than they.
    await ask('a21', 'b6');
    expect([...refused.keys()]).toEqual(['a21', 'b6']);
    refused.clear();
    await ask('c1', 'c2');
    expect([[...refused.keys()], admission.waiting]).toEqual([['a6', 'b5'], 10]);
  });

  test('is left by those who go', async () => {
    const { admission, ask, enter, end, at } = admitting({ atOnce: 1, waiting: 1 });
    await ask('a1');
    const leaver = new AbortController();
    const left = failureOf(admission.admit(createWaiters({ id: 'a' }), leaver.signal));
    leaver.abort();
    expect((await left)['code']).toBe('interrupted');
    enter('a2', createWaiters({ id: 'a' }));
    await end('a1');
    expect([at(), admission.running, admission.waiting]).toEqual(['a2', 1, 0]);
    expect((await failureOf(admission.admit(createWaiters({ id: 'a' }), AbortSignal.abort())))['code']).toBe('interrupted');
  });

  test('tells each when to ask again: after its own line, at the pace of its own runs', async () => {
    const { ask, end, many, clock, retryAfter } = admitting({ atOnce: 2, waiting: 8, waitMs: 1e6 });
    await ask('slow1', 'quick1');
    clock.advance(0.1);
    await end('quick1');
    clock.advance(100);
    await end('slow1');
    await ask(...many('slow', 2), ...many('quick', 2));
    await ask(...many('slow', 9), ...many('quick', 9));
    expect([retryAfter('slow9'), retryAfter('quick9')]).toEqual([60, 5]);
  });
});

test('runs of a tenant who has more waiting share the engine, others have it for themselves', async () => {
  const { ask, end, many, sharers } = admitting();
  await ask('b1', ...many('a', 9));
  await end('a1', 'a2', 'b1');
  await ask('b2');
  expect(Object.fromEntries([...sharers].sort())).toEqual({ a1: 1, a2: 1, a3: 2, a4: 2, b1: 1, b2: 1 });
});
