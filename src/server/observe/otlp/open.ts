// Traces and metrics by OTLP over HTTP, with OpenTelemetry's SDK, which is loaded with this file and by nothing else.
import { randomUUID } from 'node:crypto';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../log.ts';
import type { MetricFamily } from '../metric-family.ts';
import type { Tracing } from '../tracing.ts';
import { collectorConnections } from './agent.ts';
import { metricProducer } from './metrics.ts';
import { tellOutages } from './outages.ts';
import type { Destination, OtlpSettings } from './settings.ts';
import { createTracing } from './traces.ts';

interface TelemetryOptions {
  readonly settings: OtlpSettings;
  readonly version: string;
  readonly log: Logger;
}

/** The last traces and metrics are not worth more of a server's end. */
const LAST_WORDS_MS = 3000;

export type Telemetry = ReturnType<typeof openTelemetry>;

export function openTelemetry({ settings, version, log }: TelemetryOptions) {
  const { traces, metrics, metricsEveryMs } = settings;
  const scope = { name: 'quern', version };
  const resource = resourceOf(version);
  const closing: (() => Promise<void>)[] = [];
  const connections: { end(): void }[] = [];

  const optionsFor = (to: Destination) => {
    const toCollector = collectorConnections(to);
    connections.push(toCollector);
    return { httpAgentOptions: toCollector.agent };
  };

  const openTracing = (to: Destination): Tracing => {
    const options = optionsFor(to);
    const exporter: SpanExporter = to.protocol === 'http/json' ? new JsonTraceExporter(options) : new ProtobufTraceExporter(options);
    const provider = new BasicTracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor(tellOutages(exporter, 'traces', to.place, log))],
    });
    closing.push(() => provider.shutdown());
    return createTracing(provider.getTracer(scope.name, scope.version));
  };

  return {
    /** Absent where traces are not sent. */
    tracing: traces === undefined ? undefined : openTracing(traces),
    /** Sends these metrics from now on, if any are to be sent. */
    sendMetrics(families: () => Promise<readonly MetricFamily[]>) {
      if (metrics === undefined) return;
      const options = optionsFor(metrics);
      const exporter: PushMetricExporter =
        metrics.protocol === 'http/json' ? new JsonMetricExporter(options) : new ProtobufMetricExporter(options);
      const reader = new PeriodicExportingMetricReader({
        exporter: tellOutages(exporter, 'metrics', metrics.place, log),
        exportIntervalMillis: metricsEveryMs,
        metricProducers: [metricProducer(families, scope)],
      });
      const provider = new MeterProvider({ resource, readers: [reader] });
      closing.push(() => provider.shutdown());
    },
    /** Sends what is not sent yet, for as long as that may take, and ends all connections. */
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const bound = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_WORDS_MS);
      });
      await Promise.race([Promise.allSettled(closing.map((end) => end())), bound]);
      clearTimeout(timer);
      for (const one of connections) one.end();
    },
  };
}

/** What the environment says of the service goes before what quern says. */
function resourceOf(version: string): Resource {
  const own = resourceFromAttributes({
    'service.name': 'quern',
    'service.version': version,
    // Several servers behind a balancer would otherwise send their counts as those of one.
    'service.instance.id': randomUUID(),
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}
