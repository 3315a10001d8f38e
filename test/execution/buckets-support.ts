// Queries in buckets of time beside whole runs, and random schedules of what may happen to their table: they can be run again, and the environment may say how
// many steps, and of which seed.
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { openCache } from '../../src/cache/cache.ts';
import type { Engine, EngineQuery } from '../../src/engine/engine.ts';
import { type PreparedQuery, prepare } from '../../src/execution/prepared-query.ts';
import { executeKeeping, executePrepared } from '../../src/execution/run.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { instantAt } from '../../src/queries/instant.ts';
import { folderOf, queryText } from '../queries/support.ts';
import { EVENT_SOURCES } from './run-support.ts';

export const STEPS = Number(process.env['QUERN_BUCKET_STEPS'] ?? 40);
export const SEED = Number(process.env['QUERN_BUCKET_SEED'] ?? 1);

/** mulberry32: numbers from 0 to 1. */
export function seeded(seed = SEED): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const START = Date.UTC(2026, 0, 2);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

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
export const REPEATABLE: Readonly<Record<string, string>> = {
  areas: 'select area, count(*) as n, max(moment) as latest from events where (@area is null or area = @area) group by area order by area',
};
const PARAMETERS: Readonly<Record<string, string>> = { unit: 'string', area: 'string', since: 'timestamp', until: 'timestamp' };

const NAMES = Object.keys({ ...QUERIES, ...REPEATABLE });

const texts = Object.fromEntries(
  Object.entries({ ...QUERIES, ...REPEATABLE }).map(([name, sql], i) => {
    const used = Object.entries(PARAMETERS).filter(([parameter]) => sql.includes(`@${parameter}`));
    const params = used.length === 0 ? [] : ['params:', ...used.map(([parameter, type]) => `  ${parameter}: { type: ${type} }`)];
    return [`${name}.sql`, queryText(i + 1, sql, 'cache: 60s', ...params)];
  }),
);

/** So many rows, evenly over so many milliseconds. */
export const insert = (fromMs: number, rows: number, spanMs: number): string =>
  `INSERT INTO default.events SELECT number, ['rest', 'auth', 'storage'][1 + (number * 7 + ${fromMs}) % 3],
    fromUnixTimestamp64Micro(toInt64(${fromMs * 1000} + number * ${Math.floor((spanMs * 1000) / rows)})) FROM numbers(${rows})`;

type Given = Readonly<Record<string, string | null>>;

export interface Comparing {
  readonly clock: { now: number };
  readonly prepared: ReadonlyMap<string, PreparedQuery>;
  /** One cache, opened anew, as another process would. `fastMs`: see KeepingDependencies; default 0. */
  keep(name: string, given?: Given, fastMs?: number): ReturnType<typeof executeKeeping>;
  both(
    name: string,
    given?: Given,
    fastMs?: number,
  ): Promise<{
    readonly kept: readonly unknown[];
    readonly whole: readonly unknown[];
    /** That did not have to be read. */
    readonly days: number;
    readonly revalidated: boolean;
    readonly buckets: Awaited<ReturnType<typeof executeKeeping>>['buckets'];
    readonly why: string | undefined;
  }>;
}

