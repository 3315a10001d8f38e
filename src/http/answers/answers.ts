// Answers of a server: prepared bodies in memory, over the cache's files, over an engine that is never asked for more than it can bear.
import { setMaxListeners } from 'node:events';
import type { Cache } from '../../cache/cache.ts';
import type { CacheEntry } from '../../cache/entry.ts';
import { ageSeconds } from '../../cache/policy.ts';
import { createSingleFlight } from '../../cache/single-flight.ts';
import { QuernError } from '../../errors.ts';
import type { Plan } from '../../execution/plan.ts';
import type { QueryResult } from '../../result.ts';
import type { Clock } from '../clock.ts';
import { startWarming, type WarmPair } from '../warming.ts';
import { createAdmission } from './admission.ts';
import type { Answer, AnswerCall, AnswerEvent } from './answer.ts';
import { type Body, prepareBody, shapeKey } from './body.ts';
import { createFailures } from './failures.ts';
import { standing } from './freshness.ts';
import { watchIdentity } from './identity.ts';
import { createPairKeys } from './key.ts';
import { openAnswersMemory, type StoredResult } from './memory.ts';
import { type AnswersSnapshot, incomplete, isOutage, openRuns, type Wanted } from './runs.ts';
import { BACKGROUND, createParty, type Party, type Tenant } from './tenant.ts';

export interface AnswersOptions {
  readonly cache: Cache;
  /** What holds now of the engine and its data; asked before every run, and now and then in between. */
  readonly snapshot: () => Promise<AnswersSnapshot>;
  /** The plan of the same saved query for the data as they are now; asked when a run finds that they have changed. */
  readonly replan: (plan: Plan) => Promise<Plan>;
  readonly redact: (result: QueryResult) => QueryResult;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter of warming. */
  readonly random: () => number;
  readonly onEvent: (event: AnswerEvent) => void;
  readonly limits: AnswersLimits;
  /** Whether one tenant leaves a slot at the engine to others even while they want none; see admission.ts. */
  readonly spare: () => boolean;
}

export interface AnswersLimits {
  /** Upper bound on all bodies in memory. */
  readonly memoryBytes: number;
  /** Seconds after the TTL in which old rows are given while new ones are fetched. */
  readonly staleSeconds: number;
  /** Seconds after the TTL in which old rows are given when the engine cannot answer. */
  readonly staleIfErrorSeconds: number;
  /** Queries at the engine at once. */
  readonly queries: number;
  /** Runs that may wait for their turn. */
  readonly waiting: number;
  readonly waitMs: number;
}

export interface Answers {
  /**
   * At once (no Promise) when a body in memory answers. Throws or rejects with QuernError: what the engine throws, and `busy` when too
   * many runs wait for it.
   */
  answer(call: AnswerCall): Answer | Promise<Answer>;
  stats(): AnswersStats;
  /** Stops warming and refreshing, and waits until runs have ended and what they stored is written; answers go on. */
  drain(): Promise<void>;
}

export interface AnswersStats {
  readonly bodies: number;
  readonly bytes: number;
  /** At the engine now, and waiting for a turn. */
  readonly running: number;
  readonly waiting: number;
  /** Pairs of saved query and arguments that are kept warm. */
  readonly warm: number;
}

/** How long data that have changed may go unnoticed by answers from memory. */
const ASK_EVERY_MS = 1000;
/** After a failure old rows are given for so long without asking the engine again. */
const PAUSE_AFTER_FAILURE_MS = 5000;
const MOST_WARM_PAIRS = 1000;

/** A body, and when its rows came from the engine. */
interface Found {
  readonly body: Body;
  readonly storedAtMs: number;
}

