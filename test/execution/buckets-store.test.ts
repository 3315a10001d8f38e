// Buckets of time over the embedded store: its loads say which days have changed, and the engine is not asked for it.
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { instantAt } from '../../src/base/instant.ts';
import { Cache } from '../../src/cache/cache.ts';
import { quoteString } from '../../src/clickhouse/quote.ts';
import { EmbeddedConnection } from '../../src/connection/embedded.ts';
import { prepare } from '../../src/execution/prepare.ts';
import type { PreparedQuery } from '../../src/execution/prepared-query.ts';
import { executeKeeping, executePrepared } from '../../src/execution/run.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { STORE_DATABASE } from '../../src/sources/log/log-catalog.ts';
import { openStore } from '../../src/store/store.ts';
import { folderOf, queryText } from '../queries/support.ts';
import { tempStore } from '../support/temp-store.ts';
import { comparable, dealer, drawArguments, type Given, NONE, QUERIES, queryFiles, SHIPPED_FOLDER } from './buckets-queries.ts';
import { SEED, STEPS, seeded, tally } from './buckets-support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 12, 5);

const OWN: Readonly<Record<string, string>> = {
  loaded:
    'select timestamp_trunc(timestamp, day) as day, count(*) as n, max(id) as last from edge_logs where timestamp >= timestamp_sub(current_timestamp(), interval 7 day) group by day order by day',
  statuses:
    'select timestamp_trunc(t.timestamp, day) as day, r.status_code as code, count(*) as n from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.response) r where t.timestamp > timestamp_sub(current_timestamp(), interval 5 day) and t.timestamp <= current_timestamp() group by day, code order by day, code',
  files:
    'select timestamp_trunc(seen, day) as day, count(*) as n, sum(n) as s from pages where seen >= timestamp_sub(current_timestamp(), interval 6 day) group by day order by day',
  visited: 'select max(seen) as latest, count(*) as n from visits',
  own: 'select timestamp_trunc(seen, day) as day, sum(n) as n from visits where seen >= timestamp_sub(current_timestamp(), interval 6 day) group by day order by day desc',
  fixed:
    'select timestamp_trunc(timestamp, day) as day, count(*) as n from edge_logs where timestamp >= "2026-01-03" and timestamp < "2026-01-12" group by day order by day',
  fixed_own:
    'select timestamp_trunc(seen, day) as day, sum(n) as n from visits where seen >= "2026-01-03" and seen < "2026-01-12" group by day order by day',
};
/** The rows of the log source, as the queries of all schedules read them. */
const EVENTS = 'select cast(m.n as int64) as id, m.area, t.timestamp as moment from edge_logs as t cross join unnest(t.metadata) as m';
const texts = Object.fromEntries(
  Object.entries({ ...OWN, events: EVENTS }).map(([name, sql], i) => [`${name}.sql`, queryText(500 + i, sql, 'cache: 60s')]),
);

/** Events from `fromMs` on, evenly over `spanMs`. */
const events = (fromMs: number, count: number, spanMs: number): string =>
  Array.from({ length: count }, (_, i) => {
    const timestamp = new Date(fromMs + Math.floor((i * spanMs) / count)).toISOString();
    const n = (fromMs + i) % 40;
    const area = ['rest', 'auth', 'storage'][(fromMs + i) % 3];
    const request = { path: `/${area}/v1`, url: `https://${area}.example.com/${area}/v1` };
    const response = { status_code: 200 + 100 * ((fromMs + i) % 3) };
    const metadata = { n, area, request, response, project_ref: area, function_id: `f${n % 2}`, execution_time_ms: n / 4 };
    return `${JSON.stringify({ id: `${fromMs}-${i}`, timestamp, project: area, event_message: 'm', metadata })}\n`;
  }).join('');

