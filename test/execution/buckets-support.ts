// Queries in buckets of time beside whole runs, and random schedules of what may happen to their table: they can be run again, and the environment may say how
// many steps, and of which seed.
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { instantAt } from '../../src/base/instant.ts';
import { Cache } from '../../src/cache/cache.ts';
import type { Engine, EngineQuery } from '../../src/engine/engine.ts';
import { prepare } from '../../src/execution/prepare.ts';
import type { PreparedQuery } from '../../src/execution/prepared-query.ts';
import { executeKeeping, executePrepared } from '../../src/execution/run.ts';
import { prepareSandbox } from '../../src/execution/sandbox.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { LOG_SOURCES } from '../../src/sources/log/log-sources.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';
import { folderOf } from '../queries/support.ts';
import { fixedSources, fixedVersion } from '../support/fixed-sources.ts';
import {
  CALLERS,
  CALLERS_NAME,
  comparable,
  dealer,
  drawArguments,
  type Given,
  NONE,
  QUERIES,
  queryFiles,
  SHIPPED_FOLDER,
} from './buckets-queries.ts';
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

/** The columns of `default.events`; what the shipped queries read of its events follows from these. */
export const COLUMNS = `id Int64, area String, moment DateTime64(6, 'UTC'), metadata Map(LowCardinality(String), String) DEFAULT map('project_ref', area,
  'function_id', concat('f', toString(id % 2)), 'execution_time_ms', toString(id % 50), 'response.status_code', toString(200 + 100 * (id % 4)),
  'request.path', concat('/', area, '/v1'), 'request.url', concat('https://', area, '.example.com/', area, '/v1'))`;

/** The table as `events`, and as each of the log sources. */
export const SOURCES = ((): SourceCatalog => {
  const described = [
    { name: 'id', type: 'Int64' },
    { name: 'area', type: 'String' },
    { name: 'moment', type: "DateTime64(6, 'UTC')" },
    { name: 'metadata', type: 'Map(LowCardinality(String), String)' },
  ];
  const find = (name: string) => {
    const source = LOG_SOURCES.find((known) => known.name === name);
    if (source === undefined) return EVENT_SOURCES.find(name);
    const areas = ['project', 'event_message', ...source.columns].map((column) => [column, { column: 'area' }]);
    const columns = { timestamp: { column: 'moment' }, ...Object.fromEntries(areas) };
    return sourceFromTable(
      { name, aliases: [], database: 'default', table: 'events', columns, fields: {}, sameAs: {}, rows: {} },
      described,
    );
  };
  return { names: ['events', ...LOG_SOURCES.map(({ name }) => name)], find };
})();

/** So many rows, evenly over so many milliseconds. */
export const insert = (fromMs: number, rows: number, spanMs: number): string =>
  `INSERT INTO default.events (id, area, moment) SELECT number, ['rest', 'auth', 'storage'][1 + (number * 7 + ${fromMs}) % 3],
    fromUnixTimestamp64Micro(toInt64(${fromMs * 1000} + number * ${Math.floor((spanMs * 1000) / rows)})) FROM numbers(${rows})`;

export interface Comparing {
  readonly clock: { now: number };
  readonly prepared: ReadonlyMap<string, PreparedQuery>;
  /** One cache, opened again, as another process would. */
  keep(name: string, given?: Given): ReturnType<typeof executeKeeping>;
  both(
    name: string,
    given?: Given,
  ): Promise<{
    readonly kept: readonly unknown[];
    /** Both as they must be the same. */
    readonly whole: readonly unknown[];
    /** That did not have to be read. */
    readonly days: number;
    readonly revalidated: boolean;
    readonly buckets: Awaited<ReturnType<typeof executeKeeping>>['buckets'];
    readonly why: string | undefined;
  }>;
}

/** A translation hangs on no engine: one for all tests of a file. */
let together: ReturnType<typeof prepareAll> | undefined;
async function prepareAll() {
  const catalog = openCatalog([folderOf(queryFiles), SHIPPED_FOLDER]);
  const sources = fixedSources(() => SOURCES);
  const prepared = new Map<string, PreparedQuery>();
  for (const name of Object.keys(QUERIES)) prepared.set(name, await prepare({ query: name }, { catalog, sources }));
  prepared.set(CALLERS_NAME, await prepareSandbox(CALLERS.saved, CALLERS.sql, { catalog, sources }));
  return { catalog, prepared };
}

