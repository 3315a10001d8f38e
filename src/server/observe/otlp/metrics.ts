// The metrics of /metrics as OTLP has them, under the same names: nothing is counted twice, and dashboards for the one fit the other.
import { type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime, type InstrumentationScope } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricFamily, MetricValue } from '../metric-family.ts';

/** What the SDK asks for metrics, now and then. */
export function metricProducer(families: () => Promise<readonly MetricFamily[]>, scope: InstrumentationScope): MetricProducer {
  const startTime = hrTime();
  return {
    async collect() {
      const endTime = hrTime();
      const known = (await families()).filter(({ values }) => values.length > 0);
      const metrics = known.map((family) => metricOf(family, { startTime, endTime }));
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

const UNITS: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By' };

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

function metricOf({ name, help, type, values }: MetricFamily, times: Times): MetricData {
  const unit = UNITS[/_(seconds|bytes)(?:_total)?$/.exec(name)?.[1] ?? ''] ?? '';
  const common = {
    descriptor: { name, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === 'histogram') return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(values, times) };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }));
  if (type === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
}

/** One histogram for each set of labels. */
function histograms(values: readonly MetricValue[], times: Times): DataPoint<Histogram>[] {
  const parts = new Map<
    string,
    { readonly labels: MetricValue['labels']; readonly below: (readonly [number, number])[]; sum: number; count: number }
  >();
  for (const { labels: all, value, metricName = '' } of values) {
    const { le, ...labels } = all;
    const key = JSON.stringify(labels);
    const part = parts.get(key) ?? { labels, below: [], sum: 0, count: 0 };
    parts.set(key, part);
    if (le !== undefined) part.below.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value]);
    else if (metricName.endsWith('_sum')) part.sum = value;
    else part.count = value;
  }
  return [...parts.values()].map(({ labels, below, sum, count }) => {
    const boundaries = below.map(([bound]) => bound).filter(Number.isFinite);
    const counts = below.map(([, all], i) => all - (below[i - 1]?.[1] ?? 0));
    return { ...times, attributes: { ...labels }, value: { buckets: { boundaries, counts }, sum, count } };
  });
}
