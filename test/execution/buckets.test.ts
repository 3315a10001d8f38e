// Rows of whole buckets of time are kept, and are never other than those of a whole run: after every step of random schedules both are compared.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { logicalSteps } from '../../src/execution/logical-steps.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { findSavedQuery } from '../../src/queries/find-query.ts';
import { folderOf } from '../queries/support.ts';
import { fixedSources } from '../support/fixed-sources.ts';
import { CALLERS_NAME, drawArguments, QUERIES, queryFiles, SHIPPED_FOLDER } from './buckets-queries.ts';
import { COLUMNS, comparing, DAY, HOUR, insert, runSchedule, SOURCES, START } from './buckets-support.ts';

async function openTable(engineOf = 'MergeTree PARTITION BY toDate(moment) ORDER BY (area, moment)', more = ''): Promise<EmbeddedEngine> {
  const engine = await openEmbedded({ path: join(folderOf({}), 'data') });
  onTestFinished(() => engine.close());
  await engine.command(`CREATE TABLE default.events (${COLUMNS}${more}) ENGINE = ${engineOf}`);
  await engine.command(insert(START, 400, 12 * DAY));
  return engine;
}

test.each(Object.entries(QUERIES))('explain says of %s what it keeps', async (name, { keeps }) => {
  const catalog = openCatalog([folderOf(queryFiles), SHIPPED_FOLDER]);
  const { buckets } = await logicalSteps(findSavedQuery(name, catalog), {
    catalog,
    sources: fixedSources(() => SOURCES),
  });
  expect('why' in buckets ? buckets.why : buckets.units).toEqual(keeps);
});

test('what has buckets uses them, unless a LIMIT leaves out rows', async () => {
  const engine = await openTable();
  const { keep, clock } = await comparing(engine, folderOf({}));
  await engine.command(insert(clock.now - HOUR, 60, HOUR));
  const names = [...Object.keys(QUERIES).filter((name) => typeof QUERIES[name]?.keeps !== 'string'), CALLERS_NAME];
  const used: string[] = [];
  const began = clock.now;
  for (const name of names) {
    const runs = [];
    clock.now = began;
    for (let i = 0; i < 3; i++) {
      runs.push(
        await keep(
          name,
          drawArguments(name, () => 0),
        ),
      );
      clock.now += HOUR / 6;
    }
    const { revalidated, buckets } = runs.at(-1) ?? {};
    if (revalidated === true || (buckets?.kept ?? 0) > 0) used.push(name);
  }
  expect(used).toEqual(names.filter((name) => QUERIES[name]?.cut !== true));
}, 300_000);

test('a LIMIT on buckets of one row each leaves nothing out of what is kept, unless the engine may not give that many', async () => {
  const engine = await openTable();
  const few: typeof engine = { ...engine, execute: (query) => engine.execute({ ...query, limits: { ...query.limits, maxResultRows: 8 } }) };
  for (const [one, expected] of [
    [engine, [0, 0, 8]],
    [few, [0, 0, 0]],
  ] as const) {
    const { both, clock } = await comparing(one, folderOf({}));
    const days: number[] = [];
    for (const _ of expected) {
      clock.now += HOUR;
      await engine.command(insert(clock.now - HOUR, 30, HOUR));
      const ran = await both('datetimes');
      expect(ran.kept).toEqual(ran.whole);
      expect(ran.kept.length).toBe(4);
      days.push(Math.round(ran.days));
    }
    expect(days).toEqual(expected);
  }
});

test('after new rows of the last hour, only the ends of the window are read', async () => {
  const engine = await openTable();
  const { both, clock } = await comparing(engine, folderOf({}));
  await both('days'); // tells that it is worth it
  const first = await both('days');
  expect([first.kept, first.days]).toEqual([first.whole, 0]);
  clock.now += HOUR;
  await engine.command(insert(clock.now - HOUR, 30, HOUR));
  const second = await both('days');
  expect([second.kept, second.days]).toEqual([second.whole, 6]);
  expect(second.whole).not.toEqual(first.whole);
  // Each of 12 days had a 12th of 400 rows, and the parts of six are not read.
  expect([first.buckets, second.buckets]).toEqual([
    { kept: 0, asked: 7, rows: 0 },
    { kept: 6, asked: 0, rows: 200 },
  ]);
  // A late event takes the days before it or after it along: what is read is one stretch at each end.
  await engine.command(insert(clock.now - 2 * DAY, 1, HOUR));
  const third = await both('days');
  expect([third.kept, third.days]).toEqual([third.whole, 4]);
  clock.now += HOUR; // rows leave the window at its beginning
  const fourth = await both('days');
  expect([fourth.kept, fourth.days]).toEqual([fourth.whole, 6]);
});

test('rows are those of the last run where neither their data nor their window have changed', async () => {
  const engine = await openTable();
  const { both, clock } = await comparing(engine, folderOf({}));
  const rows = async (name: string) => {
    const { kept, whole, revalidated } = await both(name);
    expect(kept).toEqual(whole);
    return revalidated;
  };
  for (const name of ['days', 'areas']) {
    // The first tells that it is worth it, the second is kept.
    expect([await rows(name), await rows(name), await rows(name)]).toEqual([false, false, true]);
    clock.now += HOUR;
    expect(await rows(name)).toBe(name === 'areas');
  }
  // No row lies in the hour by which the window has moved at its end, and none of those that it has left.
  await engine.command(
    "ALTER TABLE default.events DELETE WHERE moment < now64() AND toDate(moment) < toDate('2026-01-10') SETTINGS mutations_sync = 2",
  );
  expect([await rows('days'), await rows('days')]).toEqual([false, true]);
  clock.now += HOUR;
  expect(await rows('days')).toBe(true);
  await engine.command(insert(clock.now - HOUR, 3, HOUR));
  expect([await rows('days'), await rows('areas')]).toEqual([false, false]);
});

test.each([
  ['whose merges change rows', 'ReplacingMergeTree PARTITION BY toDate(moment) ORDER BY (area, moment)', ''],
  ['without parts', 'Log', ''],
  [
    'with columns that are computed when they are read',
    'MergeTree PARTITION BY toDate(moment) ORDER BY moment',
    ', twice Int64 ALIAS id * 2',
  ],
])('a table %s is read whole', async (_, engineOf, more) => {
  const engine = await openTable(engineOf, more);
  const { both } = await comparing(engine, folderOf({}));
  await both('days');
  await both('days');
  const third = await both('days');
  expect([third.kept, third.days]).toEqual([third.whole, 0]);
});

test.each([
  ['by day', 'MergeTree PARTITION BY toDate(moment) ORDER BY (area, moment)'],
  ['by month', 'MergeTree PARTITION BY toYYYYMM(moment) ORDER BY moment'],
  ['not at all', 'MergeTree ORDER BY (area, moment)'],
  ['by area', 'MergeTree PARTITION BY area ORDER BY moment'],
])(
  'a table that is partitioned %s: kept rows are those of a whole run, whatever happens',
  async (how, engineOf) => {
    const engine = await openTable(engineOf);
    const command = async (sql: string) => {
      for (const one of sql.split(';\n')) await engine.command(one);
    };
    await runSchedule({
      place: `store, ${how}`,
      comparing: await comparing(engine, folderOf({})),
      command,
      byDay: engineOf.includes('toDate'),
    });
  },
  3_000_000,
);
