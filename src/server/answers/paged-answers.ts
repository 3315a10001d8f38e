// Answers that clients read page by page, over a day: the rows are in the cache's files, so that any server which shares them has every page.
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import { QuernError } from '../../base/errors.ts';
import type { Cache } from '../../cache/cache.ts';
import { createSingleFlight } from '../../cache/single-flight.ts';
import { estimateRun } from '../../execution/estimate.ts';
import type { ExecutionRequest } from '../../execution/execute.ts';
import { executePaged, type PagedRows } from '../../execution/paged-rows.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { rowsKey } from '../../execution/wanted-rows.ts';
import type { Clock } from '../clock.ts';
import type { Call } from './answer.ts';
import type { CurrentData } from './current-data.ts';
import type { CurrentRun, Runs, RunWaiter, WantedRun, Work } from './runs.ts';
import { createSharedWork, createWaiters, type Waiters } from './tenant.ts';

export interface PagedCall extends WantedRun, Pick<Call, 'maxRows' | 'tenant'> {}

/** How much a run reads of tables, as the engine estimates it; nothing is known of files. */
export interface Estimate {
  readonly rows: number;
  readonly bytes: number;
}

/** What is known of rows in pages; plain data. */
export interface PagedResult extends PagedRows {
  /** Pages are found by it. */
  readonly id: string;
  readonly storedAtMs: number;
  readonly elapsedMs: number;
  /** How much was read of tables, or as the engine estimates it. */
  readonly read: Estimate;
  /** Addresses of people are hidden when the rows are given. */
  readonly redacts: boolean;
  /** The text of the only page, where it is small. */
  readonly only?: string | undefined;
}

interface PagedAnswersOptions {
  readonly cache: Pick<Cache, 'pages' | 'mostPageBytes'>;
  readonly data: CurrentData;
  readonly runs: Runs;
  readonly clock: Clock;
}

const DAY_MS = 24 * 3600e3;
/** Results that are known without a look at the files, and the texts with them. */
const MEMORY_BYTES = 32 * 1024 ** 2;
const SMALL_BYTES = 64 * 1024;
const RESULT_BYTES = 1000;
/** A file is not read in much less. */
const QUICK_MS = 10;

