// The metrics at /metrics: requests, how long they took, cache states, the engine's time and its queue.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnswersStats } from '../answers/answers.ts';
import type { MetricFamily, MetricValue } from './metric-family.ts';
import { type CountedRequest, createRequestTally } from './request-tally.ts';

interface FinishedRequest extends CountedRequest {
  readonly engineMs?: number | undefined;
}

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface MetricsSource {
  answers(): AnswersStats;
  /** Returns what is left to keys with budgets. */
  budgets(): Promise<readonly { readonly key: string; readonly name: 'rows' | 'seconds'; readonly left: number }[]>;
  endpoints(): { readonly served: number; readonly broken: number };
  /** Absent where nothing is shared through Redis. */
  readonly shared: { readonly up: boolean } | undefined;
}

let ofProcess: Registry | undefined;

/** Made once in a process: prom-client starts a timer that fires every 10 ms and an observer of collections, and has no way to stop them. */
function metricsOfProcess(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(source: MetricsSource) {
  const registry = new Registry();
  const registers = [registry];
  const requests = createRequestTally(SECONDS);
  const engine = new Histogram({
    name: 'quern_engine_query_duration_seconds',
    help: 'Time of the queries that requests waited for, on the engine.',
    labelNames: ['endpoint'] as const,
    buckets: SECONDS,
    registers,
  });
  const events = new Counter({
    name: 'quern_cache_events_total',
    help: 'Stale results served because a refresh failed, and refreshes that failed.',
    labelNames: ['kind'] as const,
    registers,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const spared = () => source.answers().spared;
  total(
    'quern_runs_revalidated_total',
    'Runs that were not needed, because the rows would have been the same as last time.',
    () => spared().revalidated,
  );
  total('quern_buckets_kept_total', 'Buckets of time whose rows came from the cache.', () => spared().keptBuckets);
  total('quern_buckets_asked_total', 'Buckets of time that runs had to read.', () => spared().askedBuckets);
  total('quern_buckets_rows_saved_total', 'Rows of tables in kept buckets, which runs did not read.', () => spared().rows);
  let inFlight = 0;
  gauge('quern_http_requests_in_flight', 'Requests being answered.', () => inFlight);
  gauge('quern_engine_queries_running', 'Queries running on the engine.', () => source.answers().running);
  gauge('quern_engine_queries_waiting', 'Queries waiting for the engine.', () => source.answers().waiting);
  gauge('quern_memory_answers', 'Replies cached in memory.', () => source.answers().bodies);
  gauge('quern_memory_answers_bytes', 'Bytes of the replies cached in memory.', () => source.answers().bytes);
  gauge('quern_warm_pairs', 'Pairs of saved query and arguments kept warm.', () => source.answers().warm);
  gauge('quern_endpoints', 'Saved queries that are served.', () => source.endpoints().served);
  gauge('quern_endpoints_broken', 'Saved queries whose files have errors.', () => source.endpoints().broken);

  const { shared } = source;
  if (shared !== undefined)
    gauge('quern_redis_up', 'Whether Redis, through which servers share, can be asked: 1 or 0.', () => Number(shared.up));

  for (const name of ['rows', 'seconds'] as const) {
    new Gauge({
      name: `quern_key_budget_left_${name}`,
      help:
        name === 'rows'
          ? 'Rows that a key may still read in this hour.'
          : "Seconds of the engine's time that a key may still use in this hour.",
      labelNames: ['key'] as const,
      registers,
      async collect() {
        const budgets = await source.budgets();
        this.reset();
        for (const budget of budgets) if (budget.name === name) this.set({ key: budget.key }, budget.left);
      },
    });
  }

  const all = Registry.merge([metricsOfProcess(), registry]);
  return {
    begin: () => void inFlight++,
    finish(request: FinishedRequest) {
      inFlight--;
      requests.count(request);
      if (request.engineMs !== undefined) engine.observe({ endpoint: request.endpoint }, request.engineMs / 1000);
    },
    /** A background refresh or warming that failed, or an old answer given for want of a new one. */
    event: (kind: string) => events.inc({ kind }),
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    text: async () => `${await all.metrics()}\n${requests.text()}`,
    /** The same as `text` says. */
    families: async () => [...(await all.getMetricsAsJSON()).flatMap(familyOf), ...requests.families()],
  };
}

/** prom-client's types do not know of the names in histograms. There are no summaries here. */
function familyOf({ name, help, type, values }: Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]): readonly MetricFamily[] {
  const kind = (['counter', 'gauge', 'histogram'] as const).find((one) => String(type) === one);
  return kind === undefined ? [] : [{ name, help, type: kind, values: values as readonly MetricValue[] }];
}
