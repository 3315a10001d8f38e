// Runs a query whose rows are kept: those of buckets of time whose data are as they were come from the cache, and the engine is asked for the others, as
// one statement. A query without buckets keeps all of its rows as long as its tables are as they were.

import { QuernError } from '../../base/errors.ts';
import type { QueryResult, Row } from '../../base/result.ts';
import type { Kept } from '../../cache/kept-buckets.ts';
import { cacheKeys } from '../../cache/key.ts';
import { bindingsFor } from '../../queries/parameters.ts';
import type { TableState, Version } from '../../sources/version.ts';
import { type BucketedTranslation, RANGE_PARAMETERS, type ReadTable } from '../../sql/translation.ts';
import type { ExecutionRequest } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { type Beginning, beginning, stateAfter } from './beginning.ts';
import { bucketsRead, type Division, divide, latestOf, UNDIVIDED } from './division.ts';
import { elapsed, FAST_MS, type KeepingDependencies, type KeptRun, runWhole, type Unusable } from './keeping.ts';
import { sorted } from './order.ts';
import { ALL_TIME, isSame, stampOf } from './stamp.ts';
import { openTableStates, type TableStates, type ToldRows, tellingRows } from './table-states.ts';

/** Why no bucket can be kept of what was read. */
const LEFT_OUT = 'its LIMIT, or the limit on rows, leaves out rows that buckets need';

/** Why none of the kept buckets could be used. Files do not show their times, nor do tables that are not partitioned by the time, or by one that may be NULL. */
const whyUnused = ({ parts }: TableState): string =>
  parts.every(({ times }) => times === undefined)
    ? 'its data have changed, and nothing shows at which times'
    : 'its data have changed in all of its buckets';

/**
 * Returns the rows of a prepared query that has buckets, or that hangs on the data of its `tables` alone. The whole is read on a first run, where the query
 * is fast, and where the tables do not let it be known what their rows are made of.
 */
export async function runInBuckets(
  prepared: PreparedQuery,
  tables: readonly ReadTable[],
  request: ExecutionRequest,
  deps: KeepingDependencies,
): Promise<KeptRun> {
  const { buckets } = prepared;
  const { kept, bypassKept = false } = deps;
  const { ofRows, ofWindow } = buckets === undefined ? { ofRows: prepared, ofWindow: prepared } : partsOf(prepared, buckets);
  const states = openTableStates(tables, deps.version);
  const keeping: Keeping = { prepared, ofRows, buckets, states, deps };
  const key = keyOf(ofRows, request, deps.version, buckets);
  const whole = (unusable?: Unusable): Promise<KeptRun> => runWhole({ key, prepared, request }, deps, unusable);
  const known = await kept.read(key);
  if (known === undefined) return whole();
  if (known.why !== undefined && !bypassKept) return whole({ why: known.why, lasting: true });
  const begun = await beginning(ofWindow, request, { states, bounds: buckets?.bounds }, deps);
  if ('why' in begun) return whole(begun);
  const { window, state } = begun;
  if (!bypassKept && known.last !== undefined && isSame(known.last, state, window)) {
    const { rows, truncated } = known.last;
    return { result: { columns: prepared.columns ?? [], rows, truncated }, revalidated: true };
  }
  const division = window === undefined ? UNDIVIDED : divide(window, state, bypassKept ? { buckets: [] } : known, request.instant);
  if (typeof division === 'string') return whole({ why: division, lasting: false });
  const asked = await readRest(division.ranges, { known, state }, request, keeping).catch((error) => {
    if (buckets?.limit === undefined || buckets.limitsRows || !isOverLimit(error)) throw error;
  });
  if (asked === undefined) return whole({ why: LEFT_OUT, lasting: true });
  const result = assembled(asked.result, division.fromCache, keeping);
  const next = await keptAfter({ known, begun, division, asked, result }, keeping);
  await (next === undefined ? kept.remove(key) : kept.write(key, { ...next, noRows: asked.result.rows.length === 0 }));
  if (buckets === undefined) return { result };
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
  { sql, statement, ownLimit, parameters, columns = [] }: BucketedTranslation['rows' | 'window'],
): Parts['ofRows'] => ({ ...prepared, sql, statement, ownLimit, bound: parameters, columns });

/** Returns the key of what is kept. It is the same for all windows: a bucket's rows hang on the other arguments alone. */
function keyOf(
  prepared: PreparedQuery,
  { arguments: values }: ExecutionRequest,
  { place = '' }: Version,
  buckets: BucketedTranslation | undefined,
): string {
  const own = prepared.bound.filter(({ name }) => !Object.values<string>(RANGE_PARAMETERS).includes(name));
  return cacheKeys({ ...prepared, version: buckets === undefined ? `last run ${place}` : place })(bindingsFor(own, values, undefined));
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
  readonly ofRows: PreparedQuery;
  /** Absent where all rows are kept as one. */
  readonly buckets: BucketedTranslation | undefined;
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
  // The next run counts first, so that a server without rows can be named.
  if (asked.result.rows.length === 0 && asked.server === undefined && state.server !== undefined && known.noRows !== true) return known;
  const after = asked.server === state.server ? await stateAfter(states, begun, deps) : undefined;
  if (after === undefined) return known;
  const read = bucketsRead(asked.result.rows, division, after, {
    start: prepared.columns?.length ?? 0,
    width: ofRows.columns?.length ?? 0,
  });
  const period = window ?? ALL_TIME;
  const stamp = stampOf(after, period);
  return {
    buckets: latestOf([...known.buckets, ...read]),
    last: stamp === stampOf(state, period) ? { stamp, window, rows: result.rows, truncated: result.truncated } : undefined,
  };
}

/** Returns whether every row is there of what is kept. */
const isComplete = ({ rows, truncated, missing }: QueryResult, buckets: BucketedTranslation | undefined): boolean => {
  if (buckets === undefined || missing !== undefined) return missing === undefined;
  const { limit, limitsRows } = buckets;
  return !truncated && (limit === undefined || !limitsRows || rows.length < limit);
};

/** The rows of the whole window, in order, without the columns that only buckets need. */
function assembled(
  result: QueryResult,
  fromCache: readonly Row[],
  { prepared: { columns = [], maxRows }, ofRows, buckets }: Keeping,
): QueryResult {
  const { order = [], limit = Number.POSITIVE_INFINITY } = buckets ?? {};
  const all = fromCache.length === 0 ? result.rows : sorted([...fromCache, ...result.rows], order, ofRows.columns ?? []);
  return {
    ...result,
    columns,
    rows: all.slice(0, Math.min(limit, maxRows)).map((row) => row.slice(0, columns.length)),
    truncated: limit <= all.length ? limit > maxRows : result.truncated || all.length > maxRows,
  };
}