export class PagedAnswers {
  readonly #options: PagedAnswersOptions;
  readonly #flights = createSingleFlight<PagedResult>();
  readonly #shared = createSharedWork();
  readonly #known = new LRUCache<string, PagedResult>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ only = '' }) => RESULT_BYTES + 2 * only.length,
  });
  /** Runs under way, and what is being written behind them. */
  readonly #work = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(options: PagedAnswersOptions) {
    this.#options = options;
    setMaxListeners(0, this.#closing.signal); // one for each run
  }

  /**
   * Returns the rows of a run, or those of an earlier one (`hit`) of which it is certain that a run would give the same. Rejects as Answers.answer does, and
   * with QuernError `limit` for more rows than the call may have.
   */
  async answer(call: PagedCall, waiter: RunWaiter): Promise<{ readonly result: PagedResult; readonly hit: boolean }> {
    const { prepared, maxRows } = call;
    // Pages of another run under the same id could have the rows in another order, while a client is in the midst of them.
    if (prepared.repeatable === undefined || waiter.fresh === true)
      return { result: await this.#run(randomUUID(), call, waiter), hit: false };
    const { sources } = prepared;
    const data = this.#options.data.current(sources) ?? (await this.#options.data.ask(sources));
    const key = `${rowsKey(prepared, call.arguments, data)}${maxRows === undefined ? '' : ` ${maxRows}`}`;
    const isExact = sources.length === 0 || data.version.isExact(sources);
    const known = isExact ? await this.#find(key) : undefined;
    // What a saved query hides may be more than it was.
    if (known !== undefined) return { result: { ...known, redacts: known.redacts || prepared.redactPii }, hit: true };
    const id = isExact ? key : randomUUID();
    const run = this.#shared.join(key, call.tenant, async (waiters, signal) => {
      const result = await this.#runFor({ id, call }, waiters, { ...waiter, signal });
      if (isExact && result.missing === undefined) this.#remember(id, result);
      return result;
    });
    return { result: await this.#flights.share(key, run, waiter.signal), hit: false };
  }

  /** Returns how much a run would read. Rejects with what is wrong with the query, and as `answer` does. */
  async estimate(call: PagedCall, waiter: RunWaiter): Promise<Estimate> {
    if (call.prepared.sources.length === 0) return NOTHING;
    const work = async (prepared: PreparedQuery, request: ExecutionRequest, current: CurrentRun) => ({
      ...(await estimated(prepared, request, current)),
      rowsRead: 0,
    });
    return this.#turn(call, createWaiters(call.tenant), waiter, work);
  }

  /** Returns the lines of a page. Throws QuernError `result` where they are no longer there. */
  async page({ id, only }: PagedResult, page: number): Promise<Buffer> {
    const lines = only === undefined ? await this.#options.cache.pages.read(pageKey(id, page)) : Buffer.from(only);
    if (lines !== undefined) return lines;
    throw new QuernError('result', 'the rows of this job are no longer kept', {
      hint: 'run the query again; cache_size bounds how much is kept',
    });
  }

  /** Stops the runs under way, which may be those of jobs that no client waits for, and resolves when they have ended and everything is written. */
  async drain(): Promise<void> {
    this.#closing.abort(new QuernError('interrupted', 'the server is stopping'));
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  /** Work that is still to be done when the server stops. */
  track(work: Promise<unknown>): void {
    void this.#tracked(work);
  }

  async #find(key: string): Promise<PagedResult | undefined> {
    const known = this.#known.get(key) ?? parsed(await this.#options.cache.pages.read(resultKey(key)));
    if (known === undefined || this.#options.clock.now() - known.storedAtMs > DAY_MS) return undefined;
    this.#known.set(key, known);
    return known;
  }

  #run(id: string, call: PagedCall, waiter: RunWaiter): Promise<PagedResult> {
    return this.#runFor({ id, call }, createWaiters(call.tenant), waiter);
  }

  async #runFor(
    { id, call }: { readonly id: string; readonly call: PagedCall },
    waiters: ReturnType<typeof createWaiters>,
    waiter: RunWaiter,
  ): Promise<PagedResult> {
    const { clock, cache } = this.#options;
    return this.#turn(call, waiters, waiter, async (prepared, request, current) => {
      const beganAtMs = clock.now();
      let only: string | undefined;
      const keep = async (page: number, lines: Buffer): Promise<void> => {
        if (page === 0 && lines.length <= SMALL_BYTES) only = lines.toString();
        else await cache.pages.write(pageKey(id, page), lines);
      };
      const paged = await executePaged(prepared, request, current, { maxRows: call.maxRows, maxBytes: cache.mostPageBytes, keep });
      const nowMs = clock.now();
      const elapsedMs = nowMs - beganAtMs;
      const read =
        prepared.sources.length === 0 ? NOTHING : (paged.read ?? (await estimated(prepared, request, current).catch(() => NOTHING)));
      // A small page is the only one, since a larger one ends only when it is full.
      const result: PagedResult = {
        ...paged,
        read,
        redacts: prepared.redactPii,
        id,
        storedAtMs: nowMs,
        elapsedMs,
        only: paged.pages.length === 0 ? '' : only,
      };
      return { ...result, rowsRead: read.rows };
    });
  }

  /** Whoever reads the pages need not wait until others can find them by the query; what is quick to run they need not find. */
  #remember(id: string, result: PagedResult): void {
    this.#known.set(id, result);
    if (result.only !== undefined && result.elapsedMs < QUICK_MS) return;
    void this.#tracked(this.#options.cache.pages.write(resultKey(id), Buffer.from(JSON.stringify(result))));
  }

  #turn<T extends { readonly rowsRead: number }>(call: PagedCall, waiters: Waiters, waiter: RunWaiter, work: Work<T>): Promise<T> {
    const signal = AbortSignal.any([waiter.signal, this.#closing.signal]);
    return this.#tracked(this.#options.runs.turn(call, waiters, { ...waiter, signal }, work));
  }

  #tracked<T>(work: Promise<T>): Promise<T> {
    const end = (): void => void this.#work.delete(ended);
    const ended = work.then(end, end);
    this.#work.add(ended);
    return work;
  }
}

const NOTHING: Estimate = { rows: 0, bytes: 0 };

const pageKey = (id: string, page: number): string => `page ${page} of ${id}`;
const resultKey = (id: string): string => `result ${id}`;

const parsed = (text: Buffer | undefined): PagedResult | undefined =>
  text === undefined ? undefined : (JSON.parse(text.toString()) as PagedResult); // #remember wrote it

async function estimated(prepared: PreparedQuery, request: ExecutionRequest, current: CurrentRun): Promise<Estimate> {
  const tables = await estimateRun(prepared, request, current);
  return {
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    bytes: tables.reduce((sum, { bytesAtMost = 0 }) => sum + bytesAtMost, 0),
  };
}
