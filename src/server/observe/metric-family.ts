// Metrics as they stand at a moment, for who sends them elsewhere than to a reader of /metrics.

/** One value of a metric; of a histogram, one of its buckets (with the label `le`, counting all below), its sum, or its count. */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Of a histogram: the metric's name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly MetricValue[];
}
