// Kept rows are used where that is faster than a run of the whole, by what both took: on a real engine that answers some questions late.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { EngineQuery } from '../../src/engine/engine.ts';
import { folderOf } from '../queries/support.ts';
import { comparing, DAY, HOUR, insert, START } from './buckets-support.ts';

/** Above 0: what runs took decides. */
const FAST_MS = 0.001;

const LATE_MS = 500;

const TIMEOUT_MS = 300_000;

/** An hour passes before each run, and brings new rows. `late`: whether a query takes LATE_MS longer. */
async function hourly(late: (query: EngineQuery) => boolean, engineOf = 'MergeTree PARTITION BY toDate(moment) ORDER BY moment') {
  const engine = await openEmbedded({ path: join(folderOf({}), 'data') });
  onTestFinished(() => engine.close());
  await engine.command(`CREATE TABLE default.events (id Int64, area String, moment DateTime64(6, 'UTC')) ENGINE = ${engineOf}`);
  await engine.command(insert(START, 400, 12 * DAY));
  const slower = {
    ...engine,
    execute: async (query: EngineQuery) => {
      if (late(query)) await setTimeout(LATE_MS);
      return engine.execute(query);
    },
  };
  const { both, clock } = await comparing(slower, folderOf({}));
  return async (name: string, runs: number) => {
    const ran: Awaited<ReturnType<typeof both>>[] = [];
    for (let i = 0; i < runs; i++) {
      clock.now += HOUR;
      await engine.command(insert(clock.now - HOUR, 5, HOUR));
      const one = await both(name, {}, FAST_MS);
      expect(one.kept).toEqual(one.whole);
      ran.push(one);
    }
    return ran;
  };
}

const isQuestion = ({ sql }: EngineQuery): boolean => sql.includes('system.');
const isWhole = ({ sql, bindings }: EngineQuery): boolean =>
  !isQuestion({ sql } as EngineQuery) && !bindings.some(({ name }) => name === 'quern_to');

/** `k` of runs that used kept buckets, `w` of those of the whole. */
const ways = (ran: readonly { readonly days: number }[]): string => ran.map(({ days }) => (days > 0 ? 'k' : 'w')).join('');

test(
  'buckets whose questions take longer than they save rest, and are tried again',
  async () => {
    const run = await hourly(isQuestion);
    const ran = await run('days', 13);
    // The first measures the whole, the second keeps, two show that it does not pay; four runs later the same, with one that keeps again.
    expect(ways(ran)).toBe('wwkkwwwwwkkww');
    expect(ran.map(({ why }) => why)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      ...['tried again after 3 more runs', 'tried again after 2 more runs', 'tried again after 1 more run', 'the next run tries again'].map(
        (when) => `reading everything takes about as long; ${when}`,
      ),
      undefined,
      undefined,
      undefined,
      'reading everything takes about as long; tried again after 7 more runs',
      'reading everything takes about as long; tried again after 6 more runs',
    ]);
  },
  TIMEOUT_MS,
);

test(
  'buckets that save most of the time stay, and the whole is measured from time to time',
  async () => {
    const run = await hourly(isWhole);
    const ran = await run('days', 9);
    // A run that something else has made slow is not counted.
    expect(ways(ran)).toMatch(/^wwk{4,6}wk*$/);
    expect(ran.findLast(({ days }) => days === 0)?.why).toBe('a run that reads everything shows from time to time what they save');
  },
  TIMEOUT_MS,
);

test('rows that are never the same rest too', async () => {
  const run = await hourly(() => false, 'MergeTree ORDER BY moment');
  const ran = await run('areas', 9);
  expect(ran.map(({ why }) => why !== undefined)).toEqual([false, false, false, false, true, true, true, true, false]);
  expect(ran[7]?.why).toBe('its data are others at each run; the next run tries again');
});

test('a table that does not let it be known what its rows are made of is asked about ever less often', async () => {
  const run = await hourly(() => false, 'ReplacingMergeTree PARTITION BY toDate(moment) ORDER BY moment');
  const ran = await run('days', 5);
  expect(ran.map(({ why }) => why)).toEqual([
    undefined,
    'its table is of the engine ReplacingMergeTree',
    'its table is of the engine ReplacingMergeTree',
    'its table is of the engine ReplacingMergeTree; tried again after 2 more runs',
    'its table is of the engine ReplacingMergeTree; tried again after 1 more run',
  ]);
});

test(
  'where a LIMIT leaves out rows of a bucket, no bucket is kept, and a user reads so',
  async () => {
    const run = await hourly(() => false);
    const ran = await run('computed', 4);
    expect(ways(ran)).toBe('wwww');
    expect(ran.at(-1)?.why).toBe('its LIMIT, or the limit on rows, leaves out rows that buckets need; tried again after 3 more runs');
  },
  TIMEOUT_MS,
);
