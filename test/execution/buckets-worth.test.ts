// Whether kept rows pay is told by what runs took, and decides which way the next run takes.
import { expect, test } from 'vitest';
import { afterKept, afterWhole, isWholeNext, UNTRIED, whyWhole } from '../../src/execution/buckets/worth.ts';

const SHARE = 0.8;

/** Which way so many runs take where these are their times: `w` for the whole, `k` with kept rows. */
function ways(count: number, { wholeMs, keptMs }: { readonly wholeMs: number; readonly keptMs: (run: number) => number }): string {
  let worth = afterWhole(UNTRIED, wholeMs);
  let taken = '';
  for (let i = 0; i < count; i++) {
    const whole = isWholeNext(worth);
    taken += whole ? 'w' : 'k';
    worth = whole ? afterWhole(worth, wholeMs) : afterKept(worth, keptMs(i), SHARE);
  }
  return taken;
}

test('what is clearly faster stays, and is compared with a whole run ever less often', () => {
  expect(ways(70, { wholeMs: 500, keptMs: () => 100 })).toBe(`${[4, 8, 16, 32].map((n) => `${'k'.repeat(n)}w`).join('')}${'k'.repeat(6)}`);
});

test('what is not clearly faster rests after two such runs, and is tried ever less often, at last after 32 runs', () => {
  const pauses = [4, 8, 16, 32, 32];
  expect(ways(104, { wholeMs: 100, keptMs: () => 90 })).toBe(`${pauses.map((n) => `kk${'w'.repeat(n)}`).join('')}kk`);
});

test('one slow run is chance, and a pause ends with the first fast one', () => {
  expect(ways(9, { wholeMs: 500, keptMs: (i) => (i === 1 ? 900 : 100) })).toBe('kkkkkwkkk');
  expect(ways(12, { wholeMs: 500, keptMs: (i) => (i < 2 ? 900 : 100) })).toBe('kkwwwwkkkkkw');
});

test('a whole run that chance made slow is put right by the next', () => {
  let worth = afterWhole(UNTRIED, 900);
  for (let i = 0; i < 4; i++) worth = afterKept(worth, 200, SHARE);
  expect([worth.paused, isWholeNext(worth)]).toEqual([false, true]);
  worth = afterWhole(worth, 95);
  worth = afterKept(afterKept(worth, 200, SHARE), 200, SHARE);
  expect([worth.paused, isWholeNext(worth)]).toEqual([true, true]);
});

test('a user reads why, and until when', () => {
  let worth = { ...UNTRIED, paused: true, left: 3 };
  const said: string[] = [];
  for (; isWholeNext(worth); worth = { ...afterWhole(worth, 10) }) said.push(whyWhole(worth));
  expect(said).toEqual([
    'reading everything takes about as long; tried again after 2 more runs',
    'reading everything takes about as long; tried again after 1 more run',
    'reading everything takes about as long; the next run tries again',
  ]);
});
