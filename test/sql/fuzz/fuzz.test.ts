// Random and damaged queries: translated or refused in words, at once, and printed as what was read. `npm run fuzz` goes on for longer.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fuzz, textOf } from './run.ts';

const folder = new URL('../../../queries/', import.meta.url);
const corpus = readdirSync(folder)
  .sort()
  .map((file) => readFileSync(new URL(file, folder), 'utf8'));

test('a seed always makes the same text', () => {
  expect([1, 2, 3].map((seed) => textOf(seed, corpus))).toEqual([1, 2, 3].map((seed) => textOf(seed, corpus)));
});

/** As many on every machine, however busy it is: one that is slow needs longer. */
const TEXTS = 1000;

test('random and damaged queries are translated or refused in words, and print as what was read', { timeout: 600_000 }, () => {
  expect(fuzz(1, corpus, (checked) => checked < TEXTS)).toEqual([]);
});
