// Runs a query in buckets of time: buckets whose data are as they were come from the cache, and the engine is asked for the others, as one statement.
import type { KeptBucket, KeptBuckets } from '../../cache/kept-buckets.ts';
import { cacheKeys } from '../../cache/key.ts';
import { canonical } from '../../queries/instant.ts';
import { bindingsFor } from '../../queries/parameters.ts';
import type { QueryResult, Row } from '../../result.ts';
import { type BucketedTranslation, RANGE_PARAMETERS } from '../../sql/translation.ts';
import { type ExecutionDependencies, type ExecutionRequest, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { sorted } from './order.ts';
import { longestStretch, type Period, startOf, wholeBuckets } from './periods.ts';
import { readState, stampOf, stateQuery, type TableState } from './stamp.ts';
import { readWindow, type Window } from './window.ts';

interface BucketDependencies extends ExecutionDependencies {
  /** See Snapshot. */
  readonly placeId: string;
  readonly kept: KeptBuckets;
  /** What is faster than this as a whole is read as a whole. Milliseconds; default 200. */
  readonly fastMs?: number;
}

interface How {
  /** Rows are read anew, whatever is kept. */
  readonly anew?: boolean;
  readonly run: (prepared: PreparedQuery, request: ExecutionRequest) => Promise<QueryResult>;
}

/** More would cost more than they save. */
const MOST_BUCKETS = 5000;

/** Measured: what is asked before a run and after it takes 30 to 60 ms. */
const FAST_MS = 200;

/**
 * The rows of a prepared query that has buckets; undefined where there is nothing to keep with these arguments, or the table does not let it be known what its
 * rows are made of. `run` runs a prepared query as it is.
 */
export async function runInBuckets(
  prepared: PreparedQuery,
  buckets: BucketedTranslation,
  request: ExecutionRequest,
  deps: BucketDependencies,
  { anew = false, run }: How,
): Promise<QueryResult | undefined> {
  const { fastMs = FAST_MS } = deps;
  const ofRows = withSql(prepared, buckets.rows);
  const key = keyOf(ofRows, request, deps.placeId);
  const known = await deps.kept.read(key);
  if (known === undefined) {
    // How long it takes as a whole is not known before.
    const result = await run(prepared, request);
    if (elapsed(result) >= fastMs) await deps.kept.write(key, { buckets: [] });
    return result;
  }
  const begun = await beginning(prepared, buckets, request, deps);
  if (begun === undefined) return undefined;
  const { window, state, engine } = begun;
  const whole = wholeBuckets(
    { start: window.start, end: Math.min(window.end, currentBucket(request.instant, window.unit)) },
    window.unit,
    MOST_BUCKETS,
  );
  if (whole === undefined || whole.length === 0) return undefined;

  const stamps = new Map(whole.map((period) => [period.start, stampOf(state, period)]));
  const valid = new Map(
    anew ? [] : known.buckets.flatMap((bucket) => (stamps.get(bucket.start) === bucket.stamp ? [[bucket.start, bucket] as const] : [])),
  );
  const skipped = longestStretch(whole, ({ start }) => valid.has(start));
  const result = await run(ofRows, { ...request, arguments: { ...request.arguments, ...ranges(window, skipped) } });

  const isSkipped = ({ start }: Period): boolean => skipped !== undefined && start >= skipped.start && start < skipped.end;
  const fromCache = whole.filter(isSkipped).flatMap(({ start }) => valid.get(start)?.rows ?? []);
  if (isComplete(result, buckets)) {
    const after = await stateOf(buckets, engine);
    const fresh =
      after === undefined
        ? []
        : bucketsOf(
            result.rows,
            whole.filter((period) => !isSkipped(period)),
            stamps,
            after,
            prepared,
          );
    if (skipped === undefined && elapsed(result) < fastMs) await deps.kept.remove(key);
    else await keep(deps.kept, key, [...known.buckets, ...fresh]);
  }
  return assembled(result, fromCache, prepared, buckets, ofRows.columns ?? []);
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

const elapsed = ({ statistics }: QueryResult): number => statistics?.elapsedMs ?? 0;

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
  readonly state: TableState;
  readonly engine: Asked;
}

type Asked = Pick<Awaited<ReturnType<ExecutionDependencies['engine']>>, 'rows'>;

/** The window and the state of the table, asked as one; undefined where either cannot be had, which the run itself may tell why. */
async function beginning(
  prepared: PreparedQuery,
  buckets: BucketedTranslation,
  request: ExecutionRequest,
  deps: BucketDependencies,
): Promise<Beginning | undefined> {
  const { prepared: asked, ask, engine } = await openExecution(withSql(prepared, buckets.window), request, deps);
  const { rows } = await ask(`SELECT * FROM (\n${asked.sql}\n) AS asked CROSS JOIN (\n${stateQuery(buckets.table)}\n) AS state`).catch(
    () => ({ rows: [] }),
  );
  const [row = []] = rows;
  const columns = 1 + 2 * buckets.bounds.length;
  const window = readWindow(row.slice(0, columns), buckets.bounds);
  const state = row.length === 0 ? '' : readState(row.slice(columns), buckets.table);
  return window === undefined || typeof state === 'string' ? undefined : { window, state, engine };
}

async function stateOf({ table }: BucketedTranslation, engine: Asked): Promise<TableState | undefined> {
  const [row] = await engine.rows(stateQuery(table)).catch(() => []);
  const state = row === undefined ? '' : readState(row, table);
  return typeof state === 'string' ? undefined : state;
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
): readonly KeptBucket[] {
  const byStart = new Map<number, Row[]>();
  for (const row of rows) {
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

async function keep(kept: KeptBuckets, key: string, buckets: readonly KeptBucket[]): Promise<void> {
  // The later of two of the same time is the newer.
  const latest = [...new Map(buckets.map((bucket) => [bucket.start, bucket])).values()].sort((a, b) => a.start - b.start);
  await kept.write(key, { buckets: latest.slice(-MOST_BUCKETS) });
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
