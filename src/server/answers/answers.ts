// Answers of a server: prepared bodies in memory, over the cache's files, over an engine that is never asked for more than it can bear.
import { setMaxListeners } from 'node:events';
import { QuernError } from '../../base/errors.ts';
import type { QueryResult } from '../../base/result.ts';
import type { Cache, StoredResult } from '../../cache/cache.ts';
import type { CacheEntry } from '../../cache/entry.ts';
import { ageSeconds, freshness } from '../../cache/policy.ts';
import { createSingleFlight } from '../../cache/single-flight.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { flightName, rowsKey } from '../../execution/wanted-rows.ts';
import type { QueryCatalog } from '../../queries/catalog.ts';
import type { Clock } from '../clock.ts';
import type { Budgets } from '../keys/budgets.ts';
import { ending, type Span, within } from '../observe/span.ts';
import type { Tracing } from '../observe/tracing.ts';
import { createAdmission } from './admission.ts';
import type { Answer, AnswerCall, AnswerEvent } from './answer.ts';
import { type Body, prepareBody, shapeKey } from './body.ts';
import { createFailures } from './failures.ts';
import { type Data, watchIdentity } from './identity.ts';
import { openAnswersMemory } from './memory.ts';
import { type AnswersSnapshot, createRun, incomplete, isOutage, type RunCall } from './runs.ts';
import { createSparedTally, type SparedTotals } from './spared.ts';
import { BACKGROUND, createParties, createParty, type Tenant } from './tenant.ts';
import { startWarming, type WarmPair } from './warming.ts';

export interface AnswersOptions {
  readonly cache: Cache;
  /** What holds now of the engine and its data; asked before every run, and now and then in between. */
  readonly snapshot: () => Promise<AnswersSnapshot>;
  /** The prepared query of the same saved query for the data as they are now; asked when a run finds that they have changed. */
  readonly replan: (prepared: PreparedQuery) => Promise<PreparedQuery>;
  /** For the places of failures; absent where none are told. */
  readonly catalog?: QueryCatalog;
  readonly redact: (result: QueryResult) => QueryResult;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter of warming. */
  readonly random: () => number;
  readonly onEvent: (event: AnswerEvent) => void;
  readonly limits: AnswersLimits;
  /** What the runs of tenants may cost; absent where nobody counts. */
  readonly budgets?: Pick<Budgets, 'learn' | 'assertAny' | 'charge'> | undefined;
  /** Whether one tenant leaves a slot at the engine to others even while they want none; see admission.ts. */
  readonly spare: () => boolean;
  readonly tracing?: Pick<Tracing, 'background'> | undefined;
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
   * At once (no Promise) when a body in memory answers: who waits for a Promise must watch whether the caller leaves, which takes a fifth more
   * of the processor (73 ms for 1,000 requests, and 60 ms without). Rejects with QuernError: what the engine throws, and `busy` when too many
   * runs wait for it.
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
  /** What runs were spared since the server started. */
  readonly spared: SparedTotals;
}

/** How long data that have changed may go unnoticed by answers from memory. */
const ASK_EVERY_MS = 1000;
/** After a failure old rows are given for so long without asking the engine again. */
const PAUSE_AFTER_FAILURE_MS = 5000;
const MOST_WARM_PAIRS = 1000;

/** Who waits for a run. */
interface Waiter {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
  readonly span: Span | undefined;
}

/** A body, and when its rows came from the engine. */
interface Found {
  readonly body: Body;
  readonly storedAtMs: number;
}

