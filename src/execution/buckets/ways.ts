// The ways that a run of a query with kept rows may take: with these, or as one of the whole, after which is known how long that takes.
import type { Kept, KeptBuckets, LastRun } from '../../cache/kept-buckets.ts';
import type { QueryResult } from '../../result.ts';
import type { ExecutionDependencies, ExecutionRequest } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import type { Snapshot } from '../snapshot.ts';
import { afterKept, afterWhole, CLEARLY_FASTER, isWholeNext, UNTRIED, whyWhole } from './worth.ts';

export interface KeepingDependencies extends ExecutionDependencies {
  /** See Snapshot. */
  readonly placeId: string;
  readonly stateOf?: Snapshot['stateOf'];
  readonly still?: Snapshot['still'];
  readonly kept: KeptBuckets;
  /** What is faster than this as a whole is read as a whole. Milliseconds; 0: kept rows are used whatever that costs. Default: see FAST_MS. */
  readonly fastMs?: number;
}

export interface How {
  /** Rows are read anew, whatever is kept. */
  readonly anew?: boolean;
  /** Runs a prepared query as it is. */
  readonly run: (prepared: PreparedQuery, request: ExecutionRequest) => Promise<QueryResult>;
}

export interface KeptRun {
  readonly result: QueryResult;
  /** They are the rows of a run before, and those of a new one would be the same. */
  readonly revalidated?: true;
  readonly buckets?: Spared;
  /** Why it is a run of the whole, although the query could keep rows. */
  readonly whole?: string;
}

/** What a run in buckets did not have to read. */
interface Spared {
  /** Buckets whose rows were kept, and those that were asked for. */
  readonly kept: number;
  readonly asked: number;
  /** Of the table, in parts that lie within kept buckets as a whole. */
  readonly rows: number;
}

/** Measured: what is asked beside a run takes 5 to 10 ms of a server, some 30 of a cluster, 2 to 4 where the state is known. */
export const FAST_MS = { asked: 200, held: 60 };

export const elapsed = ({ statistics }: QueryResult): number => statistics?.elapsedMs ?? 0;

/** Why nothing kept could be used. */
export const CHANGING = 'its data are others at each run';

/** Milliseconds since this call. */
export function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

export interface Ways {
  /** Why the next run is one of the whole; undefined where kept rows are worth a try. */
  whyWhole(known: Kept | undefined): string | undefined;
  /** A run of the whole, which is remembered with its time, unless it was so fast that nothing need be kept. */
  whole(known: Kept | undefined, why?: string): Promise<KeptRun>;
  /** After a run that could use what was kept. `state`: of its tables, by one server or by several. */
  judged(known: Kept, ms: number, state: { readonly server?: string | undefined }): Kept;
  /** After a run that could use nothing, although rows were kept or should be. */
  slow(known: Kept, why?: string): Kept;
  /** The rows of the last run, as those of this one. */
  revalidated(known: Kept, last: LastRun): Promise<KeptRun>;
  /** Whether kept rows are not used for a while: what rests would be out of date when it is tried again, so it is not kept at all. */
  rests(known: Kept): boolean;
}

interface Query extends Pick<How, 'run'> {
  /** Its key in `kept`. */
  readonly key: string;
  readonly prepared: PreparedQuery;
  readonly request: ExecutionRequest;
}

interface Keeping {
  readonly kept: KeptBuckets;
  readonly fastMs: number;
  /** The state of its table is known without asking. */
  readonly held: boolean;
}

export function openWays({ key, prepared, request, run }: Query, { kept, fastMs, held }: Keeping): Ways {
  const rests = ({ worth }: Kept): boolean => fastMs > 0 && worth?.paused === true && isWholeNext(worth);
  const measured = (known: Kept, ms: number, share: number, why?: string): Kept => {
    const worth = afterKept(known.worth ?? UNTRIED, ms, share, why);
    return rests({ ...known, worth }) ? { buckets: [], worth } : { ...known, worth };
  };
  return {
    whyWhole: (known) => (fastMs > 0 && known?.worth !== undefined && isWholeNext(known.worth) ? whyWhole(known.worth) : undefined),
    async whole(known, why) {
      const took = stopwatch();
      const result = await run(prepared, request);
      const ms = took();
      if (elapsed(result) < fastMs) {
        if (known !== undefined) await kept.remove(key);
      } else if (result.missing === undefined) {
        await kept.write(key, { buckets: [], ...known, worth: afterWhole(known?.worth ?? UNTRIED, ms) });
      }
      return { result, ...(why === undefined ? {} : { whole: why }) };
    },
    judged: (known, ms, { server }) =>
      measured(known, ms, held || server !== undefined ? CLEARLY_FASTER.oneServer : CLEARLY_FASTER.cluster),
    slow: (known, why) => measured(known, Number.POSITIVE_INFINITY, 1, why),
    async revalidated(known, { rows, truncated }) {
      const { worth } = known;
      if (worth !== undefined && (worth.paused || worth.slow > 0)) await kept.write(key, { ...known, worth: afterKept(worth, 0, 1) });
      return { result: { columns: prepared.columns ?? [], rows, truncated }, revalidated: true };
    },
    rests,
  };
}
