// Patterns of `--select` are matched in a time that their lengths bound.
import { expect, test } from 'vitest';
import { nameMatcher } from '../../src/checks/select.ts';

test('a pattern of many stars against a long name is answered', () => {
  expect(nameMatcher(`${'*a'.repeat(40)}b`)('a'.repeat(5000))).toBe(false);
  expect(nameMatcher(`${'*a'.repeat(40)}`)('a'.repeat(5000))).toBe(true);
});

test.each([
  ['usage.*', 'Usage.api-counts', true],
  ['usage.?pi', 'usage.api', true],
  ['usage.?pi', 'usage.apis', false],
  ['a+b', 'a+b', true],
  ['a+b', 'aab', false],
  ['*', '', true],
  ['*s*y', 'sunny day', true],
])('%s and %s', (pattern, name, expected) => {
  expect(nameMatcher(pattern)(name)).toBe(expected);
});
