// Hits, misses, old rows, outages, callers who leave, folders deleted, time passing: whatever the order, an answer has the right rows.
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { QuernError } from '../../../src/base/errors.ts';
import { seededRandom } from '../../../src/cli/demo/random.ts';
import type { Call } from '../../../src/server/answers/answer.ts';
import { openEvents } from '../../execution/run-support.ts';
import { folderOf } from '../../queries/support.ts';
import { idsQuery, JSON_RENDERER, LINES_RENDERER, UNREACHABLE, until, world } from './answers-support.ts';

const ROUNDS = 80;
const QUERIES = 2;
const AREAS: Readonly<Record<string, readonly number[]>> = {
  rest: [1, 3, 5, 7, 9],
  auth: [2, 4, 6, 8, 10],
  a: [],
  b: [],
  c: [],
  d: [],
  e: [],
  f: [],
};

/** The bytes that a call must be given, whatever they come from. */
function expected(area: string, { redact = false, maxRows, render }: Partial<Call>): string {
  const rows = (AREAS[area] ?? []).slice(0, maxRows).map((id) => [redact ? 'REDACTED' : id]);
  return render === LINES_RENDERER ? rows.join('\n') : JSON.stringify(rows);
}

test.each([1, 2])('any order of calls and mishaps gives the right rows or a clear error, seed %i', async (seed) => {
  const { below, chance, pick } = seededRandom(seed);
  const files = { 'ids.sql': idsQuery('cache: 60s', 'cache_warming: 20s') };
  const server = world(await openEvents(), { files, limits: { memoryBytes: 4000, queries: QUERIES, waiting: 3 } });
  const gone = folderOf({});
  const wrong: string[] = [];
  const outcomes = new Set<string>();

  const ask = async (): Promise<void> => {
    const area = pick(Object.keys(AREAS));
    const controller = new AbortController();
    const maxRows = pick([0, 1, 3, 100]);
    const changes = {
      render: pick([JSON_RENDERER, LINES_RENDERER]),
      redact: chance(0.3),
      fresh: chance(0.05),
      signal: controller.signal,
      maxRows,
    };
    const outcome = server.ask({ area }, changes).then(
      async (answer) => ({ state: answer.state, text: String(await answer.body('identity')) }),
      ({ code }: QuernError) => ({ state: code, text: undefined }),
    );
    if (chance(0.1)) void setImmediate().then(() => controller.abort());
    const { state, text } = await outcome;
    outcomes.add(state);
    if (text !== undefined && text !== expected(area, changes)) wrong.push(`${area} ${JSON.stringify(changes)}: ${state} ${text}`);
    if (server.answers.stats().running > QUERIES) wrong.push(`${server.answers.stats().running} at once`);
  };

  for (let round = 0; round < ROUNDS; round++) {
    server.engine.state = pick<'up' | 'held' | QuernError>(['up', 'up', 'held', UNREACHABLE]);
    if (chance(0.5)) server.clock.advance(pick([1, 5, 20, 70, 300, 700]));
    if (chance(0.05)) server.engine.id = pick(['events', 'events after a load']);
    if (chance(0.1) && existsSync(server.cacheFolder)) renameSync(server.cacheFolder, join(gone, String(round)));
    const asked = Array.from({ length: below(20) }, ask);
    if (server.engine.state === 'held') {
      // Long enough for some to be held, to queue, or to be refused.
      for (let turn = 0; turn < 200; turn++) await setImmediate();
      server.engine.state = pick<'up' | QuernError>(['up', UNREACHABLE]);
    }
    await Promise.all(asked);
  }
  server.engine.state = 'up';
  await until(() => server.answers.stats().running + server.answers.stats().waiting === 0);
  expect(wrong).toEqual([]);
  expect([...outcomes].sort()).toEqual(['busy', 'hit', 'interrupted', 'miss', 'stale', 'unreachable']);
  expect(await server.told({ area: 'rest' }, { fresh: true })).toBe('miss [[1],[3],[5],[7],[9]]');
  expect(server.answers.stats().bytes).toBeLessThanOrEqual(4000);
});
