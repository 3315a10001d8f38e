// Runs a query in buckets of time: buckets whose data are as they were come from the cache, and the engine is asked for the others, as one statement.

import { QuernError } from '../../base/errors.ts';
import type { QueryResult, Row } from '../../base/result.ts';
import type { Kept } from '../../cache/kept-buckets.ts';
import { cacheKeys } from '../../cache/key.ts';
import { bindingsFor } from '../../queries/parameters.ts';
import type { TableState, Version } from '../../sources/version.ts';
import { type BucketedTranslation, RANGE_PARAMETERS } from '../../sql/translation.ts';
import type { ExecutionRequest } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { type Beginning, beginning, stateAfter } from './beginning.ts';
import { bucketsRead, type Division, divide, latestOf } from './division.ts';
import { elapsed, FAST_MS, type KeepingDependencies, type KeptRun, runWhole, type Unusable } from './keeping.ts';
import { sorted } from './order.ts';
import { isSame, stampOf } from './stamp.ts';
import { openTableStates, type TableStates, type ToldRows, tellingRows } from './table-states.ts';

/** Why no bucket can be kept of what was read. */
const LEFT_OUT = 'its LIMIT, or the limit on rows, leaves out rows that buckets need';

/** Why none of the kept buckets could be used. Files do not show their times, nor do tables that are not partitioned by the time, or by one that may be NULL. */
const whyUnused = ({ parts }: TableState): string =>
  parts.every(({ times }) => times === undefined)
    ? 'its data have changed, and nothing shows at which times'
    : 'its data have changed in all of its buckets';

/**
 * The rows of a prepared query that has buckets. The whole is read on a first run, where the query is fast, and where the table does not let it be known what
 * its rows are made of.
 */
export async function runInBuckets(
  prepared: PreparedQuery,
  buckets: BucketedTranslation,
  request: ExecutionRequest,
  deps: KeepingDependencies,
): Promise<KeptRun> {
  const states = openTableStates(buckets.table, deps.version);
  const { kept, bypassKept = false } = deps;
  const { ofRows, ofWindow } = partsOf(prepared, buckets);
  const keeping: Keeping = { prepared, ofRows, buckets, states, deps };
  const key = keyOf(ofRows, request, deps.version);
  const whole = (unusable?: Unusable): Promise<KeptRun> => runWhole({ key, prepared, request }, deps, unusable);
  const known = await kept.read(key);
  if (known === undefined) return whole();
  if (known.why !== undefined && !bypassKept) return whole({ why: known.why, lasting: true });
  const begun = await beginning(ofWindow, request, { states, bounds: buckets.bounds }, deps);
  if ('why' in begun) return whole(begun);
  const { window, state } = begun;
  if (!bypassKept && known.last !== undefined && isSame(known.last, state, window)) {
    const { rows, truncated } = known.last;
    return { result: { columns: prepared.columns ?? [], rows, truncated }, revalidated: true };
  }
  const division = divide(window, state, bypassKept ? { buckets: [] } : known, request.instant);
  if (typeof division === 'string') return whole({ why: division, lasting: false });
  const asked = await readRest(division.ranges, { known, state }, request, keeping).catch((error) => {
    if (buckets.limit === undefined || buckets.limitsRows || !isOverLimit(error)) throw error;
  });
  if (asked === undefined) return whole({ why: LEFT_OUT, lasting: true });
  const result = assembled(asked.result, division.fromCache, keeping);
  const next = await keptAfter({ known, begun, division, asked, result }, keeping);
  await (next === undefined ? kept.remove(key) : kept.write(key, { ...next, noRows: asked.result.rows.length === 0 }));
  const isUnused = !bypassKept && known.buckets.length > 0 && division.kept === 0;
  return {
    result,
    buckets: { kept: division.kept, asked: division.toKeep.length, rows: division.rowsSpared },
    ...(isUnused ? { whole: whyUnused(state) } : {}),
  };
}

interface Parts {
  /** Over ranges instead of the query's own window. */
  readonly ofRows: PreparedQuery & Required<Pick<PreparedQuery, 'columns'>>;
  readonly ofWindow: PreparedQuery;
}

/** A server runs a prepared query many times, and what specializedFor reads of one it need not read again. */
const parts = new WeakMap<PreparedQuery, Parts>();

