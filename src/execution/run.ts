// Runs a prepared query for its rows: from the cache, or from the engine.

import type { QueryResult, ResultColumn } from '../base/result.ts';
import { createYield, mapYielding } from '../base/yield.ts';
import type { Cache } from '../cache/cache.ts';
import { ageSeconds, freshness } from '../cache/policy.ts';
import type { EngineResult } from '../engine/engine.ts';
import type { Version } from '../sources/version.ts';
import type { KeepingDependencies, KeptRun } from './buckets/keeping.ts';
import { type Execution, type ExecutionDependencies, type ExecutionRequest, openExecution } from './execute.ts';
import { ALL_ROWS } from './one-off.ts';
import type { PrepareDependencies, PreparedQuery } from './prepared-query.ts';
import { type RunOptions, readRunOptions } from './request.ts';
import { flightName, rowsKey, wantedRows } from './wanted-rows.ts';

export interface RunDependencies extends PrepareDependencies, Omit<ExecutionDependencies, keyof PrepareDependencies> {
  readonly cache: Cache;
  readonly version: Version;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface RunOutcome {
  readonly result: QueryResult;
  /** The part of the cache in it. `off`: none; `revalidated`: the rows are those of an earlier run, since a new one would give the same. */
  readonly cache: {
    readonly state: 'hit' | 'miss' | 'revalidated' | 'off';
    /** Milliseconds since 1970; absent when `off`. */
    readonly storedAtMs?: number;
    readonly ageSeconds?: number;
  };
  readonly prepared: PreparedQuery;
  /** How much kept buckets have spared the run, or why it read the whole. */
  readonly keeping?: Pick<KeptRun, 'buckets' | 'whole'> | undefined;
}

/**
 * Returns the rows of a prepared query, at most `max_rows` of them, from the cache or from the engine. Throws QuernError: what readRunOptions
 * and the engine throw.
 */
export async function run(prepared: PreparedQuery, options: RunOptions, deps: RunDependencies): Promise<RunOutcome> {
  await deps.files?.list(prepared.sources);
  const { asOf, ...execution } = readRunOptions(prepared, options, deps);
  const { cache } = deps;
  const { cache: mode = 'use', maxAgeSeconds, signal } = options;
  const execute = (stop: AbortSignal | undefined) =>
    executeKeeping(
      prepared,
      { ...execution, signal: stop },
      { ...deps, cache: mode === 'none' || prepared.ttlSeconds <= 0 ? undefined : cache },
      mode === 'refresh',
    );
  const { ttlSeconds } = prepared;
  if (mode === 'none' || ttlSeconds <= 0) return { result: (await execute(signal)).result, cache: { state: 'off' }, prepared };
  const wanted = wantedRows(prepared, execution.arguments, { version: deps.version, asOf });
  if (mode === 'use') {
    const entry = await cache.lookup(wanted.key);
    if (entry !== undefined && freshness({ storedAtMs: entry.storedAtMs, nowMs: deps.now(), ttlSeconds, maxAgeSeconds }) === 'fresh') {
      const { result, storedAtMs } = entry;
      return { result, cache: { state: 'hit', storedAtMs, ageSeconds: ageSeconds(storedAtMs, deps.now()) }, prepared };
    }
  }
  let keeping: RunOutcome['keeping'];
  const fill = async (stop: AbortSignal) => {
    const ran = await execute(stop);
    keeping = ran;
    return { wanted, ...ran };
  };
  const { result, revalidated, storedAtMs, written } = await cache.fill(flightName(wanted, mode === 'refresh'), fill, { signal });
  await written;
  if (result.missing !== undefined) return { result, cache: { state: 'off' }, prepared };
  return { result, cache: { state: revalidated === true ? 'revalidated' : 'miss', storedAtMs, ageSeconds: 0 }, prepared, keeping };
}

/** More tables are hardly all as they were. */
const MOST_TABLES = 4;

/** Without a cache nothing is kept. */
type CacheDependencies = Omit<KeepingDependencies, 'kept' | 'bypassKept' | 'run'> & {
  readonly cache: Pick<Cache, 'lookup' | 'buckets'> | undefined;
};

/**
 * Returns the rows as executePrepared does, but takes what is kept of earlier runs: rows of data that are the same, and buckets of time. With
 * `bypassKept`, rows are read again, whatever is kept.
 */
export async function executeKeeping(
  prepared: PreparedQuery,
  request: ExecutionRequest,
  deps: CacheDependencies,
  bypassKept = false,
): Promise<KeptRun> {
  const { cache, version } = deps;
  const run = (asked: PreparedQuery, how: ExecutionRequest): Promise<QueryResult> => executePrepared(asked, how, deps);
  await deps.files?.list(prepared.sources);
  if (cache === undefined) return { result: await run(prepared, request) };
  const inKey = prepared.repeatable !== undefined && version.isExact(prepared.sources);
  if (inKey) {
    const before = bypassKept ? undefined : await cache.lookup(rowsKey(prepared, request.arguments, deps));
    // Another build may read the same data in another way.
    if (before !== undefined && before.madeBy === version.place)
      return { result: { ...before.result, statistics: undefined }, revalidated: true };
  }
  if (version.place !== undefined) {
    const all = { ...deps, kept: cache.buckets, bypassKept, run };
    const { buckets, repeatable } = prepared;
    const unkeyed = inKey ? [] : (repeatable?.tables ?? []);
    const tables = buckets === undefined ? unkeyed : [buckets.table];
    // Each run would begin with a question for the parts of all replicas, which costs more than it has been seen to save.
    const isClustered = [...tables, ...(repeatable?.tables ?? [])].some(({ cluster }) => cluster !== undefined);
    if (tables.length > 0 && tables.length <= MOST_TABLES && !isClustered) {
      const { runInBuckets } = await import('./buckets/in-buckets.ts');
      return runInBuckets(prepared, tables, request, all);
    }
  }
  return { result: await run(prepared, request) };
}

/** Returns the rows from the engine, at most `max_rows` of them. */
export async function executePrepared(given: PreparedQuery, request: ExecutionRequest, deps: ExecutionDependencies): Promise<QueryResult> {
  const { prepared, rows } = await openExecution(given, request, deps);
  return decode(prepared, await rows(withRowLimit(prepared)));
}

/**
 * Limits the SQL. One row more than wanted shows that rows were cut off. A query around it costs ClickHouse up to a millisecond, so it stands only where the SQL
 * takes no limit at its end; the setting `limit` would not do, it limits each part of a UNION DISTINCT before the duplicates are gone.
 */
export function withRowLimit({ sql, ownLimit, maxRows, dialect }: Pick<PreparedQuery, 'sql' | 'ownLimit' | 'maxRows' | 'dialect'>): string {
  if (maxRows >= ALL_ROWS && dialect === 'bigquery') return sql;
  const limit = `LIMIT ${maxRows + 1}`;
  if (ownLimit === 'none') return `${sql}\n${limit}`;
  return ownLimit !== undefined && ownLimit <= maxRows ? sql : `SELECT * FROM (\n${sql}\n) ${limit}`;
}

async function decode(prepared: PreparedQuery, answer: EngineResult): Promise<QueryResult> {
  const { decodeRows } = await import('./decode.ts');
  const columns = prepared.columns ?? (await columnsOf(answer));
  const kept = answer.rows.length > prepared.maxRows ? { ...answer, rows: answer.rows.slice(0, prepared.maxRows) } : answer;
  const { statistics, missing } = answer;
  return {
    columns,
    rows: await mapYielding(kept.rows, (rows) => decodeRows(columns, { ...kept, rows }), createYield()),
    truncated: kept !== answer,
    statistics,
    missing,
  };
}

/** Returns the columns of a query that is ready to run; of ClickHouse SQL the engine is asked for them. */
export async function columnsAsked({ columns, sql }: PreparedQuery, ask: Execution['ask']): Promise<readonly ResultColumn[]> {
  return columns ?? (await columnsOf(await ask(`SELECT * FROM (\n${sql}\n) LIMIT 0`)));
}

/** Returns the columns of ClickHouse SQL, which quern has not translated, from the engine's answer. */
async function columnsOf({ columns }: EngineResult): Promise<readonly ResultColumn[]> {
  const { googleType } = await import('../queries/clickhouse/type.ts');
  return columns.map(({ name, type }) => ({ name, type: googleType(type) }));
}
