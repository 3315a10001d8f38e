// What runs that may keep rows are given, and what they return.

import type { QueryResult } from '../../base/result.ts';
import type { KeptBuckets } from '../../cache/kept-buckets.ts';
import type { Version } from '../../sources/version.ts';
import type { ExecutionDependencies, ExecutionRequest } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';

export interface KeepingDependencies extends ExecutionDependencies {
  readonly version: Version;
  readonly kept: KeptBuckets;
  /** Rows are read again, whatever is kept. */
  readonly bypassKept?: boolean;
  /** Runs a prepared query as it is. */
  readonly run: (prepared: PreparedQuery, request: ExecutionRequest) => Promise<QueryResult>;
  /** A query that takes less than this as a whole keeps nothing. Milliseconds. Default: FAST_MS of in-buckets.ts. */
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
