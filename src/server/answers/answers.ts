// Answers of a server: prepared bodies in memory, over the cache's files, over an engine that is never asked for more than it can bear.
import { setMaxListeners } from 'node:events';
import { asQuernError, QuernError } from '../../base/errors.ts';
import type { EngineFormat } from '../../base/formats.ts';
import type { QueryResult } from '../../base/result.ts';
import type { Cache, StoredResult } from '../../cache/cache.ts';
import type { CacheEntry } from '../../cache/entry.ts';
import { ageSeconds, freshness } from '../../cache/policy.ts';
import { createSingleFlight } from '../../cache/single-flight.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { flightName, rowsKey } from '../../execution/wanted-rows.ts';
import type { ArgumentValues } from '../../queries/parameters.ts';
import { ending, type Span, within } from '../observe/span.ts';
import type { Tracing } from '../observe/tracing.ts';
import { Admission } from './admission.ts';
import type { Answer, AnswerEvent, Call, Waiter, WantedPage } from './answer.ts';
import { type Body, prepareBody, shapeKey } from './body.ts';
import { CurrentData, type Data } from './current-data.ts';
import { pageOf } from './endpoint-pages.ts';
import { exportedAnswer } from './exported.ts';
import { createFailures } from './failures.ts';
import { AnswersMemory } from './memory.ts';
import { PagedAnswers } from './paged-answers.ts';
import { createRuns, incomplete, isOutage, type RunsOptions, type RunWaiter, type WantedRun } from './runs.ts';
import { createSparedTally, type SparedTotals } from './spared.ts';
import { BACKGROUND, createSharedWork, createWaiters, type Tenant } from './tenant.ts';
import { Warming, type WarmPair } from './warming.ts';

/** Its snapshot is looked at now and then between runs, too. */
export interface AnswersOptions extends Omit<RunsOptions, 'admission' | 'cache' | 'onKept'> {
  readonly cache: Cache;
  readonly redact: (result: QueryResult) => QueryResult;
  /** From 0 to 1, for the jitter of warming. */
  readonly random: () => number;
  readonly onEvent: (event: AnswerEvent) => void;
  readonly limits: AnswersLimits;
  /** Returns whether one tenant leaves a slot at the engine to others even while they want none; see admission.ts. */
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

export interface AnswersStats {
  readonly bodies: number;
  readonly bytes: number;
  /** At the engine now, and waiting for a turn. */
  readonly running: number;
  readonly waiting: number;
  /** Pairs of saved query and arguments that are kept warm. */
  readonly warm: number;
  /** Counts of the work that runs did not have to do, since the server started. */
  readonly spared: SparedTotals;
}

/** For so long answers from memory may not notice that data have changed. */
const ASK_EVERY_MS = 1000;
/** After a failure old rows are given for so long without asking the engine again. */
const PAUSE_AFTER_FAILURE_MS = 5000;
const MOST_WARM_PAIRS = 1000;

/** A body, and when its rows came from the engine. */
interface Found {
  readonly body: Body;
  readonly storedAtMs: number;
}

export class Answers {
  readonly #options: AnswersOptions;
  readonly #data: CurrentData;
  readonly #memory: AnswersMemory;
  readonly #spared = createSparedTally();
  readonly #admission: Admission;
  readonly #runs: ReturnType<typeof createRuns>;
  /** Answers that clients read page by page. */
  readonly paged: PagedAnswers;
  readonly #failures: ReturnType<typeof createFailures>;
  readonly #warming: Warming;
  readonly #searches = createSingleFlight<CacheEntry | undefined>();
  readonly #shared = createSharedWork();
  readonly #refreshing = new Set<string>();
  readonly #closing = new AbortController();

