// The text of a cache entry, which other processes and later versions of quern read.
import { expect, test } from 'vitest';
import { parseEntry, printEntry } from '../../src/cache/entry.ts';
import { ENTRY_VERSION } from '../../src/cache/key.ts';
import { INT64 } from '../../src/sql/base/types.ts';

const entry = {
  key: 'a'.repeat(64),
  storedAtMs: Date.UTC(2026, 0, 2),
  ttlSeconds: 60,
  query: 'usage.api-counts',
  arguments: { project: 'abc', most: 9007199254740993n },
  asOf: '2026-01-02 00:00:00',
  rowCount: 1,
  result: { columns: [{ name: 'n', type: INT64 }], rows: [[Number.NaN, null]], truncated: false },
};

test('a change of the text comes with a new version', async () => {
  // When this fails: raise ENTRY_VERSION, and put the new text here.
  expect([ENTRY_VERSION, String(await printEntry(entry))]).toEqual([
    1,
    `quern-cache 1 e4e07ac508ee91e65ce4c9903ee271c641e46a1953f399a1720b95ddb1e7b08f
{"key":"${entry.key}","storedAtMs":1767312000000,"ttlSeconds":60,"query":"usage.api-counts","arguments":{"project":"abc","most":{"$bigint":"9007199254740993"}},"asOf":"2026-01-02 00:00:00","rowCount":1,"plain":false}
{"columns":[{"name":"n","type":{"kind":"INT64"}}],"rows":[[{"$float":"NaN"},null]],"truncated":false}
`,
  ]);
  expect(parseEntry(String(await printEntry(entry)), entry.key)).toEqual(entry);
});
