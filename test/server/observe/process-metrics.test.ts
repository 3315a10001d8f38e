// Metrics of the process itself: each server shows them, and a process that opens many servers watches its event loop once.
import { createHook } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { createMetrics, type MetricsSource } from '../../../src/server/observe/metrics.ts';

const source: MetricsSource = {
  answers: () => ({
    running: 0,
    waiting: 0,
    bodies: 0,
    bytes: 0,
    warm: 0,
    spared: { revalidated: 0, keptBuckets: 0, askedBuckets: 0, rows: 0 },
  }),
  budgets: async () => [],
  endpoints: () => ({ served: 0, broken: 0 }),
  shared: undefined,
};

test('servers of one process share what watches its event loop', async () => {
  let histograms = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'ELDHISTOGRAM') histograms++;
    },
  }).enable();
  const texts = await Promise.all([createMetrics(source), createMetrics(source), createMetrics(source)].map(async (one) => one.text()));
  hook.disable();
  expect(histograms).toBeLessThanOrEqual(1);
  for (const text of texts) {
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(text).toMatch(/^quern_endpoints 0$/m);
  }
});
