// Counts requests and how long they took, and prints both for Prometheus. Counting is done for every request, so it costs next to nothing.
import type { MetricFamily, MetricValue } from './metric-family.ts';

export interface CountedRequest {
  /** The saved query's name, or `none` for all else: addresses that clients make up must not make series. */
  readonly endpoint: string;
  readonly status: number;
  readonly cache: 'hit' | 'revalidated' | 'miss' | 'stale' | 'off' | 'none';
  readonly elapsedMs: number;
}

/** Counts of the requests of one endpoint with one cache state. */
interface Series {
  readonly labels: { readonly endpoint: string; readonly cache: string };
  readonly byStatus: Map<number, number>;
  /** How many took no longer than each bound, and longer than the one before. */
  readonly inBucket: number[];
  seconds: number;
}

const REQUESTS = 'quern_http_requests_total';
const DURATIONS = 'quern_http_request_duration_seconds';

/** `bounds`: of the histogram, in seconds, ascending. */
export function createRequestTally(bounds: readonly number[]) {
  const byEndpoint = new Map<string, Map<string, Series>>();

  const seriesOf = (endpoint: string, cache: string): Series => {
    const known = byEndpoint.get(endpoint)?.get(cache);
    if (known !== undefined) return known;
    const series: Series = { labels: { endpoint, cache }, byStatus: new Map(), inBucket: [...bounds, Infinity].map(() => 0), seconds: 0 };
    byEndpoint.set(endpoint, (byEndpoint.get(endpoint) ?? new Map()).set(cache, series));
    return series;
  };

  const families = (): readonly MetricFamily[] => {
    const all = [...byEndpoint.values()].flatMap((states) => [...states.values()]);
    return [
      { name: REQUESTS, help: 'Requests answered, by endpoint, status and cache state.', type: 'counter', values: all.flatMap(counters) },
      {
        name: DURATIONS,
        help: 'Time from the request to its reply.',
        type: 'histogram',
        values: all.flatMap((series) => histogram(series, bounds)),
      },
    ];
  };

  return {
    count({ endpoint, status, cache, elapsedMs }: CountedRequest) {
      const series = seriesOf(endpoint, cache);
      const seconds = elapsedMs / 1000;
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? Infinity)) bucket++;
      series.inBucket[bucket] = (series.inBucket[bucket] ?? 0) + 1;
      series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
      series.seconds += seconds;
    },
    /** A counter of the requests and a histogram of their time. */
    families,
    /** The same in the text format of Prometheus. */
    text: () => `${families().map(textOf).join('\n\n')}\n`,
  };
}

function counters({ labels: { endpoint, cache }, byStatus }: Series): MetricValue[] {
  return [...byStatus].map(([status, value]) => ({ labels: { endpoint, status: String(status), cache }, value }));
}

function histogram({ labels, inBucket, seconds }: Series, bounds: readonly number[]): MetricValue[] {
  let count = 0;
  const buckets = inBucket.map((here, i) => {
    count += here;
    return { metricName: `${DURATIONS}_bucket`, labels: { le: String(bounds[i] ?? '+Inf'), ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${DURATIONS}_sum`, labels, value: seconds },
    { metricName: `${DURATIONS}_count`, labels, value: count },
  ];
}

function textOf({ name, help, type, values }: MetricFamily): string {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(({ metricName = name, labels, value }) => line(metricName, labels, value)),
  ].join('\n');
}

function line(name: string, labels: MetricValue['labels'], value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`);
  return `${name}{${pairs.join(',')}} ${value}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' };
const escaped = (text: string): string => text.replace(/[\\\n"]/g, (character) => ESCAPES[character] ?? character);
