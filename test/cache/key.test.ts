// Which differences between two runs make two cache entries.
import { expect, test } from 'vitest';
import { cacheKeys } from '../../src/cache/key.ts';
import { INT64, STRING } from '../../src/sql/base/types.ts';

type KeyParts = Parameters<typeof cacheKeys>[0] & { readonly bindings: Parameters<ReturnType<typeof cacheKeys>>[0] };
const cacheKey = ({ bindings, ...parts }: KeyParts) => cacheKeys(parts)(bindings);

const parts: KeyParts = {
  sql: 'SELECT {a:Nullable(String)}, {b:Int64}',
  settings: { x: 1, y: 'z' },
  bindings: [
    { name: 'a', type: 'Nullable(String)', value: 'x' },
    { name: 'b', type: 'Int64', value: 1 },
  ],
  version: 'embedded:/store:1',
  maxRows: 1000,
  columns: [{ name: 'a', type: STRING }],
};

test('a key is 64 hexadecimal digits and the same for the same run', () => {
  expect(cacheKey(parts)).toMatch(/^[0-9a-f]{64}$/);
  expect(cacheKey({ ...parts })).toBe(cacheKey(parts));
});

test('a key stays the same from version to version, as long as entries do', () => {
  expect(cacheKey(parts)).toBe('79d8cab45c3da5743d970c0cb762d0a64fa333b4c16c3c0264a393bfe538b0f1');
});

test('the order of bindings and settings does not matter', () => {
  expect(cacheKey({ ...parts, bindings: [...parts.bindings].reverse(), settings: { y: 'z', x: 1 } })).toBe(cacheKey(parts));
});

test('every part that can change the rows changes the key', () => {
  const binding = (value: KeyParts['bindings'][number]['value']): KeyParts => ({
    ...parts,
    bindings: [{ name: 'a', type: 'Nullable(String)', value }],
  });
  const variants: readonly KeyParts[] = [
    parts,
    { ...parts, sql: `${parts.sql} ` },
    { ...parts, settings: { x: 2, y: 'z' } },
    { ...parts, version: 'embedded:/store:2' },
    { ...parts, maxRows: 999 },
    { ...parts, columns: [{ name: 'a', type: INT64 }] },
    binding(null),
    binding(''),
    binding('1'),
    binding(1),
    binding(1n),
    binding([1]),
    binding(Number.NaN),
  ];
  expect(new Set(variants.map(cacheKey)).size).toBe(variants.length);
});