  constructor(options: AnswersOptions) {
    const { clock, limits, redact, random } = options;
    const { queries: atOnce, waiting, waitMs, memoryBytes: maxBytes } = limits;
    this.#options = options;
    this.#data = new CurrentData({ snapshot: options.snapshot, clock, askEveryMs: ASK_EVERY_MS });
    this.#memory = new AnswersMemory({ maxBytes, redact });
    this.#admission = new Admission({ atOnce, waiting, waitMs, spare: options.spare, clock });
    this.#runs = createRuns({ ...options, snapshot: this.#data.snapshot, admission: this.#admission, onKept: this.#spared.add });
    this.paged = new PagedAnswers({ cache: options.cache, data: this.#data, runs: this.#runs, clock });
    this.#failures = createFailures(clock, PAUSE_AFTER_FAILURE_MS);
    setMaxListeners(0, this.#closing.signal); // one for each run that nobody waits for
    this.#warming = new Warming({
      clock,
      random,
      atOnce: Math.max(1, Math.floor(atOnce / 2)),
      mostPairs: MOST_WARM_PAIRS,
      warm: (pair, wanted) => this.#warm(pair, wanted),
      onFailure: ({ prepared }, error) => this.#reportFailure('warming-failed', prepared, error),
    });
  }

  /**
   * Returns the answer at once, without a Promise, when a body in memory answers: code that waits must also watch whether the caller leaves, which takes
   * a fifth more of the processor (73 ms for 1,000 requests, and 60 ms without). Rejects with QuernError: what the engine throws, and `busy` when
   * too many runs wait for it.
   */
  answer(call: Call, waiter: Waiter): Answer | Promise<Answer> {
    if (call.page !== undefined) return this.#page(call, call.page, waiter);
    if (call.render.engine !== undefined) return this.#exported(call, call.render.engine, waiter);
    if (call.prepared.ttlSeconds <= 0 || call.asOf !== undefined) return this.#uncached(call, waiter);
    const { sources } = call.prepared;
    const data = this.#data.current(sources);
    if (data !== undefined) return this.#cached(call, waiter, data);
    return this.#data.ask(sources).then((asked) => this.#cached(call, waiter, asked));
  }

  stats(): AnswersStats {
    const { running, waiting } = this.#admission;
    return { ...this.#memory.stats(), running, waiting, warm: this.#warming.pairs, spared: this.#spared.totals() };
  }

  /** Stops warming and refreshing, and waits until runs have ended and what they stored is written; answers go on. */
  async drain(): Promise<void> {
    this.#warming.stop();
    this.#closing.abort();
    await Promise.all([this.#options.cache.settled(), this.paged.drain()]);
  }

  #cached(call: Call, waiter: Waiter, data: Data): Answer | Promise<Answer> {
    const pair = keyOf(call, data);
    if (waiter.fresh) return this.#runFor(pair, call, waiter);
    const span = waiter.span?.begin('cache');
    const offered = this.#offer(pair, call, this.#inMemory(pair, call));
    if (offered === undefined) return this.#searchOrRun(pair, call, waiter);
    span?.note({ 'quern.cache.state': offered.state });
    span?.end();
    return offered;
  }

  async #uncached(call: Call, waiter: Waiter): Promise<Answer> {
    const { redact, clock } = this.#options;
    const { result } = await within(waiter.span, 'run', (span) => this.#runs.rows(call, createWaiters(call.tenant), spanned(waiter, span)));
    const body = await prepareBody(result, call, { redact, onGrown: () => undefined });
    return withRun(answerOf(body, 'off', clock.now(), clock.now()), result);
  }

  async #page(call: Call, wanted: WantedPage, waiter: Waiter): Promise<Answer> {
    const { redact, clock, cache } = this.#options;
    if (call.render.engine !== undefined)
      throw new QuernError('usage', `${call.render.engine} has no pages`, { hint: 'leave out page_size for all rows' });
    const { rows, next, hit, storedAtMs, elapsedMs } = await within(waiter.span, 'run', (span) =>
      pageOf({ paged: this.paged, pages: cache.pages }, call, wanted, spanned(waiter, span)),
    );
    // A page needs no limit of rows: it is within it.
    const body = await prepareBody(rows, { ...call, maxRows: undefined }, { redact, onGrown: () => undefined });
    const answer = answerOf(body, 'off', storedAtMs, clock.now());
    return { ...answer, state: hit ? 'hit' : 'off', next, ...(elapsedMs === undefined ? {} : { engineMs: elapsedMs }) };
  }

  async #exported(call: Call, format: EngineFormat, waiter: Waiter): Promise<Answer> {
    const { clock } = this.#options;
    const answer = await within(waiter.span, 'run', (span) => exportedAnswer(this.#runs, call, format, spanned(waiter, span)));
    return { ...answer, storedAtMs: clock.now() };
  }

  async #searchOrRun(pair: string, call: Call, waiter: Waiter): Promise<Answer> {
    const { found, offered } = await within(waiter.span, 'cache', async (span) => {
      const entry = await this.#search(pair, call, waiter.signal);
      const inFile = entry === undefined ? undefined : await this.#foundIn(pair, entry, call);
      // A run may have ended meanwhile: without a second look into the memory it would be repeated.
      const known = this.#inMemory(pair, call) ?? inFile;
      const given = this.#offer(pair, call, known);
      span?.note({ 'quern.cache.state': given?.state ?? 'miss' });
      return { found: known, offered: given };
    });
    if (offered !== undefined) return offered;
    const old = found !== undefined && this.#freshness(found.storedAtMs, call.prepared) !== 'expired' ? found : undefined;
    try {
      return await this.#runFor(pair, call, waiter, old);
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (error.code !== 'budget') this.#failures.note(pair); // others may still pay for the run
      if (old === undefined) throw error;
      const answer = this.#give(pair, call, old, 'stale');
      const { ageSeconds } = answer;
      this.#options.onEvent({
        kind: 'stale-after-failure',
        query: call.prepared.name,
        requestId: waiter.requestId,
        ageSeconds,
        error,
      });
      return answer;
    }
  }