export function openAnswers(options: AnswersOptions): Answers {
  const { clock, limits, redact, onEvent } = options;
  const identity = watchIdentity({ snapshot: options.snapshot, clock, askEveryMs: ASK_EVERY_MS });
  const memory = openAnswersMemory({ maxBytes: limits.memoryBytes, redact });
  const { queries: atOnce, waiting, waitMs } = limits;
  const admission = createAdmission({ atOnce, waiting, waitMs, spare: options.spare, clock });
  const runs = openRuns({ cache: options.cache, snapshot: identity.snapshot, replan: options.replan, admission, clock });
  const failures = createFailures(clock, PAUSE_AFTER_FAILURE_MS);
  const searches = createSingleFlight<CacheEntry | undefined>();
  const flights = createSingleFlight<StoredResult>();
  /** Those who share each flight. */
  const parties = new Map<string, Party>();
  const refreshing = new Set<string>();
  const atWork = new Set<Promise<unknown>>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one for each run that nobody waits for
  const { keyOf } = createPairKeys();

  const standingOf = (storedAtMs: number, plan: Plan) => standing(storedAtMs, clock.now(), plan.ttlSeconds, limits);

  const runAndKeep = async (pair: string, wanted: Wanted, party: Party, signal: AbortSignal): Promise<StoredResult> => {
    const stored = await runs.runAndStore(wanted, party, signal);
    if (stored.result.missing !== undefined) return stored;
    failures.forget(pair);
    memory.replace(pair, stored);
    return stored;
  };

  /** One run for all who want these rows now, whatever they make of them. */
  const run = (flight: string, pair: string, wanted: Wanted, tenant: Tenant, signal: AbortSignal): Promise<StoredResult> => {
    const work = (stop: AbortSignal) => {
      const party = createParty(tenant);
      parties.set(flight, party);
      const working = runAndKeep(pair, wanted, party, stop).finally(() => {
        atWork.delete(working);
        if (parties.get(flight) === party) parties.delete(flight);
      });
      atWork.add(working);
      return working;
    };
    parties.get(flight)?.join(tenant);
    return flights.share(flight, work, signal);
  };

  /** New rows that nobody waits for; ones that are not whole are as good as none. */
  const renew = async (pair: string, wanted: WarmPair): Promise<void> => {
    const { missing } = (await run(pair, pair, wanted, BACKGROUND, closing.signal)).result;
    if (missing !== undefined) throw incomplete(missing);
  };

  /** The rows in the cache's files, where another process may have put newer ones; those in memory become these. */
  const search = async (pair: string, { plan, arguments: values }: WarmPair, engineId: string, signal: AbortSignal) => {
    const entry = await searches.share(pair, () => runs.find({ plan, arguments: values }, engineId), signal);
    if (entry === undefined || standingOf(entry.storedAtMs, plan) === 'expired') return undefined;
    const held = memory.get(pair);
    const older = held !== undefined && held.storedAtMs > entry.storedAtMs && standingOf(held.storedAtMs, plan) !== 'expired';
    if (older) return undefined;
    if (held?.storedAtMs !== entry.storedAtMs) memory.replace(pair, entry);
    return entry;
  };

  const refresh = (pair: string, wanted: WarmPair, engineId: string): void => {
    const { plan } = wanted;
    if (closing.signal.aborted || refreshing.has(pair) || failures.tooEarly(pair)) return;
    refreshing.add(pair);
    const searchOrRenew = async (): Promise<void> => {
      const entry = await search(pair, wanted, engineId, closing.signal);
      if (entry === undefined || standingOf(entry.storedAtMs, plan) !== 'fresh') await renew(pair, wanted);
    };
    searchOrRenew()
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        failures.note(pair);
        onEvent({ kind: 'refresh-failed', query: plan.name, error: asQuernError(error) });
      })
      .finally(() => refreshing.delete(pair));
  };

  const warming = startWarming({
    clock,
    random: options.random,
    atOnce: Math.max(1, Math.floor(limits.queries / 2)),
    mostPairs: MOST_WARM_PAIRS,
    async warm(pair, wanted) {
      const engineId = identity.current();
      // Of other data now: who still asks does so under another key.
      if (engineId === undefined || keyOf(wanted.plan, wanted.arguments, engineId) !== pair) return;
      const youngerThanMs = ((wanted.plan.warmingSeconds ?? 0) * 1000) / 2;
      const young = (storedAtMs: number | undefined) => storedAtMs !== undefined && clock.now() - storedAtMs < youngerThanMs;
      if (young(memory.get(pair)?.storedAtMs)) return;
      if (young((await search(pair, wanted, engineId, closing.signal))?.storedAtMs)) return;
      await renew(pair, wanted);
    },
    onFailure: ({ plan }, error) => {
      if (!closing.signal.aborted) onEvent({ kind: 'warming-failed', query: plan.name, error: asQuernError(error) });
    },
  });

  const give = (pair: string, call: AnswerCall, { body, storedAtMs }: Found, state: Answer['state']): Answer => {
    warming.asked(pair, call);
    return answerOf(body, state, storedAtMs, clock.now());
  };

  /** The answer without a run, if these rows may give one. */
  const offer = (pair: string, call: AnswerCall, found: Found | undefined, engineId: string): Answer | undefined => {
    if (found === undefined) return undefined;
    const { plan, arguments: values } = call;
    const now = standingOf(found.storedAtMs, plan);
    if (now === 'fresh') return give(pair, call, found, 'hit');
    if (now === 'expired' || (now === 'emergency' && !failures.has(pair))) return undefined;
    refresh(pair, { plan, arguments: values }, engineId);
    return give(pair, call, found, 'stale');
  };

  const inMemory = (pair: string, call: AnswerCall): Found | undefined => {
    const held = memory.get(pair);
    const body = held?.bodies.get(shapeKey(call));
    return held === undefined || body === undefined ? undefined : { body, storedAtMs: held.storedAtMs };
  };

  const inFiles = async (pair: string, call: AnswerCall, engineId: string): Promise<Found | undefined> => {
    const entry = await search(pair, call, engineId, call.signal);
    return entry === undefined ? undefined : foundIn(pair, entry, call);
  };

  const foundIn = (pair: string, entry: StoredResult, call: AnswerCall): Found => ({
    body: memory.body(pair, entry, call),
    storedAtMs: entry.storedAtMs,
  });

  const runFor = async (pair: string, call: AnswerCall, old?: Found): Promise<Answer> => {
    const stored = await run(call.fresh ? `fresh ${pair}` : pair, pair, call, call.tenant, call.signal);
    const { missing } = stored.result;
    if (missing !== undefined && old !== undefined) throw incomplete(missing);
    const answer = give(pair, call, foundIn(pair, stored, call), missing === undefined ? 'miss' : 'off');
    return withRun(answer, stored.result);
  };

  const searchOrRun = async (pair: string, call: AnswerCall, engineId: string): Promise<Answer> => {
    const inFile = await inFiles(pair, call, engineId);
    // A run may have ended meanwhile: without a second look into the memory it would be repeated.
    const found = inMemory(pair, call) ?? inFile;
    const offered = offer(pair, call, found, engineId);
    if (offered !== undefined) return offered;
    const old = found !== undefined && standingOf(found.storedAtMs, call.plan) !== 'expired' ? found : undefined;
    try {
      return await runFor(pair, call, old);
    } catch (error) {
      if (!isOutage(error)) throw error;
      failures.note(pair);
      if (old === undefined) throw error;
      const answer = give(pair, call, old, 'stale');
      const { requestId, plan } = call;
      onEvent({ kind: 'stale-after-failure', query: plan.name, requestId, ageSeconds: answer.ageSeconds, error });
      return answer;
    }
  };

  const cached = (call: AnswerCall, engineId: string): Answer | Promise<Answer> => {
    const pair = keyOf(call.plan, call.arguments, engineId);
    if (call.fresh) return runFor(pair, call);
    return offer(pair, call, inMemory(pair, call), engineId) ?? searchOrRun(pair, call, engineId);
  };

  const uncached = async (call: AnswerCall): Promise<Answer> => {
    const result = await runs.run(call, createParty(call.tenant), call.signal);
    const body = prepareBody(result, call, { redact, onGrown: () => undefined });
    return withRun(answerOf(body, 'off', clock.now(), clock.now()), result);
  };

  return {
    answer(call) {
      if (call.plan.ttlSeconds <= 0) return uncached(call);
      const engineId = identity.current();
      return engineId === undefined ? identity.ask().then((asked) => cached(call, asked)) : cached(call, engineId);
    },
    stats: () => ({ ...memory.stats(), running: admission.running, waiting: admission.waiting, warm: warming.pairs }),
    async drain() {
      warming.stop();
      closing.abort();
      await Promise.allSettled(atWork);
      await runs.written();
    },
  };
}

function answerOf({ etag, contentType, rows, truncated, body }: Body, state: Answer['state'], storedAtMs: number, nowMs: number): Answer {
  return { state, storedAtMs, ageSeconds: ageSeconds(storedAtMs, nowMs), etag, contentType, rows, truncated, body };
}

function withRun(answer: Answer, { statistics, missing }: QueryResult): Answer {
  return {
    ...answer,
    ...(missing === undefined ? {} : { missing }),
    ...(statistics === undefined ? {} : { engineMs: statistics.elapsedMs }),
  };
}

function asQuernError(error: unknown): QuernError {
  if (error instanceof QuernError) return error;
  return new QuernError('internal', error instanceof Error ? error.message : String(error), { cause: error });
}
