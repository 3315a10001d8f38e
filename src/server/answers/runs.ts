// Runs of prepared queries for a server: each is admitted to the engine in its turn.

import { type ErrorCode, QuernError } from '../../base/errors.ts';
import { instantAt } from '../../base/instant.ts';
import type { Cache, Ran } from '../../cache/cache.ts';
import type { KeptRun } from '../../execution/buckets/keeping.ts';
import type { ExecutionRequest } from '../../execution/execute.ts';
import { type PreparedQuery, readsNow } from '../../execution/prepared-query.ts';
import { executeKeeping } from '../../execution/run.ts';
import { type Snapshot, withCurrent } from '../../execution/snapshot.ts';
import { wantedRows } from '../../execution/wanted-rows.ts';
import type { QueryCatalog } from '../../queries/catalog.ts';
import type { Clock } from '../clock.ts';
import type { Budgets } from '../keys/budgets.ts';
import { within } from '../observe/span.ts';
import { tracedEngine } from '../observe/traced-engine.ts';
import type { Admission } from './admission.ts';
import type { Call, Waiter } from './answer.ts';
import type { Waiters } from './tenant.ts';

export type AnswersSnapshot = Pick<Snapshot, 'version' | 'files' | 'limits' | 'engine' | 'outdated'> & Partial<Pick<Snapshot, 'sources'>>;

/** The rows that a run is for, whatever is made of them. */
export type WantedRun = Pick<Call, 'prepared' | 'arguments' | 'asOf' | 'labels'>;

/** The request that waits for a run, if one does. */
export type RunWaiter = Pick<Waiter, 'signal' | 'span'> & Partial<Pick<Waiter, 'requestId' | 'fresh'>>;

/** Work at the engine for a prepared query. Throws what the engine throws. */
export type Work<T> = (prepared: PreparedQuery, request: ExecutionRequest, current: CurrentRun) => Promise<T>;

export type CurrentRun = AnswersSnapshot & Pick<RunsOptions, 'catalog'>;

/** What work at the engine was for it. */
interface Cost {
  readonly rowsRead: number;
}

export interface Runs {
  /** Returns the rows, from what is kept of earlier runs or from the engine. */
  rows(wanted: WantedRun, waiters: Waiters, waiter: RunWaiter): Promise<Ran>;
  /** Does work at the engine in its turn, for the prepared query as it is now. Throws what the work throws, `busy`, and `budget`. */
  turn<T extends Cost>(wanted: WantedRun, waiters: Waiters, waiter: RunWaiter, work: Work<T>): Promise<T>;
}

export interface RunsOptions {
  /** Returns the engine and the version of its data as they are now; called before every run. */
  readonly snapshot: () => Promise<AnswersSnapshot>;
  /** Returns the prepared query of the same saved query for the data as they are now; called when a run finds that they have changed. */
  readonly prepareAgain: (prepared: PreparedQuery) => Promise<PreparedQuery>;
  /** For the places of failures; absent: failures are reported without a place. */
  readonly catalog?: QueryCatalog | undefined;
  readonly admission: Admission;
  readonly cache: Pick<Cache, 'lookup' | 'buckets'>;
  /** How much the runs of tenants may cost; absent: nothing is counted. */
  readonly budgets?: Pick<Budgets, 'learn' | 'assertAny' | 'charge'> | undefined;
  readonly clock: Clock;
  /** Called with every run, also with those that the engine was spared. */
  readonly onKept: (run: Pick<KeptRun, 'revalidated' | 'buckets'>) => void;
}

export function createRuns(options: RunsOptions): Runs {
  const { snapshot, prepareAgain, catalog, admission, cache, budgets, clock, onKept } = options;

  const turn: Runs['turn'] = async (call, waiters, waiter, work) => {
    const { signal, span } = waiter;
    let prepared: PreparedQuery | undefined;
    return withCurrent(snapshot, async (current) => {
      const isNow = prepared === undefined && (current.sources === undefined || (await readsNow(call.prepared, current.sources)));
      prepared = isNow ? call.prepared : await prepareAgain(prepared ?? call.prepared);
      await budgets?.learn(waiters.tenants.values());
      budgets?.assertAny(waiters.tenants.values());
      const own = await within(span, 'queue', () => admission.admit(waiters, signal));
      const beganAtMs = clock.now();
      let rows = 0;
      try {
        const { local } = await current.engine();
        // Threads of one tenant's many runs would crowd out the only run of another.
        const share = local === undefined || own.sharers === 1 ? {} : { maxThreads: Math.ceil(local.processors / own.sharers) };
        const request = {
          arguments: call.arguments,
          instant: call.asOf ?? instantAt(clock.now()),
          signal,
          comment: commentOf(call, waiter.requestId),
          share,
        };
        const engine = span === undefined ? current.engine : async () => tracedEngine(await current.engine(), span, call.prepared.name);
        const done = await work(prepared, request, { ...current, engine, catalog });
        rows = done.rowsRead;
        return done;
      } finally {
        budgets?.charge(waiters.tenants.values(), { rows, ms: clock.now() - beganAtMs });
        own.end();
      }
    });
  };

  return {
    turn,
    rows: (call, waiters, waiter) =>
      turn(call, waiters, waiter, async (prepared, request, current) => {
        const keeping = prepared.ttlSeconds > 0 && call.asOf === undefined ? cache : undefined;
        const ran = await executeKeeping(prepared, request, { ...current, cache: keeping }, waiter.fresh);
        onKept(ran);
        const wanted = wantedRows(prepared, call.arguments, { ...current, asOf: call.asOf });
        return { ...ran, wanted, rowsRead: ran.result.statistics?.rowsRead ?? 0 };
      }),
  };
}

/** Returns JSON, so that the engine's log can be searched by field. Text that callers choose is in this comment and nowhere else in the query. */
function commentOf({ prepared, labels }: WantedRun, requestId: string | undefined): string {
  return JSON.stringify({
    query: prepared.name,
    ...(requestId === undefined ? {} : { request: requestId }),
    ...(labels === undefined ? {} : { labels }),
  });
}

/** Returns the error for incomplete rows, which do not replace older, complete ones. */
export function incomplete(missing: readonly string[]): QuernError {
  return new QuernError('unreachable', `parts of the data did not answer: ${missing.join(', ')}`);
}

const OUTAGES: ReadonlySet<ErrorCode> = new Set(['unreachable', 'timeout', 'busy', 'budget']);

/** Returns whether a failure says nothing about the query itself, so that old rows are better than none. */
export function isOutage(error: unknown): error is QuernError {
  return error instanceof QuernError && (OUTAGES.has(error.code) || error.details.ofSource === true);
}