  async #runFor(pair: string, call: Call, waiter: Waiter, old?: Found): Promise<Answer> {
    const stored = await within(waiter.span, 'run', (span) => this.#runShared(pair, call, call.tenant, spanned(waiter, span)));
    const { missing } = stored.result;
    const state = stored.revalidated === true ? 'revalidated' : 'miss';
    if (missing !== undefined && old !== undefined) throw incomplete(missing);
    const answer = this.#give(pair, call, await this.#foundIn(pair, stored, call), missing === undefined ? state : 'off');
    return withRun(answer, stored.result);
  }

  /** Runs once for all callers who want these rows now, in whatever form. */
  async #runShared(pair: string, wanted: WantedRun, tenant: Tenant, waiter: RunWaiter): Promise<StoredResult> {
    const { signal, span, fresh = false } = waiter;
    let own = false;
    const name = flightName({ key: pair, query: wanted.prepared.name }, fresh);
    const keep = async (stored: StoredResult): Promise<void> => {
      this.#failures.forget(pair);
      await this.#memory.replace(pair, stored);
    };
    const work = this.#shared.join(name, tenant, (waiters, stop) => {
      own = true;
      return this.#runs.rows(wanted, waiters, { ...waiter, signal: stop });
    });
    const stored = await this.#options.cache.fill(name, work, { signal, fresh, keep });
    span?.note({ 'quern.run.shared': !own, 'quern.run.revalidated': stored.revalidated === true });
    return stored;
  }

  /** Makes new rows for which no caller waits. Incomplete ones count as a failure. */
  async #renew(pair: string, wanted: WarmPair, why: 'refresh' | 'warm'): Promise<void> {
    const renewIn = async (span?: Span): Promise<void> => {
      const { missing } = (await this.#runShared(pair, wanted, BACKGROUND, { signal: this.#closing.signal, span })).result;
      if (missing !== undefined) throw incomplete(missing);
    };
    const span = this.#options.tracing?.background(`${why} ${wanted.prepared.name}`);
    await (span === undefined ? renewIn() : ending(span, () => renewIn(span)));
  }

  async #warm(pair: string, wanted: WarmPair): Promise<void> {
    const data = this.#data.current(wanted.prepared.sources);
    // The data have changed: callers get answers of another key now.
    if (data === undefined || keyOf(wanted, data) !== pair) return;
    const youngerThanMs = ((wanted.prepared.warmingSeconds ?? 0) * 1000) / 2;
    const young = (storedAtMs: number | undefined) => storedAtMs !== undefined && this.#options.clock.now() - storedAtMs < youngerThanMs;
    if (young(this.#memory.get(pair)?.storedAtMs)) return;
    if (young((await this.#search(pair, wanted, this.#closing.signal))?.storedAtMs)) return;
    await this.#renew(pair, wanted, 'warm');
  }

  #refresh(pair: string, wanted: WarmPair): void {
    const { prepared } = wanted;
    if (this.#closing.signal.aborted || this.#refreshing.has(pair) || this.#failures.tooEarly(pair)) return;
    this.#refreshing.add(pair);
    const searchOrRenew = async (): Promise<void> => {
      const entry = await this.#search(pair, wanted, this.#closing.signal);
      if (entry === undefined || this.#freshness(entry.storedAtMs, prepared) !== 'fresh') await this.#renew(pair, wanted, 'refresh');
    };
    searchOrRenew()
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#failures.note(pair);
        this.#reportFailure('refresh-failed', prepared, error);
      })
      .finally(() => this.#refreshing.delete(pair));
  }

  #reportFailure(kind: 'refresh-failed' | 'warming-failed', { name: query }: PreparedQuery, error: unknown): void {
    if (!this.#closing.signal.aborted) this.#options.onEvent({ kind, query, error: asQuernError(error) });
  }

  /** Returns the rows in the cache's files, where another process may have put newer ones, and puts them into the memory. */
  async #search(pair: string, { prepared }: WarmPair, signal: AbortSignal): Promise<CacheEntry | undefined> {
    const entry = await this.#searches.share(pair, () => this.#options.cache.lookup(pair), signal);
    if (entry === undefined || this.#freshness(entry.storedAtMs, prepared) === 'expired') return undefined;
    const current = this.#memory.get(pair);
    const isNewer = current !== undefined && current.storedAtMs > entry.storedAtMs;
    if (isNewer && this.#freshness(current.storedAtMs, prepared) !== 'expired') return undefined;
    if (current?.storedAtMs !== entry.storedAtMs) await this.#memory.replace(pair, entry);
    return entry;
  }

  /** Returns an answer without a run, if these rows may give one. */
  #offer(pair: string, call: Call, found: Found | undefined): Answer | undefined {
    if (found === undefined) return undefined;
    const now = this.#freshness(found.storedAtMs, call.prepared);
    if (now === 'fresh') return this.#give(pair, call, found, 'hit');
    if (now === 'expired' || (now === 'emergency' && !this.#failures.has(pair))) return undefined;
    this.#refresh(pair, { prepared: call.prepared, arguments: call.arguments });
    return this.#give(pair, call, found, 'stale');
  }

  #give(pair: string, call: Call, { body, storedAtMs }: Found, state: Answer['state']): Answer {
    this.#warming.answered(pair, call);
    return answerOf(body, state, storedAtMs, this.#options.clock.now());
  }

  #inMemory(pair: string, call: Call): Found | undefined {
    const current = this.#memory.get(pair);
    const body = current?.bodies.get(shapeKey(call));
    return current === undefined || body === undefined ? undefined : { body, storedAtMs: current.storedAtMs };
  }

  async #foundIn(pair: string, entry: StoredResult, call: Call): Promise<Found> {
    return { body: await this.#memory.body(pair, entry, call), storedAtMs: entry.storedAtMs };
  }

  #freshness(storedAtMs: number, { ttlSeconds }: PreparedQuery) {
    const { clock, limits } = this.#options;
    const { staleSeconds, staleIfErrorSeconds } = limits;
    return freshness({ storedAtMs, nowMs: clock.now(), ttlSeconds, staleSeconds, staleIfErrorSeconds });
  }
}

/** Keys of calls: requests of the same words have the same object of arguments. */
const keys = new WeakMap<ArgumentValues, { readonly prepared: PreparedQuery; readonly data: Data; readonly key: string }>();

function keyOf({ prepared, arguments: values }: WarmPair, data: Data): string {
  const known = keys.get(values);
  if (known?.data === data && known.prepared === prepared) return known.key;
  const key = rowsKey(prepared, values, data);
  keys.set(values, { prepared, data, key });
  return key;
}

/** Returns the waiter of a part of a request, which has a span of its own. */
const spanned = ({ requestId, fresh, signal }: Waiter, span: Span | undefined): RunWaiter => ({ requestId, fresh, signal, span });

function answerOf(
  { etag, contentType, rows, truncated, bytes, body }: Body,
  state: Answer['state'],
  storedAtMs: number,
  nowMs: number,
): Answer {
  return { state, storedAtMs, ageSeconds: ageSeconds(storedAtMs, nowMs), etag, contentType, rows, truncated, bytes, body };
}

function withRun(answer: Answer, { statistics, missing }: QueryResult): Answer {
  return {
    ...answer,
    ...(missing === undefined ? {} : { missing }),
    ...(statistics === undefined ? {} : { engineMs: statistics.elapsedMs }),
  };
}
