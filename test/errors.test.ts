// Which name was meant by one that there is not.
import { expect, test } from 'vitest';
import { nearest } from '../src/base/errors.ts';

test.each([
  ['serach', ['SECH', 'SEARCH', 'REACH'], 'SEARCH'],
  ['custmer', ['customer', 'cluster'], 'customer'],
  ['laod', ['load', 'lint'], 'load'],
  ['lsit', ['list', 'lint'], 'list'],
  ['bq', ['by', 'id'], 'by'],
  ['frobnicate', ['load', 'list'], undefined],
])('%s of %j', (typed, names, meant) => {
  expect(nearest(typed, names)).toBe(meant);
});
