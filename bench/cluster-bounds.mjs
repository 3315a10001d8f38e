// How much more than hand-written SQL a query over shards may cost.

/** Times the bytes that leave the shards, and times the processor time of all servers. */
const BOUNDS = { sent: 1.1, cpu: 1.1 };

/** The first that fits a case holds for it. Where a query takes 10 ms of each server, medians of five runs differ by a tenth. */
const EXCEPTIONS = [
  { case: /^logflare a join/, sent: 1.1, cpu: 1.2, why: 'nanoseconds are joined as the microseconds of BigQuery' },
  { case: / a join/, sent: 1.1, cpu: 1.15, why: 'noise' },
  { case: / logs\.all/, sent: 1.1, cpu: 1.3, why: 'records as BigQuery prints them: nested, without NULLs' },
  {
    case: /^(map|logflare) usage\.api-counts/,
    sent: 1.2,
    cpu: 1.2,
    why: 'buckets are DateTime64, which is twice as long as the DateTime of hand-written SQL',
  },
  { case: / usage\.api-counts/, sent: 1.1, cpu: 1.15, why: 'noise' },
  {
    case: /^json-untyped functions\.invocation-stats/,
    sent: 1.2,
    cpu: 1.5,
    why: 'the same, and a value of any type is read in three ways: shards are sent that once for each aggregate of it, and a function costs 50 µs on each',
  },
  {
    case: / functions\.invocation-stats/,
    sent: 1.2,
    cpu: 1.4,
    why: 'NaN and NULL as in BigQuery: two more aggregates over records; few groups, with longer names',
  },
];

/** Returns which of the bounds the case misses: none, or a text for each. */
export function missed(layout, name, ratio) {
  const bounds = EXCEPTIONS.find((one) => one.case.test(`${layout} ${name}`)) ?? BOUNDS;
  return Object.keys(BOUNDS)
    .filter((of) => ratio[of] > bounds[of])
    .map((of) => `${of} above ${bounds[of]}`);
}
