// Runs of plans for a server: each is admitted to the engine in its turn, and is stored.
import type { Cache } from '../../cache/cache.ts';
import type { CacheEntry } from '../../cache/entry.ts';
import { QuernError } from '../../errors.ts';
import type { Plan } from '../../execution/plan.ts';
import { executePlan, resultKey } from '../../execution/run.ts';
import type { Snapshot } from '../../execution/snapshot.ts';
import type { QueryResult } from '../../result.ts';
import { instantAt } from '../../saved-query/instant.ts';
import type { ArgumentValues } from '../../saved-query/parameters.ts';
import type { Clock } from '../clock.ts';
import type { Admission, Turn } from './admission.ts';
import type { StoredResult } from './memory.ts';
import type { Party } from './tenant.ts';

export type AnswersSnapshot = Pick<Snapshot, 'engineId' | 'limits' | 'engine' | 'outdated'>;

export interface Wanted {
  readonly plan: Plan;
  readonly arguments: ArgumentValues;
  readonly labels?: Readonly<Record<string, string>>;
  /** Absent for runs that no caller waits for. */
  readonly requestId?: string;
}

export interface Runs {
  /** The engine's rows. Throws what the engine throws, and `busy`. */
  run(wanted: Wanted, party: Party, signal: AbortSignal): Promise<QueryResult>;
  /** The same, stored in the cache's files if they are whole; nobody waits for the writing. */
  runAndStore(wanted: Wanted, party: Party, signal: AbortSignal): Promise<StoredResult>;
  /** The entry in the cache's files, once a write under way has ended. */
  find(wanted: Wanted, engineId: string): Promise<CacheEntry | undefined>;
  /** When all writes under way have ended. */
  written(): Promise<void>;
}

interface RunsOptions {
  readonly cache: Cache;
  readonly snapshot: () => Promise<AnswersSnapshot>;
  /** The plan of the same saved query for the data as they are now. */
  readonly replan: (plan: Plan) => Promise<Plan>;
  readonly admission: Admission;
  readonly clock: Clock;
}

interface Outcome {
  readonly result: QueryResult;
  /** Of the plan and the data that the rows come from. */
  readonly key: string;
}

export function openRuns({ cache, snapshot, replan, admission, clock }: RunsOptions): Runs {
  const writes = new Map<string, Promise<unknown>>();

  const execute = async (wanted: Wanted, held: AnswersSnapshot, { sharers }: Turn, signal: AbortSignal): Promise<QueryResult> => {
    const { local } = await held.engine();
    // Threads of one tenant's many runs would crowd out the only run of another.
    const share = local === undefined || sharers === 1 ? {} : { maxThreads: Math.ceil(local.processors / sharers) };
    const request = { arguments: wanted.arguments, instant: instantAt(clock.now()), signal, comment: commentOf(wanted), share };
    return executePlan(wanted.plan, request, held);
  };

  const runWith = async (wanted: Wanted, party: Party, signal: AbortSignal, mayReplan: boolean): Promise<Outcome> => {
    const held = await snapshot();
    const turn = await admission.admit(party, signal);
    try {
      const result = await execute(wanted, held, turn, signal);
      return { result, key: resultKey(wanted.plan, wanted.arguments, held) };
    } catch (error) {
      if (!mayReplan || !(await held.outdated(error))) throw error;
    } finally {
      turn.end();
    }
    return runWith({ ...wanted, plan: await replan(wanted.plan) }, party, signal, false);
  };

  return {
    run: async (wanted, party, signal) => (await runWith(wanted, party, signal, true)).result,
    async runAndStore(wanted, party, signal) {
      const { result, key } = await runWith(wanted, party, signal, true);
      const stored = { result, storedAtMs: clock.now() };
      if (result.missing !== undefined) return stored;
      const { name: query, ttlSeconds } = wanted.plan;
      const entry = { key, query, arguments: wanted.arguments, ttlSeconds, result };
      const written = () => {
        if (writes.get(key) === writing) writes.delete(key);
      };
      const writing = cache.store(entry).then(written, written);
      writes.set(key, writing);
      return stored;
    },
    async find({ plan, arguments: values }, engineId) {
      const key = resultKey(plan, values, { engineId });
      await writes.get(key);
      return cache.find(key);
    },
    written: async () => void (await Promise.all(writes.values())),
  };
}

/** JSON, so that the engine's log can be searched by field. What callers choose stands here and nowhere else. */
function commentOf({ plan, requestId, labels }: Wanted): string {
  return JSON.stringify({
    query: plan.name,
    ...(requestId === undefined ? {} : { request: requestId }),
    ...(labels === undefined ? {} : { labels }),
  });
}

/** Why rows of which parts are missing do not take the place of older, whole ones. */
export function incomplete(missing: readonly string[]): QuernError {
  return new QuernError('unreachable', `parts of the data did not answer: ${missing.join(', ')}`);
}

/** A failure that says nothing about the query itself: old rows are better than none. */
export function isOutage(error: unknown): error is QuernError {
  return error instanceof QuernError && (error.code === 'unreachable' || error.code === 'timeout' || error.code === 'busy');
}
