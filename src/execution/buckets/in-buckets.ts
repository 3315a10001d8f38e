// Runs a query in buckets of time: buckets whose data are as they were come from the cache, and the engine is asked for the others, as one statement.
import type { Kept, KeptBucket, KeptBuckets } from '../../cache/kept-buckets.ts';
import { cacheKeys } from '../../cache/key.ts';
import { canonical } from '../../queries/instant.ts';
import { bindingsFor } from '../../queries/parameters.ts';
import type { QueryResult, Row } from '../../result.ts';
import { type BucketedTranslation, RANGE_PARAMETERS } from '../../sql/translation.ts';
import { type Execution, type ExecutionRequest, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { sorted } from './order.ts';
import { longestStretch, type Period, startOf, wholeBuckets } from './periods.ts';
import { ALL_TIME, isSame, rowsWithin, stampOf, type TableState } from './stamp.ts';
import { type AskedState, openTableStates, type TableStates, tellingServer } from './table-states.ts';
import { CHANGING, elapsed, FAST_MS, type How, type KeepingDependencies, type KeptRun, openWays, stopwatch } from './ways.ts';
import { readWindow, type Window } from './window.ts';

/** Why no bucket can be kept of what was read. */
const LEFT_OUT = 'its LIMIT, or the limit on rows, leaves out rows that buckets need';

/** More would cost more than they save. */
const MOST_BUCKETS = 5000;

/**
 * The rows of a prepared query that has buckets, of the whole where kept ones do not help: on first runs, where they would save nothing, or where the table does
 * not let it be known what its rows are made of. `run` runs a prepared query as it is.
 */
export async function runInBuckets(
  prepared: PreparedQuery,
  buckets: BucketedTranslation,
  request: ExecutionRequest,
  deps: KeepingDependencies,
  { anew = false, run }: How,
): Promise<KeptRun> {
  const states = openTableStates(buckets.table, deps);
  const { fastMs = states.held === undefined ? FAST_MS.asked : FAST_MS.held } = deps;
  const ofRows = withSql(prepared, buckets.rows);
  const { kept } = deps;
  const key = keyOf(ofRows, request, deps.placeId);
  const ways = openWays({ key, prepared, request, run }, { kept, fastMs, held: states.held !== undefined });
  const known = await kept.read(key);
  const why = ways.whyWhole(known);
  if (known === undefined || why !== undefined) return ways.whole(known, why);
  const took = stopwatch();
  const begun = await beginning(withSql(prepared, buckets.window), buckets, states, request, deps);
  if (typeof begun === 'string') return ways.whole(ways.slow(known, begun), begun);
  const { window, state, ask } = begun;
  const { last } = known;
  if (!anew && last !== undefined && isSame(last, state, window)) return ways.revalidated(known, last);
  const whole = wholeBuckets(
    { start: window.start, end: Math.min(window.end, currentBucket(request.instant, window.unit)) },
    window.unit,
    MOST_BUCKETS,
  );
  if (whole === undefined || whole.length === 0) {
    const few = `its window has ${whole === undefined ? 'too many buckets' : 'no whole bucket'}`;
    return ways.whole(ways.slow(known, few), few);
  }

  const stamps = new Map(whole.map((period) => [period.start, stampOf(state, period)]));
  const valid = new Map(
    anew ? [] : known.buckets.flatMap((bucket) => (stamps.get(bucket.start) === bucket.stamp ? [[bucket.start, bucket] as const] : [])),
  );
  const skipped = longestStretch(whole, ({ start }) => valid.has(start));
  const isSkipped = ({ start }: Period): boolean => skipped !== undefined && start >= skipped.start && start < skipped.end;
  const toKeep = whole.filter((period) => !isSkipped(period));
  const inRanges = { ...request, arguments: { ...request.arguments, ...ranges(window, skipped) } };
  const tellsServer = state.server !== undefined;
  const asked = await run(tellsServer ? await tellingServer(ofRows, inRanges) : ofRows, inRanges);
  const fromCache = whole.filter(isSkipped).flatMap(({ start }) => valid.get(start)?.rows ?? []);
  const result = assembled(asked, fromCache, prepared, buckets, ofRows.columns ?? []);
  const rows = skipped === undefined ? 0 : rowsWithin(state, skipped);
  const ran = { result, buckets: { kept: whole.length - toKeep.length, asked: toKeep.length, rows } };
  if (skipped === undefined && elapsed(asked) < fastMs) {
    await kept.remove(key);
    return ran;
  }
  const seen = stampOf(state, ALL_TIME);
  // Where there is no bucket to keep, asking serves only runs of the same data, and these data go on changing.
  if (skipped !== undefined && toKeep.length === 0 && states.held === undefined && known.seen !== undefined && known.seen !== seen) {
    await kept.write(key, { ...ways.judged(known, took(), state), seen });
    return ran;
  }
  const server = tellsServer ? asked.rows[0]?.at(-1) : undefined;
  const complete = isComplete(asked, buckets);
  const after = complete && server === state.server ? await stateAfter(states, state, ask, deps) : undefined;
  // Where nothing was kept yet, nothing could be used.
  const isFirst = anew || (after !== undefined && known.buckets.length === 0);
  const unused = complete ? CHANGING : LEFT_OUT;
  const judged = isFirst ? known : skipped === undefined ? ways.slow(known, unused) : ways.judged(known, took(), state);
  if (after === undefined || ways.rests(judged)) {
    await kept.write(key, judged);
    return ran;
  }
  const stamp = stampOf(after, window);
  await keep(kept, key, {
    ...judged,
    seen,
    buckets: [...judged.buckets, ...bucketsOf(asked.rows, toKeep, stamps, after, prepared, ofRows)],
    last: stamp === stampOf(state, window) ? { stamp, window, rows: result.rows, truncated: result.truncated } : undefined,
  });
  return ran;
}

/** Another query of the same saved query. */
const withSql = (
  prepared: PreparedQuery,
  { sql, statement, parameters, columns = [] }: BucketedTranslation['rows' | 'window'],
): PreparedQuery => ({
  ...prepared,
  sql,
  statement,
  bound: parameters,
  columns,
});

/** Whether every row of what was read is there. */
const isComplete = ({ rows, truncated, missing }: QueryResult, { limit }: BucketedTranslation): boolean =>
  !truncated && missing === undefined && (limit === undefined || rows.length < limit);

/** The same for all windows: a bucket's rows hang on the other arguments alone. */
function keyOf(prepared: PreparedQuery, { arguments: values }: ExecutionRequest, place: string): string {
  const own = prepared.bound.filter(({ name }) => !Object.values<string>(RANGE_PARAMETERS).includes(name));
  return cacheKeys({ ...prepared, engineId: place })(bindingsFor(own, values, undefined));
}

interface Beginning {
  readonly window: Window;
  readonly state: AskedState;
  readonly ask: Execution['ask'];
}

/** The window and the state of the table, asked as one; or why either cannot be had. */
async function beginning(
  ofWindow: PreparedQuery,
  { bounds }: BucketedTranslation,
  states: TableStates,
  request: ExecutionRequest,
  deps: KeepingDependencies,
): Promise<Beginning | string> {
  const { prepared, ask, engine } = await openExecution(ofWindow, request, deps);
  const { held } = states;
  const sql = held === undefined ? `SELECT * FROM (\n${prepared.sql}\n) AS asked CROSS JOIN (\n${states.query}\n) AS state` : prepared.sql;
  const [[row = []], filtered] = await Promise.all([
    ask(sql).then(
      ({ rows }) => rows,
      () => [],
    ),
    held === undefined && states.filtered(engine).catch(() => true),
  ]);
  if (row.length === 0) return 'this login may not ask what its rows are made of';
  if (filtered) return 'its table is filtered for this login';
  const columns = 1 + 2 * bounds.length;
  const window = readWindow(row.slice(0, columns), bounds);
  if (window === undefined) return 'its window is empty, or begins nowhere';
  const state = held ?? (await states.read(row.slice(columns), ask).catch(() => 'its shards do not tell their parts'));
  return typeof state === 'string' ? state : { window, state, ask };
}

/** The state after a run, of the server that the state before is of; undefined where that cannot be had. */
async function stateAfter(
  { held, query, read }: TableStates,
  before: AskedState,
  ask: Execution['ask'],
  { still }: Pick<KeepingDependencies, 'still'>,
): Promise<TableState | undefined> {
  if (held !== undefined) return still === undefined || (await still()) ? held : undefined;
  const { rows } = await ask(query).catch(() => ({ rows: [] }));
  const state = rows[0] === undefined ? '' : await read(rows[0], ask).catch(() => '');
  return typeof state === 'string' || state.server !== before.server ? undefined : state;
}

/** When the bucket of this moment begins: what is under way is not worth keeping. */
function currentBucket(instant: string, unit: string): number {
  return startOf(Date.parse(`${instant.replace(' ', 'T')}Z`) * 1000, unit) ?? 0;
}

/** The window without what is skipped, as arguments. */
function ranges(window: Window, skipped: Period | undefined): Readonly<Record<string, string>> {
  const { from, to, skipFrom, skipTo } = RANGE_PARAMETERS;
  const text = (micros: number): string => canonical(BigInt(micros)) ?? '';
  return {
    [from]: text(window.start),
    [to]: text(window.end),
    [skipFrom]: text(skipped?.start ?? window.start),
    [skipTo]: text(skipped?.end ?? window.start),
  };
}

/** Those of the periods whose data were the same before the run and after it, with their rows. */
function bucketsOf(
  rows: readonly Row[],
  periods: readonly Period[],
  before: ReadonlyMap<number, string>,
  state: TableState,
  { columns = [] }: PreparedQuery,
  { columns: { length: width } = [] }: PreparedQuery,
): readonly KeptBucket[] {
  const byStart = new Map<number, Row[]>();
  for (const given of rows) {
    const row = given.length === width ? given : given.slice(0, width);
    const start = Number(row[columns.length]);
    const others = byStart.get(start);
    if (others === undefined) byStart.set(start, [row]);
    else others.push(row);
  }
  return periods.flatMap((period) => {
    const stamp = stampOf(state, period);
    return before.get(period.start) === stamp ? [{ start: period.start, stamp, rows: byStart.get(period.start) ?? [] }] : [];
  });
}

async function keep(kept: KeptBuckets, key: string, { buckets, ...others }: Kept): Promise<void> {
  // The later of two of the same time is the newer.
  const latest = [...new Map(buckets.map((bucket) => [bucket.start, bucket])).values()].sort((a, b) => a.start - b.start);
  await kept.write(key, { ...others, buckets: latest.slice(-MOST_BUCKETS) });
}

/** The rows of the whole window, in order, without the columns that only buckets need. */
function assembled(
  result: QueryResult,
  fromCache: readonly Row[],
  { columns = [], maxRows }: PreparedQuery,
  { order, limit = Number.POSITIVE_INFINITY }: BucketedTranslation,
  read: QueryResult['columns'],
): QueryResult {
  const all = (fromCache.length === 0 ? result.rows : sorted([...fromCache, ...result.rows], order, read)).slice(0, limit);
  return {
    ...result,
    columns,
    rows: all.slice(0, maxRows).map((row) => row.slice(0, columns.length)),
    truncated: result.truncated || all.length > maxRows,
  };
}
