// A large result on its way to a reply and to the cache's files: others have their turn meanwhile.
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { QueryResult } from '../../../src/base/result.ts';
import { parseEntry, printEntry } from '../../../src/cache/entry.ts';
import { prepareBody } from '../../../src/server/answers/body.ts';
import { redact } from '../../../src/server/answers/redact.ts';
import { loadRenderers } from '../../../src/server/answers/renderers.ts';
import { INT64, STRING, TIMESTAMP } from '../../../src/sql/base/types.ts';

const ROWS = 100_000;
const text = 'x'.repeat(150);
const result: QueryResult = {
  columns: [
    { name: 'n', type: INT64 },
    { name: 'text', type: STRING },
    { name: 'at', type: TIMESTAMP },
    { name: 'from', type: STRING },
  ],
  rows: Array.from({ length: ROWS }, (_, n) => [n, text, '2026-01-02T03:04:05.678901Z', `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`]),
  truncated: false,
};

/** How often others had their turn while `work` was under way, and what it gave. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ readonly turns: number; readonly given: T }> {
  let turns = 0;
  let ended = false;
  const end = () => {
    ended = true;
  };
  work.then(end, end);
  while (!ended) {
    await setImmediate();
    turns++;
  }
  return { turns, given: await work };
}

const body = async (of: QueryResult, compat?: 'logflare', hidden = false) =>
  prepareBody(of, { render: (await loadRenderers(compat, 'keep')).json, redact: hidden }, { redact, onGrown: () => undefined });
const textOf = async (made: ReturnType<typeof body>) => String(await (await made).body('identity'));

test('a reply is printed in pieces, and is what it would be in one', async () => {
  const { turns, given } = await turnsDuring(body(result));
  expect(turns).toBeGreaterThan(3);
  const printed = String(await given.body('identity'));
  expect(printed.length).toBeGreaterThan(20e6);
  expect(JSON.parse(printed).result).toHaveLength(ROWS);
  const last = result.rows.slice(-1);
  expect(printed.endsWith((await textOf(body({ ...result, rows: last }))).slice('{"result": ['.length))).toBe(true);
});

test('so are its addresses hidden, and its values brought into the form of Logflare', async () => {
  const { turns, given } = await turnsDuring(body(result, 'logflare', true));
  expect(turns).toBeGreaterThan(3);
  const rows = JSON.parse(String(await given.body('identity'))).result;
  expect([rows.length, rows[70_000]]).toEqual([ROWS, { n: 70_000, text, at: 1767323045678901, from: 'REDACTED' }]);
});

test('and the entry of the cache, which holds the same rows', async () => {
  const key = 'a'.repeat(64);
  const entry = { key, storedAtMs: 1, ttlSeconds: 60, query: 'q', arguments: {}, rowCount: ROWS, result };
  const { turns, given } = await turnsDuring(printEntry(entry));
  expect(turns).toBeGreaterThan(3);
  expect(parseEntry(String(given), key)).toEqual(entry);
});

test('a small one is there without waiting for others', async () => {
  const small = { ...result, rows: result.rows.slice(0, 100) };
  // Each look at the clock is a millisecond, however busy the machine is.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++);
  onTestFinished(() => clock.mockRestore());
  let turn = 0;
  const waited = setImmediate().then(() => ++turn);
  await body(small);
  await body(small, 'logflare', true);
  expect(turn).toBe(0);
  await waited;
});