export function openAnswers(options: AnswersOptions): Answers {
  const { cache, clock, limits, redact, onEvent } = options;
  const identity = watchIdentity({ snapshot: options.snapshot, clock, askEveryMs: ASK_EVERY_MS });
  const memory = openAnswersMemory({ maxBytes: limits.memoryBytes, redact });
  const { queries: atOnce, waiting, waitMs } = limits;
  const spared = createSparedTally();
  const admission = createAdmission({ atOnce, waiting, waitMs, spare: options.spare, clock });
  const runNow = createRun({
    snapshot: identity.snapshot,
    replan: options.replan,
    catalog: options.catalog,
    admission,
    cache,
    budgets: options.budgets,
    clock,
    onKept: spared.add,
  });
  const failures = createFailures(clock, PAUSE_AFTER_FAILURE_MS);
  const searches = createSingleFlight<CacheEntry | undefined>();
  const parties = createParties();
  const refreshing = new Set<string>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one for each run that nobody waits for

  const keyOf = ({ prepared, arguments: values }: WarmPair, data: Data) => rowsKey(prepared, values, data);
  const freshnessOf = (storedAtMs: number, { ttlSeconds }: PreparedQuery) =>
    freshness({
      storedAtMs,
      nowMs: clock.now(),
      ttlSeconds,
      staleSeconds: limits.staleSeconds,
      staleIfErrorSeconds: limits.staleIfErrorSeconds,
    });

  /** One run for all who want these rows now, whatever they make of them. */
  const run = async (pair: string, call: RunCall, { tenant, signal, span }: Waiter, fresh = false): Promise<StoredResult> => {
    let own = false;
    const name = flightName({ key: pair, query: call.prepared.name }, fresh);
    const keep = async (stored: StoredResult): Promise<void> => {
      failures.forget(pair);
      await memory.replace(pair, stored);
    };
    const work = parties.join(name, tenant, (party, stop) => {
      own = true;
      return runNow(call, party, stop, span);
    });
    const stored = await cache.fill(name, work, { signal, fresh, keep });
    span?.note({ 'quern.run.shared': !own, 'quern.run.revalidated': stored.revalidated === true });
    return stored;
  };

  /** New rows that nobody waits for; ones that are not whole are as good as none. */
  const renew = async (pair: string, wanted: WarmPair, why: 'refresh' | 'warm'): Promise<void> => {
    const renewIn = async (span?: Span): Promise<void> => {
      const { missing } = (await run(pair, wanted, { tenant: BACKGROUND, signal: closing.signal, span })).result;
      if (missing !== undefined) throw incomplete(missing);
    };
    const span = options.tracing?.background(`${why} ${wanted.prepared.name}`);
    await (span === undefined ? renewIn() : ending(span, () => renewIn(span)));
  };

  /** The rows in the cache's files, where another process may have put newer ones; those in memory become these. */
  const search = async (pair: string, { prepared }: WarmPair, signal: AbortSignal) => {
    const entry = await searches.share(pair, () => cache.lookup(pair), signal);
    if (entry === undefined || freshnessOf(entry.storedAtMs, prepared) === 'expired') return undefined;
    const held = memory.get(pair);
    const older = held !== undefined && held.storedAtMs > entry.storedAtMs && freshnessOf(held.storedAtMs, prepared) !== 'expired';
    if (older) return undefined;
    if (held?.storedAtMs !== entry.storedAtMs) await memory.replace(pair, entry);
    return entry;
  };

  const refresh = (pair: string, wanted: WarmPair): void => {
    const { prepared } = wanted;
    if (closing.signal.aborted || refreshing.has(pair) || failures.tooEarly(pair)) return;
    refreshing.add(pair);
    const searchOrRenew = async (): Promise<void> => {
      const entry = await search(pair, wanted, closing.signal);
      if (entry === undefined || freshnessOf(entry.storedAtMs, prepared) !== 'fresh') await renew(pair, wanted, 'refresh');
    };
    searchOrRenew()
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        failures.note(pair);
        onEvent({ kind: 'refresh-failed', query: prepared.name, error: asQuernError(error) });
      })
      .finally(() => refreshing.delete(pair));
  };

  const warming = startWarming({
    clock,
    random: options.random,
    atOnce: Math.max(1, Math.floor(limits.queries / 2)),
    mostPairs: MOST_WARM_PAIRS,
    async warm(pair, wanted) {
      const data = identity.current(wanted.prepared.sources);
      // Of other data now: who still asks does so under another key.
      if (data === undefined || keyOf(wanted, data) !== pair) return;
      const youngerThanMs = ((wanted.prepared.warmingSeconds ?? 0) * 1000) / 2;
      const young = (storedAtMs: number | undefined) => storedAtMs !== undefined && clock.now() - storedAtMs < youngerThanMs;
      if (young(memory.get(pair)?.storedAtMs)) return;
      if (young((await search(pair, wanted, closing.signal))?.storedAtMs)) return;
      await renew(pair, wanted, 'warm');
    },
    onFailure: ({ prepared }, error) => {
      if (!closing.signal.aborted) onEvent({ kind: 'warming-failed', query: prepared.name, error: asQuernError(error) });
    },
  });

  const give = (pair: string, call: AnswerCall, { body, storedAtMs }: Found, state: Answer['state']): Answer => {
    warming.asked(pair, call);
    return answerOf(body, state, storedAtMs, clock.now());
  };

  /** The answer without a run, if these rows may give one. */
  const offer = (pair: string, call: AnswerCall, found: Found | undefined): Answer | undefined => {
    if (found === undefined) return undefined;
    const { prepared, arguments: values } = call;
    const now = freshnessOf(found.storedAtMs, prepared);
    if (now === 'fresh') return give(pair, call, found, 'hit');
    if (now === 'expired' || (now === 'emergency' && !failures.has(pair))) return undefined;
    refresh(pair, { prepared, arguments: values });
    return give(pair, call, found, 'stale');
  };

  const inMemory = (pair: string, call: AnswerCall): Found | undefined => {
    const held = memory.get(pair);
    const body = held?.bodies.get(shapeKey(call));
    return held === undefined || body === undefined ? undefined : { body, storedAtMs: held.storedAtMs };
  };

  const inFiles = async (pair: string, call: AnswerCall): Promise<Found | undefined> => {
    const entry = await search(pair, call, call.signal);
    return entry === undefined ? undefined : foundIn(pair, entry, call);
  };

  const foundIn = async (pair: string, entry: StoredResult, call: AnswerCall): Promise<Found> => ({
    body: await memory.body(pair, entry, call),
    storedAtMs: entry.storedAtMs,
  });

  const runFor = async (pair: string, call: AnswerCall, old?: Found): Promise<Answer> => {
    const stored = await within(call.span, 'run', (span) =>
      run(pair, call, { tenant: call.tenant, signal: call.signal, span }, call.fresh),
    );
    const { missing } = stored.result;
    const state = stored.revalidated === true ? 'revalidated' : 'miss';
    if (missing !== undefined && old !== undefined) throw incomplete(missing);
    const answer = give(pair, call, await foundIn(pair, stored, call), missing === undefined ? state : 'off');
    return withRun(answer, stored.result);
  };

  const searchOrRun = async (pair: string, call: AnswerCall): Promise<Answer> => {
    const { found, offered } = await within(call.span, 'cache', async (span) => {
      const inFile = await inFiles(pair, call);
      // A run may have ended meanwhile: without a second look into the memory it would be repeated.
      const known = inMemory(pair, call) ?? inFile;
      const given = offer(pair, call, known);
      span?.note({ 'quern.cache.state': given?.state ?? 'miss' });
      return { found: known, offered: given };
    });
    if (offered !== undefined) return offered;
    const old = found !== undefined && freshnessOf(found.storedAtMs, call.prepared) !== 'expired' ? found : undefined;
    try {
      return await runFor(pair, call, old);
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (error.code !== 'budget') failures.note(pair); // others may still pay for the run
      if (old === undefined) throw error;
      const answer = give(pair, call, old, 'stale');
      const { requestId, prepared } = call;
      onEvent({ kind: 'stale-after-failure', query: prepared.name, requestId, ageSeconds: answer.ageSeconds, error });
      return answer;
    }
  };

  const cached = (call: AnswerCall, data: Data): Answer | Promise<Answer> => {
    const pair = keyOf(call, data);
    if (call.fresh) return runFor(pair, call);
    const span = call.span?.begin('cache');
    const offered = offer(pair, call, inMemory(pair, call));
    if (offered === undefined) return searchOrRun(pair, call);
    span?.note({ 'quern.cache.state': offered.state });
    span?.end();
    return offered;
  };

  const uncached = async (call: AnswerCall): Promise<Answer> => {
    const { result } = await within(call.span, 'run', (span) => runNow(call, createParty(call.tenant), call.signal, span));
    const body = await prepareBody(result, call, { redact, onGrown: () => undefined });
    return withRun(answerOf(body, 'off', clock.now(), clock.now()), result);
  };

  return {
    answer(call) {
      if (call.prepared.ttlSeconds <= 0 || call.asOf !== undefined) return uncached(call);
      const { sources } = call.prepared;
      const data = identity.current(sources);
      return data === undefined ? identity.ask(sources).then((asked) => cached(call, asked)) : cached(call, data);
    },
    stats: () => ({
      ...memory.stats(),
      running: admission.running,
      waiting: admission.waiting,
      warm: warming.pairs,
      spared: spared.totals(),
    }),
    async drain() {
      warming.stop();
      closing.abort();
      await cache.settled();
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