/** Runs of the queries over `default.events` of the engine, with a cache in `cacheFolder`. */
export async function comparing(engine: Engine, cacheFolder: string): Promise<Comparing> {
  const catalog = openCatalog([folderOf(texts)]);
  const clock = { now: START + 12 * DAY };
  let skipped = 0;
  const counted = {
    ...engine,
    execute: (query: EngineQuery) => {
      const of = (name: string) => Date.parse(String(query.bindings.find((binding) => binding.name === name)?.value ?? '1970-01-01'));
      skipped += of('quern_skip_to') - of('quern_skip_from');
      return engine.execute(query);
    },
  };
  const prepared = new Map<string, PreparedQuery>();
  for (const name of NAMES)
    prepared.set(name, await prepare(name, { catalog, sources: { fingerprint: '1', load: async () => EVENT_SOURCES } }));
  const deps = { limits: {}, engine: async () => counted, catalog };
  const ask = (name: string, given: Given) => {
    const query = prepared.get(name);
    if (query === undefined) throw new RangeError(name);
    return { query, request: { arguments: { unit: null, area: null, since: null, until: null, ...given }, instant: instantAt(clock.now) } };
  };
  const keep: Comparing['keep'] = (name, given = {}, fastMs = 0) => {
    const { query, request } = ask(name, given);
    const cache = openCache({ folder: cacheFolder, maxBytes: 1e9, now: () => clock.now, onNote: () => {} });
    return executeKeeping(query, request, { ...deps, engineId: 'here', placeId: 'here', cache, fastMs });
  };
  return {
    clock,
    prepared,
    keep,
    async both(name, given = {}, fastMs = 0) {
      skipped = 0;
      const { result, revalidated, buckets, whole: why } = await keep(name, given, fastMs);
      const days = skipped / DAY;
      const { query, request } = ask(name, given);
      const whole = await executePrepared(query, request, deps);
      return { kept: result.rows, whole: whole.rows, days, revalidated: revalidated === true, buckets, why };
    },
  };
}

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
  () => 'DETACH TABLE default.events SYNC',
  () => "ALTER TABLE default.events MODIFY COMMENT 'another'",
];

/** A table comes back once nobody reads it as it was, which those who share it may still do. */
async function attached(attach: () => Promise<unknown>, attempts = 100): Promise<void> {
  try {
    await attach();
  } catch (error) {
    if (attempts === 0 || !String(error).includes('still used by some query')) throw error;
    await setTimeout(100);
    await attached(attach, attempts - 1);
  }
}

interface Schedule {
  readonly comparing: Comparing;
  command(sql: string): Promise<unknown>;
  /** Partitions are days. */
  readonly byDay: boolean;
  /** The table of the operations. Default: `default.events`. */
  readonly table?: string;
  /** What else may happen at a step. */
  readonly more?: readonly (() => Promise<unknown>)[];
  readonly steps?: number;
}

/** After each step, kept rows are compared with those of a whole run. Gives how many days need not be read. */
export async function runSchedule({
  comparing: { both, keep, clock },
  command,
  byDay,
  table = 'default.events',
  more = [],
  steps = STEPS,
}: Schedule): Promise<number> {
  const random = seeded();
  const judging = seeded(SEED + 1_000_000);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const call = (): readonly [string, Given] => [
    pick(NAMES),
    {
      unit: pick(['hour', null]),
      area: pick(['rest', null]),
      since: pick(['2026-01-04 00:00:00', '2026-01-09 07:30:00']),
      until: pick([null, '2026-01-12 00:00:00']),
    },
  ];
  const operate = async (): Promise<void> => {
    const sql = pick(OPERATIONS)(clock.now, random).replaceAll('default.events', table);
    if (!sql.includes('PARTITION') || byDay) await command(sql);
    if (sql.startsWith('DETACH')) await attached(() => command(`ATTACH TABLE ${table}`));
    if (sql.includes('DETACH PARTITION') && byDay && random() < 0.7) await command(sql.replace('DETACH', 'ATTACH'));
  };
  let daysKept = 0;
  for (let step = 0; step < steps; step++) {
    if (random() < 0.4) clock.now += Math.floor(random() * 3 * HOUR);
    if (random() < 0.05) clock.now -= Math.floor(random() * DAY);
    if (random() < 0.5) {
      const sharing = random() < 0.3;
      // Of runs while the table changes the rows may be of before and of after; what they keep must be neither in between. A table that is away is an error.
      const runs = sharing ? [call(), call()].map(([name, given]) => keep(name, given).catch(() => undefined)) : [];
      await operate();
      await Promise.all(runs);
    }
    if (more.length > 0 && random() < 0.2) await pick(more)();
    const [name, given] = call();
    // With any limit above 0 their times decide, and these small runs gain nothing: they rest, are tried again, and share what is kept with the others.
    const { kept, whole, days, revalidated } = await both(name, given, judging() < 0.15 ? 1e-6 : 0);
    expect(kept, `seed ${SEED}, step ${step}: ${name} ${JSON.stringify(given)}`).toEqual(whole);
    daysKept += days + Number(revalidated);
  }
  // Else nothing was shown.
  expect(daysKept).toBeGreaterThan(steps / 6);
  return daysKept;
}
