// Runs that may keep rows: what they are given, what they return, and the run that reads everything.

import type { QueryResult } from '../../base/result.ts';
import type { KeptBuckets } from '../../cache/kept-buckets.ts';
import type { Version } from '../../sources/version.ts';
import type { ExecutionDependencies, ExecutionRequest } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';

interface How {
  /** Rows are read again, whatever is kept. */
  readonly bypassKept?: boolean;
  /** Runs a prepared query as it is. */
  readonly run: (prepared: PreparedQuery, request: ExecutionRequest) => Promise<QueryResult>;
}

export interface KeepingDependencies extends ExecutionDependencies, How {
  readonly version: Version;
  readonly kept: KeptBuckets;
  /** A query that takes less than this as a whole keeps nothing. Milliseconds. Default: FAST_MS. */
  readonly fastMs?: number | undefined;
}

export interface KeptRun {
  readonly result: QueryResult;
  /** They are the rows of a run before, and those of a new one would be the same. */
  readonly revalidated?: true;
  readonly buckets?: Spared;
  /** Why it is a run of the whole, although the query could keep rows. */
  readonly whole?: string;
}

/** A run in buckets did not have to read these. */
interface Spared {
  /** Buckets whose rows came from the cache, and those that were read. */
  readonly kept: number;
  readonly asked: number;
  /** Rows of the table in parts that lie within kept buckets as a whole. */
  readonly rows: number;
}

/** Why a run cannot use what is kept. */
export interface Unusable {
  readonly why: string;
  /** True if the reason is the table, which will not show its state at the next run either. */
  readonly lasting: boolean;
}

/** The questions about tables around a run that keeps rows take 17 to 23 ms of processor time on a server, a tenth of this. */
export const FAST_MS = 200;

export const elapsed = ({ statistics }: QueryResult): number => statistics?.elapsedMs ?? 0;

interface WholeRun {
  /** Its key in `kept`. */
  readonly key: string;
  readonly prepared: PreparedQuery;
  readonly request: ExecutionRequest;
}

/** Runs the whole, and leaves a mark for the next run where it took long enough that rows are worth keeping. */
export async function runWhole(
  { key, prepared, request }: WholeRun,
  { kept, run, fastMs = FAST_MS }: Pick<KeepingDependencies, 'kept' | 'run' | 'fastMs'>,
  unusable?: Unusable,
): Promise<KeptRun> {
  const result = await run(prepared, request);
  if (elapsed(result) < fastMs) await kept.remove(key);
  else if (unusable?.lasting === true) await kept.write(key, { buckets: [], why: unusable.why });
  else if (unusable === undefined && result.missing === undefined) await kept.write(key, { buckets: [] });
  return unusable === undefined ? { result } : { result, whole: unusable.why };
}
