// Fresh, stale, expired, at the edges.
import { expect, test } from 'vitest';
import { ageSeconds, type Freshness, freshness, type PolicyInput } from '../../src/cache/policy.ts';

const at = (age: number, changes: Partial<PolicyInput> = {}) => freshness({ storedAtMs: 0, nowMs: age * 1000, ttlSeconds: 60, ...changes });

test.each<[string, Freshness, Freshness]>([
  ['just stored', at(0), 'fresh'],
  ['one millisecond before its TTL', at(59.999), 'fresh'],
  ['at its TTL', at(60), 'expired'],
  ['stored under a TTL of zero', at(0, { ttlSeconds: 0 }), 'expired'],
  ['younger than the age asked for', at(9, { maxAgeSeconds: 10 }), 'fresh'],
  ['older than the age asked for', at(10, { maxAgeSeconds: 10 }), 'expired'],
  ['asked for with an age longer than the TTL', at(61, { maxAgeSeconds: 600 }), 'expired'],
  ['in the stale window', at(89, { staleSeconds: 30 }), 'stale'],
  ['past the stale window', at(90, { staleSeconds: 30 }), 'expired'],
  ['in the stale window, when the caller named an age', at(70, { staleSeconds: 30, maxAgeSeconds: 60 }), 'expired'],
  ['old, when the engine cannot answer', at(599, { staleSeconds: 30, staleIfErrorSeconds: 540 }), 'emergency'],
  ['too old even then', at(600, { staleSeconds: 30, staleIfErrorSeconds: 540 }), 'expired'],
  ['stored by a clock a little ahead', at(-59), 'fresh'],
  ['stored by a clock that was set back', at(-61), 'expired'],
])('an entry %s', (_, answer, expected) => {
  expect(answer).toBe(expected);
});

test('an age is whole seconds and never negative', () => {
  expect([ageSeconds(0, 1999), ageSeconds(5000, 0)]).toEqual([1, 0]);
});
