// Which runs use kept rows, and which read the whole: by exact rules, and never by what runs took before.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { EngineQuery } from '../../src/engine/engine.ts';
import { folderOf } from '../queries/support.ts';
import { comparing, DAY, HOUR, insert, START } from './buckets-support.ts';

const TIMEOUT_MS = 300_000;

/** An hour passes before each run, and brings new rows. */
async function hourly(engineOf = 'MergeTree PARTITION BY toDate(moment) ORDER BY moment') {
  const engine = await openEmbedded({ path: join(folderOf({}), 'data') });
  onTestFinished(() => engine.close());
  await engine.command(`CREATE TABLE default.events (id Int64, area String, moment DateTime64(6, 'UTC')) ENGINE = ${engineOf}`);
  await engine.command(insert(START, 400, 12 * DAY));
  let questions = 0;
  const counted = {
    ...engine,
    execute: async (query: EngineQuery) => {
      questions += Number(query.sql.includes('system.parts'));
      return engine.execute(query);
    },
  };
  const { both, clock } = await comparing(counted, folderOf({}));
  return async (name: string, runs: number) => {
    const ran: (Awaited<ReturnType<typeof both>> & { readonly questions: number })[] = [];
    for (let i = 0; i < runs; i++) {
      clock.now += HOUR;
      await engine.command(insert(clock.now - HOUR, 5, HOUR));
      questions = 0;
      const one = await both(name);
      expect(one.kept).toEqual(one.whole);
      ran.push({ ...one, questions });
    }
    return ran;
  };
}

/** `k` of runs that used kept buckets, `w` of those of the whole. */
const ways = (ran: readonly { readonly days: number }[]): string => ran.map(({ days }) => (days > 0 ? 'k' : 'w')).join('');

/** How often the engine is asked for the state of the table at each run. */
const questions = (ran: readonly { readonly questions: number }[]): string => ran.map((one) => one.questions).join('');

test(
  'the first run measures the whole, the second keeps, and all others use what is kept, whatever their times are',
  async () => {
    const ran = await (await hourly())('days', 6);
    expect(ways(ran)).toBe('wwkkkk');
    expect(ran.map(({ why }) => why)).toEqual(Array(6).fill(undefined));
  },
  TIMEOUT_MS,
);

test('a table that never lets it be known what its rows are made of is asked once', async () => {
  const ran = await (await hourly('ReplacingMergeTree PARTITION BY toDate(moment) ORDER BY moment'))('days', 4);
  const why = 'its table is of the engine ReplacingMergeTree';
  expect(ran.map((one) => one.why)).toEqual([undefined, why, why, why]);
  expect(questions(ran)).toBe('0100');
});

test(
  'where a LIMIT leaves out rows of a bucket, no bucket is kept, a user reads so, and the table is not asked again',
  async () => {
    const ran = await (await hourly())('computed', 4);
    const why = 'its LIMIT, or the limit on rows, leaves out rows that buckets need';
    expect(ways(ran)).toBe('wwww');
    expect(ran.map((one) => one.why)).toEqual([undefined, undefined, why, why]);
    expect(questions(ran)).toBe('0100');
  },
  TIMEOUT_MS,
);
