// Runs of prepared queries for a server: each is admitted to the engine in its turn.

import { type ErrorCode, QuernError } from '../../base/errors.ts';
import type { Cache, Ran } from '../../cache/cache.ts';
import type { KeptRun } from '../../execution/buckets/keeping.ts';
import { type PreparedQuery, readsNow } from '../../execution/prepared-query.ts';
import { executeKeeping } from '../../execution/run.ts';
import { type Snapshot, withCurrent } from '../../execution/snapshot.ts';
import { wantedRows } from '../../execution/wanted-rows.ts';
import type { QueryCatalog } from '../../queries/catalog.ts';
import { instantAt } from '../../queries/instant.ts';
import type { Clock } from '../clock.ts';
import type { Budgets } from '../keys/budgets.ts';
import { within } from '../observe/span.ts';
import { tracedEngine } from '../observe/traced-engine.ts';
import type { Admission } from './admission.ts';
import type { Call, Waiter } from './answer.ts';
import type { Party } from './tenant.ts';

export type AnswersSnapshot = Pick<Snapshot, 'version' | 'files' | 'limits' | 'engine' | 'outdated'> & Partial<Pick<Snapshot, 'sources'>>;

/** The rows that a run is for, whatever is made of them. */
export type WantedRun = Pick<Call, 'prepared' | 'arguments' | 'asOf' | 'labels'>;

/** Who waits for a run: a request, or nobody. */
export type RunWaiter = Pick<Waiter, 'signal' | 'span'> & Partial<Pick<Waiter, 'requestId' | 'fresh'>>;

/** Throws what the engine throws, `busy`, and `budget`. */
type Run = (wanted: WantedRun, party: Party, waiter: RunWaiter) => Promise<Ran>;

interface RunsOptions {
  readonly snapshot: () => Promise<AnswersSnapshot>;
  /** The prepared query of the same saved query for the data as they are now. */
  readonly replan: (prepared: PreparedQuery) => Promise<PreparedQuery>;
  /** For the places of failures. */
  readonly catalog?: QueryCatalog | undefined;
  readonly admission: Admission;
  readonly cache: Pick<Cache, 'lookup' | 'buckets'>;
  /** What the runs of tenants may cost; absent where nobody counts. */
  readonly budgets?: Pick<Budgets, 'learn' | 'assertAny' | 'charge'> | undefined;
  readonly clock: Clock;
  /** Told of every run, also of those that the engine did not have. */
  readonly onKept: (run: Pick<KeptRun, 'revalidated' | 'buckets'>) => void;
}

export function createRun({ snapshot, replan, catalog, admission, cache, budgets, clock, onKept }: RunsOptions): Run {
  return async (call, party, waiter) => {
    const { signal, span } = waiter;
    const { arguments: values } = call;
    let prepared: PreparedQuery | undefined;
    return withCurrent(snapshot, async (held) => {
      const isNow = prepared === undefined && (held.sources === undefined || (await readsNow(call.prepared, held.sources)));
      prepared = isNow ? call.prepared : await replan(prepared ?? call.prepared);
      await budgets?.learn(party.tenants.values());
      budgets?.assertAny(party.tenants.values());
      const turn = await within(span, 'queue', () => admission.admit(party, signal));
      const beganAtMs = clock.now();
      let rows = 0;
      try {
        const { local } = await held.engine();
        // Threads of one tenant's many runs would crowd out the only run of another.
        const share = local === undefined || turn.sharers === 1 ? {} : { maxThreads: Math.ceil(local.processors / turn.sharers) };
        const request = {
          arguments: values,
          instant: call.asOf ?? instantAt(clock.now()),
          signal,
          comment: commentOf(call, waiter.requestId),
          share,
        };
        const keeping = prepared.ttlSeconds > 0 && call.asOf === undefined ? cache : undefined;
        const engine = span === undefined ? held.engine : async () => tracedEngine(await held.engine(), span, call.prepared.name);
        const ran = await executeKeeping(prepared, request, { ...held, engine, catalog, cache: keeping }, waiter.fresh);
        rows = ran.result.statistics?.rowsRead ?? 0;
        onKept(ran);
        return { ...ran, wanted: wantedRows(prepared, values, { ...held, asOf: call.asOf }) };
      } finally {
        budgets?.charge(party.tenants.values(), { rows, ms: clock.now() - beganAtMs });
        turn.end();
      }
    });
  };
}

/** JSON, so that the engine's log can be searched by field. What callers choose stands here and nowhere else. */
function commentOf({ prepared, labels }: WantedRun, requestId: string | undefined): string {
  return JSON.stringify({
    query: prepared.name,
    ...(requestId === undefined ? {} : { request: requestId }),
    ...(labels === undefined ? {} : { labels }),
  });
}

/** Why rows of which parts are missing do not take the place of older, whole ones. */
export function incomplete(missing: readonly string[]): QuernError {
  return new QuernError('unreachable', `parts of the data did not answer: ${missing.join(', ')}`);
}

const OUTAGES: ReadonlySet<ErrorCode> = new Set(['unreachable', 'timeout', 'busy', 'budget']);

/** A failure that says nothing about the query itself: old rows are better than none. */
export function isOutage(error: unknown): error is QuernError {
  return error instanceof QuernError && (OUTAGES.has(error.code) || error.details.ofSource === true);
}
