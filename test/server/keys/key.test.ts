// Which saved queries a key covers.
import { expect, test } from 'vitest';
import { keyAllows, scopeCovers } from '../../../src/server/keys/key.ts';
import { processorTime } from '../../support/processor-time.ts';

test.each<[string, string, boolean]>([
  ['*', 'usage.api-counts', true],
  ['usage.api-counts', 'usage.api-counts', true],
  ['usage.api-counts', 'usage.api-counts2', false],
  ['usage.api-counts', 'Usage.api-counts', false],
  ['usage.*', 'usage.api-counts', true],
  ['usage.*', 'usage.a.b', true],
  ['usage.*', 'usage.', true],
  ['usage.*', 'usage', false],
  ['usage.*', 'usagex.api-counts', false],
  ['usage.*', 'my.usage.api-counts', false],
  ['*.stats', 'functions.stats', true],
  ['*.stats', 'functions.stats.old', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a.b.c', true],
  ['a*b*c', 'a.c.b', false],
  ['a*bc*bc', 'a.bc', false],
  ['a*bc*bc', 'a.bcbc', true],
  ['**', 'anything', true],
  ['', 'anything', false],
])('scope %j and the saved query %j: %j', (scope, name, covered) => {
  expect(scopeCovers(scope, name)).toBe(covered);
});

test('a key allows what one of its scopes covers', () => {
  const key = { scopes: ['usage.*', 'logs.all'] };
  expect(['usage.api-counts', 'logs.all', 'logs.all2', 'functions.invocation-stats'].filter((name) => keyAllows(key, name))).toEqual([
    'usage.api-counts',
    'logs.all',
  ]);
});

test('a scope with many stars is matched at once', () => {
  const started = processorTime();
  expect(scopeCovers(`${'a*'.repeat(5000)}b`, 'a'.repeat(50_000))).toBe(false);
  expect(processorTime() - started).toBeLessThan(1000);
});
