// Runs a query whose rows are kept: those of buckets of time whose data are as they were come from the cache, and the engine is asked for the others, as
// one statement. A query without buckets keeps all of its rows as long as its tables are as they were.

import { QuernError } from '../../base/errors.ts';
import type { QueryResult, Row } from '../../base/result.ts';
import type { Kept } from '../../cache/kept-buckets.ts';
import { cacheKeys } from '../../cache/key.ts';
import { bindingsFor } from '../../queries/parameters.ts';
import type { TableState } from '../../sources/version.ts';
import { type BucketedTranslation, RANGE_PARAMETERS, type ReadTable } from '../../sql/translation.ts';
import { type Execution, type ExecutionRequest, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { bucketsRead, type Division, divide, latestOf, readWindow, UNDIVIDED, type Window } from './division.ts';
import type { KeepingDependencies, KeptRun, Unusable } from './keeping.ts';
import { sorted } from './order.ts';
import { ALL_TIME, isSame, stampOf } from './stamp.ts';
import { type AskedState, openTableStates, type TableStates, type ToldRows, tellingRows } from './table-states.ts';

/** Why no bucket can be kept of what was read. */
const LEFT_OUT = 'its LIMIT, or the limit on rows, leaves out rows that buckets need';

/** Why none of the kept buckets could be used. Files do not show their times, nor do tables that are not partitioned by the time, or by one that may be NULL. */
const whyUnused = ({ parts }: TableState): string =>
  parts.every(({ times }) => times === undefined)
    ? 'its data have changed, and nothing shows at which times'
    : 'its data have changed in all of its buckets';

/** The questions about tables around a run that keeps rows take 17 to 23 ms of processor time on a server, a tenth of this. */
const FAST_MS = 200;

/**
 * Returns the rows of a prepared query that has buckets, or that hangs on the data of its `tables` alone. The whole is read on a first run, where the query
 * is fast, and where the tables do not let it be known what their rows are made of.
 */
export const runInBuckets = (
  prepared: PreparedQuery,
  tables: readonly ReadTable[],
  request: ExecutionRequest,
  deps: KeepingDependencies,
): Promise<KeptRun> => new KeepingRun(prepared, tables, request, deps).run();

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

/** What a run knows before it reads rows. */
interface Beginning {
  /** Absent for a query without buckets, which reads all times. */
  readonly window: Window | undefined;
  readonly state: AskedState;
  readonly execution: Execution;
}

class KeepingRun {
  readonly #prepared: PreparedQuery;
  readonly #request: ExecutionRequest;
  readonly #deps: KeepingDependencies;
  /** Absent where all rows are kept as one. */
  readonly #buckets: BucketedTranslation | undefined;
  readonly #ofRows: PreparedQuery;
  readonly #ofWindow: PreparedQuery;
  readonly #states: TableStates;
  readonly #key: string;

  constructor(prepared: PreparedQuery, tables: readonly ReadTable[], request: ExecutionRequest, deps: KeepingDependencies) {
    this.#prepared = prepared;
    this.#request = request;
    this.#deps = deps;
    this.#buckets = prepared.buckets;
    const { ofRows, ofWindow } =
      prepared.buckets === undefined ? { ofRows: prepared, ofWindow: prepared } : partsOf(prepared, prepared.buckets);
    this.#ofRows = ofRows;
    this.#ofWindow = ofWindow;
    this.#states = openTableStates(tables, deps.version);
    this.#key = this.#keyOf();
  }

  async run(): Promise<KeptRun> {
    const { kept, bypassKept = false } = this.#deps;
    const known = await kept.read(this.#key);
    if (known === undefined) return this.#runWhole();
    if (known.why !== undefined && !bypassKept) return this.#runWhole({ why: known.why, lasting: true });
    const begun = await this.#begin();
    if ('why' in begun) return this.#runWhole(begun);
    const { window, state } = begun;
    if (!bypassKept && known.last !== undefined && isSame(known.last, state, window)) {
      const { rows, truncated } = known.last;
      return { result: { columns: this.#prepared.columns ?? [], rows, truncated }, revalidated: true };
    }
    const division = window === undefined ? UNDIVIDED : divide(window, state, bypassKept ? { buckets: [] } : known, this.#request.instant);
    if (typeof division === 'string') return this.#runWhole({ why: division, lasting: false });
    const read = await this.#readRest(division.ranges, state.server === undefined, known.noRows);
    if (read === undefined) return this.#runWhole({ why: LEFT_OUT, lasting: true });
    const result = this.#assembled(read.result, division.fromCache);
    const next = await this.#keptAfter(known, begun, division, { ...read, shown: result });
    await (next === undefined ? kept.remove(this.#key) : kept.write(this.#key, { ...next, noRows: read.result.rows.length === 0 }));
    if (this.#buckets === undefined) return { result };
    const isUnused = !bypassKept && known.buckets.length > 0 && division.kept === 0;
    return {
      result,
      buckets: { kept: division.kept, asked: division.toKeep.length, rows: division.rowsSpared },
      ...(isUnused ? { whole: whyUnused(state) } : {}),
    };
  }

  /** Returns the key of what is kept. It is the same for all windows: a bucket's rows hang on the other arguments alone. */
  #keyOf(): string {
    const { place = '' } = this.#deps.version;
    const own = this.#ofRows.bound.filter(({ name }) => !Object.values<string>(RANGE_PARAMETERS).includes(name));
    const version = this.#buckets === undefined ? `last run ${place}` : place;
    return cacheKeys({ ...this.#ofRows, version })(bindingsFor(own, this.#request.arguments, undefined));
  }

  /** Runs the whole, and leaves a mark for the next run where it took long enough that rows are worth keeping. */
  async #runWhole(unusable?: Unusable): Promise<KeptRun> {
    const { kept, run } = this.#deps;
    const result = await run(this.#prepared, this.#request);
    if (this.#isFast(result)) await kept.remove(this.#key);
    else if (unusable?.lasting === true) await kept.write(this.#key, { buckets: [], why: unusable.why });
    else if (unusable === undefined && result.missing === undefined) await kept.write(this.#key, { buckets: [] });
    return unusable === undefined ? { result } : { result, whole: unusable.why };
  }

  #isFast({ statistics }: QueryResult): boolean {
    return (statistics?.elapsedMs ?? 0) < (this.#deps.fastMs ?? FAST_MS);
  }

  /** Returns the window and the state of the tables, asked as one, or why either cannot be had. */
  async #begin(): Promise<Beginning | Unusable> {
    const execution = await openExecution(this.#ofWindow, this.#request, this.#deps);
    const states = this.#states;
    const { known } = states;
    const bounds = this.#buckets?.bounds;
    const asked = [
      ...(bounds === undefined ? [] : [`(\n${execution.prepared.sql}\n) AS asked`]),
      ...(known === undefined ? [states.from] : []),
    ];
    const [row, filtered] = await Promise.all([
      asked.length === 0 ? [] : firstRow(execution, asked.join(' CROSS JOIN ')),
      known === undefined && states.filtered(execution),
    ]);
    if (row === undefined) return { why: 'this login may not ask what its rows are made of', lasting: false };
    if (filtered) return { why: 'its table is filtered for this login', lasting: false };
    const columns = bounds === undefined ? 0 : 1 + 2 * bounds.length;
    const window = bounds === undefined ? undefined : readWindow(row.slice(0, columns), bounds);
    if (bounds !== undefined && window === undefined) return { why: 'its window is empty, or begins nowhere', lasting: false };
    const state = known ?? states.read(row.slice(columns));
    return 'why' in state ? state : { window, state, execution };
  }

  /** The rows of the ranges, with all columns of the query over ranges; undefined where the engine may not give as many as there are without the LIMIT. */
  async #readRest(ranges: Division['ranges'], isLocal: boolean, noRows: boolean | undefined): Promise<ToldRows | undefined> {
    const { run } = this.#deps;
    const inRanges = { ...this.#request, arguments: { ...this.#request.arguments, ...ranges } };
    try {
      if (isLocal) return { result: await run(this.#ofRows, inRanges), server: undefined };
      return await tellingRows(this.#ofRows, inRanges, { run, noRows });
    } catch (error) {
      const isOverLimit = error instanceof QuernError && error.code === 'limit';
      if (this.#buckets?.limit === undefined || this.#buckets.limitsRows || !isOverLimit) throw error;
      return undefined;
    }
  }

  /** Returns what is kept from now on; undefined: nothing. */
  async #keptAfter(
    known: Kept,
    begun: Beginning,
    division: Division,
    { result, server, shown }: ToldRows & { readonly shown: QueryResult },
  ): Promise<Kept | undefined> {
    const { window, state } = begun;
    if (division.skipped === undefined && this.#isFast(result)) return undefined;
    if (!isComplete(result, this.#buckets)) return result.missing === undefined ? { buckets: [], why: LEFT_OUT } : known;
    // The next run counts first, so that a server without rows can be named.
    if (result.rows.length === 0 && server === undefined && state.server !== undefined && known.noRows !== true) return known;
    const after = server === state.server ? await this.#stateAfter(begun) : undefined;
    if (after === undefined) return known;
    const read = bucketsRead(result.rows, division, after, {
      start: this.#prepared.columns?.length ?? 0,
      width: this.#ofRows.columns?.length ?? 0,
    });
    const period = window ?? ALL_TIME;
    const stamp = stampOf(after, period);
    return {
      buckets: latestOf([...known.buckets, ...read]),
      last: stamp === stampOf(state, period) ? { stamp, window, rows: shown.rows, truncated: shown.truncated } : undefined,
    };
  }

  /** Returns the state after a run, of the server that the state before is of; undefined where that cannot be had. */
  async #stateAfter({ state: before, execution }: Beginning): Promise<TableState | undefined> {
    const states = this.#states;
    if (states.known !== undefined) return (await this.#deps.version.isCurrent()) ? states.known : undefined;
    const [row, filtered] = await Promise.all([firstRow(execution, states.from), states.filtered(execution)]);
    const state = row === undefined || filtered ? undefined : states.read(row);
    return state === undefined || 'why' in state || state.server !== before.server ? undefined : state;
  }

  /** The rows of the whole window, in order, without the columns that only buckets need. */
  #assembled(result: QueryResult, fromCache: readonly Row[]): QueryResult {
    const { columns = [], maxRows } = this.#prepared;
    const { order = [], limit = Number.POSITIVE_INFINITY } = this.#buckets ?? {};
    const all = fromCache.length === 0 ? result.rows : sorted([...fromCache, ...result.rows], order, this.#ofRows.columns ?? []);
    return {
      ...result,
      columns,
      rows: all.slice(0, Math.min(limit, maxRows)).map((row) => row.slice(0, columns.length)),
      truncated: limit <= all.length ? limit > maxRows : result.truncated || all.length > maxRows,
    };
  }
}

/** Returns whether every row is there of what is kept. */
const isComplete = ({ rows, truncated, missing }: QueryResult, buckets: BucketedTranslation | undefined): boolean => {
  if (buckets === undefined || missing !== undefined) return missing === undefined;
  const { limit, limitsRows } = buckets;
  return !truncated && (limit === undefined || !limitsRows || rows.length < limit);
};

/** Why there is none is for the run to say, if it fails too. */
const firstRow = ({ ask }: Pick<Execution, 'ask'>, from: string): Promise<readonly unknown[] | undefined> =>
  ask(`SELECT * FROM ${from}`).then(
    ({ rows }) => rows[0],
    () => undefined,
  );