const visits = (fromMs: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify({ seen: new Date(fromMs + i * HOUR).toISOString(), n: i })}\n`).join('');

async function setting() {
  const { store: first, folder } = await tempStore();
  let store = first;
  const catalog = openCatalog([folderOf({ ...queryFiles, ...texts }), SHIPPED_FOLDER], folder.path);
  const cache = new Cache({ folder: join(folder.path, 'cache'), maxBytes: 1e9, now: Date.now, onNote: () => {} });
  const clock = { now: START };
  let meanwhile: (() => Promise<unknown>) | undefined;
  const connection = () =>
    new EmbeddedConnection({
      place: { folder: folder.path, env: {}, permit: async () => undefined },
      dir: join(folder.path, 'store'),
      manifest: async () => store.manifest,
      store: async () => store,
      withoutTables: async () => store.engine,
      sections: { sources: { value: { pages: { file: 'pages-*.parquet' } } } },
      limits: {},
      folder: join(folder.path, 'memory'),
      ttlSeconds: 0,
      build: 'test',
      now: () => clock.now,
    });
  const load = (text: string, source: 'edge_logs' | 'function_edge_logs' = 'edge_logs') =>
    store.load(source, Readable.from([text]), { format: 'ndjson', again: true });
  const loadVisits = (text: string) => store.loadTable('visits', [Readable.from([text])], { format: 'ndjson' });
  await load(events(START - 9 * DAY, 300, 9 * DAY));
  await load(events(START - 9 * DAY, 300, 9 * DAY), 'function_edge_logs');
  await loadVisits(visits(START - 5 * DAY, 100));
  let files = 0;
  /** Text has no times, so that only files with types of their own have buckets. */
  const addPages = (fromMs: number, rows: number) =>
    store.engine.command(
      `INSERT INTO FUNCTION file(${quoteString(join(folder.path, `pages-${files++}.parquet`))}, Parquet, ${quoteString("seen DateTime64(6, 'UTC'), n Int64")})
        SELECT fromUnixTimestamp64Milli(toInt64(${fromMs} + ${HOUR} * number), 'UTC'), number FROM numbers(${rows})`,
    );
  await addPages(START - 8 * DAY, 190);
  onTestFinished(() => store.close());
  const translated = new Map<string, PreparedQuery>();
  async function keep(name: string, given: Given) {
    const held = await connection().snapshot();
    const key = JSON.stringify([name, await held.sources.versionOf([])]);
    const prepared = translated.get(key) ?? (await prepare({ query: name }, { catalog, sources: held.sources }));
    translated.set(key, prepared);
    const request = { arguments: { ...NONE, ...given }, instant: instantAt(clock.now) };
    const sql: string[] = [];
    let skipped = 0;
    const engine = async () => {
      const opened = await held.engine();
      return {
        ...opened,
        execute: async (query: Parameters<typeof opened.execute>[0]) => {
          sql.push(query.sql);
          if (meanwhile !== undefined && query.bindings.some((one) => one.name === 'quern_to')) {
            const happens = meanwhile;
            meanwhile = undefined;
            await happens();
          }
          const of = (end: string) => Date.parse(String(query.bindings.find((one) => one.name === end)?.value ?? '1970-01-01'));
          skipped += of('quern_skip_to') - of('quern_skip_from');
          return opened.execute(query);
        },
        rows: (text: string) => {
          sql.push(text);
          return opened.rows(text);
        },
      };
    };
    const ran = await executeKeeping(prepared, request, { ...held, engine, catalog, cache, fastMs: 0 });
    return { prepared, request, ran, sql, days: skipped / DAY };
  }
  return {
    clock,
    load,
    loadVisits,
    undo: async (at: number) => {
      const numbers = [
        ...new Set(store.manifest.loads.flatMap(({ number, source }) => (source.endsWith('edge_logs') ? [number ?? 0] : []))),
      ];
      const number = numbers[Math.floor(at * numbers.length)];
      if (numbers.length > 1 && number !== undefined) await store.undo(number);
    },
    undoLast: () => store.undo(Math.max(...store.manifest.loads.map(({ number }) => number ?? 0))),
    /** What happens just before the next run of a whole or a part reads its rows. */
    during: (happens: () => Promise<unknown>) => {
      meanwhile = happens;
    },
    addPages: () => addPages(clock.now - HOUR, 1),
    async reopen() {
      await store.close();
      store = await openStore({ dir: join(folder.path, 'store') });
    },
    merge: () => store.engine.command(`OPTIMIZE TABLE ${STORE_DATABASE}.edge_logs FINAL`),
    keep,
    async both(name: string, given: Given = {}) {
      const { prepared, request, ran, sql, days } = await keep(name, given);
      const whole = await executePrepared(prepared, request, { ...(await connection().snapshot()), catalog });
      const revalidated = ran.revalidated === true;
      const used = revalidated || (ran.buckets?.kept ?? 0) > 0;
      return { kept: comparable(name, ran.result.rows), whole: comparable(name, whole.rows), days, sql, revalidated, used };
    },
  };
}

test('what is read after a load is its days, and the engine is asked for nothing beside the window', async () => {
  const { both, load, clock, merge } = await setting();
  await both('loaded'); // tells that it is worth it
  const first = await both('loaded');
  expect([first.kept, first.days]).toEqual([first.whole, 0]);
  await load(events(clock.now - HOUR, 20, HOUR));
  await merge();
  const second = await both('loaded');
  expect([second.kept, second.days]).toEqual([second.whole, 6]);
  expect(second.sql.length).toBe(2);
  expect(second.sql.filter((sql) => sql.includes('system.'))).toEqual([]);
  await load(events(clock.now - 2 * DAY, 1, HOUR));
  const third = await both('loaded');
  expect([third.kept, third.days]).toEqual([third.whole, 4]);
});

test('between two fixed times, what is read after a load is its days, too', async () => {
  const { both, load, clock } = await setting();
  await both('fixed'); // tells that it is worth it
  for (const [late, days] of [
    [0, 0],
    [2, 7],
    [3, 6],
  ] as const) {
    await load(events(clock.now - late * DAY, 20, HOUR));
    const { kept, whole, days: spared } = await both('fixed');
    expect([kept, spared]).toEqual([whole, days]);
  }
});

test('of a table whose parts tell no times, why nothing is kept is told', async () => {
  const { keep, loadVisits, clock } = await setting();
  const told: unknown[] = [];
  for (let run = 0; run < 5; run++) {
    await loadVisits(visits(clock.now - 3 * DAY + run * 1000, 1));
    const { ran } = await keep('fixed_own', {});
    told.push(ran.whole ?? ran.buckets?.kept);
  }
  const why = 'its data have changed, and nothing shows at which times';
  expect(told).toEqual([undefined, 0, why, why, why]);
});

test('over files, rows are kept as long as the files are the same', async () => {
  const { both, addPages, clock } = await setting();
  await both('files'); // tells that it is worth it
  const first = await both('files');
  expect([first.kept, first.days]).toEqual([first.whole, 0]);
  clock.now += 2 * HOUR;
  const second = await both('files');
  expect([second.kept, second.days]).toEqual([second.whole, 5]);
  expect(await both('files')).toMatchObject({ revalidated: true });
  await addPages();
  const third = await both('files');
  expect([third.kept, third.days, third.revalidated]).toEqual([third.whole, 0, false]);
});

test('what hangs on the data of the store alone runs again after a load, and not before', async () => {
  const { both, loadVisits, clock } = await setting();
  expect(await both('visited')).toMatchObject({ revalidated: false });
  clock.now += HOUR;
  // Nothing has put it into the cache of results here.
  await loadVisits(visits(clock.now, 1));
  const after = await both('visited');
  expect([after.kept, after.revalidated]).toEqual([after.whole, false]);
});

test('rows of the store are those of a whole run, whatever is loaded and taken back', async () => {
  const { both, keep, load, loadVisits, addPages, undo, reopen, merge, clock } = await setting();
  const random = seeded();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const operations = [
    () => load(events(clock.now - HOUR, 10, HOUR)),
    () => load(events(clock.now - Math.floor(random() * 9 * DAY), 4, HOUR), pick(['edge_logs', 'function_edge_logs'])),
    () => load(events(clock.now - Math.floor(random() * 9 * DAY), 6, 3 * DAY), pick(['edge_logs', 'function_edge_logs'])),
    () => loadVisits(visits(clock.now - Math.floor(random() * 7 * DAY), 3)),
    () => undo(random()),
    merge,
    addPages,
  ];
  const deal = dealer(random, { names: [...Object.keys(QUERIES), ...Object.keys(OWN)] });
  const call = (): readonly [string, Given] => {
    const name = deal();
    return [name, Object.hasOwn(OWN, name) ? {} : drawArguments(name, random)];
  };
  const count = tally('loads of the store');
  let kept = 0;
  for (let step = 0; step < STEPS; step++) {
    if (random() < 0.4) clock.now += Math.floor(random() * 3 * HOUR);
    if (random() < 0.05) clock.now -= Math.floor(random() * DAY);
    if (random() < 0.4) {
      // Of runs beside it the rows may be of before and of after; what they keep must be neither in between. One that finds another store than it began with is an error.
      const runs = random() < 0.3 ? [call(), call()].map(([name, given]) => keep(name, given).catch(() => undefined)) : [];
      await pick(operations)();
      await Promise.all(runs);
    }
    if (random() < 0.04) await reopen();
    const [name, given] = call();
    const compared = await both(name, given);
    expect(compared.kept, `seed ${SEED}, step ${step}: ${name} ${JSON.stringify(given)}`).toEqual(compared.whole);
    kept += Number(compared.used);
    count(compared);
  }
  expect(kept).toBeGreaterThan(STEPS / 20);
}, 3_000_000);

test('a load that lands while a run goes on leaves no bucket behind that only undoing it would show to be wrong', async () => {
  const { both, load, undoLast, during, clock } = await setting();
  await both('loaded');
  await both('loaded');
  await load(events(clock.now - 3 * DAY, 7, HOUR)); // so that the next run has something to read
  during(() => load(events(clock.now - 3 * DAY + HOUR, 11, HOUR)));
  const held = await both('loaded'); // its rows may be those of either moment
  expect(held.kept.length).toBeGreaterThan(0);
  await undoLast();
  const after = await both('loaded');
  expect(after.kept).toEqual(after.whole);
});
