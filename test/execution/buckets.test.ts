// Rows of whole buckets of time are kept, and are never other than those of a whole run: after every step of random schedules both are compared.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCache } from '../../src/cache/cache.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { type PreparedQuery, prepare } from '../../src/execution/prepared-query.ts';
import { executeKeeping, executePrepared } from '../../src/execution/run.ts';
import { instantAt } from '../../src/queries/instant.ts';
import { folderOf, queryText } from '../queries/support.ts';
import { SEED, STEPS, seeded } from './buckets-support.ts';
import { EVENT_SOURCES, testRun } from './run-support.ts';

const START = Date.UTC(2026, 0, 2);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** By name, each with a window; between them all that a query may do with groups. */
const QUERIES: Readonly<Record<string, string>> = {
  days: 'select timestamp_trunc(moment, day) as day, count(*) as n, sum(id) as s from events where moment >= timestamp_sub(current_timestamp(), interval 7 day) group by day order by day',
  hours:
    'select timestamp_trunc(moment, hour) as hour, area, count(*) as n from events where moment > timestamp_sub(current_timestamp(), interval 50 hour) and moment <= current_timestamp() group by hour, area order by n desc, hour, area',
  dates:
    "select date(moment) as day, countif(area = 'rest') as n from events where moment >= timestamp_sub(current_timestamp(), interval 5 day) group by 1 having n > 1 order by day desc",
  datetimes:
    'select datetime_trunc(datetime(moment), day) as day, max(id) as m, min(id) as l from events where moment between timestamp_sub(current_timestamp(), interval 9 day) and current_timestamp() group by day order by m desc, day limit 4',
  weeks:
    'select timestamp_trunc(moment, isoweek) as week, count(distinct area) as n from events where moment >= timestamp_sub(current_timestamp(), interval 40 day) group by week order by week',
  months:
    'select date_trunc(date(moment), month) as month, count(*) as n from events where moment >= timestamp_sub(current_timestamp(), interval 90 day) group by month order by 1',
  chosen: `select case @unit when 'hour' then timestamp_trunc(moment, hour) else timestamp_trunc(moment, day) end as bucket, array_agg(distinct area order by area) as areas, avg(id) as a
    from events where moment >= timestamp_sub(current_timestamp(), interval 3 day) and (@area is null or area = @area) group by bucket order by bucket`,
  given: `with span as (select timestamp(@since) as since) select timestamp_trunc(moment, day) as day, count(*) as n from events cross join span
    where moment >= span.since and (@until is null or moment < timestamp(@until)) group by day order by day`,
};
/** Without a time of their own: the same data give the same rows. */
const REPEATABLE: Readonly<Record<string, string>> = {
  areas: 'select area, count(*) as n, max(moment) as latest from events where (@area is null or area = @area) group by area order by area',
};
const PARAMETERS: Readonly<Record<string, string>> = { unit: 'string', area: 'string', since: 'timestamp', until: 'timestamp' };

const texts = Object.fromEntries(
  Object.entries({ ...QUERIES, ...REPEATABLE }).map(([name, sql], i) => {
    const used = Object.entries(PARAMETERS).filter(([parameter]) => sql.includes(`@${parameter}`));
    const params = used.length === 0 ? [] : ['params:', ...used.map(([parameter, type]) => `  ${parameter}: { type: ${type} }`)];
    return [`${name}.sql`, queryText(i + 1, sql, 'cache: 60s', ...params)];
  }),
);

async function openTable(engineOf = 'MergeTree PARTITION BY toDate(moment) ORDER BY (area, moment)', more = ''): Promise<EmbeddedEngine> {
  const engine = await openEmbedded({ path: join(folderOf({}), 'data') });
  onTestFinished(() => engine.close());
  await engine.command(`CREATE TABLE default.events (id Int64, area String, moment DateTime64(6, 'UTC')${more}) ENGINE = ${engineOf}`);
  await engine.command(insert(START, 400, 12 * DAY));
  return engine;
}

/** So many rows, evenly over so many milliseconds. */
const insert = (fromMs: number, rows: number, spanMs: number): string =>
  `INSERT INTO default.events SELECT number, ['rest', 'auth', 'storage'][1 + (number * 7 + ${fromMs}) % 3],
    fromUnixTimestamp64Micro(toInt64(${fromMs * 1000} + number * ${Math.floor((spanMs * 1000) / rows)})) FROM numbers(${rows})`;

