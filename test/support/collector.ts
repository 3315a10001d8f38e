// A collector of OpenTelemetry's for tests: takes OTLP over HTTP as JSON, keeps what came, and can refuse it or fall silent.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CollectedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number; readonly message?: string };
}

interface CollectedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly asDouble?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: readonly number[];
}

export interface CollectedMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly points: readonly CollectedPoint[];
}

export interface Collector {
  readonly address: string;
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  /** `silent`: requests wait for ever. */
  state: 'up' | 'refusing' | 'silent';
  spans(): readonly CollectedSpan[];
  /** As they came last. */
  metrics(): readonly CollectedMetric[];
  /** Of what sends them. */
  resource(): Readonly<Record<string, unknown>>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly Record<string, unknown>[] }[];
  }[];
  readonly resourceMetrics?: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly Record<string, unknown>[] }[] }[];
}

export async function startCollector(): Promise<Collector> {
  const requests: Collector['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      if (collector.state === 'silent') return;
      response.writeHead(collector.state === 'up' ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const sent = (path: string): readonly Sent[] =>
    requests.filter((one) => one.path === path).map(({ body }) => JSON.parse(body.toString()) as Sent); // what the SDK's exporter writes
  const collector: Collector = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    state: 'up',
    spans: () =>
      sent('/v1/traces')
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: plain(span['attributes'] as readonly KeyValue[]) }) as unknown as CollectedSpan),
    metrics: () =>
      (sent('/v1/metrics').at(-1)?.resourceMetrics ?? [])
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics)
        .map(metricOf),
    resource: () => plain(sent('/v1/traces')[0]?.resourceSpans?.[0]?.resource.attributes ?? []),
  };
  return collector;
}

const plain = (pairs: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));

function metricOf(metric: Record<string, unknown>): CollectedMetric {
  const kind = (['sum', 'gauge', 'histogram'] as const).find((one) => one in metric) ?? 'gauge';
  const { dataPoints } = metric[kind] as {
    readonly dataPoints: readonly (Omit<CollectedPoint, 'attributes'> & { attributes: KeyValue[] })[];
  };
  const points = dataPoints.map((point) => ({ ...point, attributes: plain(point.attributes) }));
  return { name: String(metric['name']), unit: String(metric['unit']), kind, points };
}