function partsOf(prepared: PreparedQuery, { rows, window }: BucketedTranslation): Parts {
  const held = parts.get(prepared);
  if (held !== undefined) return held;
  const made = { ofRows: withSql(prepared, rows), ofWindow: withSql(prepared, window) };
  parts.set(prepared, made);
  return made;
}

/** Another query of the same saved query. */
const withSql = (
  prepared: PreparedQuery,
  { sql, statement, parameters, columns = [] }: BucketedTranslation['rows' | 'window'],
): Parts['ofRows'] => ({ ...prepared, sql, statement, bound: parameters, columns });

/** The same for all windows: a bucket's rows hang on the other arguments alone. */
function keyOf(prepared: PreparedQuery, { arguments: values }: ExecutionRequest, { place = '' }: Version): string {
  const own = prepared.bound.filter(({ name }) => !Object.values<string>(RANGE_PARAMETERS).includes(name));
  return cacheKeys({ ...prepared, version: place })(bindingsFor(own, values, undefined));
}

/** The rows of the window that are not kept, with all columns of the query over ranges. */
async function readRest(
  ranges: Division['ranges'],
  { known, state }: { readonly known: Kept; readonly state: Beginning['state'] },
  request: ExecutionRequest,
  { ofRows, deps: { run } }: Keeping,
): Promise<ToldRows> {
  const inRanges = { ...request, arguments: { ...request.arguments, ...ranges } };
  if (state.server === undefined) return { result: await run(ofRows, inRanges), server: undefined };
  return tellingRows(ofRows, inRanges, { run, noRows: known.noRows });
}

/** Without its LIMIT, a query may have more rows than the engine may give. */
const isOverLimit = (error: unknown): boolean => error instanceof QuernError && error.code === 'limit';

interface RunInBuckets {
  readonly known: Kept;
  readonly begun: Beginning;
  readonly division: Division;
  readonly asked: ToldRows;
  readonly result: QueryResult;
}

interface Keeping {
  readonly prepared: PreparedQuery;
  readonly ofRows: Parts['ofRows'];
  readonly buckets: BucketedTranslation;
  readonly states: TableStates;
  readonly deps: KeepingDependencies;
}

/** Returns what is kept from now on; undefined: nothing. */
async function keptAfter(
  { known, begun, division, asked, result }: RunInBuckets,
  { prepared, ofRows, buckets, states, deps }: Keeping,
): Promise<Kept | undefined> {
  const { window, state } = begun;
  if (division.skipped === undefined && elapsed(asked.result) < (deps.fastMs ?? FAST_MS)) return undefined;
  if (!isComplete(asked.result, buckets)) return asked.result.missing === undefined ? { buckets: [], why: LEFT_OUT } : known;
  // Which server has no rows is asked with the next run.
  if (asked.result.rows.length === 0 && asked.server === undefined && state.server !== undefined && known.noRows !== true) return known;
  const after = asked.server === state.server ? await stateAfter(states, begun, deps) : undefined;
  if (after === undefined) return known;
  const read = bucketsRead(asked.result.rows, division, after, { start: prepared.columns?.length ?? 0, width: ofRows.columns.length });
  const stamp = stampOf(after, window);
  return {
    buckets: latestOf([...known.buckets, ...read]),
    last: stamp === stampOf(state, window) ? { stamp, window, rows: result.rows, truncated: result.truncated } : undefined,
  };
}

/** Whether every row of what was read is there. */
const isComplete = ({ rows, truncated, missing }: QueryResult, { limit, limitsRows }: BucketedTranslation): boolean =>
  !truncated && missing === undefined && (limit === undefined || !limitsRows || rows.length < limit);

/** The rows of the whole window, in order, without the columns that only buckets need. */
function assembled(
  result: QueryResult,
  fromCache: readonly Row[],
  { prepared: { columns = [], maxRows }, ofRows, buckets: { order, limit = Number.POSITIVE_INFINITY } }: Keeping,
): QueryResult {
  const all = fromCache.length === 0 ? result.rows : sorted([...fromCache, ...result.rows], order, ofRows.columns);
  return {
    ...result,
    columns,
    rows: all.slice(0, Math.min(limit, maxRows)).map((row) => row.slice(0, columns.length)),
    truncated: limit <= all.length ? limit > maxRows : result.truncated || all.length > maxRows,
  };
}