/** Runs of the queries over `default.events` of the engine, with a cache in `cacheFolder`, or one that is made for each run. */
export async function comparing(
  engine: Engine,
  place: string | ((now: () => number) => Pick<Cache, 'buckets' | 'lookup'>),
): Promise<Comparing> {
  const clock = { now: START + 12 * DAY };
  const now = () => clock.now;
  const cacheOf = typeof place === 'string' ? () => new Cache({ folder: place, maxBytes: 1e9, now, onNote: () => {} }) : () => place(now);
  let skipped = 0;
  const counted = {
    ...engine,
    execute: (query: EngineQuery) => {
      const of = (name: string) => Date.parse(String(query.bindings.find((binding) => binding.name === name)?.value ?? '1970-01-01'));
      skipped += of('quern_skip_to') - of('quern_skip_from');
      return engine.execute(query);
    },
  };
  together ??= prepareAll();
  const { prepared, catalog } = await together;
  const deps = { limits: {}, engine: async () => counted, catalog };
  const ask = (name: string, given: Given) => {
    const query = prepared.get(name);
    if (query === undefined) throw new RangeError(name);
    return { query, request: { arguments: { ...NONE, ...given }, instant: instantAt(clock.now) } };
  };
  const keep: Comparing['keep'] = (name, given = {}) => {
    const { query, request } = ask(name, given);
    return executeKeeping(query, request, { ...deps, version: fixedVersion('here', { place: 'here' }), cache: cacheOf(), fastMs: 0 });
  };
  return {
    clock,
    prepared,
    keep,
    async both(name, given = {}) {
      skipped = 0;
      const { result, revalidated, buckets, whole: why } = await keep(name, given);
      const days = skipped / DAY;
      const { query, request } = ask(name, given);
      const whole = await executePrepared(query, request, deps);
      return {
        kept: comparable(name, result.rows),
        whole: comparable(name, whole.rows),
        days,
        revalidated: revalidated === true,
        buckets,
        why,
      };
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

/**
 * Parts that are merged lose what is older than some days. The engine's own clock is months ahead of the schedule's. Merges in the background would change rows
 * between the two runs that a step compares, so they leave expired rows alone.
 */
function expire(at: number, random: () => number, table: string): string {
  const seconds = Math.floor((Date.now() - at + (4 + random() * 8) * DAY) / 1000);
  return [
    `SYSTEM STOP TTL MERGES ${table}`,
    `ALTER TABLE ${table} MODIFY TTL toDateTime(moment) + INTERVAL ${seconds} SECOND SETTINGS materialize_ttl_after_modify = 0`,
    `SYSTEM START TTL MERGES ${table}`,
    `OPTIMIZE TABLE ${table} FINAL`,
    `ALTER TABLE ${table} REMOVE TTL`,
  ].join(';\n');
}

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
  /** Where its table is. */
  readonly place: string;
  readonly comparing: Comparing;
  /** Runs statements, one by one. */
  command(sql: string): Promise<unknown>;
  /** Partitions are days. */
  readonly byDay: boolean;
  /** The table of the operations. Default: `default.events`. */
  readonly table?: string;
  /** What else may happen at a step. */
  readonly more?: readonly (() => Promise<unknown>)[];
  readonly steps?: number;
}

/** Writes down how far a schedule has come, where the environment says so. */
export function tally(place: string): (step: { readonly used: boolean }) => void {
  const file = process.env['QUERN_BUCKET_LOG'];
  let [steps, used] = [0, 0];
  return (step) => {
    steps++;
    used += Number(step.used);
    if (file !== undefined && steps % 20 === 0) appendFileSync(file, `${JSON.stringify({ place, seed: SEED, steps, used })}\n`);
  };
}

/** After each step, kept rows are compared with those of a whole run. */
export async function runSchedule({
  place,
  comparing: { both, keep, clock },
  command,
  byDay,
  table = 'default.events',
  more = [],
  steps = STEPS,
}: Schedule): Promise<void> {
  // Other queries come first at each place.
  const random = seeded(SEED * 7919 + place.length);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const deal = dealer(random);
  const call = (): readonly [string, Given] => {
    const name = deal();
    return [name, drawArguments(name, random)];
  };
  const operate = async (): Promise<unknown> => {
    if (random() < 0.06) return command(expire(clock.now, random, table));
    const sql = pick(OPERATIONS)(clock.now, random).replaceAll('default.events', table);
    if (!sql.includes('PARTITION') || byDay) await command(sql);
    if (sql.startsWith('DETACH')) await attached(() => command(`ATTACH TABLE ${table}`));
    if (sql.includes('DETACH PARTITION') && byDay && random() < 0.7) await command(sql.replace('DETACH', 'ATTACH'));
    return;
  };
  const count = tally(place);
  let kept = 0;
  // Else nothing was shown. Where parts do not tell their times, any change takes all buckets along.
  const least = byDay ? Math.floor(steps / 20) + 1 : 1;
  // Merges come when they come: where they have taken most along so far, it goes on until enough runs have used kept rows.
  for (let step = 0; step < steps || (kept < least && step < 5 * steps); step++) {
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
    const ran = await both(name, given);
    expect(ran.kept, `${place}, seed ${SEED}, step ${step}: ${name} ${JSON.stringify(given)}`).toEqual(ran.whole);
    const used = ran.revalidated || (ran.buckets?.kept ?? 0) > 0;
    kept += Number(used);
    count({ used });
  }
  expect(kept).toBeGreaterThanOrEqual(least);
}
