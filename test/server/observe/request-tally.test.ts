// The server's own counting of requests, beside the counters and histograms of the Prometheus client.
import { Counter, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createRequestTally } from '../../../src/server/observe/request-tally.ts';

const BOUNDS = [0.001, 0.025, 1];

test('requests are told as the client of Prometheus tells them, odd names included', async () => {
  const registers = [new Registry()];
  const requests = new Counter({
    name: 'quern_http_requests_total',
    help: 'Requests answered, by endpoint, status and cache state.',
    labelNames: ['endpoint', 'status', 'cache'],
    registers,
  });
  const durations = new Histogram({
    name: 'quern_http_request_duration_seconds',
    help: 'Time from the request to its reply.',
    labelNames: ['endpoint', 'cache'],
    buckets: BOUNDS,
    registers,
  });
  const tally = createRequestTally(BOUNDS);
  const seen = [
    ['usage.api-counts', 200, 'hit', 0.125],
    ['usage.api-counts', 304, 'hit', 1],
    ['usage.api-counts', 200, 'miss', 750],
    ['usage.api-counts', 200, 'hit', 25],
    ['none', 404, 'none', 1000.5],
    ['say "hello"\\\n', 200, 'hit', 60_000],
  ] as const;
  for (const [endpoint, status, cache, elapsedMs] of seen) {
    tally.count({ endpoint, status, cache, elapsedMs });
    requests.inc({ endpoint, status, cache });
    durations.observe({ endpoint, cache }, elapsedMs / 1000);
  }
  const lines = (text: string) => text.split('\n').sort();
  expect(lines(tally.text())).toEqual(lines((await registers[0]?.metrics()) ?? ''));
});

test('without requests there is nothing to tell but what would be told', async () => {
  expect(createRequestTally(BOUNDS).text()).toBe(`# HELP quern_http_requests_total Requests answered, by endpoint, status and cache state.
# TYPE quern_http_requests_total counter

# HELP quern_http_request_duration_seconds Time from the request to its reply.
# TYPE quern_http_request_duration_seconds histogram
`);
});