async function setting(engine: EmbeddedEngine) {
  const base = testRun(engine, texts);
  const cacheFolder = folderOf({});
  const clock = { now: START + 12 * DAY };
  /** Milliseconds of each run that it did not have to read. */
  let skipped = 0;
  const counted = {
    ...engine,
    execute: (query: Parameters<EmbeddedEngine['execute']>[0]) => {
      const of = (name: string) => Date.parse(String(query.bindings.find((binding) => binding.name === name)?.value ?? '1970-01-01'));
      skipped += of('quern_skip_to') - of('quern_skip_from');
      return engine.execute(query);
    },
  };
  const open = () => openCache({ folder: cacheFolder, maxBytes: 1e9, now: () => clock.now, onNote: () => {} });
  const prepared = new Map<string, PreparedQuery>();
  for (const name of Object.keys({ ...QUERIES, ...REPEATABLE }))
    prepared.set(name, await prepare(name, { catalog: base.deps.catalog, sources: { fingerprint: '1', load: async () => EVENT_SOURCES } }));
  const deps = { limits: {}, engine: async () => counted, catalog: base.deps.catalog, sources: base.deps.sources };
  return {
    clock,
    prepared,
    async both(name: string, given: Readonly<Record<string, string | null>> = {}, cache = open()) {
      const query = prepared.get(name);
      if (query === undefined) throw new RangeError(name);
      const request = { arguments: { unit: null, area: null, since: null, until: null, ...given }, instant: instantAt(clock.now) };
      skipped = 0;
      const kept = await executeKeeping(query, request, { ...deps, engineId: 'here', placeId: 'here', cache, fastMs: 0 });
      const days = skipped / DAY;
      const whole = await executePrepared(query, request, deps);
      return { kept: kept.result.rows, whole: whole.rows, days, revalidated: kept.revalidated === true, buckets: kept.buckets };
    },
  };
}

test('every one of the queries has buckets', async () => {
  const { prepared } = await setting(await openTable());
  expect([...prepared].filter(([, { buckets }]) => buckets === undefined).map(([name]) => name)).toEqual(Object.keys(REPEATABLE));
});

test('after new rows of the last hour, only the ends of the window are read', async () => {
  const engine = await openTable();
  const { both, clock } = await setting(engine);
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
  const { both, clock } = await setting(engine);
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
  const { both } = await setting(engine);
  await both('days');
  await both('days');
  const third = await both('days');
  expect([third.kept, third.days]).toEqual([third.whole, 0]);
});

const OPERATIONS: readonly ((at: number, random: () => number) => string)[] = [
  (at) => insert(at - HOUR, 20, HOUR),
  (at, random) => insert(at - Math.floor(random() * 10 * DAY), 5, HOUR),
  (at, random) =>
    `ALTER TABLE default.events DELETE WHERE moment >= fromUnixTimestamp64Micro(toInt64(${(at - Math.floor(random() * 9 * DAY)) * 1000})) AND id % 5 = 1 SETTINGS mutations_sync = 2`,
  (at, random) =>
    `DELETE FROM default.events WHERE moment < fromUnixTimestamp64Micro(toInt64(${(at - Math.floor(random() * 9 * DAY)) * 1000})) AND id % 7 = 2`,
  () => "ALTER TABLE default.events UPDATE id = id + 1 WHERE area = 'auth' SETTINGS mutations_sync = 2",
  (at, random) => `ALTER TABLE default.events DROP PARTITION '${new Date(at - Math.floor(random() * 9 * DAY)).toISOString().slice(0, 10)}'`,
  () => 'OPTIMIZE TABLE default.events',
  () => 'OPTIMIZE TABLE default.events FINAL',
  (at, random) => {
    const day = new Date(at - Math.floor(random() * 9 * DAY)).toISOString().slice(0, 10);
    return `ALTER TABLE default.events DETACH PARTITION '${day}'`;
  },
  () => 'DETACH TABLE default.events',
  () => "ALTER TABLE default.events MODIFY COMMENT 'another'",
];

test.each([
  ['by day', 'MergeTree PARTITION BY toDate(moment) ORDER BY (area, moment)'],
  ['by month', 'MergeTree PARTITION BY toYYYYMM(moment) ORDER BY moment'],
  ['not at all', 'MergeTree ORDER BY (area, moment)'],
  ['by area', 'MergeTree PARTITION BY area ORDER BY moment'],
])(
  'a table that is partitioned %s: kept rows are those of a whole run, whatever happens',
  async (_, engineOf) => {
    const engine = await openTable(engineOf);
    const { both, clock } = await setting(engine);
    const random = seeded();
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    let daysKept = 0;
    for (let step = 0; step < STEPS; step++) {
      if (random() < 0.4) clock.now += Math.floor(random() * 3 * HOUR);
      if (random() < 0.05) clock.now -= Math.floor(random() * DAY);
      if (random() < 0.5) {
        const sql = pick(OPERATIONS)(clock.now, random);
        if (!sql.includes('PARTITION') || engineOf.includes('toDate')) await engine.command(sql);
        if (sql.startsWith('DETACH')) await engine.command('ATTACH TABLE default.events');
        if (sql.includes('DETACH PARTITION') && engineOf.includes('toDate') && random() < 0.7)
          await engine.command(sql.replace('DETACH', 'ATTACH'));
      }
      const name = pick(Object.keys({ ...QUERIES, ...REPEATABLE }));
      const given = {
        unit: pick(['hour', null]),
        area: pick(['rest', null]),
        since: pick(['2026-01-04 00:00:00', '2026-01-09 07:30:00']),
        until: pick([null, '2026-01-12 00:00:00']),
      };
      const { kept, whole, days, revalidated } = await both(name, given);
      expect(kept, `seed ${SEED}, step ${step}: ${name}`).toEqual(whole);
      daysKept += days + Number(revalidated);
    }
    // Else nothing was shown.
    expect(daysKept).toBeGreaterThan(STEPS / 5);
  },
  3_000_000,
);
